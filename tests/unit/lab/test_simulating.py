"""A forecast says what would be due and when, from the curves alone."""

import pytest

from lapse.errors import ValidationError
from lapse.lab.simulating import roll_forward
from lapse.laws import NEVER, Held, Seed, StrengthColumns, columns_of, law_for
from lapse.model.instants import DAY, Instant
from lapse.model.memory import Kind
from lapse.model.policy import LawName, LawPolicy

NOW = Instant(1_000 * DAY)
HALVING = LawPolicy(name=LawName.HALF_LIFE, half_life_hours=24.0)
"""R falls below 0.05 after log2(20) = 4.32 days."""


def _told(*days_ago: int, policy: LawPolicy = HALVING) -> StrengthColumns:
    law = law_for(policy)
    held = []
    for days in days_ago:
        at = Instant(NOW - days * DAY)
        strength = law.initial(Seed(created_at=at, kind=Kind.SEMANTIC))
        held.append(Held(created_at=at, strength=strength, importance=0.5, decay=policy.decay))
    return columns_of(held)


def test_each_memory_is_due_the_grace_period_after_its_curve_crosses_the_level() -> None:
    found = roll_forward(_told(0, 2, 9), HALVING, now=NOW, days=8, grace_days=2)
    assert found.due == (1, 0, 0, 0, 0, 1, 0, 1, 0)
    assert found.active == (2, 2, 2, 2, 2, 1, 1, 0, 0)
    assert found.soonest(2) == [2, 1]
    assert (found.due_at[0] - NOW) / DAY == pytest.approx(6.3219, abs=1e-3)
    assert found.due_at[2] == NOW


def test_what_is_spared_and_what_does_not_fade_is_never_due() -> None:
    spared = roll_forward(_told(9, 9), HALVING, now=NOW, days=3, spared=[True, False])
    assert spared.due_at[0] == NEVER
    assert spared.soonest(5) == [1]
    lasting = LawPolicy(name=LawName.NONE)
    kept = roll_forward(_told(9, 9, policy=lasting), lasting, now=NOW, days=3)
    assert kept.active == (2, 2, 2, 2)
    assert kept.soonest(5) == []


def test_a_longer_grace_never_makes_the_active_set_smaller() -> None:
    told = _told(0, 1, 3, 5)
    short = roll_forward(told, HALVING, now=NOW, days=20, grace_days=1).active
    long = roll_forward(told, HALVING, now=NOW, days=20, grace_days=7).active
    assert all(more >= less for more, less in zip(long, short, strict=True))
    assert long != short


def test_a_forecast_changes_nothing_that_it_was_given() -> None:
    told = _told(0, 9)
    before = told.traces.copy(), told.created_at.copy()
    roll_forward(told, HALVING, now=NOW, days=3)
    assert (told.traces == before[0]).all()
    assert (told.created_at == before[1]).all()


def test_an_empty_bank_has_an_empty_forecast() -> None:
    found = roll_forward(columns_of([]), HALVING, now=NOW, days=1)
    assert found.active == (0, 0)


def test_all_that_is_wrong_with_a_request_is_said_at_once() -> None:
    with pytest.raises(ValidationError) as caught:
        roll_forward(_told(0), HALVING, now=NOW, days=-1, grace_days=-1, spared=[True, True])
    said = str(caught.value)
    assert "days" in said
    assert "grace_days" in said
    assert "spared" in said
