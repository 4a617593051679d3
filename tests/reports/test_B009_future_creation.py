"""B009: a creation ahead of the clock gives a negative age, and scores beyond all bounds."""

import pytest

from lapse.model.policy import LawName
from lapse.model.query import Flag
from tests.reports.helping import WEIGHTED, Place, ago, hit_ids

LAWS = sorted(LawName)


@pytest.mark.parametrize("law", LAWS)
def test_a_memory_from_the_future_is_as_strong_as_one_told_just_now(
    place: Place, law: LawName
) -> None:
    bank = place.bank({"law.name": law})
    bank.remember("harbour tomorrow", id="future", created_at=ago(days=-10), importance=0.5)
    bank.remember("harbour today", id="now", importance=0.5)
    bank.remember("harbour yesterday", id="past", created_at=ago(days=1), importance=0.5)
    told = {each.id: each.explanation for each in bank.recall("harbour plans").hits}
    assert told["future"].retrievability == told["now"].retrievability <= 1.0
    assert told["future"].retrievability >= told["past"].retrievability > 0
    assert Flag.CLOCK_SKEW in told["future"].flags
    assert Flag.CLOCK_SKEW not in told["now"].flags


def test_a_weighted_score_with_a_future_time_stays_between_0_and_1(place: Place) -> None:
    bank = place.bank(WEIGHTED)
    bank.remember("harbour tomorrow", id="future", created_at=ago(days=-10), importance=0.5)
    bank.remember("harbour yesterday", id="past", created_at=ago(days=1), importance=0.5)
    recall = bank.recall("harbour plans")
    assert hit_ids(recall) == ["future", "past"]
    assert [each.explanation.terms["recency"] for each in recall.hits] == [
        1.0,
        pytest.approx(0.995**24),
    ]
    assert all(0 <= each.score <= 1 for each in recall.hits)


def test_recalling_a_memory_from_the_future_writes_nothing_back(place: Place) -> None:
    bank = place.bank()
    bank.remember("harbour tomorrow", id="future", created_at=ago(days=-10), importance=0.5)
    before = bank.get("future")
    first, second = bank.recall("harbour plans"), bank.recall("harbour plans")
    bank.drain()
    assert first.hits[0].score == second.hits[0].score
    assert bank.get("future") == before
    assert before.state.importance == 0.5
