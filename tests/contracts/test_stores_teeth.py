"""The suite has teeth: a store with one of these bad habits is caught by the clause it breaks."""

import pytest

from lapse.errors import StoreError
from lapse.model.instants import Instant
from lapse.model.memory import BankRef
from lapse.testing.store_contract import StoreContract, broken_clauses
from tests.contracts.bad_habits import (
    AnswersFromTheGrave,
    AsksAgain,
    BreaksTheChain,
    CitesFromTheGrave,
    CountsEveryWord,
    FindsNeighbours,
    ForgetsToDrain,
    GivesTermsAgain,
    IgnoresCase,
    KeepsEveryWord,
    KeepsNoHistory,
    KeepsOneMatter,
    LetsNobodyElseWork,
    ListsBanksOfOthers,
    ListsByName,
    LosesEvents,
    MixesBanks,
    MixesTenants,
    PrunesWhatIsMerelySuppressed,
    SharesLeases,
    SweepsWhatIsArchived,
    TakesLateVectors,
    TellsAnOldRevision,
    WritesBeforeItChecks,
)
from tests.contracts.toy_shelf import Habits, Shelf
from tests.contracts.toy_store import ToyStore

CAUGHT_BY = {
    AnswersFromTheGrave: "test_answers_of_a_source_go_in_the_write_that_names_it",
    LosesEvents: "test_an_event_counts_once_however_often_it_is_enqueued",
    FindsNeighbours: "test_identifiers_are_found_by_equality",
    ForgetsToDrain: "test_several_workers_lose_nothing_and_count_nothing_twice",
    ListsBanksOfOthers: "test_only_a_tenants_own_banks_are_listed",
    MixesTenants: "test_what_belongs_to_others_looks_like_nothing",
    MixesBanks: "test_banks_of_similar_names_and_other_tenants_are_strangers",
    IgnoresCase: "test_ids_are_compared_exactly",
    BreaksTheChain: "test_the_journal_is_one_chain_without_gaps",
    ListsByName: "test_a_page_goes_on_where_the_one_before_ended",
    GivesTermsAgain: "test_a_term_that_no_memory_holds_is_forgotten",
    WritesBeforeItChecks: "test_an_answer_that_contradicts_the_bank_leaves_no_trace",
    CountsEveryWord: "test_a_term_is_counted_once_for_each_memory_that_holds_it",
    CitesFromTheGrave: "test_a_view_tells_which_active_memories_cite",
    KeepsOneMatter: "test_a_hold_of_the_same_name_takes_its_place",
    KeepsEveryWord: "test_words_that_go_go_everywhere_and_nothing_else_does",
    KeepsNoHistory: "test_earlier_versions_are_kept_oldest_first",
    TellsAnOldRevision: "test_every_write_takes_one_revision_of_its_own_bank",
    PrunesWhatIsMerelySuppressed: "test_what_is_archived_is_asked_for_by_when_it_was",
    SweepsWhatIsArchived: "test_only_active_memories_are_due",
    LetsNobodyElseWork: "test_a_lease_frees_itself_when_its_time_is_over",
    SharesLeases: "test_one_of_many_threads_gets_a_lease",
    AsksAgain: "test_what_was_decided_is_not_proposed_again",
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
