"""B042: after min-max the best of a bad batch scores 1.0, and a threshold lets rubbish through."""

import pytest

from lapse.model.query import Reason
from tests.reports.helping import Place, hit_ids, turned

BAD = {f"rubbish {number}": number / 100 for number in (5, 6, 7, 8)}
EMBEDDER = turned(BAD, query="the question")


@pytest.mark.parametrize("scorer", ["boost", "weighted", "blend"])
def test_thresholds_act_on_the_raw_value(place: Place, scorer: str) -> None:
    settings = {"recall.relevance": "vector", "scoring.scorer": scorer}
    bank = place.bank({**settings, "recall.min_relevance": 0.5}, embedder=EMBEDDER)
    for text in BAD:
        bank.remember(text, id=text)
    recall = bank.recall("the question")
    assert hit_ids(recall) == []
    assert {each.reason for each in recall.exclusions} == {Reason.NO_MATCH}
    assert {each.explanation.relevance for each in recall.exclusions} == {0.05, 0.06, 0.07, 0.08}
    bank.set_policy({"recall.min_relevance": 0.07})
    assert set(hit_ids(bank.recall("the question"))) == {"rubbish 7", "rubbish 8"}


def test_scores_of_another_store_meet_the_threshold_as_they_are(place: Place) -> None:
    bank = place.bank({"recall.min_relevance": 0.5})
    bad = [{"id": text, "text": text, "score": score} for text, score in BAD.items()]
    good = {"id": "good", "text": "good", "score": 0.5}
    assert hit_ids(bank.rank(bad, query="the question")) == []
    assert hit_ids(bank.rank([*bad, good], query="the question")) == ["good"]
