"""Any sequence of writes leaves a store as it leaves the reference.

SQLite and a toy store are driven beside the in-memory reference, and everything that can be read is
compared after every step.
"""

import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    rule,
    run_state_machine_as_test,
)

from lapse.errors import ConflictError, LapseError
from lapse.model.changeset import Changes, ChangeSet, Judge
from lapse.model.instants import DAY, Instant
from lapse.model.memory import BankRef
from lapse.model.record import ContentChange, VectorChange
from lapse.model.retention import Lifecycle
from lapse.model.verbs import VERBS, Verb
from lapse.model.view import Reads, View
from lapse.ports import Store
from lapse.stores.memory import MemoryStore
from lapse.stores.sql.sqlite import SqliteStore
from lapse.testing.fakes import START, facets, memory, record, space, use, vector
from lapse.testing.store_contract_events import count_pending
from lapse.testing.store_contract_snapshots import PlainDelta, all_records, plain_delta, snapshot
from lapse.testing.store_contract_writes import entry
from tests.contracts.bad_habits import GivesTermsAgain, LosesEvents, TakesLateVectors
from tests.contracts.toy_store import ToyStore

REFS = (
    BankRef(name="alice"),
    BankRef(tenant="DEFAULT", name="alice"),
    BankRef(name="al_ce"),
)
WORDS = ("tea", "milk", "rum", "Straße", "茶", "e\u0301")

refs = st.sampled_from(REFS)
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
picks = st.integers(0, 5)
days = st.integers(-3, 3)


class Followed:
    """A bank as an index sees it: by deltas alone."""

    def __init__(self) -> None:
        self.revision = 0
        self.contents: dict[int, tuple[object, ...]] = {}
        self.states: dict[int, tuple[object, ...]] = {}
        self.terms: dict[str, int] = {}

    def follow(self, store: Store, ref: BankRef) -> PlainDelta:
        """Take in what changed, and give what the bank would hold when read whole."""
        delta = store.changes(ref, self.revision)
        rows = [int(each) for each in (*delta.content.rows, *delta.states.rows)]
        numbers = {row: str(row) for row in rows}
        plain = plain_delta(
            replace(
                delta,
                content=replace(delta.content, ids=[str(each) for each in delta.content.rows]),
            ),
            self.terms,
            numbers,
        )
        self.terms |= delta.terms
        assert len(set(self.terms.values())) == len(self.terms), "an id was given to two terms"
        if delta.space_changed:
            self.contents = {}
        self.contents |= {int(row): values for row, values in plain.content.items()}
        self.states |= {int(row): values for row, values in plain.states.items()}
        for row in delta.removed.tolist():
            self.contents.pop(row, None)
            self.states.pop(row, None)
        self.revision = delta.revision
        names = {each.row: each.memory.id for each in all_records(store, ref)}
        return PlainDelta(
            revision=self.revision,
            content={names[row]: values for row, values in self.contents.items()},
            states={names[row]: values for row, values in self.states.items()},
            space=plain.space,
        )


class StoreMachine(RuleBasedStateMachine):
    """Writes the same to a store and to the reference, and compares all that can be read."""

    def open(self) -> Store:
        return ToyStore()

    @initialize()
    def begin(self) -> None:
        self.reference = MemoryStore()
        self.subject = self.open()
        self.ids: dict[BankRef, list[str]] = {each: [] for each in REFS}
        self.followed = {each: Followed() for each in REFS}
        self.made = 0

    def teardown(self) -> None:
        if hasattr(self, "subject"):
            self.subject.close()

    @rule(ref=refs, told=st.lists(texts, min_size=1, max_size=3), key=st.sampled_from((None, "k")))
    def create(self, ref: BankRef, told: list[str], key: str | None) -> None:
        created = []
        for text in told:
            self.made += 1
            new = record(replace(memory(f"m{self.made}", text, ref=ref), key=key))
            created.append(new)
        self.write(ref, Verb.REMEMBER, lambda _: Changes(created=tuple(created)))
        self.ids[ref] += [each.memory.id for each in created]

    @rule(ref=refs, pick=picks, text=texts)
    def update(self, ref: BankRef, pick: int, text: str) -> None:
        def judge(view: View) -> Changes:
            changed = [
                replace(
                    memory(each.memory.id, text, ref=ref),
                    content_version=each.memory.content_version + 1,
                )
                for each in view.records.values()
            ]
            return Changes(
                revised=tuple(ContentChange(memory=each, facets=facets(text)) for each in changed)
            )

        self.write(ref, Verb.UPDATE, judge, Reads(ids=self.picked(ref, pick)))

    @rule(ref=refs, pick=picks, words=texts)
    def read_again(self, ref: BankRef, pick: int, words: str) -> None:
        def judge(view: View) -> Changes:
            return Changes(
                reread=tuple(
                    ContentChange(
                        memory=each.memory,
                        facets=replace(facets(each.memory.text), terms=tuple(words.split())),
                    )
                    for each in view.records.values()
                )
            )

        self.write(ref, Verb.REREAD, judge, Reads(ids=self.picked(ref, pick)))

    @rule(ref=refs, pick=picks, proofs=st.integers(1, 3))
    def amend(self, ref: BankRef, pick: int, proofs: int) -> None:
        def judge(view: View) -> Changes:
            found = (each.memory for each in view.records.values())
            return Changes(amended=tuple(replace(each, proof_count=proofs) for each in found))

        self.write(ref, Verb.UPDATE, judge, Reads(ids=self.picked(ref, pick)))

    @rule(ref=refs, pick=picks, lifecycle=st.sampled_from(Lifecycle), pinned=st.booleans())
    def mark(self, ref: BankRef, pick: int, lifecycle: Lifecycle, pinned: bool) -> None:
        def judge(view: View) -> Changes:
            return Changes(
                states=tuple(
                    (name, replace(each.state, lifecycle=lifecycle, pinned=pinned))
                    for name, each in view.records.items()
                )
            )

        self.write(ref, Verb.PIN, judge, Reads(ids=self.picked(ref, pick)))

    @rule(ref=refs, uses=st.lists(st.tuples(picks, st.integers(0, 9), days), max_size=6))
    def use(self, ref: BankRef, uses: list[tuple[int, int, int]]) -> None:
        events = tuple(
            use(each, f"e{number}", at=Instant(START + day * DAY))
            for pick, number, day in uses
            for each in self.picked(ref, pick)
        )
        self.write(ref, Verb.USED, lambda _: Changes(enqueued=events))

    @rule(ref=refs, limit=st.integers(1, 4))
    def drain(self, ref: BankRef, limit: int) -> None:
        self.write(ref, Verb.DRAIN, count_pending, Reads(pending=limit))

    @rule(ref=refs, finish=st.booleans())
    def move_on_to_another_space(self, ref: BankRef, finish: bool) -> None:
        def judge(view: View) -> Changes:
            if finish and view.bank.building is not None:
                old = () if view.bank.space is None else (view.bank.space.number,)
                moved = replace(view.bank, space=view.bank.building, building=None)
                return Changes(bank=moved, drop_spaces=old)
            used = [each.number for each in (view.bank.space, view.bank.building) if each]
            new = space(max(used, default=0) + 1)
            old = () if view.bank.building is None else (view.bank.building.number,)
            return Changes(bank=replace(view.bank, building=new), drop_spaces=old)

        self.write(ref, Verb.EMBED, judge)

    @rule(ref=refs, pick=picks, behind=st.integers(0, 1), east=st.floats(-1, 1))
    def embed(self, ref: BankRef, pick: int, behind: int, east: float) -> None:
        def judge(view: View) -> Changes:
            used = [each.number for each in (view.bank.space, view.bank.building) if each]
            return Changes(
                vectors=tuple(
                    VectorChange(
                        memory_id=name,
                        content_version=each.memory.content_version - behind,
                        vector=vector(number, [east, 1.0, 0.0, 0.0]),
                    )
                    for name, each in view.records.items()
                    for number in used
                )
            )

        self.write(ref, Verb.EMBED, judge, Reads(ids=self.picked(ref, pick)))

    @rule(ref=refs, pick=picks)
    def remove(self, ref: BankRef, pick: int) -> None:
        gone = self.picked(ref, pick)
        self.write(ref, Verb.REPAIR, lambda _: Changes(removed=gone))
        self.ids[ref] = [each for each in self.ids[ref] if each not in gone]

    @rule(ref=refs, pick=picks)
    def contradict(self, ref: BankRef, pick: int) -> None:
        again = tuple(record(memory(each, ref=ref)) for each in self.picked(ref, pick))
        new = record(memory("never", ref=ref))
        self.write(ref, Verb.REMEMBER, lambda _: Changes(created=(new, *again, new)))

    @rule(ref=refs)
    def refuse(self, ref: BankRef) -> None:
        def judge(view: View) -> Changes:
            raise ConflictError(f"not at revision {view.bank.revision}")

        self.write(ref, Verb.REMEMBER, judge)

    @rule(ref=refs, pick=picks, text=texts, limit=st.integers(0, 4), events=st.booleans())
    def look(self, ref: BankRef, pick: int, text: str, limit: int, events: bool) -> None:
        seen: list[View] = []

        def judge(view: View) -> Changes:
            seen.append(view)
            return Changes()

        reads = Reads(
            ids=(*self.picked(ref, pick), "nobody"),
            fingerprints=(facets(text).fingerprint,),
            keys=("k", "K"),
            pending=limit,
            events=events,
        )
        self.write(ref, Verb.UPDATE, judge, reads)
        mine, theirs = seen
        assert _told(mine) == _told(theirs)

    def picked(self, ref: BankRef, pick: int) -> tuple[str, ...]:
        """Give one id of the bank, or none when it is empty."""
        ids = self.ids[ref]
        return (ids[pick % len(ids)],) if ids else ()

    def write(self, ref: BankRef, verb: Verb, judge: Judge, reads: Reads | None = None) -> None:
        """Write to both, and compare what came of it."""

        def journalled(view: View) -> Changes:
            changes = judge(view)
            if not VERBS[verb].journalled or changes.journal is not None:
                return changes
            return replace(changes, journal=entry(verb, *(each for each, _ in changes.states)))

        change = ChangeSet(verb=verb, ref=ref, now=START, reads=reads or Reads(), judge=journalled)
        assert _done(self.subject, change) == _done(self.reference, change)
        assert snapshot(self.subject, ref) == snapshot(self.reference, ref)
        whole = snapshot(self.subject, ref).delta
        assert self.followed[ref].follow(self.subject, ref) == whole
        assert list(self.subject.faults(ref)) == []


class SqliteMachine(StoreMachine):
    """The same with a file, which may be closed and opened at any time."""

    def open(self) -> Store:
        self.folder = Path(tempfile.mkdtemp(prefix="lapse-machine-"))
        return SqliteStore.open(self.folder / "store.db")

    @rule()
    def reopen(self) -> None:
        self.subject.close()
        self.subject = SqliteStore.open(self.folder / "store.db")

    def teardown(self) -> None:
        super().teardown()
        if hasattr(self, "folder"):
            shutil.rmtree(self.folder)


def _done(store: Store, change: ChangeSet) -> object:
    try:
        done = store.commit(change)
    except LapseError as error:
        return type(error)
    return (done.revision, done.enqueued, done.journal_seq, done.changes.empty)


def _told(view: View) -> object:
    records = {name: (each.memory, each.state) for name, each in view.records.items()}
    return (view.bank, records, view.same_text, view.same_key, view.pending, view.events)


LENGTHS = settings(max_examples=25, stateful_step_count=25)

TestToyAgainstReference = StoreMachine.TestCase
TestToyAgainstReference.settings = LENGTHS
TestSqliteAgainstReference = SqliteMachine.TestCase
TestSqliteAgainstReference.settings = LENGTHS


class LostEventsMachine(StoreMachine):
    def open(self) -> Store:
        return ToyStore(LosesEvents())


class LateVectorsMachine(StoreMachine):
    def open(self) -> Store:
        return ToyStore(TakesLateVectors())


class ReusedTermsMachine(StoreMachine):
    def open(self) -> Store:
        return ToyStore(GivesTermsAgain())


@pytest.mark.parametrize("machine", [LostEventsMachine, LateVectorsMachine, ReusedTermsMachine])
def test_the_machine_notices_a_bad_habit(machine: type[StoreMachine]) -> None:
    lengths = settings(
        max_examples=800, stateful_step_count=30, database=None, phases=[Phase.generate]
    )
    with pytest.raises(AssertionError):
        run_state_machine_as_test(machine, settings=lengths)
