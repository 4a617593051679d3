"""B035: a score of exactly 0 is taken for a missing one, and the worst candidate wins."""

from collections.abc import Mapping

import pytest

from lapse.model.query import Reason
from tests.reports.helping import VECTORS, WEIGHTED, Place, hit_ids, turned

EMBEDDER = turned({"nothing to do with it": 0.0, "the answer": 0.9}, query="the question")


@pytest.mark.parametrize("scorer", ["boost", "weighted", "blend"])
def test_a_relevance_of_0_never_beats_one_of_9_tenths(place: Place, scorer: str) -> None:
    bank = place.bank({**VECTORS, "scoring.scorer": scorer}, embedder=EMBEDDER)
    bank.remember("nothing to do with it", id="n1", importance=1.0)
    bank.remember("the answer", id="n2", importance=0.0)
    worst = bank.why("the question", "n1")
    assert hit_ids(bank.recall("the question", k=1)) == ["n2"]
    assert hit_ids(bank.recall("the question", k=8)) == ["n2"]
    assert worst.reason is Reason.NO_MATCH
    assert worst.explanation is not None
    assert worst.explanation.relevance == 0.0


def test_another_stores_score_of_0_is_a_score(place: Place) -> None:
    bank = place.bank(WEIGHTED)
    bank.set_policy({"forgetting.mode": "rank"})
    candidates: list[Mapping[str, object]] = [
        {"id": "n1", "text": "harbour one", "score": 0.0},
        {"id": "n2", "text": "harbour two", "score": 0.9},
        {"id": "n3", "text": "harbour three", "score": None},
    ]
    recall = bank.rank(candidates, query="harbour")
    relevances = {each.id: each.explanation.relevance for each in recall.hits}
    assert hit_ids(recall)[-1] != "n1"
    assert "n1" not in relevances
    assert relevances["n2"] == 0.9
    assert relevances["n3"] == 1.0


def test_a_rating_of_0_is_a_rating(place: Place) -> None:
    bank = place.bank({**WEIGHTED, "importance.rater": "off"})
    bank.remember("harbour zero", id="z", importance=0.0)
    bank.remember("harbour unrated", id="u")
    bank.remember("harbour null", id="n", importance=None)
    shown = {each.id: each.explanation.terms for each in bank.recall("harbour plans").hits}
    assert {name: terms["importance"] for name, terms in shown.items()} == {
        "z": 0.0,
        "u": 0.5,
        "n": 0.5,
    }
    assert bank.get("z").state.importance == 0.0
    assert bank.get("u").state.importance is None


def test_a_candidates_rating_of_0_is_a_rating(place: Place) -> None:
    bank = place.bank()
    candidates: list[Mapping[str, object]] = [
        {"id": "z", "text": "harbour", "importance": 0.0},
        {"id": "u", "text": "harbour lights", "importance": None},
    ]
    shown = bank.rank(candidates, query="harbour").hits
    assert {each.id: each.explanation.importance for each in shown} == {"z": 0.0, "u": 0.5}
