"""RE1: a question matches far more than k, and long texts; the tray keeps to k and to the budget.

And it is filled as far as possible. Control: it is not empty.
"""

from pathlib import Path

import pytest

from lapse.bank import Bank
from lapse.model.query import Reason
from tests.journeys.acceptance import on_every_store, place_on

WORDS = 3000
LONG = " ".join(f"word{at}" for at in range(WORDS))


def told(bank: Bank) -> Bank:
    bank.remember_many(
        {"text": f"harbour note {at} " + " ".join(["more"] * (at % 37)), "id": f"m{at}"}
        for at in range(200)
    )
    bank.remember_many({"text": f"harbour {LONG} {at}", "id": f"long{at}"} for at in range(3))
    return bank


@on_every_store
@pytest.mark.parametrize("k", [1, 5, 40, 1000])
@pytest.mark.parametrize("budget", [None, 0, 3, 50, 700, 5000])
def test_a_tray_keeps_to_its_limits_and_is_as_full_as_they_allow(
    kind: str, k: int, budget: int | None, tmp_path: Path
) -> None:
    with place_on(kind, tmp_path) as place:
        bank = told(place.bank())
        recall = (
            bank.recall("harbour", k=k)
            if budget is None
            else bank.recall("harbour", k=k, budget_words=budget)
        )
        used = sum(len(each.text.split()) for each in recall.hits)
        left_out = {each.id: each.reason for each in recall.exclusions}

        assert len(recall.hits) <= k
        assert recall.words == used
        assert [each.text for each in recall.hits] == [
            bank.get(each.id).memory.text for each in recall.hits
        ]
        if budget is None:
            assert len(recall.hits) == min(k, 203)
            assert set(left_out.values()) <= {Reason.OVER_COUNT}
            return
        assert used <= budget
        over = [each for each, reason in left_out.items() if reason is Reason.OVER_BUDGET]
        assert all(len(bank.get(each).memory.text.split()) > budget - used for each in over)
        if Reason.OVER_COUNT in left_out.values():
            assert len(recall.hits) == k or budget < 3
        if budget >= 3:
            assert recall.hits


@on_every_store
def test_a_text_that_does_not_fit_is_passed_over_whole_and_the_next_is_taken(
    kind: str, tmp_path: Path
) -> None:
    with place_on(kind, tmp_path) as place:
        bank = place.bank()
        bank.remember(f"harbour harbour harbour {LONG}", id="long", pinned=True)
        bank.remember("harbour note", id="short")
        recall = bank.recall("harbour", budget_words=100)
        assert [each.id for each in recall.hits] == ["short"]
        (left,) = recall.exclusions
        assert (left.id, left.reason) == ("long", Reason.OVER_BUDGET)
        whole = bank.recall("harbour", budget_words=WORDS + 100)
        assert {each.id for each in whole.hits} == {"long", "short"}
