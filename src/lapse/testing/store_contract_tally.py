"""Clauses about counting: how many memories stand how.

Decides what every store must count, one case for each clause.
"""
# ruff: noqa: D102, S101 - a clause is a sentence by name and assertions in its body

from dataclasses import replace

from lapse.model.changeset import Changes
from lapse.model.instants import DAY, Instant
from lapse.model.memory import BankRef, Kind
from lapse.model.record import NewRecord
from lapse.model.retention import ImportanceSource, Lifecycle, RetentionState
from lapse.model.tally import Tally
from lapse.model.verbs import Verb
from lapse.model.view import Reads
from lapse.ports import Store
from lapse.testing.fakes import ALICE, START, memory, record, space, state, vector, writes
from lapse.testing.store_contract_index import EAST
from lapse.testing.store_contract_writes import BOB, entry, remember, view_of

LATER = Instant(START + DAY)


class TallyClauses:
    """What is counted where it lies."""

    def test_memories_are_counted_by_what_they_are_and_where_they_stand(self, store: Store) -> None:
        rated = replace(state(), importance=0.5, importance_source=ImportanceSource.MODEL)
        put_away = replace(rated, lifecycle=Lifecycle.ARCHIVED)
        claim = replace(memory("b"), kind=Kind.PROCEDURAL)
        new = (
            record(memory("a")),
            _with(record(claim), rated),
            _with(record(memory("c")), put_away),
        )
        store.commit(writes(Changes(created=new)))
        remember(store, "z", ref=BOB)
        found = store.tally(ALICE, START, None)
        assert found.memories == 3
        kinds = {memory("a").kind: 2, Kind.PROCEDURAL: 1}
        assert dict(found.by_kind) == kinds
        assert dict(found.by_lifecycle) == {Lifecycle.ACTIVE: 2, Lifecycle.ARCHIVED: 1}
        assert dict(found.by_rater) == {state().importance_source: 1, ImportanceSource.MODEL: 2}

    def test_only_what_is_active_and_past_its_date_has_faded(self, store: Store) -> None:
        dates = {"due": START, "later": LATER, "never": None}
        new = [
            _with(record(memory(name)), replace(state(), fades_at=at)) for name, at in dates.items()
        ]
        gone = replace(state(), fades_at=START, lifecycle=Lifecycle.SUPPRESSED)
        new.append(_with(record(memory("gone")), gone))
        store.commit(writes(Changes(created=tuple(new))))
        assert store.tally(ALICE, Instant(START - 1), None).faded == 0
        assert store.tally(ALICE, START, None).faded == 1
        assert store.tally(ALICE, LATER, None).faded == 2

    def test_pins_and_what_holds_are_counted(self, store: Store) -> None:
        outdated = replace(memory("b"), is_latest=False)
        retracted = replace(memory("c"), recorded_to=LATER)
        new = (
            _with(record(memory("a")), replace(state(), pinned=True)),
            record(outdated),
            record(retracted),
        )
        store.commit(writes(Changes(created=new)))
        found = store.tally(ALICE, START, None)
        assert (found.current, found.pinned) == (1, 1)

    def test_memories_without_a_vector_of_a_space_are_counted(self, store: Store) -> None:
        bank = replace(view_of(store, Reads()).bank, space=space(1))
        new = (record(memory("a"), vector=vector(1, EAST)), record(memory("b")))
        store.commit(writes(Changes(bank=bank, created=new)))
        without = [store.tally(ALICE, START, each).without_vector for each in (1, 2, None)]
        assert without == [1, 2, 2]

    def test_what_went_for_good_is_not_counted(self, store: Store) -> None:
        remember(store, "a", "b")
        changes = Changes(removed=("a",), journal=entry(Verb.ERASE, "a"))
        store.commit(writes(changes, verb=Verb.ERASE))
        found = store.tally(ALICE, START, None)
        assert (found.memories, sum(found.by_lifecycle.values())) == (1, 1)

    def test_nothing_is_counted_of_a_bank_that_was_never_written(self, store: Store) -> None:
        remember(store, "a")
        assert store.tally(ALICE, START, None) != Tally()
        assert store.tally(BankRef(name="nobody"), START, 1) == Tally()


def _with(new: NewRecord, retention: RetentionState) -> NewRecord:
    return replace(new, state=retention)
