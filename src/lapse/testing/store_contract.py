"""The behavioural contract of stores, shipped: any store can be held against it.

Decides what a store must do, in named cases. Refuses to know any store. With pytest:

    class TestMyStore(StoreContract):
        @pytest.fixture
        def store(self) -> Iterator[Store]:
            with closing(MyStore()) as store:   # empty, and of its own for each case
                yield store

Without pytest, `broken_clauses(StoreContract, MyStore)` tells which clauses a store breaks. A store
that outlives its process is also held against `LastingStoreContract`; one whose rows can be damaged
from outside against `LostStateContract`, and one that searches large banks by itself against
`store_contract_near.NearClauses`.
"""
# ruff: noqa: D102, S101 - a clause is a sentence by name and assertions in its body

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from lapse.errors import CorruptStoreError, StoreError
from lapse.model.changeset import Changes, ChangeSet
from lapse.model.journal import GENESIS, follows
from lapse.model.memory import BankRef
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View
from lapse.ports import Store
from lapse.testing.fakes import ALICE, START, memory, record, space, state, use, writes
from lapse.testing.store_contract_answers import AnswerClauses
from lapse.testing.store_contract_copies import CopyClauses
from lapse.testing.store_contract_events import EventClauses, drain, enqueue
from lapse.testing.store_contract_governing import GoverningClauses
from lapse.testing.store_contract_graves import GraveClauses
from lapse.testing.store_contract_identifiers import IdentifierClauses
from lapse.testing.store_contract_index import IndexClauses, use_space
from lapse.testing.store_contract_plans import PlanClauses
from lapse.testing.store_contract_rating import RatingClauses
from lapse.testing.store_contract_reads import ReadClauses
from lapse.testing.store_contract_snapshots import all_records, snapshot, whole_journal
from lapse.testing.store_contract_sweeps import LeaseClauses, SweepClauses
from lapse.testing.store_contract_tally import TallyClauses
from lapse.testing.store_contract_tenants import TenantClauses
from lapse.testing.store_contract_truths import TruthClauses
from lapse.testing.store_contract_values import ValueClauses
from lapse.testing.store_contract_words import WordClauses
from lapse.testing.store_contract_writes import WriteClauses, entry, remember, update, view_of


class ThreadClauses:
    """Threads may share a store."""

    def test_sixteen_threads_lose_no_write(self, store: Store) -> None:
        def work(worker: int) -> list[int]:
            return [
                store.commit(writes(Changes(created=(record(memory(f"m{worker}-{at}")),)))).revision
                for at in range(6)
            ]

        with ThreadPoolExecutor(max_workers=16) as pool:
            revisions = [each for found in pool.map(work, range(16)) for each in found]
        assert sorted(revisions) == list(range(1, 97))
        assert store.revision(ALICE) == 96
        assert len(all_records(store, ALICE)) == 96
        entries = whole_journal(store, ALICE)
        hashes = [GENESIS, *(each.hash for each in entries)]
        assert all(follows(e, before) for e, before in zip(entries, hashes, strict=False))
        assert list(store.faults(ALICE)) == []

    def test_a_judge_and_its_write_are_not_interrupted(self, store: Store) -> None:
        remember(store, "counter")

        def add_one(view: View) -> Changes:
            held = view.records["counter"].state
            count = held.strength.access_count + 1
            more = replace(held, strength=replace(held.strength, access_count=count))
            return Changes(states=(("counter", more),), journal=entry(Verb.PIN, "counter"))

        change = ChangeSet(
            verb=Verb.PIN, ref=ALICE, now=START, reads=Reads(ids=("counter",)), judge=add_one
        )
        with ThreadPoolExecutor(max_workers=16) as pool:
            done = list(pool.map(lambda _: store.commit(change).revision, range(64)))
        assert sorted(done) == list(range(2, 66))
        assert store.get(ALICE, ["counter"])[0].state.strength.access_count == 64

    def test_no_reader_sees_half_a_write(self, store: Store) -> None:
        def write(at: int) -> int:
            created = (record(memory(f"a{at}")), record(memory(f"b{at}")))
            return store.commit(writes(Changes(created=created))).revision

        def read(_: int) -> tuple[int, int, int, int]:
            least = store.revision(ALICE)
            delta = store.changes(ALICE, 0)
            return least, delta.revision, len(delta.content.ids), len(delta.states.rows)

        with ThreadPoolExecutor(max_workers=8) as pool:
            written = [pool.submit(write, at) for at in range(40)]
            seen = [pool.submit(read, at) for at in range(40)]
            answers = [each.result() for each in seen]
            assert len({each.result() for each in written}) == 40
        for least, revision, contents, states in answers:
            assert least <= revision
            assert contents == states == 2 * revision


class StoreContract(
    WriteClauses,
    ReadClauses,
    EventClauses,
    IndexClauses,
    GoverningClauses,
    GraveClauses,
    WordClauses,
    CopyClauses,
    SweepClauses,
    LeaseClauses,
    IdentifierClauses,
    RatingClauses,
    TallyClauses,
    TruthClauses,
    PlanClauses,
    AnswerClauses,
    TenantClauses,
    ValueClauses,
    ThreadClauses,
):
    """What every store must do; each case takes an empty store."""


class LastingStoreContract(ABC):
    """What a store must do that outlives its process."""

    @abstractmethod
    def another(self) -> Store:
        """Open what the store under test keeps a second time."""

    @abstractmethod
    def opened(self, path: str) -> Store:
        """Open a backup."""

    @abstractmethod
    def free_path(self) -> str:
        """Name a place where nothing is yet and a backup can be written."""

    def test_everything_is_there_when_opened_again(self, store: Store) -> None:
        _fill(store)
        before = snapshot(store, ALICE)
        store.close()
        again = self.another()
        assert snapshot(again, ALICE) == before
        remember(again, "after")
        assert again.revision(ALICE) == before.delta.revision + 1
        again.close()

    def test_two_handles_see_each_others_writes_at_once(self, store: Store) -> None:
        other = self.another()
        for at in range(5):
            first, second = (store, other) if at % 2 else (other, store)
            remember(first, f"m{at}")
            assert second.revision(ALICE) == at + 1
            assert second.changes(ALICE, at).content.ids == [f"m{at}"]
        use_space(store, space(1))
        use_space(other, space(2))
        assert store.bank(ALICE) == other.bank(ALICE)
        assert snapshot(store, ALICE) == snapshot(other, ALICE)
        other.close()

    def test_a_backup_is_the_whole_store_and_overwrites_nothing(self, store: Store) -> None:
        _fill(store)
        path = self.free_path()
        store.backup(path)
        before = snapshot(store, ALICE)
        remember(store, "after the backup")
        copy = self.opened(path)
        assert snapshot(copy, ALICE) == before
        copy.close()
        try:
            store.backup(path)
        except StoreError:
            copy = self.opened(path)
            assert snapshot(copy, ALICE) == before
            copy.close()
            return
        raise AssertionError("a backup was overwritten")

    def test_what_is_kept_takes_room(self, store: Store) -> None:
        before = store.size_bytes()
        remember(store, *(f"m{at}" for at in range(500)))
        assert store.size_bytes() > before > 0


class LostStateContract(ABC):
    """What a store must do when a memory's state is gone."""

    @abstractmethod
    def lose_state(self, store: Store, ref: BankRef, memory_id: str) -> None:
        """Take a memory's retention state away behind the store's back."""

    def test_a_lost_state_is_told_and_never_passed_over(self, store: Store) -> None:
        remember(store, "a", "b")
        enqueue(store, ("a", "e1"), ("b", "e1"))
        self.lose_state(store, ALICE, "a")
        view = view_of(store, Reads(ids=("a", "b"), pending=9, events=True))
        assert list(view.records) == ["b"]
        assert store.stateless(ALICE) == ["a"]
        row, lost = view.stateless["a"]
        assert lost == memory("a")
        assert (view.pending, len(view.events["a"])) == (("b",), 1)
        delta = store.changes(ALICE, 0)
        assert delta.content.ids == ["a", "b"]
        assert delta.content.rows[0] == row
        assert row not in delta.states.rows
        assert [each for each in store.faults(ALICE) if "'a'" in each]
        told = [
            _told(lambda: store.get(ALICE, ["b", "a"])),
            _told(lambda: all_records(store, ALICE)),
            _told(lambda: store.missing_vectors(ALICE, 1, 9)),
        ]
        assert told == ["a", "a", "a"]

    def test_a_repair_gives_a_state_back(self, store: Store) -> None:
        remember(store, "a")
        enqueue(store, ("a", "e1"))
        self.lose_state(store, ALICE, "a")
        since = store.revision(ALICE)
        changes = Changes(states=(("a", state()),), journal=entry(Verb.REPAIR, "a"))
        store.commit(writes(changes, verb=Verb.REPAIR))
        assert store.stateless(ALICE) == []
        assert store.get(ALICE, ["a"])[0].state == state()
        assert len(store.changes(ALICE, since).states.rows) == 1
        assert drain(store, 9).changes.drained == (("a", "e1"),)
        assert list(store.faults(ALICE)) == []


def clauses(contract: type) -> Iterator[tuple[str, Callable[[Store], None]]]:
    """Give each clause of a contract that needs nothing but a store, by name."""
    suite = contract()
    for name in dir(suite):
        if name.startswith("test_"):
            yield name, getattr(suite, name)


def broken_clauses(contract: type, make: Callable[[], Store]) -> dict[str, str]:
    """Hold a store against a contract.

    Args:
        contract: `StoreContract` or a subclass of it.
        make: Gives an empty store of its own for each clause.

    Returns:
        By the name of each clause that is broken, what happened.
    """
    broken = {}
    for name, clause in clauses(contract):
        store = make()
        try:
            clause(store)
        except Exception as error:  # noqa: BLE001 - whatever a store does wrong breaks the clause
            broken[name] = f"{type(error).__name__}: {error}"
        finally:
            store.close()
    return broken


def _told(ask: Callable[[], object]) -> str | None:
    try:
        ask()
    except CorruptStoreError as error:
        return error.fields["memory_id"]
    return None


def _fill(store: Store) -> None:
    remember(store, "a", "b", "c")
    enqueue(store, ("a", "e1"), ("b", "e1"))
    drain(store, 1)
    use_space(store, space(1))
    store.commit(writes(Changes(revised=(update("b", "new"),)), verb=Verb.UPDATE))
    store.commit(writes(Changes(removed=("c",), enqueued=(use("a", "e2"),)), verb=Verb.REPAIR))
