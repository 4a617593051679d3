"""B040: a threshold is compared with an internal number: 0 gives the hit, 0.0001 gives nothing."""

import pytest

from lapse.model.query import Reason
from tests.reports.helping import Place, hit_ids, turned

EMBEDDER = turned({"the answer": 0.95}, query="the question")


@pytest.mark.parametrize("scorer", ["boost", "weighted"])
@pytest.mark.parametrize("relevance", ["vector", "hybrid"])
@pytest.mark.parametrize("least", [0, 0.0001, 0.5, 0.95, 0.96])
def test_the_threshold_is_held_against_the_relevance_that_is_shown(
    place: Place, least: float, relevance: str, scorer: str
) -> None:
    bank = place.bank(
        {
            "recall.min_relevance": least,
            "recall.relevance": relevance,
            "scoring.scorer": scorer,
        },
        embedder=EMBEDDER,
    )
    bank.remember("the answer", id="a")
    recall = bank.recall("the question")
    if least <= 0.95:
        assert hit_ids(recall) == ["a"]
        assert recall.hits[0].explanation.relevance == 0.95
    else:
        (left,) = recall.exclusions
        assert (left.id, left.reason, left.explanation.relevance) == ("a", Reason.NO_MATCH, 0.95)


def test_a_text_covers_the_share_that_the_threshold_is_held_against(place: Place) -> None:
    bank = place.bank({"recall.min_relevance": 1.0})
    bank.remember("harbour lights", id="a")
    bank.remember("harbour", id="b")
    assert hit_ids(bank.recall("harbour lights")) == ["a"]
