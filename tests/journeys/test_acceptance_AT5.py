"""AT5: the clock jumps ten years ahead, and back; nothing is destroyed, nothing is negative.

Control: in the future, faded memories were due.
"""

from collections.abc import Mapping
from pathlib import Path

import pytest

from lapse.bank import Bank
from lapse.model.codec import dumps
from lapse.model.policy import LawName
from tests.journeys.acceptance import on_every_store, place_on, tray
from tests.reports.helping import T0, Place, ago, everything

QUERIES = ("harbour", "note 7", "what do I drink")


def tell(bank: Bank) -> None:
    for at in range(12):
        bank.remember(
            f"Note {at} on the harbour", id=f"m{at}", importance=at / 12, created_at=ago(days=at)
        )
    bank.remember("I drink tea", key="user/drink", value="tea", created_at=ago(days=9))
    bank.remember("I drink milk", key="user/drink", value="milk", created_at=ago(days=2))
    bank.remember("The ticket is at the desk", id="ticket", expires_at=ago(days=-3))
    bank.pin(["m2"])
    bank.used(["m1", "m5"], at=ago(days=1))
    bank.drain()


def seen(bank: Bank) -> list[str]:
    """Everything a caller can see, byte for byte."""
    return [*(tray(bank.recall(each)) for each in QUERIES), dumps(everything(bank))]


def live_in(place: Place, bank: Bank, settings: Mapping[str, object]) -> None:
    """What somebody does whose clock is wrong, short of telling something new."""
    for each in QUERIES:
        for hit in bank.recall(each, k=20).hits:
            why = hit.explanation
            assert 0 <= why.retrievability <= 1
            assert 0 <= why.need <= 1
            assert why.score >= 0
            assert why.half_life_days is None or why.half_life_days >= 0
    bank.drain()
    bank.rank([{"id": "m1", "text": "Note 1 on the harbour"}], query="harbour")
    assert bank.doctor() == []
    if place.lasting:
        place.bank(settings).drain()


@on_every_store
@pytest.mark.parametrize("law", [LawName.ACTIVATION, LawName.EBBINGHAUS, LawName.FSRS])
@pytest.mark.parametrize("years", [10, -10])
def test_a_clock_that_jumps_and_comes_back_leaves_everything_as_it_was(
    kind: str, law: LawName, years: int, tmp_path: Path
) -> None:
    with place_on(kind, tmp_path) as place:
        settings = {"law.name": law.value, "forgetting.mode": "filter"}
        bank = place.bank(settings)
        tell(bank)
        before, rows = seen(bank), len(everything(bank))
        assert bank.stats().faded < 10

        place.clock.set(T0 + years * 31_557_600_000_000)
        live_in(place, bank, settings)
        if years > 0:
            assert bank.stats().faded >= 10  # the control: they were due
            assert bank.recall("ticket").hits == ()
        assert len(everything(bank)) == rows

        place.clock.set(T0)
        assert seen(bank) == before
        if place.lasting:
            assert seen(place.bank(settings)) == before


@on_every_store
def test_what_is_told_while_the_clock_is_ahead_is_kept_and_flagged_once_it_is_back(
    kind: str, tmp_path: Path
) -> None:
    with place_on(kind, tmp_path) as place:
        bank = place.bank()
        tell(bank)
        place.clock.set(T0 + 10 * 31_557_600_000_000)
        bank.remember("The lantern is in the cellar", id="future")
        bank.used(["m1"])
        bank.drain()
        place.clock.set(T0)

        (hit,) = bank.recall("lantern").hits
        assert hit.id == "future"
        assert "clock_skew" in hit.explanation.flags
        assert 0.9 < hit.explanation.retrievability <= 1
        later = bank.remember("The lantern burns", id="present")
        assert later.action == "created"
        scores = {each.id: each.score for each in bank.recall("harbour", k=20).hits}
        assert set(scores) == {f"m{at}" for at in range(12)}
        assert all(each >= 0 for each in scores.values())
