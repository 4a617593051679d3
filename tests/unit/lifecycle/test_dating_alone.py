"""A memory dated by itself has the date it has among others, whenever it was told."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.laws import law_for
from lapse.laws.traces import told_once
from lapse.lifecycle.dating import fades_at, fades_at_each
from lapse.model.instants import DAY, EARLIEST, LATEST, Instant
from lapse.model.memory import Memory
from lapse.model.policy import Anchor, LawName, Policy
from lapse.model.policy_layers import apply
from lapse.model.policy_sources import from_diff
from lapse.model.retention import RetentionState
from lapse.testing.fakes import memory, state

INSTANTS = st.integers(EARLIEST + 400 * 366 * DAY, LATEST - 400 * 366 * DAY).map(Instant)


@st.composite
def rows(draw: st.DrawFn) -> tuple[Memory, RetentionState]:
    """A memory told at any time, of any importance, used or not, of an event or not."""
    at = draw(INSTANTS)
    used_at = draw(st.none() | st.integers(0, 3000 * DAY).map(lambda after: Instant(at + after)))
    strength = replace(
        state(at).strength,
        traces=tuple(each * draw(st.sampled_from([1.0, 2.5])) for each in told_once()),
        traces_at=at if used_at is None else used_at,
        last_counted_at=used_at,
        stability_days=draw(st.floats(0.001, 1e4)),
    )
    told = replace(state(at), strength=strength, importance=draw(st.none() | st.floats(0, 1)))
    event = draw(st.none() | st.integers(-3000, 3000).map(lambda days: Instant(at + days * DAY)))
    return replace(memory("m", at=at), occurred_at=event), told


@pytest.mark.parametrize("anchor", list(Anchor))
@pytest.mark.parametrize("name", list(LawName))
@given(one=rows(), other=rows())
def test_alone_and_among_others_the_date_is_the_same(
    name: LawName,
    anchor: Anchor,
    one: tuple[Memory, RetentionState],
    other: tuple[Memory, RetentionState],
) -> None:
    policy = apply(Policy(), from_diff({"law": {"name": name.value, "anchor": anchor.value}}))
    law = law_for(policy.law)
    assert [fades_at(law, policy, *each) for each in (one, other)] == fades_at_each(
        law, policy, [one, other]
    )


@given(one=rows(), shift=st.integers(-100 * 366 * DAY, 100 * 366 * DAY))
def test_told_later_a_memory_fades_later_by_as_much(
    one: tuple[Memory, RetentionState], shift: int
) -> None:
    def later(at: Instant) -> Instant:
        return Instant(at + shift)

    told, its = replace(one[0], occurred_at=None), one[1]
    used_at = its.strength.last_counted_at
    moved = replace(
        its,
        created_at=later(its.created_at),
        strength=replace(
            its.strength,
            traces_at=later(its.strength.traces_at),
            last_counted_at=None if used_at is None else later(used_at),
        ),
    )
    law = law_for(Policy().law)
    fades = fades_at(law, Policy(), told, its)
    again = fades_at(law, Policy(), told, moved)
    assert again == (None if fades is None else later(fades))
