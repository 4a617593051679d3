"""CO3: the correction arrives before the older fact; the order of arrival does not decide.

Control: both are knowable as of their times.
"""

from pathlib import Path

import pytest

from lapse.model.instants import parse_instant
from lapse.model.query import AsOf
from tests.journeys.acceptance import on_every_store, place_on
from tests.reports.helping import hit_ids

MARCH, MAY = (parse_instant(f"2026-0{month}-01", "told") for month in (3, 5))


@on_every_store
@pytest.mark.parametrize("order", [("may", "march"), ("march", "may")])
def test_the_time_of_the_event_decides(kind: str, order: tuple[str, str], tmp_path: Path) -> None:
    facts = {
        "march": {"text": "the office is in Graz", "occurred_at": MARCH},
        "may": {"text": "the office is in Linz", "occurred_at": MAY},
    }
    with place_on(kind, tmp_path) as place:
        bank = place.bank()
        for name in order:
            bank.remember(id=name, key="office", **facts[name])  # type: ignore[arg-type]  # by name
            place.clock.advance(days=1)
        asked = "where is the office"
        assert hit_ids(bank.recall(asked)) == ["may"]
        assert hit_ids(bank.recall(asked, as_of=AsOf(valid=MARCH))) == ["march"]
        assert hit_ids(bank.recall(asked, as_of=AsOf(valid=MAY))) == ["may"]
