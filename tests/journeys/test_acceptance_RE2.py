"""RE2: nothing relevant is stored; the tray is empty, not the k least bad.

Control: a relevant question fills it.
"""

from pathlib import Path

import pytest

from lapse.model.query import Reason
from tests.journeys.acceptance import on_every_store, place_on
from tests.reports.helping import VECTORS, hit_ids, turned

COSINES = {
    "Lunch was soup": 0.29,
    "The market opens at nine": 0.21,
    "My bicycle is blue": 0.0,
    "Ann plays the violin": -0.4,
    "The ferry leaves at seven": 0.31,
}
QUERY = "when does the boat go"


@on_every_store
@pytest.mark.parametrize("mode", ["off", "rank", "filter"])
def test_below_the_least_relevance_nothing_is_told(kind: str, mode: str, tmp_path: Path) -> None:
    settings = {**VECTORS, "recall.min_relevance": 0.3, "forgetting.mode": mode}
    with place_on(kind, tmp_path) as place:
        bank = place.bank(settings, embedder=turned(COSINES, QUERY))
        irrelevant = [text for text, cosine in COSINES.items() if cosine < 0.3]
        bank.remember_many({"text": text, "id": text} for text in irrelevant)
        bank.pin(["Lunch was soup"])
        recall = bank.recall(QUERY)
        assert (recall.hits, recall.revived, recall.words) == ((), (), 0)
        # What is not like the question at all is no candidate.
        assert {each.id: each.reason for each in recall.exclusions} == dict.fromkeys(
            irrelevant[:2], Reason.NO_MATCH
        )
        bank.remember("The ferry leaves at seven", id="ferry")
        assert hit_ids(bank.recall(QUERY)) == ["ferry"]


@on_every_store
def test_by_default_a_text_without_a_word_of_the_question_is_no_match(
    kind: str, tmp_path: Path
) -> None:
    with place_on(kind, tmp_path) as place:
        bank = place.bank()
        assert bank.recall("harbour").hits == ()
        bank.remember_many({"text": text, "pinned": True, "importance": 1.0} for text in COSINES)
        assert bank.recall("harbour").hits == ()
        assert bank.recall("soup").hits[0].text == "Lunch was soup"


@on_every_store
def test_another_stores_irrelevant_candidates_make_an_empty_tray_too(
    kind: str, tmp_path: Path
) -> None:
    settings = {**VECTORS, "recall.min_relevance": 0.3}
    with place_on(kind, tmp_path) as place:
        bank = place.bank(settings, embedder=turned(COSINES, QUERY))
        candidates = [{"id": text, "text": text} for text in COSINES]
        told = bank.rank(candidates, query=QUERY)
        assert hit_ids(told) == ["The ferry leaves at seven"]
        assert bank.rank(candidates[:4], query=QUERY).hits == ()
