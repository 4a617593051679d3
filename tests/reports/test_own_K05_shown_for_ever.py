"""K05, not reported: what happens to be shown first stays first, because it was shown."""

import pytest

from tests.reports.helping import Place, ago, hit_ids


def test_being_shown_every_day_for_months_wins_no_place(place: Place) -> None:
    place.clock.set(ago(days=100))
    bank = place.bank()
    for name in ("a", "b", "c"):
        bank.remember(f"harbour {name}", id=name)
    before = bank.recall("harbour plans", k=1)
    for _ in range(100):
        place.clock.advance(days=1)
        bank.recall("harbour plans", k=1)
        bank.drain()
    after = bank.recall("harbour plans")
    assert hit_ids(before) == ["a"]
    assert len({each.score for each in after.hits}) == 1
    assert len({each.explanation.retrievability for each in after.hits}) == 1
    bank.used(["b"])
    bank.drain()
    place.clock.advance(days=1)
    assert hit_ids(bank.recall("harbour plans"))[0] == "b"


@pytest.mark.parametrize("law", ["activation", "ebbinghaus", "fsrs"])
def test_two_hundred_uses_in_an_hour_weigh_as_one_and_ten_spaced_ones_more(
    place: Place, law: str
) -> None:
    bank = place.bank({"law.name": law})
    for name in ("once", "burst", "spaced"):
        bank.remember(f"harbour {name}", id=name, created_at=ago(days=25))
    bank.used(["once"], at=ago(hours=2))
    for number in range(200):
        bank.used(["burst"], at=ago(hours=2, seconds=-number), event_id=f"e{number}")
    for days in range(20, 0, -2):
        bank.used(["spaced"], at=ago(days=days))
    bank.used(["spaced"], at=ago(hours=2))
    bank.drain()
    place.clock.set(ago(days=-30))
    strengths = {each: bank.get(each).state.strength for each in ("once", "burst", "spaced")}
    needs = {each.id: each.explanation.need for each in bank.recall("harbour plans").hits}
    assert strengths["burst"].access_count == 200
    assert strengths["burst"].reinforcement_count == strengths["once"].reinforcement_count == 1
    assert needs["burst"] == needs["once"] < needs["spaced"]
