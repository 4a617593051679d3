"""TB2: an erased value stays refused after TTL, prune, sweep, vacuum, rotation of keys, and copies.

Control: unrelated text of the same day is accepted.
"""

import io
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

import pytest

from lapse.bank import Bank
from lapse.errors import TombstonedError
from lapse.faces.app import rotate_keys
from tests.journeys.acceptance import on_every_store, place_on
from tests.reports.helping import Place, hit_ids

WHO = {"by": "anna", "reason": "she asked for it"}
SECRET = "Maria Okafor lives at 14 Elm Street in Lisbon."


EAGER = {
    "forgetting.mode": "lifecycle",
    "forgetting.auto_apply": True,
    "retention.prune": True,
    "retention.grace_days": 0,
    "retention.prune_after_days": 1,
}


def _vacuum(place: Place) -> None:
    place.opened.close()
    with closing(sqlite3.connect(place.target)) as connection:
        connection.execute("VACUUM")


def _rotate(place: Place) -> None:
    place.opened.close()
    rotate_keys(place.target)


def _there_and_back(bank: Bank, target: Bank) -> None:
    sink = io.BytesIO()
    bank.export(sink, by="anna", reason="a copy")
    target.import_(sink, by="anna")


def _prune(place: Place) -> None:
    bank = place.bank(EAGER)
    bank.remember("A trifle of no weight", id=f"trifle{place.clock.now()}", importance=0.0)
    for _ in range(3):
        place.clock.advance(days=900)
        bank.sweep()


STEPS: Mapping[str, Callable[[Place], object]] = {
    "prune": _prune,
    "vacuum": _vacuum,
    "rotation of keys": _rotate,
    "vacuum again": _vacuum,
    "export and import": lambda place: _there_and_back(place.bank(), place.bank()),
    "another rotation": _rotate,
    "into another bank": lambda place: _there_and_back(place.bank(), place.open().bank("copy")),
}


def test_no_pass_over_a_file_lets_an_erased_value_back(tmp_path: Path) -> None:
    with place_on("file", tmp_path) as place:
        place.bank().remember(SECRET, id="secret")
        place.bank().erase(["secret"], **WHO)
        for day, (name, step) in enumerate(STEPS.items(), start=1000):
            step(place)
            _refused(place, day)
            told = name == "into another bank"
            for bank in (place.bank(), *([place.open().bank("copy")] if told else [])):
                with pytest.raises(TombstonedError):
                    bank.remember(SECRET)


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
