"""From events of use to strength: counting that no order of delivery can change.

Decides which events count, and folds them into a memory's strength. Refuses to decide what an event
weighs (the policy did, when it was enqueued), how a law takes it (`lapse.laws`), and to fetch or
keep events (the store does).

Rules
- A use falls in bucket ⌊(at − created_at)/cooldown⌋. Per bucket one use counts, at the earliest
  instant of its events and with the largest of their weights, whoever sent them and however often.
- Bucket 0 is creation, which the first strength already holds: uses in it, and any before creation,
  are seen but not counted.
- Without a cooldown there are no buckets: each event counts, also one at or before creation.
- An event of weight 0 (being shown, by default) is seen and nothing else.
- A rejection has no bucket. Each applies once, in its place in time.
- An event id counts once, as it was delivered first: what comes under a known id later, though it
  names another instant, changes nothing. Independence of order is that of events whose ids differ.

Strength = checkpoint + replay of the later events in order of (event time, event id). The steps are
those of one replay of the whole log, whatever arrived when and wherever the log was cut, so the
result is the same to the last bit. For that, no event may arrive for the time before the
checkpoint:

- an event more than `event_horizon_days` (30) old when it is enqueued is refused (`refuse_late`);
- the checkpoint stays one day further back (31), which covers clocks that disagree and the time
  between enqueuing and draining, and it waits for events that were enqueued in time and still are
  to be drained, however long they have waited (`checkpoint_horizon`);
- it goes by the last event learned of the memory where that is earlier than the clock, so that a
  drain under a clock that jumped ahead shuts nothing out.

Where a wrong clock wrote events too, the checkpoint may be ahead all the same. What then comes from
before it cannot count any more and is refused, or counted as late when it is drained
(`passed_over`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from lapse.laws import CountedUse, Law, Seed
from lapse.model.instants import EARLIEST, Instant, days, hours
from lapse.model.policy import Policy
from lapse.model.retention import Checkpoint, Strength, UseEvent, UseSource

SPARE_DAYS = 1.0
"""Days that the checkpoint stays behind the oldest event that may still be accepted."""

_BY_STRENGTH = tuple(UseSource)


def first_checkpoint(law: Law, seed: Seed) -> Checkpoint:
    """Checkpoint of a new memory: nothing is folded in yet, not even what came before creation."""
    return Checkpoint(strength=law.initial(seed), through=EARLIEST)


def bucket_of(at: Instant, created_at: Instant, cooldown_hours: float) -> int:
    """Counting bucket of a use; 0 is creation and all that came before it.

    Args:
        at: When the use happened.
        created_at: When the memory was created.
        cooldown_hours: Width of a bucket, > 0.
    """
    return max((at - created_at) // _width(cooldown_hours), 0)


def too_late(at: Instant, now: Instant, event_horizon_days: float) -> bool:
    """Whether a use at that instant is too old to be enqueued `now`."""
    return now - at > days(event_horizon_days)


def refuse_late(event: UseEvent, now: Instant, event_horizon_days: float) -> bool:
    """Whether the event is too old to be enqueued `now`; the caller counts what it refuses."""
    return too_late(event.at, now, event_horizon_days)


def passed_over(checkpoint: Checkpoint, at: Instant) -> bool:
    """Whether a use at that instant can no longer count, because the checkpoint is past it."""
    return at < checkpoint.through


def checkpoint_horizon(
    now: Instant, event_horizon_days: float, oldest_pending: Instant | None = None
) -> Instant:
    """Instant before which no acceptable event can still arrive.

    Args:
        now: Instant of this drain, or the last at which anything was learned of the memory.
        event_horizon_days: Age from which a late event is refused.
        oldest_pending: Earliest `enqueued_at` among the events that this drain leaves for a later
            one, or None when it leaves none.
    """
    learned = now if oldest_pending is None else min(now, oldest_pending)
    return Instant(max(learned - days(event_horizon_days + SPARE_DAYS), EARLIEST))


def fold(
    law: Law,
    policy: Policy,
    checkpoint: Checkpoint,
    events: Iterable[UseEvent],
    created_at: Instant,
) -> Strength:
    """Strength with the events folded in.

    Args:
        law: Law in force; it also says how wide a bucket is.
        policy: Says what a rejection leaves.
        checkpoint: Where replay starts.
        events: Of one memory, in any order, repeated or not: all that are known from
            `checkpoint.through` on. Earlier ones are in the checkpoint already and are passed over.
        created_at: When the memory was created.
    """
    fresh = [event for event in events if not passed_over(checkpoint, event.at)]
    return _Fold(law=law, policy=policy, created_at=created_at).over(checkpoint.strength, fresh)


def advance(
    law: Law,
    policy: Policy,
    checkpoint: Checkpoint,
    events: Iterable[UseEvent],
    created_at: Instant,
    until: Instant,
) -> Checkpoint:
    """Checkpoint moved forward over the whole buckets that end by `until`.

    Folding the same events from the new checkpoint gives the strength that the old one gives.

    Args:
        law: Law in force.
        policy: As in `fold`.
        checkpoint: Where replay started so far.
        events: As in `fold`.
        created_at: When the memory was created.
        until: See `checkpoint_horizon`.
    """
    through = _bucket_start(until, created_at, law.cooldown_hours)
    if through <= checkpoint.through:
        return checkpoint
    settled = [event for event in events if checkpoint.through <= event.at < through]
    strength = _Fold(law=law, policy=policy, created_at=created_at).over(
        checkpoint.strength, settled
    )
    return Checkpoint(strength=strength, through=through)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """One thing that changes strength, in the order in which they are applied.

    Attributes:
        at: When.
        event_id: Of the earliest event behind it; settles the order of equal instants.
        use: What counts, or None for a rejection.
    """

    at: Instant
    event_id: str
    use: CountedUse | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fold:
    """What stays the same while one memory's events are folded in."""

    law: Law
    policy: Policy
    created_at: Instant

    def over(self, strength: Strength, events: Sequence[UseEvent]) -> Strength:
        known = _once_each(events)
        seen = sum(event.source is not UseSource.REJECTED for event in known)
        changed = replace(strength, access_count=strength.access_count + seen)
        left = self.policy.reinforcement.rejected_factor
        for step in _steps(known, self.created_at, self.law.cooldown_hours):
            if step.use is None:
                changed = self.law.reject(changed, step.at, left)
            else:
                changed = self.law.reinforce(changed, step.use)
        return changed


def _once_each(events: Iterable[UseEvent]) -> list[UseEvent]:
    """One event per id, in order of (event time, event id)."""
    kept: dict[str, UseEvent] = {}
    for event in sorted(events, key=_content):
        kept.setdefault(event.event_id, event)
    return list(kept.values())


def _content(event: UseEvent) -> tuple[Instant, str, int, float]:
    return event.at, event.event_id, _BY_STRENGTH.index(event.source), -event.weight


def _steps(events: Sequence[UseEvent], created_at: Instant, cooldown_hours: float) -> list[_Step]:
    """What changes strength, in order of (event time, event id)."""
    steps: list[_Step] = []
    buckets: dict[int, list[UseEvent]] = {}
    for event in events:
        if event.source is UseSource.REJECTED:
            steps.append(_Step(at=event.at, event_id=event.event_id, use=None))
        elif event.weight > 0 and cooldown_hours == 0:
            steps.append(_counted([event]))
        elif event.weight > 0:
            bucket = bucket_of(event.at, created_at, cooldown_hours)
            buckets.setdefault(bucket, []).append(event)
    buckets.pop(0, None)
    steps.extend(_counted(inside) for inside in buckets.values())
    return sorted(steps, key=lambda step: (step.at, step.event_id))


def _counted(events: Sequence[UseEvent]) -> _Step:
    """The one use that a bucket's events, given in order, count as."""
    first = events[0]
    heaviest = min(events, key=lambda event: (-event.weight, _BY_STRENGTH.index(event.source)))
    use = CountedUse(at=first.at, source=heaviest.source, weight=heaviest.weight)
    return _Step(at=first.at, event_id=first.event_id, use=use)


def _bucket_start(until: Instant, created_at: Instant, cooldown_hours: float) -> Instant:
    """Latest instant up to `until` at which a bucket starts; bucket 0 has no start."""
    if cooldown_hours == 0:
        return until
    width = _width(cooldown_hours)
    bucket = (until - created_at) // width
    return Instant(created_at + bucket * width) if bucket > 0 else EARLIEST


def _width(cooldown_hours: float) -> int:
    return max(hours(cooldown_hours), 1)
