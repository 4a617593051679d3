"""K14, not reported: what has expired, does not hold yet, or was replaced fills the places of k."""

from collections.abc import Mapping

import pytest

from lapse.model.query import Reason
from tests.reports.helping import VECTORS, Place, ago, hit_ids, turned

COUNT = 60
BETTER = {f"better {at}": 0.9 for at in range(COUNT)}
LIVE = {f"live {at}": 0.3 for at in range(3)}
QUERY = "the question"

OUT: dict[str, tuple[Mapping[str, object], Reason]] = {
    "expired": ({"expires_at": ago(days=1)}, Reason.EXPIRED),
    "not yet valid": ({"valid_from": ago(days=-1)}, Reason.NOT_YET_VALID),
    "over": ({"valid_from": ago(days=9), "valid_to": ago(days=1)}, Reason.SUPERSEDED),
    "too old": ({"created_at": ago(days=40)}, Reason.TOO_OLD),
}


@pytest.mark.parametrize("name", OUT)
def test_what_may_not_be_told_takes_no_place_of_what_may(place: Place, name: str) -> None:
    fields, reason = OUT[name]
    narrow = {"recall.pool_minimum": 1, "recall.pool_factor": 1, "recall.max_age_hours": 720}
    bank = place.bank({**VECTORS, **narrow}, embedder=turned({**BETTER, **LIVE}, query=QUERY))
    bank.remember_many({"text": text, **fields} for text in BETTER)
    bank.remember_many({"text": text, "id": text} for text in LIVE)
    recall = bank.recall(QUERY, k=3)
    assert sorted(hit_ids(recall)) == sorted(LIVE)
    assert {each.reason for each in recall.exclusions} == {reason}


def test_sixty_replaced_values_take_no_place_of_their_successors(place: Place) -> None:
    narrow = {"recall.pool_minimum": 1, "recall.pool_factor": 1}
    bank = place.bank({**VECTORS, **narrow}, embedder=turned({**BETTER, **LIVE}, query=QUERY))
    for key, text in enumerate(LIVE):
        for at in range(key, COUNT, len(LIVE)):
            bank.remember(f"better {at}", key=f"key {key}", value=str(at), created_at=ago(days=9))
        bank.remember(text, id=text, key=f"key {key}", value="now")
    assert sorted(hit_ids(bank.recall(QUERY, k=3))) == sorted(LIVE)


def test_what_is_kept_out_for_its_relevance_takes_no_place_either(place: Place) -> None:
    weak = {f"weak {at}": 0.2 for at in range(COUNT)}
    bank = place.bank(
        {**VECTORS, "scoring.scorer": "weighted", "recall.min_relevance": 0.25},
        embedder=turned({**weak, **LIVE}, query=QUERY),
    )
    bank.remember_many({"text": text, "importance": 1.0} for text in weak)
    bank.remember_many(
        {"text": text, "id": text, "importance": 0.0, "created_at": ago(days=90)} for text in LIVE
    )
    assert sorted(hit_ids(bank.recall(QUERY, k=3))) == sorted(LIVE)
