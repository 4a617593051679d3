"""B003: age is cut down to whole hours, so that all of the last hour counts as brand new."""

import pytest

from tests.reports.helping import Place, ago, hit_ids


def test_ages_under_an_hour_differ_in_strength_and_order(place: Place) -> None:
    bank = place.bank({"law.name": "half_life", "law.half_life_hours": 1})
    for name in ("minute", "hour"):
        bank.remember(f"harbour {name}", id=name, created_at=ago(days=3))
    bank.used(["minute"], at=ago(minutes=1))
    bank.used(["hour"], at=ago(minutes=59))
    bank.drain()
    recall = bank.recall("harbour plans")
    strengths = [each.explanation.retrievability for each in recall.hits]
    assert hit_ids(recall) == ["minute", "hour"]
    assert strengths == [pytest.approx(0.98851, abs=5e-6), pytest.approx(0.50581, abs=5e-6)]


def test_ages_under_a_second_differ_in_strength(place: Place) -> None:
    bank = place.bank({"law.name": "half_life", "law.half_life_hours": 0.001})
    bank.remember("harbour", id="m", created_at=ago(seconds=0.5))
    assert bank.recall("harbour").hits[0].explanation.retrievability == pytest.approx(
        2 ** (-0.5 / 3.6)
    )


def test_among_memories_that_one_cue_names_equally_the_stronger_is_first(place: Place) -> None:
    bank = place.bank({"law.name": "half_life", "law.half_life_hours": 1})
    for name in ("minute", "hour"):
        bank.remember(f"harbour {name}", id=name, created_at=ago(days=3))
    bank.used(["minute"], at=ago(minutes=1))
    bank.used(["hour"], at=ago(minutes=59))
    bank.drain()
    assert hit_ids(bank.recall("harbour")) == ["minute", "hour"]
