"""B142: absolute budgets have hidden slack, or are off by one where something fits exactly."""

import pytest

from lapse.bank import Bank
from lapse.errors import PolicyError
from lapse.model.query import Reason
from tests.reports.helping import Place, hit_ids, words


def told(place: Place) -> Bank:
    bank = place.bank()
    bank.remember("the ferry leaves harbour at nine", id="six")
    return bank


@pytest.mark.parametrize(("budget", "expected"), [(7, ["six"]), (6, ["six"]), (5, []), (0, [])])
def test_six_words_fit_into_six_and_into_no_less(
    place: Place, budget: int, expected: list[str]
) -> None:
    recall = told(place).recall("ferry", budget_words=budget)
    assert hit_ids(recall) == expected
    assert recall.words == 6 * len(expected)
    assert [each.reason for each in recall.exclusions] == ([] if expected else [Reason.OVER_BUDGET])


def test_a_budget_below_0_is_refused_with_its_range(place: Place) -> None:
    with pytest.raises(PolicyError, match=r"recall\.budget_words = -1: .*from 0"):
        told(place).recall("ferry", budget_words=-1)


def test_no_tray_is_ever_over_its_budget(place: Place) -> None:
    bank = place.bank({"recall.k": 30})
    for size in range(1, 21):
        bank.remember(f"ferry {words(size, f's{size}-')}", pinned=size % 7 == 0)
    for budget in range(60):
        recall = bank.recall("ferry", budget_words=budget)
        assert recall.words == sum(len(each.text.split()) for each in recall.hits) <= budget
        assert len(recall.hits) + len(recall.exclusions) == 20
        left = budget - recall.words
        assert all(len(bank.get(each.id).memory.text.split()) > left for each in recall.exclusions)
