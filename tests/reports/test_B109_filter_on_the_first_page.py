"""B109: the filter by type or scope runs on the first page of hits only."""

from collections.abc import Mapping

import pytest

from lapse.bank import Bank
from tests.reports.helping import VECTORS, Place, hit_ids, turned

NOTES = {f"a note on tides {number}": 0.9 for number in range(50)}
FACTS = {f"a fact {number}": 0.2 for number in range(5)}
QUERY = "what of the tides"
FACT_IDS = {f"fact{at}" for at in range(5)}

# As few candidates as can be, so that a filter after the cut would leave nothing.
NARROW: dict[str, object] = {"recall.pool_minimum": 1, "recall.pool_factor": 1}


def told(place: Place, settings: Mapping[str, object]) -> Bank:
    bank = place.bank({**NARROW, **settings}, embedder=turned({**NOTES, **FACTS}, query=QUERY))
    bank.remember_many(
        {"text": text, "kind": "episodic", "tags": ["note"], "session": "s1", "subject": "sea"}
        for text in NOTES
    )
    bank.remember_many(
        {
            "text": text,
            "id": f"fact{at}",
            "tags": ["fact"],
            "session": "s2",
            "subject": "land",
            "metadata": {"checked": True},
        }
        for at, text in enumerate(FACTS)
    )
    return bank


@pytest.mark.parametrize("scorer", ["boost", "weighted"])
def test_a_filter_by_kind_finds_all_that_there_are(place: Place, scorer: str) -> None:
    bank = told(place, {**VECTORS, "scoring.scorer": scorer})
    unfiltered = bank.recall(QUERY, k=5)
    assert FACT_IDS.isdisjoint(hit_ids(unfiltered))
    assert set(hit_ids(bank.recall(QUERY, k=5, kinds=["semantic"]))) == FACT_IDS


def test_every_other_filter_finds_all_that_there_are(place: Place) -> None:
    bank = told(place, {**VECTORS, "recall.include_other_sessions": False})
    assert set(hit_ids(bank.recall(QUERY, k=5, tags=["fact"]))) == FACT_IDS
    assert set(hit_ids(bank.recall(QUERY, k=5, session="s2"))) == FACT_IDS
    assert set(hit_ids(bank.recall(QUERY, k=5, subject="land"))) == FACT_IDS
    assert set(hit_ids(bank.recall(QUERY, k=5, metadata={"checked": True}))) == FACT_IDS


def test_a_filter_over_words_alone_finds_all_that_there_are(place: Place) -> None:
    bank = place.bank(NARROW)
    bank.remember_many({"text": f"tides tides {at}", "kind": "episodic"} for at in range(50))
    bank.remember_many(
        {"text": f"one word of tides among {at}", "id": f"fact{at}"} for at in range(5)
    )
    assert set(hit_ids(bank.recall("tides", kinds=["semantic"], k=5))) == FACT_IDS
