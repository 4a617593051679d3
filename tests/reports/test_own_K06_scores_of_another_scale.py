"""K06, not reported: another store's scores are percentages, logits or all the same."""

from collections.abc import Mapping, Sequence

import pytest

from lapse.model.query import Recall
from tests.reports.helping import Place, hit_ids

SCALES: dict[str, Sequence[float]] = {
    "percentages": (93, 71, 40, 2),
    "logits": (4.1, 0.3, -0.2, -7.5),
    "log probabilities": (-0.1, -2.0, -30.0, -400.0),
    "products beyond 1": (1e12, 1e9, 1e3, 1.5),
}


def ranked(place: Place, scores: Sequence[float | None], least: float = 0.0) -> Recall:
    bank = place.bank({"recall.min_relevance": least})
    bank.set_policy({"forgetting.mode": "rank"})
    candidates: list[Mapping[str, object]] = [
        {"id": f"c{at}", "text": f"harbour {at}", "score": score} for at, score in enumerate(scores)
    ]
    return bank.rank(candidates, query="unlike any of them")


@pytest.mark.parametrize("scale", SCALES)
def test_scores_beyond_1_keep_their_order_and_are_not_all_perfect(place: Place, scale: str) -> None:
    recall = ranked(place, SCALES[scale])
    bases = [each.explanation.base for each in recall.hits]
    assert hit_ids(recall) == ["c0", "c1", "c2", "c3"]
    assert bases[0] == 1.0
    assert bases[-1] == 0.0
    assert bases == sorted(bases, reverse=True)


@pytest.mark.parametrize("scale", SCALES)
def test_a_threshold_means_nothing_on_another_scale_and_is_held_against_the_words(
    place: Place, scale: str
) -> None:
    recall = ranked(place, SCALES[scale], least=0.5)
    assert hit_ids(recall) == []
    assert len(recall.exclusions) == 4


@pytest.mark.parametrize("score", [0.7, 70.0, -70.0])
def test_equal_scores_stay_equal_on_any_scale(place: Place, score: float) -> None:
    recall = ranked(place, [score] * 4)
    assert len({each.score for each in recall.hits}) == 1
    assert hit_ids(recall) == ["c0", "c1", "c2", "c3"]
