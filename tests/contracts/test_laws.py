"""The contract of the laws, on every law, with Hypothesis in search of the case that breaks it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.laws import FloatArray, Law, StrengthColumns, law_for
from lapse.laws.activation_law import ActivationLaw
from lapse.model.instants import DAY, Instant
from lapse.model.policy import (
    Anchor,
    ImportanceEffect,
    LawName,
    LawPolicy,
    Policy,
    ReinforcementPolicy,
)
from lapse.model.retention import UseEvent, UseSource
from lapse.testing.law_contract import (
    CLAUSES,
    TOLD_AT,
    Case,
    Clause,
    LawContractError,
    check_law,
    standard_cases,
)

EVENTS = st.lists(
    st.builds(
        lambda number, days, source, weight: UseEvent(
            event_id=f"e{number}",
            memory_id="m",
            source=source,
            weight=weight,
            at=Instant(TOLD_AT + round(days * DAY)),
            enqueued_at=Instant(TOLD_AT + round(days * DAY)),
        ),
        st.integers(0, 50),
        st.floats(0, 800) | st.sampled_from([0.0, 1.0, 2.0, 2.0 + 30 / 86_400]),
        st.sampled_from(UseSource),
        st.sampled_from([0.0, 0.01, 0.5, 0.8, 1.0]),
    ),
    max_size=8,
    unique_by=lambda event: event.event_id,
).map(tuple)

LAWS = st.builds(
    LawPolicy,
    name=st.sampled_from(LawName),
    anchor=st.sampled_from(Anchor),
    decay=st.floats(0.2, 0.9),
    age_floor_s=st.sampled_from([1.0, 60.0, 3_600.0]),
    importance_effect=st.sampled_from(ImportanceEffect),
    importance_weight=st.floats(0, 20),
    use_gain=st.sampled_from([1.0, 5.0]),
    cooldown_hours=st.sampled_from([None, 0.0, 6.0]),
    decay_per_hour=st.sampled_from([1.0, 0.995, 0.5]),
    half_life_hours=st.floats(0.1, 10_000),
    base_stability_days=st.floats(0.1, 300),
)

CASES = st.builds(
    Case,
    policy=st.builds(
        Policy,
        law=LAWS,
        reinforcement=st.builds(ReinforcementPolicy, rejected_factor=st.sampled_from([0, 0.5, 1])),
    ),
    importance=st.floats(0, 1),
    events=EVENTS,
)


def complaint(clause: Clause, case: Case) -> str | None:
    """What the clause says against the law of the case's policy, if anything."""
    try:
        clause(law_for(case.policy.law), case)
    except LawContractError as error:
        return str(error)
    return None


CLAUSES_BY_NAME = pytest.mark.parametrize("clause", CLAUSES.values(), ids=CLAUSES.keys())


@CLAUSES_BY_NAME
@pytest.mark.parametrize("name", LawName)
def test_every_law_keeps_the_clause_on_the_standard_cases(name: LawName, clause: Clause) -> None:
    policy = Policy(law=LawPolicy(name=name))
    complaints = [complaint(clause, case) for case in standard_cases(policy)]
    assert complaints == [None] * 12


@CLAUSES_BY_NAME
@given(case=CASES)
def test_no_history_and_no_policy_breaks_the_clause(clause: Clause, case: Case) -> None:
    assert complaint(clause, case) is None


class Broken(ActivationLaw):
    """The default law with a fault; each kind of fault is one subclass."""

    __slots__ = ()


class Rising(Broken):
    __slots__ = ()

    def log_retrievability(self, columns: StrengthColumns, now: Instant) -> FloatArray:
        return np.asarray(-1 / (1 + super().log_retrievability(columns, now) ** 2))


class Percent(Broken):
    __slots__ = ()

    def retrievability(self, columns: StrengthColumns, now: Instant) -> FloatArray:
        return np.asarray(100 * super().retrievability(columns, now))


class Snob(Broken):
    __slots__ = ()

    def log_retrievability(self, columns: StrengthColumns, now: Instant) -> FloatArray:
        return np.asarray(super().log_retrievability(columns, now) - 3 * columns.importance)


class Crowded(Broken):
    __slots__ = ()

    def need(self, columns: StrengthColumns, now: Instant) -> FloatArray:
        return np.asarray(super().need(columns, now) / len(columns))


def broken(kind: type[Broken]) -> Law:
    whole = law_for(LawPolicy())
    assert isinstance(whole, ActivationLaw)
    return kind(shared=whole.shared, odds=whole.odds, need_odds=whole.need_odds)


@pytest.mark.parametrize(
    ("kind", "clause"),
    [
        (Rising, "never_rises"),
        (Percent, "bounded"),
        (Percent, "consistent"),
        (Snob, "importance_never_hurts"),
        (Crowded, "row_by_row"),
    ],
)
def test_the_contract_finds_a_broken_law(kind: type[Broken], clause: str) -> None:
    with pytest.raises(LawContractError, match=clause):
        check_law(broken(kind), Policy())


def test_the_contract_names_every_clause_that_a_law_breaks() -> None:
    with pytest.raises(LawContractError) as caught:
        check_law(broken(Percent), Policy())
    named = [line.split(":")[0] for line in str(caught.value).splitlines()]
    assert named == ["bounded", "consistent", "crossing_inverts"]
