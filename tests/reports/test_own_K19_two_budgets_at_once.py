"""K19, not reported: a budget of words, one of tokens and a count, all at once."""

import pytest

from lapse.bank import Bank
from lapse.errors import ValidationError
from lapse.model.query import Reason
from tests.reports.helping import Place, hit_ids

CHINESE = "明天上午在会议室讨论预算" * 5
"""Sixty characters, and one word as words are counted: white space parts none of them."""


def characters(text: str) -> int:
    """A token for each character."""
    return len(text)


def told(place: Place) -> Bank:
    bank = place.open({"recall.k": 10}, count_tokens=characters).bank("alice")
    bank.remember(f"harbour {CHINESE}", id="dense")
    bank.remember("harbour a b c d e f g h", id="sparse")
    bank.remember("harbour lights", id="short")
    return bank


def test_each_budget_binds_by_its_own_unit(place: Place) -> None:
    bank = told(place)
    assert set(hit_ids(bank.recall("harbour"))) == {"dense", "sparse", "short"}
    by_words = bank.recall("harbour", budget_words=4)
    assert set(hit_ids(by_words)) == {"dense", "short"}
    assert by_words.words == 4
    by_tokens = bank.recall("harbour", budget_tokens=37)
    assert set(hit_ids(by_tokens)) == {"sparse", "short"}
    both = bank.recall("harbour", budget_words=4, budget_tokens=37)
    assert hit_ids(both) == ["short"]
    assert {each.id: each.reason for each in both.exclusions} == {
        "dense": Reason.OVER_BUDGET,
        "sparse": Reason.OVER_BUDGET,
    }


def test_no_sum_is_over_any_of_the_budgets(place: Place) -> None:
    bank = told(place)
    for word_budget in range(0, 14, 2):
        for token_budget in range(0, 110, 10):
            hits = bank.recall(
                "harbour", k=2, budget_words=word_budget, budget_tokens=token_budget
            ).hits
            assert len(hits) <= 2
            assert sum(len(each.text.split()) for each in hits) <= word_budget
            assert sum(len(each.text) for each in hits) <= token_budget


def test_a_budget_of_tokens_without_a_counter_is_refused_rather_than_guessed(place: Place) -> None:
    bank = place.bank()
    bank.remember("harbour lights")
    with pytest.raises(ValidationError, match="budget_tokens"):
        bank.recall("harbour", budget_tokens=100)


def test_a_budget_of_the_policy_gives_way_to_that_of_a_request(place: Place) -> None:
    bank = told(place)
    bank.set_policy({"recall.budget_words": 2})
    assert hit_ids(bank.recall("harbour"))[0] in {"dense", "short"}
    assert bank.recall("harbour").words == 2
    assert bank.recall("harbour", budget_words=13).words == 13
    assert bank.recall("harbour", budget_words=0).words == 0
