"""The suite has teeth: a store with one of these bad habits is caught by the clause it breaks."""
# ruff: noqa: ARG002 - a bad habit ignores what it is told

from collections.abc import Sequence

import pytest

from lapse.errors import StoreError
from lapse.model.changeset import Changes, VectorChange
from lapse.model.instants import Instant
from lapse.model.journal import GENESIS
from lapse.model.memory import BankRef, Memory
from lapse.model.retention import UseEvent
from lapse.testing.store_contract import StoreContract, broken_clauses
from tests.contracts.toy_shelf import EventKey, Habits, Shelf
from tests.contracts.toy_store import ToyStore


class LosesEvents(Habits):
    def accept(self, event: UseEvent) -> bool:
        return not event.event_id.endswith("2")


class ForgetsToDrain(Habits):
    def settle(self, key: EventKey, shelf: Shelf) -> bool:
        return len(shelf.events) % 7 != 0


class MixesTenants(Habits):
    def place(self, ref: BankRef) -> object:
        return ref.name


class MixesBanks(Habits):
    def place(self, ref: BankRef) -> object:
        return (ref.tenant, ref.name.strip())


class IgnoresCase(Habits):
    def spell(self, memory_id: str) -> str:
        return memory_id.casefold()


class BreaksTheChain(Habits):
    def link(self, previous: bytes) -> bytes:
        return GENESIS


class ListsByName(Habits):
    def order(self, names: list[str], shelf: Shelf) -> list[str]:
        return sorted(names)


class GivesTermsAgain(Habits):
    def term_id(self, shelf: Shelf) -> int:
        taken = {number for number, _ in shelf.terms.values()}
        return next(each for each in range(1, 10**6) if each not in taken)


class WritesBeforeItChecks(Habits):
    def before_checks(self, shelf: Shelf, changes: Changes) -> None:
        for memory in changes.amended:
            shelf.contents[memory.id] = memory
        shelf.states.update({name: state for name, state in changes.states if name in shelf.states})
        for new in changes.created:
            if new.memory.id in shelf.contents:
                shelf.contents[new.memory.id] = new.memory
        if changes.created:
            shelf.bank = changes.bank or shelf.bank
            shelf.terms.setdefault("half", (999, shelf.bank.revision))


class KeepsNoHistory(Habits):
    def version_before(self, memory: Memory) -> Sequence[Memory]:
        return []


class TellsAnOldRevision(Habits):
    def revision(self, shelf: Shelf) -> int:
        return max(shelf.bank.revision - 1, 0)


class TakesLateVectors(Habits):
    def late_vector(self, memory: Memory, change: VectorChange) -> bool:
        return False


CAUGHT_BY = {
    LosesEvents: "test_an_event_counts_once_however_often_it_is_enqueued",
    ForgetsToDrain: "test_several_workers_lose_nothing_and_count_nothing_twice",
    MixesTenants: "test_what_belongs_to_others_looks_like_nothing",
    MixesBanks: "test_banks_of_similar_names_and_other_tenants_are_strangers",
    IgnoresCase: "test_ids_are_compared_exactly",
    BreaksTheChain: "test_the_journal_is_one_chain_without_gaps",
    ListsByName: "test_a_page_goes_on_where_the_one_before_ended",
    GivesTermsAgain: "test_a_term_that_no_memory_holds_is_forgotten",
    WritesBeforeItChecks: "test_an_answer_that_contradicts_the_bank_leaves_no_trace",
    KeepsNoHistory: "test_earlier_versions_are_kept_oldest_first",
    TellsAnOldRevision: "test_every_write_takes_one_revision_of_its_own_bank",
    TakesLateVectors: "test_a_late_vector_is_ignored_when_its_memory_moved_on",
}


@pytest.mark.parametrize("habits", CAUGHT_BY, ids=lambda each: each.__name__)
def test_a_bad_habit_is_caught_by_the_clause_it_breaks(habits: type[Habits]) -> None:
    broken = broken_clauses(StoreContract, lambda: ToyStore(habits()))
    assert CAUGHT_BY[habits] in broken, f"only these were broken: {broken}"


def test_a_store_without_bad_habits_breaks_nothing() -> None:
    assert broken_clauses(StoreContract, ToyStore) == {}


class Stone(ToyStore):
    """Keeps nothing and knows nothing."""

    def _shelf(self, ref: BankRef, now: Instant) -> Shelf:
        raise StoreError(f"a stone knows no {ref} at {now}")

    def size_bytes(self) -> int:
        raise StoreError("a stone has no size")


def test_a_store_that_keeps_nothing_breaks_every_clause() -> None:
    names = {name for name in dir(StoreContract) if name.startswith("test_")}
    assert set(broken_clauses(StoreContract, Stone)) == names
