"""B048: at the exact instant of the hand-over both values are told."""

import pytest

from lapse.model.instants import Instant, parse_instant
from lapse.model.query import AsOf
from tests.reports.helping import Place, hit_ids

HAND_OVER = parse_instant("2026-05-20T00:00:00Z", "hand-over")


@pytest.mark.parametrize(
    ("valid", "told"),
    [
        (HAND_OVER, ["f2"]),
        (Instant(HAND_OVER - 1), ["f1"]),
        (parse_instant("2026-04-09", "before both"), []),
        (parse_instant("2026-04-10", "the first begins"), ["f1"]),
    ],
)
def test_at_every_instant_at_most_one_value_holds(
    place: Place, valid: Instant, told: list[str]
) -> None:
    bank = place.bank()
    bank.remember(
        "the desk is in room 1", id="f1", key="desk", valid_from="2026-04-10", valid_to="2026-05-20"
    )
    bank.remember("the desk is in room 2", id="f2", key="desk", valid_from=HAND_OVER)
    assert hit_ids(bank.recall("where is the desk", as_of=AsOf(valid=valid))) == told
