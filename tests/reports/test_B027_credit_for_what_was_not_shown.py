"""B027: what a background search fetched is credited, although it never reached the prompt."""

from collections import Counter

import pytest

from lapse.bank import Bank
from tests.reports.helping import Place, ago, everything, hit_ids


def told(place: Place, settings: dict[str, object] | None = None) -> Bank:
    bank = place.bank(settings)
    for at in range(12):
        bank.remember(f"harbour {at}", id=f"m{at:02}", created_at=ago(days=3))
    return bank


def uses(bank: Bank) -> Counter[int]:
    """How many memories have each number of uses."""
    bank.drain()
    return Counter(each.state.strength.access_count for each in everything(bank))


def test_a_completed_turn_credits_what_reached_the_prompt_and_nothing_else(place: Place) -> None:
    bank = told(place)
    recall = bank.recall("harbour plans", k=3)
    bank.used(hit_ids(recall), recall=recall.id)
    bank.used(hit_ids(recall), recall=recall.id)
    assert len(recall.hits) + len(recall.exclusions) == 12
    assert uses(bank) == {1: 3, 0: 9}


def test_a_turn_that_only_recalled_credits_nothing(place: Place) -> None:
    bank = told(place)
    bank.recall("harbour plans", k=3)
    assert uses(bank) == {0: 12}


def test_a_turn_that_fails_credits_nothing(place: Place) -> None:
    bank = told(place)
    recall = bank.recall("harbour plans", k=3)

    def turn() -> None:
        with bank.reflect() as reflection:
            reflection.cited(hit_ids(recall))
            raise TimeoutError

    with pytest.raises(TimeoutError):
        turn()
    assert uses(bank) == {0: 12}
    with bank.reflect() as reflection:
        reflection.cited(hit_ids(recall))
    assert uses(bank) == {1: 3, 0: 9}


def test_a_policy_that_counts_being_shown_counts_only_what_was_shown(place: Place) -> None:
    bank = told(place, {"reinforcement.weight_returned": 1})
    recall = bank.recall("harbour plans", k=3)
    bank.why("harbour plans", recall.exclusions[0].id)
    assert uses(bank) == {1: 3, 0: 9}
