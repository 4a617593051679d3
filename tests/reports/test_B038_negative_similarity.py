"""B038: a negative similarity reaches users, and adds up badly with other terms.

Design differs: the score of the default scorer is a bounded factor on relevance, so it ends at 1 +
α/2 and not at 1.
"""

import pytest

from lapse.model.query import Reason
from tests.reports.helping import VECTORS, Place, ago, hit_ids, turned

EMBEDDER = turned({"the opposite": -1.0, "something like it": 0.4}, query="the question")


@pytest.mark.parametrize("relevance", ["vector", "hybrid"])
@pytest.mark.parametrize("scorer", ["boost", "weighted", "blend"])
def test_the_opposite_of_the_question_is_no_match_however_fresh_and_important(
    place: Place, scorer: str, relevance: str
) -> None:
    bank = place.bank(
        {"recall.relevance": relevance, "scoring.scorer": scorer, "recall.min_relevance": 0},
        embedder=EMBEDDER,
    )
    bank.remember("the opposite", id="opposite", importance=1.0)
    bank.remember("something like it", id="like", importance=0.2, created_at=ago(days=900))
    recall, opposite = bank.recall("the question", k=5), bank.why("the question", "opposite")
    # The workbench's scorer also wants a word in common, where words are asked for.
    in_common = not (scorer == "blend" and relevance == "hybrid")
    assert hit_ids(recall) == (["like"] if in_common else [])
    assert opposite.reason is Reason.NO_MATCH
    assert opposite.explanation is not None
    assert (opposite.explanation.relevance, opposite.explanation.cosine) == (0.0, -1.0)
    assert all(0 <= each.score <= (1.1 if scorer == "boost" else 1.0) for each in recall.hits)


def test_a_negative_score_of_another_store_is_brought_between_0_and_1(place: Place) -> None:
    bank = place.bank(VECTORS)
    scored = {"a": -3.0, "b": -1.0, "c": 4.0}
    candidates = [
        {"id": name, "text": f"harbour {name}", "score": score} for name, score in scored.items()
    ]
    recall = bank.rank(candidates, query="harbour plans")
    assert hit_ids(recall) == ["c", "b", "a"]
    assert all(0 <= each.explanation.base <= 1 for each in recall.hits)
