"""Dating: when a memory will have faded.

Between uses a memory's strength follows a known curve, so the instant at which it falls below the
policy's own level of its own score is known in advance. It is computed with every change that
enters it and stored; a sweep reads what is due and never scans. Where the policy's score hangs on
the whole bank (`mean`, `informative`, `worth`, `promise`) nothing can be dated by it: `fades_at` is
then the crossing of the law's archive level, which says that a memory has faded and not that it is
due.

A memory's own expiry is dated beside it, since it needs no grace.

Decides the dates. Refuses to act on them.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from lapse.laws import (
    NEVER,
    Bar,
    Held,
    Law,
    bar_of,
    columns_of,
    effective_decay,
    falls_at,
    law_for,
)
from lapse.lifecycle.guards import importance_of, own_guard
from lapse.model.guards import Guard
from lapse.model.instants import Instant
from lapse.model.memory import Memory
from lapse.model.policy import Anchor, LawPolicy, Policy, RetentionScore
from lapse.model.retention import UNDATED, Dates, RetentionState


def dates(law: Law, policy: Policy, memory: Memory, state: RetentionState) -> Dates:
    """When one memory is due if it is not used again; see `Dates`.

    Never while the memory's own guard spares it: pinned, verified, exempt, audit evidence. What is
    important enough to be protected does not fade, and is due when it expires.
    """
    return dates_each(law, policy, [(memory, state)])[0]


def dates_each(
    law: Law, policy: Policy, rows: Sequence[tuple[Memory, RetentionState]]
) -> list[Dates]:
    """`dates` of many memories at once, in order."""
    bar = dating_bar(policy)
    if (bar.level is None and law.archive_level is None) or not rows:
        return [_dated(memory, state, policy, NEVER) for memory, state in rows]
    held = [held_of(policy, memory, state) for memory, state in rows]
    if len(held) == 1:
        crossings = [_crossing(policy.law, bar, held[0])]
    else:
        crossings = falls_at(law, columns_of(held), bar).tolist()
    return [
        _dated(memory, state, policy, at)
        for (memory, state), at in zip(rows, crossings, strict=True)
    ]


def fades_at(law: Law, policy: Policy, memory: Memory, state: RetentionState) -> Instant | None:
    """When the memory falls below the policy's level if it is not used again; None for never.

    An earlier `expires_at` stands in its place, and is all that dates what is important enough to
    be protected. None too while the memory is pinned, verified, exempt or audit evidence.
    """
    return dates(law, policy, memory, state).fades_at


def fades_at_each(
    law: Law, policy: Policy, rows: Sequence[tuple[Memory, RetentionState]]
) -> list[Instant | None]:
    """`fades_at` of many memories at once, in order."""
    return [each.fades_at for each in dates_each(law, policy, rows)]


def dating_bar(policy: Policy) -> Bar:
    """The bar that `fades_at` is the crossing of."""
    return bar_of(policy.retention) or Bar(score=RetentionScore.NEED, level=None)


def held_of(policy: Policy, memory: Memory, state: RetentionState) -> Held:
    """The memory as a row of the laws' columns, with the policy's defaults put in."""
    importance = importance_of(policy, state)
    event = memory.occurred_at if policy.law.anchor is Anchor.EVENT else None
    decay = effective_decay(
        policy.law,
        importance=importance,
        confidence=memory.confidence,
        proof_count=memory.proof_count,
        entity_count=len(memory.entities),
    )
    return Held(
        created_at=state.created_at if event is None else event,
        strength=state.strength,
        importance=importance,
        decay=float(decay),
    )


def _crossing(policy: LawPolicy, bar: Bar, held: Held) -> int:
    """When one memory falls to the bar.

    Most memories dated one by one have just been told: all of the same importance fall after the
    same time, which has to be found only once.
    """
    start, strength = held.created_at, held.strength
    used_at = strength.last_counted_at
    since_creation = replace(
        held,
        created_at=Instant(0),
        strength=replace(
            strength,
            traces_at=Instant(strength.traces_at - start),
            last_counted_at=None if used_at is None else Instant(used_at - start),
        ),
    )
    after = _time_to_fall(policy, bar, since_creation)
    return NEVER if after == NEVER else start + after


@lru_cache(maxsize=4096)
def _time_to_fall(policy: LawPolicy, bar: Bar, held: Held) -> int:
    """Time from creation to the crossing, of a memory whose instants count from its creation."""
    return int(falls_at(law_for(policy), columns_of([held]), bar)[0])


def _dated(memory: Memory, state: RetentionState, policy: Policy, crossing: int) -> Dates:
    guard = own_guard(state, policy)
    if guard not in (None, Guard.IMPORTANT):
        return UNDATED
    never = crossing == NEVER or guard is Guard.IMPORTANT
    expiry, fading = memory.expires_at, None if never else Instant(crossing)
    if expiry is None or fading is None:
        return Dates(fades_at=fading if expiry is None else expiry, expires_at=expiry)
    return Dates(fades_at=min(fading, expiry), expires_at=expiry)


def guarded(state: RetentionState, policy: Policy) -> bool:
    """Whether the memory's own guard spares it from fading, whatever its retrievability.

    Expiring is another thing: importance does not spare from it.
    """
    return own_guard(state, policy) is not None
