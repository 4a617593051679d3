"""B032: the setting for reinforcement exists, but moves neither the ranking nor what is forgotten.

Waits: the plan itself, for `plan`; here its date, `fades_at`.
"""

from collections.abc import Mapping

import pytest

from lapse.bank import Bank
from tests.reports.helping import Place, ago, hit_ids

OFF: dict[str, Mapping[str, object]] = {
    "not enabled": {"reinforcement.enabled": False},
    "weight 0": {"reinforcement.weight_cited": 0},
}


def told(place: Place, settings: Mapping[str, object]) -> Bank:
    bank = place.bank(settings)
    for name in ("a", "b"):
        bank.remember(f"harbour {name}", id=name, created_at=ago(days=30))
    for days in range(28, 8, -2):
        bank.used(["b"], at=ago(days=days))
    bank.drain()
    return bank


@pytest.mark.parametrize("law", ["activation", "ebbinghaus", "fsrs"])
def test_ten_uses_make_a_memory_fade_more_slowly_in_ranking_and_in_its_date(
    place: Place, law: str
) -> None:
    bank = told(place, {"law.name": law, "law.archive_level": 0.7 if law == "fsrs" else None})
    recall = bank.recall("harbour plans")
    a, b = (bank.get(name).state for name in ("a", "b"))
    assert hit_ids(recall) == ["b", "a"]
    assert recall.hits[0].explanation.boost > recall.hits[1].explanation.boost
    assert a.fades_at is not None
    assert b.fades_at is None or b.fades_at > a.fades_at
    assert b.strength.reinforcement_count == 10


@pytest.mark.parametrize("law", ["activation", "ebbinghaus", "fsrs", "exponential"])
@pytest.mark.parametrize("off", OFF)
def test_ten_uses_change_nothing_where_reinforcement_is_off(
    place: Place, off: str, law: str
) -> None:
    bank = told(place, {"law.name": law, **OFF[off]})
    hits = bank.recall("harbour plans").hits
    a, b = (bank.get(name).state for name in ("a", "b"))
    assert hits[0].score == hits[1].score
    assert hits[0].explanation.retrievability == hits[1].explanation.retrievability
    assert a.fades_at == b.fades_at
    assert b.strength.reinforcement_count == 0
