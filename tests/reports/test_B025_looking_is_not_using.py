"""B025: loading the store for display stamps every record as just used, so nothing is ever stale.

Waits: an export, for `export`; the list of the workbench, for the workbench.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from lapse.bank import Bank
from lapse.model.paging import Listing
from tests.reports.helping import Place, ago, everything

COUNT = 100
STALE_AFTER_30_DAYS = {
    "law.name": "half_life",
    "law.half_life_hours": 30 * 24,
    "law.archive_level": 0.5,
}

LOOKS: dict[str, Callable[[Bank], object]] = {
    "list": lambda bank: everything(bank, Listing(limit=30)),
    "get": lambda bank: [bank.get(f"m{at}") for at in range(COUNT)],
    "stats": lambda bank: bank.stats(),
    "doctor": lambda bank: bank.doctor(),
    "policy": lambda bank: bank.policy(),
    "why": lambda bank: [bank.why("harbour", f"m{at}") for at in range(0, COUNT, 10)],
    "recall": lambda bank: bank.recall("harbour", k=COUNT),
    "drain": lambda bank: bank.drain(),
}


def told(place: Place) -> Bank:
    bank = place.bank(STALE_AFTER_30_DAYS)
    bank.remember_many(
        {"text": f"harbour {at}", "id": f"m{at}", "created_at": ago(days=90)} for at in range(COUNT)
    )
    return bank


@pytest.mark.parametrize("look", LOOKS)
def test_whatever_was_stale_is_stale_after_a_look(place: Place, look: str) -> None:
    bank = told(place)
    before = everything(bank)
    LOOKS[look](bank)
    bank.drain()
    assert everything(bank) == before
    assert bank.stats().faded == COUNT
    assert sum(each.state.strength.access_count for each in before) == 0


def test_a_use_is_no_look(place: Place) -> None:
    bank = told(place)
    bank.used(["m0"])
    bank.drain()
    assert bank.stats().faded == COUNT - 1


def test_a_backup_holds_what_was_stale_as_stale(in_file: Place, tmp_path: Path) -> None:
    bank = told(in_file)
    before = everything(bank)
    in_file.open().backup(tmp_path / "copy.db")
    copy = Place(target=str(tmp_path / "copy.db"), clock=in_file.clock)
    with copy.opened:
        copied = copy.bank(STALE_AFTER_30_DAYS)
        assert everything(copied) == before == everything(bank)
        assert copied.stats().faded == COUNT
