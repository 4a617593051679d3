"""Clauses on what a bank hands on and takes over.

Decides that several writes can be one, that a dump is of one moment and tells everything, that a
bank taken over whole goes on with its own journal, and that copies are found from what they were
made of. Refuses to know any store.
"""
# ruff: noqa: D102, S101 - a clause is a sentence by name and assertions in its body

from collections.abc import Iterator
from dataclasses import replace

from lapse.errors import ConflictError
from lapse.model.bank import Bank
from lapse.model.changeset import Changes, ChangeSet
from lapse.model.dump import KeptMemory
from lapse.model.hold import Hold
from lapse.model.journal import GENESIS, JournalEntry, follows
from lapse.model.memory import BankRef, Memory, MemoryRef, SharedFrom
from lapse.model.paging import Listing
from lapse.model.record import Vector
from lapse.model.tombstone import Tombstone
from lapse.model.verbs import Verb
from lapse.ports import Store
from lapse.testing.fakes import ALICE, START, memory, record, space, use, vector, writes
from lapse.testing.store_contract_graves import bury, stone
from lapse.testing.store_contract_index import use_space
from lapse.testing.store_contract_snapshots import snapshot, whole_journal
from lapse.testing.store_contract_writes import entry, remember, update

BOB = BankRef(name="bob")
OTHER = BankRef(tenant="other", name="alice")


def told(*names: str, ref: BankRef = ALICE) -> ChangeSet:
    """Give a write that creates memories."""
    created = tuple(record(memory(each, ref=ref)) for each in names)
    return writes(Changes(created=created), ref=ref)


def copy_of(source: str, name: str, ref: BankRef = BOB) -> Memory:
    """Give a copy of a memory of Alice's."""
    return replace(memory(name, ref=ref), shared_from=SharedFrom(bank=ALICE.name, id=source))


def kept(store: Store, ref: BankRef = ALICE) -> list[KeptMemory]:
    """Give the memories of a dump."""
    return [each for each in store.dump(ref) if isinstance(each, KeptMemory)]


def adopted(store: Store, ref: BankRef, through: int, *entries: JournalEntry) -> None:
    """Let a bank take over a journal."""
    changes = Changes(adopted=entries, numbers_through=through)
    store.commit(writes(changes, ref=ref, verb=Verb.ADOPT))


class CopyClauses:
    """What leaves a bank, what it takes over, and what it shares."""

    def test_writes_committed_together_are_written_in_order(self, store: Store) -> None:
        again = Changes(amended=(replace(memory("a"), confidence=0.75),))
        changes = [told("a"), writes(again, verb=Verb.UPDATE), told("b", ref=BOB)]
        done = store.commit_each(changes)
        assert [each.revision for each in done] == [1, 2, 1]
        assert store.get(ALICE, ["a"])[0].memory.confidence == 0.75
        assert store.count(BOB) == 1

    def test_of_writes_committed_together_all_are_written_or_none(self, store: Store) -> None:
        remember(store, "a")
        before = snapshot(store, ALICE)
        buried = Changes(tombstones=(stone("t"),), journal=entry(Verb.ERASE))

        def failing() -> Iterator[ChangeSet]:
            yield told("b")
            yield told("c", ref=BOB)
            yield writes(buried, verb=Verb.ERASE)
            yield told("a")

        try:
            store.commit_each(failing())
        except ConflictError:
            pass
        else:
            raise AssertionError("a memory was created twice")
        assert snapshot(store, ALICE) == before
        assert store.bank(BOB) is None
        assert store.tombstones(ALICE, 0, 9) == []
        remember(store, "b")
        assert store.revision(ALICE) == before.delta.revision + 1
        assert list(store.faults(ALICE)) == []

    def test_a_dump_tells_all_that_is_kept_of_a_memory(self, store: Store) -> None:
        use_space(store, space())
        first = record(memory("a"), vector=vector(1, [1, 0, 0, 0]))
        store.commit(writes(Changes(created=(first,))))
        change = replace(update("a", "another text"), vector=vector(1, [0, 1, 0, 0]))
        store.commit(
            writes(Changes(revised=(change,), journal=entry(Verb.UPDATE, "a")), verb=Verb.UPDATE)
        )
        store.commit(writes(Changes(enqueued=(use("a", "e1"), use("a", "e0"))), verb=Verb.USED))
        done = Changes(drained=(("a", "e1"),), journal=entry(Verb.DRAIN))
        store.commit(writes(done, verb=Verb.DRAIN))
        (found,) = kept(store)
        assert found.memory == change.memory
        assert found.versions == (first.memory,)
        assert (found.state, found.salt) == (first.state, first.salt)
        assert found.vectors == (Vector(space=1, data=vector(1, [0, 1, 0, 0]).data),)
        assert [(each.event.event_id, each.pending) for each in found.uses] == [
            ("e1", False),
            ("e0", True),
        ]

    def test_a_dump_tells_what_protects_before_what_is_protected(self, store: Store) -> None:
        remember(store, "a", "b")
        bury(store, stone("t"))
        kinds = [type(each) for each in store.dump(ALICE)]
        assert kinds[:2] == [Bank, Tombstone]
        assert Hold not in kinds
        assert kinds[2:] == [JournalEntry, JournalEntry, KeptMemory, KeptMemory]
        assert [each.memory.id for each in kept(store)] == ["a", "b"]
        assert list(store.dump(BankRef(name="nobody"))) == []

    def test_a_dump_is_of_one_moment(self, store: Store) -> None:
        remember(store, "a")
        pieces = store.dump(ALICE)
        first = next(pieces)
        remember(store, "b")
        rest = list(pieces)
        assert isinstance(first, Bank)
        assert first.revision == 1
        assert [each.memory.id for each in rest if isinstance(each, KeptMemory)] == ["a"]

    def test_a_bank_taken_over_goes_on_with_its_own_journal(self, store: Store) -> None:
        remember(store, "x", "y", ref=BOB)
        remember(store, "a", "b", "c")
        source = whole_journal(store, ALICE)
        numbers = {each.memory.id: each.number for each in kept(store)}
        adopted(store, OTHER, numbers["c"], *source)
        new = [
            replace(record(memory(each, ref=OTHER)), number=numbers[each]) for each in ("a", "b")
        ]
        store.commit(writes(Changes(created=tuple(new)), ref=OTHER, verb=Verb.IMPORT))
        remember(store, "d", ref=OTHER)
        entries = whole_journal(store, OTHER)
        assert entries[: len(source)] == source
        hashes = [GENESIS, *(each.hash for each in entries)]
        assert all(follows(e, before) for e, before in zip(entries, hashes, strict=False))
        found = {each.memory.id: each.number for each in kept(store, OTHER)}
        assert (found["a"], found["b"]) == (numbers["a"], numbers["b"])
        assert found["d"] > numbers["c"]
        assert [each.verb for each in store.journal_of(OTHER, "a")] == [Verb.REMEMBER, Verb.IMPORT]
        rows = [
            each.row for ref in (ALICE, BOB, OTHER) for each in store.page(ref, Listing()).records
        ]
        assert len(rows) == len(set(rows))
        assert list(store.faults(OTHER)) == []

    def test_a_journal_that_does_not_follow_is_not_taken_over(self, store: Store) -> None:
        remember(store, "a")
        (only,) = whole_journal(store, ALICE)
        for wrong in (replace(only, seq=2), replace(only, by="somebody else")):
            try:
                adopted(store, BOB, 9, wrong)
            except ConflictError:
                continue
            raise AssertionError("an altered entry was taken over")
        assert store.bank(BOB) is None

    def test_versions_are_taken_over_with_their_memory(self, store: Store) -> None:
        earlier = memory("a", "as it was")
        now = replace(memory("a"), content_version=2)
        new = replace(record(now), versions=(earlier,))
        store.commit(writes(Changes(created=(new,)), verb=Verb.IMPORT))
        assert store.versions(ALICE, "a") == [earlier]

    def test_copies_are_found_from_what_they_were_made_of(self, store: Store) -> None:
        remember(store, "a", "b")
        remember(store, "a", ref=OTHER)
        made = (copy_of("a", "c1"), copy_of("b", "c2"), copy_of("a", "c3"), memory("own", ref=BOB))
        created = tuple(record(each) for each in made)
        store.commit(writes(Changes(created=created), ref=BOB, verb=Verb.IMPORT))
        found = store.copies(ALICE, ["a", "nobody"])
        assert found == {"a": (MemoryRef(ref=BOB, id="c1"), MemoryRef(ref=BOB, id="c3"))}
        assert store.copies(OTHER, ["a"]) == {}
        assert store.get(BOB, ["c1"])[0].memory == made[0]

    def test_what_left_a_bank_is_found_in_its_journal(self, store: Store) -> None:
        remember(store, "a")
        assert store.copied(ALICE) == []
        for verb in (Verb.EXPORT, Verb.PIN, Verb.BACKUP):
            again = Changes(amended=(memory("a"),), journal=entry(verb, "a"))
            store.commit(writes(again, verb=verb))
        assert [each.verb for each in store.copied(ALICE)] == [Verb.EXPORT, Verb.BACKUP]
        assert store.copied(ALICE)[0].at == START
