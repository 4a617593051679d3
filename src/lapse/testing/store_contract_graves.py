"""Clauses on tombstones.

Decides that they outlive everything else, apply where they say, and are seen by the judge in whose
transaction they are asked for. Refuses to know any store.
"""
# ruff: noqa: D102, S101 - a clause is a sentence by name and assertions in its body

from collections.abc import Sequence
from dataclasses import replace

from lapse.model.changeset import Changes, ChangeSet
from lapse.model.instants import Instant
from lapse.model.memory import BankRef
from lapse.model.retention import Lifecycle
from lapse.model.tombstone import KeptTombstone, Lift, Tombstone, TombstoneScope
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View
from lapse.ports import Store
from lapse.testing.fakes import ALICE, START, writes
from lapse.testing.store_contract_governing import cite, move
from lapse.testing.store_contract_writes import entry, remember

BOB = BankRef(name="bob")
OTHER = BankRef(tenant="other", name="alice")


def stone(
    name: str, ref: BankRef = ALICE, scope: TombstoneScope = TombstoneScope.BANK
) -> Tombstone:
    """Give a tombstone with digests that are those of nothing."""
    return Tombstone(
        id=name,
        tenant=ref.tenant,
        bank=ref.name,
        scope=scope,
        key_id="k1",
        salt=bytes(16),
        exact=bytes(range(32)),
        sums=bytes(range(14)),
        slips=bytes(range(8)),
        at=START,
        by="anna",
    )


def bury(store: Store, *stones: Tombstone, ref: BankRef = ALICE) -> None:
    """Keep tombstones, by a write to one bank."""
    changes = Changes(tombstones=stones, journal=entry(Verb.ERASE))
    store.commit(writes(changes, ref=ref, verb=Verb.ERASE))


def names(found: Sequence[KeptTombstone]) -> list[str]:
    """Give the ids."""
    return [each.tombstone.id for each in found]


def counted(store: Store, ref: BankRef) -> int:
    """Give how many are in force of memories of a bank."""
    return store.tally(ref, START, None).tombstones


def seen(store: Store, ref: BankRef, after: int | None) -> list[str]:
    """Give the ids of what a judge sees."""
    told: list[str] = []

    def judge(view: View) -> Changes:
        told.extend(names(view.tombstones))
        return Changes()

    reads = Reads(tombstones=after)
    store.commit(ChangeSet(verb=Verb.REMEMBER, ref=ref, now=START, reads=reads, judge=judge))
    return told


class GraveClauses:
    """What is erased leaves a tombstone."""

    def test_tombstones_are_read_back_as_they_were(self, store: Store) -> None:
        lift = Lift(at=Instant(START + 1), by="ben", reason="a mistake")
        wide = stone("b", scope=TombstoneScope.TENANT)
        bury(store, stone("a"), wide, replace(stone("c"), lift=lift))
        found = store.tombstones(ALICE, 0, 9)
        assert [each.tombstone for each in found] == [
            stone("a"),
            wide,
            replace(stone("c"), lift=lift),
        ]
        assert [each.number for each in found] == sorted({each.number for each in found})

    def test_only_those_after_a_number_are_read_and_no_more_than_asked_for(
        self, store: Store
    ) -> None:
        bury(store, stone("a"), stone("b"), stone("c"))
        first = store.tombstones(ALICE, 0, 1)
        assert names(first) == ["a"]
        assert names(store.tombstones(ALICE, first[0].number, 9)) == ["b", "c"]

    def test_tombstones_in_force_are_counted_where_their_memory_was(self, store: Store) -> None:
        wide = stone("wide", scope=TombstoneScope.TENANT)
        bury(store, stone("a"), wide, stone("bobs", ref=BOB), stone("lifted"))
        assert (counted(store, ALICE), counted(store, BOB)) == (3, 1)
        lift = Lift(at=START, by="anna", reason="asked for")
        bury(store, replace(stone("lifted"), lift=lift))
        assert (counted(store, ALICE), counted(store, BOB)) == (2, 1)
        elsewhere = BankRef(tenant="other", name=ALICE.name)
        assert counted(store, elsewhere) == 0

    def test_a_tombstone_applies_to_its_bank_or_to_all_of_its_tenant(self, store: Store) -> None:
        bury(store, stone("own"), stone("wide", scope=TombstoneScope.TENANT))
        bury(store, stone("bobs", BOB), ref=BOB)
        assert names(store.tombstones(ALICE, 0, 9)) == ["own", "wide"]
        assert names(store.tombstones(BOB, 0, 9)) == ["wide", "bobs"]
        assert names(store.tombstones(OTHER, 0, 9)) == []

    def test_a_judge_sees_what_was_buried_before_it(self, store: Store) -> None:
        assert seen(store, ALICE, 0) == []
        bury(store, stone("a"), stone("wide", scope=TombstoneScope.TENANT))
        assert seen(store, ALICE, 0) == ["a", "wide"]
        assert seen(store, BOB, 0) == ["wide"]
        assert seen(store, ALICE, None) == []
        last = store.tombstones(ALICE, 0, 9)[-1].number
        assert seen(store, ALICE, last) == []

    def test_a_lifted_tombstone_takes_a_new_number(self, store: Store) -> None:
        bury(store, stone("a"), stone("b"))
        last = store.tombstones(ALICE, 0, 9)[-1].number
        lifted = replace(stone("a"), lift=Lift(at=START, by="ben", reason="asked for"))
        bury(store, lifted)
        assert [each.tombstone for each in store.tombstones(ALICE, last, 9)] == [lifted]
        assert names(store.tombstones(ALICE, 0, 9)) == ["b", "a"]

    def test_a_refused_write_buries_nothing(self, store: Store) -> None:
        remember(store, "m1")
        changes = Changes(tombstones=(stone("a"),), removed=("m1", "nobody"))
        try:
            store.commit(writes(changes, verb=Verb.ERASE))
        except Exception:  # noqa: BLE001 - which error it is, another clause says
            assert store.tombstones(ALICE, 0, 9) == []
            return
        raise AssertionError("a write that names nobody was taken")

    def test_what_is_derived_is_found_wherever_it_stands(self, store: Store) -> None:
        remember(store, "a", "b")
        cite(store, "c", "a", "b")
        cite(store, "d", "a")
        move(store, Lifecycle.ARCHIVED, "d")
        assert store.derived(ALICE, ["a", "b", "c", "x"]) == {"a": ("c", "d"), "b": ("c",)}
        assert store.derived(BOB, ["a"]) == {}

    def test_scrubbing_leaves_everything_that_was_not_removed(self, store: Store) -> None:
        remember(store, "a", "b")
        before = store.contents(ALICE, ["a", "b"])
        changes = Changes(removed=("a",), journal=entry(Verb.ERASE, "a"))
        store.commit(writes(changes, verb=Verb.ERASE))
        assert store.scrub([b"text of a"]).residue == 0
        assert store.contents(ALICE, ["a", "b"]) == before[1:]
