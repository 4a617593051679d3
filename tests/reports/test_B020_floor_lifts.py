"""B020: a floor that should stop decay lifts what was below it already."""

import pytest

from lapse.model.policy import LawName
from tests.reports.helping import Place, ago

LAWS = sorted(LawName)


@pytest.mark.parametrize("floor", [0.0, 0.1, 0.5])
def test_a_pass_lifts_no_rating_that_was_below_the_floor(place: Place, floor: float) -> None:
    bank = place.bank({"scoring.signal_floor": floor})
    bank.remember("harbour", id="a", importance=0.02, created_at=ago(days=400))
    bank.drain()
    shown = bank.recall("harbour plans").hits[0].explanation
    assert bank.get("a").state.importance == 0.02
    assert shown.importance == 0.02


@pytest.mark.parametrize("law", LAWS)
def test_nothing_about_a_memory_rises_as_it_ages(place: Place, law: LawName) -> None:
    bank = place.bank({"law.name": law, "scoring.signal_floor": 0.1})
    bank.remember("harbour", id="a", importance=0.02)
    seen = []
    for days in (0, 1, 10, 100, 400, 4000):
        place.clock.set(ago(days=-days))
        bank.drain()
        hit = bank.recall("harbour plans").hits[0]
        seen.append((hit.explanation.retrievability, hit.explanation.need, hit.score))
    falling = [sorted(each, reverse=True) == list(each) for each in zip(*seen, strict=True)]
    assert falling == [True, True, True]
    assert seen[-1][0] < seen[0][0] or law is LawName.NONE


def test_a_signal_at_its_floor_stays_below_every_stronger_one(place: Place) -> None:
    bank = place.bank({"law.name": "exponential", "scoring.signal_floor": 0.1})
    for days in (1, 10, 400):
        bank.remember(f"harbour {days}", id=f"d{days}", created_at=ago(days=days))
    hits = {each.id: each.explanation.terms["signal"] for each in bank.recall("harbour plans").hits}
    assert hits["d1"] > hits["d10"] > hits["d400"] >= 0.1
    assert hits["d400"] == pytest.approx(0.1)
