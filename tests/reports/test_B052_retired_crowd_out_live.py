"""B052: retired facts fill the candidates, and crowd out the live ones."""

from tests.reports.helping import VECTORS, Place, hit_ids, turned

QUERY = "what is the port"
LIVE = [f"live fact {at}" for at in range(5)]
RETIRED = [f"retired fact {at}" for at in range(30)]
COSINES = {**dict.fromkeys(LIVE, 0.4), **dict.fromkeys(RETIRED, 0.9)}


def test_five_live_facts_are_found_behind_thirty_retired_ones(place: Place) -> None:
    bank = place.bank(VECTORS, embedder=turned(COSINES, QUERY))
    bank.remember_many({"text": text, "id": text} for text in (*RETIRED, *LIVE))
    bank.retract(RETIRED, reason="retired")
    assert set(hit_ids(bank.recall(QUERY, k=5))) == set(LIVE)


def test_without_the_retirement_the_others_come_first(place: Place) -> None:
    bank = place.bank(VECTORS, embedder=turned(COSINES, QUERY))
    bank.remember_many({"text": text, "id": text} for text in (*RETIRED, *LIVE))
    assert not set(hit_ids(bank.recall(QUERY, k=5))) & set(LIVE)
