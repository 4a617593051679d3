"""What the numbers of a sweep suggest.

Decides when too much was forgotten and when too little, and in which direction to turn. Refuses to
turn anything: the one thing that happens by itself, stopping `auto_apply`, is decided here and done
by the engine.

Too much: the canaries lost recall, or confident memories went. Forget more slowly (a lower decay,
a lower level) or protect more. Too little: the active set has grown over each of the last sweeps.
Forget at a higher level or faster. A memory is archived when its score falls to the level, so a
higher level archives more; a source that advises to lower the threshold against growth speaks of a
scale that is read the other way round.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from lapse.model.policy import Policy
from lapse.model.sweep import Advice, SweepReport

CONFIDENT: Final = 0.8
"""Mean confidence of what went from which it counts as a loss."""

GROWING_SWEEPS: Final = 3
"""Sweeps in a row after which the active set must be larger each time to count as growing."""

GROWTH: Final = 0.01
"""Share by which it must have grown over them."""


def too_much_lost(policy: Policy, report: SweepReport) -> bool:
    """Whether the canaries lost more recall than the policy allows."""
    return _beyond(policy, report.canary_drop)


def costs_too_much(policy: Policy, recall_before: float, recall_after: float) -> bool:
    """Whether the canaries lost more recall than the policy allows, before there is a report."""
    return _beyond(policy, recall_before - recall_after)


def advise(
    policy: Policy, report: SweepReport, earlier: Sequence[SweepReport]
) -> tuple[Advice, ...]:
    """What a sweep's numbers suggest.

    Args:
        policy: Policy it was judged by.
        report: The sweep, without advice.
        earlier: Reports before it, oldest first.
    """
    found: list[Advice] = []
    if policy.forgetting.auto_apply and too_much_lost(policy, report):
        found.append(Advice.AUTO_APPLY_STOPPED)
    departed = report.departed
    confident = departed.count > 0 and departed.mean_confidence >= CONFIDENT
    if report.canary_drop > 0 or confident:
        found.append(Advice.LOWER_DECAY_OR_PROTECT_MORE)
    elif _growing([*earlier, report][-GROWING_SWEEPS:]):
        found.append(Advice.RAISE_LEVEL_OR_DECAY)
    return tuple(found)


def _beyond(policy: Policy, drop: float) -> bool:
    # A mean of shares is not exact: what equals the bound stays within it.
    return drop > policy.retention.max_canary_drop + 1e-9


def _growing(reports: Sequence[SweepReport]) -> bool:
    sizes = [each.active_after for each in reports]
    rising = all(after > before for before, after in pairwise(sizes))
    return len(sizes) == GROWING_SWEEPS and rising and sizes[-1] >= sizes[0] * (1 + GROWTH)
