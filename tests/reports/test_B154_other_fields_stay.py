"""B154: changing the text drops the fields beside it."""

from collections.abc import Mapping
from dataclasses import replace

from lapse.model.memory import JsonValue
from tests.reports.helping import VECTORS, ChosenVectors, Place

TEXT, OTHER = "The mast is made of oak", "The mast is made of ash"
METADATA: Mapping[str, JsonValue] = {"category": "wood", "priority": 2, "count": 5}


def test_one_field_changes_and_all_others_stay(place: Place) -> None:
    vectors = ChosenVectors({TEXT: [1.0, 0.0], OTHER: [0.0, 1.0]})
    bank = place.bank(VECTORS, embedder=vectors)
    bank.remember(
        TEXT,
        id="r",
        tags=["boat", "mast"],
        source="the yard",
        metadata=METADATA,
        importance=0.7,
        subject="the boat",
    )
    bank.used(["r"])
    bank.drain()
    before, calls = bank.get("r"), vectors.calls

    bank.update("r", tags=["boat", "rig"])
    tagged = bank.get("r")
    assert vectors.calls == calls
    assert tagged.state == before.state
    assert tagged.memory == replace(before.memory, tags=("boat", "rig"), content_version=2)

    bank.update("r", text=OTHER)
    told = bank.get("r")
    assert vectors.calls == calls + 1
    assert told.state.importance == 0.7
    assert told.state.strength == before.state.strength
    same = replace(
        tagged.memory,
        text=OTHER,
        content_version=3,
        fingerprint=told.memory.fingerprint,
        recorded_from=told.memory.recorded_from,
    )
    assert told.memory == same
    assert bank.recall(OTHER).hits[0].explanation.relevance == 1.0
