"""What the numbers of a sweep suggest, and in which direction."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from lapse.lifecycle.advising import advise, too_much_lost
from lapse.model.policy import Policy
from lapse.model.policy_layers import apply
from lapse.model.policy_sources import from_diff
from lapse.model.sweep import Advice, Departed, SweepReport
from lapse.testing.fakes import START

PLAIN = SweepReport(id="s", at=START, by="test", policy="p", active_after=100)


def _policy(**settings: object) -> Policy:
    return apply(
        Policy(), from_diff({each.replace("__", "."): value for each, value in settings.items()})
    )


def _sizes(*sizes: int) -> Sequence[SweepReport]:
    return [replace(PLAIN, active_after=each) for each in sizes]


def test_a_quiet_sweep_suggests_nothing() -> None:
    assert advise(Policy(), PLAIN, []) == ()


@pytest.mark.parametrize(("after", "stopped"), [(0.96, False), (0.95, False), (0.94, True)])
def test_a_drop_beyond_the_bound_stops_and_one_within_only_warns(
    after: float, stopped: bool
) -> None:
    policy = _policy(forgetting__auto_apply=True, forgetting__mode="lifecycle")
    report = replace(PLAIN, recall_before=1.0, recall_after=after)
    assert too_much_lost(policy, report) == stopped
    expected = [Advice.AUTO_APPLY_STOPPED] if stopped else []
    assert advise(policy, report, []) == (*expected, Advice.LOWER_DECAY_OR_PROTECT_MORE)


def test_what_does_not_apply_by_itself_is_not_stopped() -> None:
    report = replace(PLAIN, recall_before=1.0, recall_after=0.1)
    assert Advice.AUTO_APPLY_STOPPED not in advise(Policy(), report, [])


def test_recall_that_rises_is_no_loss() -> None:
    report = replace(PLAIN, recall_before=0.5, recall_after=0.9)
    assert report.canary_drop == 0
    assert advise(Policy(), report, []) == ()


@pytest.mark.parametrize(("confidence", "warned"), [(0.79, False), (0.8, True)])
def test_confident_memories_that_went_are_a_loss(confidence: float, warned: bool) -> None:
    report = replace(PLAIN, departed=Departed(count=3, mean_confidence=confidence))
    assert (Advice.LOWER_DECAY_OR_PROTECT_MORE in advise(Policy(), report, [])) == warned
    nobody = replace(PLAIN, departed=Departed(count=0, mean_confidence=confidence))
    assert advise(Policy(), nobody, []) == ()


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        ((80, 90), 100, True),
        ((100, 90), 100, False),
        ((80, 100), 100, False),
        ((100_000, 100_010), 100_020, False),
        ((90,), 100, False),
        ((100, 80, 90), 100, True),
    ],
)
def test_a_set_that_grows_over_three_sweeps_should_forget_more(
    before: Sequence[int], now: int, told: bool
) -> None:
    report = replace(PLAIN, active_after=now)
    given = advise(Policy(), report, _sizes(*before))
    assert given == ((Advice.RAISE_LEVEL_OR_DECAY,) if told else ())


def test_nobody_is_told_to_forget_both_more_and_less() -> None:
    report = replace(PLAIN, active_after=100, recall_before=1.0, recall_after=0.9)
    assert advise(Policy(), report, _sizes(80, 90)) == (Advice.LOWER_DECAY_OR_PROTECT_MORE,)
