"""Laws are compared over the same instants, by curves and paired intervals."""

import numpy as np
import pytest

from lapse.errors import ValidationError
from lapse.lab.comparing import SHARES, beside, compare
from lapse.lab.log import Entry, Happening, in_order
from lapse.lab.replaying import MOST_INSTANTS
from lapse.model.instants import DAY, HOUR, Instant
from lapse.model.policy import LawName, LawPolicy


def _log() -> list[Entry]:
    """Sixty memories, of which the first ten are used every few days, for 200 days."""
    dice = np.random.default_rng(1)
    entries = [
        Entry(at=Instant(number * HOUR), memory=f"m{number}", event=Happening.CREATED)
        for number in range(60)
    ]
    for day in range(4, 200):
        name = f"m{int(dice.integers(0, 10))}"
        entries.append(Entry(at=Instant(day * DAY), memory=name, event=Happening.USED))
    return in_order(entries)


ACTIVATION, NONE = LawPolicy(), LawPolicy(name=LawName.NONE)


def test_a_law_that_knows_of_use_keeps_what_is_needed_later() -> None:
    curves = compare(_log(), {"none": NONE, "activation": ACTIVATION}, warm_up_days=60)
    at = SHARES.index(0.2)
    assert curves["activation"].hit_rates[at] > 0.99
    assert curves["none"].hit_rates[at] == pytest.approx(0.2)
    gap = curves["activation"].lead_on_first[at]
    assert 0 < gap.low <= gap.mean <= gap.high


def test_the_first_law_is_not_apart_from_itself_and_hit_rates_rise_with_what_is_kept() -> None:
    curve = compare(_log(), {"activation": ACTIVATION}, warm_up_days=60)["activation"]
    assert all(each.low == each.mean == each.high == 0 for each in curve.lead_on_first)
    assert list(curve.hit_rates) == sorted(curve.hit_rates)


def test_a_law_that_lets_nothing_go_keeps_all_active_and_a_fast_one_is_needed_afterwards() -> None:
    fast = LawPolicy(name=LawName.HALF_LIFE, half_life_hours=1.0)
    curves = compare(_log(), {"none": NONE, "fast": fast}, warm_up_days=60)
    assert curves["none"].needed_after_forgotten == 0
    assert set(curves["none"].active_shares) == {1.0}
    lost = curves["fast"].needed_after_forgotten
    assert lost is not None
    assert lost > 500
    assert max(curves["fast"].active_shares) < 0.1


def test_the_same_log_and_seed_give_the_same_comparison() -> None:
    laws = {"none": NONE, "activation": ACTIVATION}
    assert compare(_log(), laws, warm_up_days=60) == compare(_log(), laws, warm_up_days=60)


def test_a_log_without_uses_after_the_warm_up_is_refused() -> None:
    with pytest.raises(ValidationError, match="longer log"):
        compare(_log(), {"activation": ACTIVATION}, warm_up_days=400)
    with pytest.raises(ValidationError, match="at least one law"):
        compare(_log(), {})
    with pytest.raises(ValidationError, match="longer log"):
        beside([], ACTIVATION)


@pytest.mark.parametrize("horizon_days", [0.0, -1.0, 1e-9, 190 / MOST_INSTANTS, float("nan")])
def test_a_horizon_that_makes_instants_without_end_is_refused(horizon_days: float) -> None:
    with pytest.raises(ValidationError, match="horizon_days"):
        compare(_log(), {"activation": ACTIVATION}, horizon_days=horizon_days)
