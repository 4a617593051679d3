"""Memories for the tests of the laws."""

from collections.abc import Sequence

from lapse.laws import CountedUse, Held, Law, Seed, StrengthColumns, columns_of
from lapse.model.instants import DAY, Instant, parse_instant
from lapse.model.memory import Kind
from lapse.model.retention import UseSource

TOLD_AT: Instant = parse_instant("2026-03-01T09:00:00Z", "told_at")


def after(days: float) -> Instant:
    """The instant so many days after the telling."""
    return Instant(TOLD_AT + round(days * DAY))


def use(days: float, weight: float = 1.0, source: UseSource = UseSource.CITED) -> CountedUse:
    """A counted use so many days after the telling."""
    return CountedUse(at=after(days), source=source, weight=weight)


def told(
    law: Law,
    uses: Sequence[CountedUse] = (),
    *,
    importance: float = 0.5,
    kind: Kind = Kind.EPISODIC,
    decay: float = 0.5,
) -> Held:
    """A memory told at `TOLD_AT` and used since."""
    strength = law.initial(Seed(created_at=TOLD_AT, kind=kind, importance=importance))
    for each in uses:
        strength = law.reinforce(strength, each)
    return Held(created_at=TOLD_AT, strength=strength, importance=importance, decay=decay)


def columns(*held: Held) -> StrengthColumns:
    """The memories as columns."""
    return columns_of(held)


def days_until(law: Law, held: Held, level: float) -> float:
    """Days from the telling until the memory falls to the level."""
    return (int(law.crossing(columns(held), level)[0]) - TOLD_AT) / DAY
