"""TB2: an erased value stays refused after TTL, sweep, vacuum, rotation of keys and opening again.

Control: unrelated text of the same day is accepted.
Waits: export and import.
"""

from pathlib import Path

import pytest

from lapse.errors import TombstonedError
from tests.journeys.acceptance import on_every_store, place_on
from tests.reports.helping import Place, hit_ids

WHO = {"by": "anna", "reason": "she asked for it"}
SECRET = "Maria Okafor lives at 14 Elm Street in Lisbon."


def _refused(place: Place, day: int) -> None:
    bank = place.bank()
    with pytest.raises(TombstonedError):
        bank.remember("maria okafor lives at 14 elm street in lisbon")
    bank.remember(f"Unrelated note of day {day}", id=f"note{day}")
    assert hit_ids(bank.recall("Where does Maria Okafor live in Lisbon?")) == []


@on_every_store
def test_nothing_that_time_brings_lets_an_erased_value_back(kind: str, tmp_path: Path) -> None:
    with place_on(kind, tmp_path) as place:
        if not place.lasting:
            mind = place.open()
            bank = mind.bank("alice")
            bank.remember(SECRET, id="secret", expires_at="2026-06-02T00:00Z")
            bank.erase(["secret"], **WHO)
            for _ in range(3):
                place.clock.advance(days=400)
                mind.drain()
                bank.sweep()
                with pytest.raises(TombstonedError):
                    bank.remember(SECRET)
            assert bank.remember("Unrelated").memory.text == "Unrelated"
            return
        bank = place.bank()
        bank.remember(SECRET, id="secret", expires_at="2026-06-02T00:00Z")
        bank.erase(["secret"], **WHO)
        for day in (1, 40, 800):
            place.clock.advance(days=day)
            place.bank().drain()
            place.bank().sweep()
            _refused(place, day)
