"""Replaying a log: at each of many instants, what was known, and what was needed afterwards.

Every `horizon_days`, after a warm-up, the past is frozen; what lives then is asked about; the next
horizon answers. Instants do not overlap. What is born later is not asked about, nor what is out of
recall then, since it could not have been used however much it was needed; and what was only
returned is no need.

Decides what a law may know at an instant. Refuses to fit and to judge.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

import numpy as np

from lapse.errors import ValidationError
from lapse.lab.log import ENDS, Entry, Happening
from lapse.laws import (
    CountedUse,
    FloatArray,
    Held,
    IntArray,
    Law,
    Seed,
    StrengthColumns,
    columns_of,
    law_for,
)
from lapse.lifecycle.reinforcement import bucket_of
from lapse.model.instants import DAY, SECOND, Instant
from lapse.model.memory import Kind
from lapse.model.policy import LawPolicy
from lapse.model.retention import UseSource
from lapse.model.slicing import in_slice

MOST_INSTANTS: Final = 10_000
"""Instants of one replay; a horizon that makes more of a log was mistaken for something else."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Moment:
    """One instant of a replay: n living memories and what became of them.

    Attributes:
        now: The instant.
        names: Their ids.
        strengths: What a law knows of them.
        uses: Shape (n,). Uses within the horizon after `now`.
        recency_s, age_s: Shape (n,). Seconds since the last use or the telling, and since that.
        counts: Shape (n,). Accesses so far, the telling included.
        weights: Shape (n,). For how many memories each stands: 1, unless a slice says otherwise.
    """

    now: Instant
    names: tuple[str, ...]
    strengths: StrengthColumns
    uses: IntArray
    recency_s: FloatArray
    age_s: FloatArray
    counts: IntArray
    weights: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """What of the memories stayed within reach whatever its score, while a log was made.

    Of what had faded, the slice could be used and the rest could not, or hardly. So one of the
    slice that has faded stands for 1/share of its like, and one beside it for none: that it was not
    used says nothing. What has faded is asked of the law that was in force, whatever law is judged.

    Attributes:
        share: `retention.slice_share`, in (0, 1].
        policy: The law in force then.
    """

    share: float
    policy: LawPolicy


@dataclass(slots=True, kw_only=True)
class _Life:
    held: Held
    bucket: int
    last: Instant
    count: int
    out: bool = False


@dataclass(slots=True, kw_only=True)
class _Lives:
    """What lives, by id, and what ended and may yet be restored."""

    living: dict[str, _Life]
    ended: dict[str, _Life]


def moments(
    entries: Sequence[Entry],
    law: Law,
    decay: float,
    horizon_days: float,
    warm_up_days: float,
    kept: Slice | None = None,
) -> Iterator[Moment]:
    """Replay a log that is in order of time under a law.

    A memory that is used without having been created is created by that use.

    Args:
        entries: The log.
        law: How uses are taken in; of `activation` only `use_gain` and the cooldown matter here.
        decay: d of every memory.
        horizon_days: Days that answer, > 0.
        warm_up_days: Days of the log before the first instant, ≥ 0.
        kept: The slice that was kept within reach; None for none.

    Raises:
        ValidationError: The horizon makes more than `MOST_INSTANTS` instants of the log.
    """
    _check_count(entries, horizon_days)
    found = _replayed(entries, law, decay, horizon_days, warm_up_days)
    if kept is None:
        yield from found
        return
    in_force = law_for(kept.policy)
    then = _replayed(entries, in_force, kept.policy.decay, horizon_days, warm_up_days)
    for moment, known in zip(found, then, strict=True):
        yield replace(moment, weights=_weights(known, in_force, kept.share))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shown:
    """What one recall gave, as a log tells it: whatever was returned at one instant.

    Attributes:
        now: The instant.
        names: Ids of what was returned and lives.
        strengths: What a law knows of them, in the same order.
        unknown: Ids of what was returned and of which the log tells no beginning.
    """

    now: Instant
    names: tuple[str, ...]
    strengths: StrengthColumns
    unknown: tuple[str, ...]


def recalls(entries: Sequence[Entry], law: Law, decay: float) -> Iterator[Shown]:
    """Replay what a log says was returned, recall by recall, with what a law knew before each.

    Args:
        entries: The log, in order of time.
        law: How uses are taken in.
        decay: d of every memory.
    """
    lives = _Lives(living={}, ended={})
    for now, happened in groupby(entries, key=lambda each: each.at):
        at_once = list(happened)
        for each in at_once:
            if each.event is Happening.CREATED:
                _take(lives, each, law, decay)
        returned = dict.fromkeys(
            each.memory for each in at_once if each.event is Happening.RETURNED
        )
        known = [each for each in returned if each in lives.living]
        if returned:
            yield Shown(
                now=now,
                names=tuple(known),
                strengths=columns_of([lives.living[each].held for each in known]),
                unknown=tuple(each for each in returned if each not in lives.living),
            )
        for each in at_once:
            if each.event is not Happening.CREATED:
                _take(lives, each, law, decay)


def _check_count(entries: Sequence[Entry], horizon_days: float) -> None:
    span = (entries[-1].at - entries[0].at) / DAY if entries else 0.0
    if not (horizon_days > 0 and span <= horizon_days * MOST_INSTANTS):
        least = max(span / MOST_INSTANTS, 0.0)
        problem = f"needs more than 0, and for a log of {span:.0f} days at least {least:.4g}"
        raise ValidationError.of("horizon_days", horizon_days, problem)


def _replayed(
    entries: Sequence[Entry], law: Law, decay: float, horizon_days: float, warm_up_days: float
) -> Iterator[Moment]:
    if not entries:
        return
    horizon = round(horizon_days * DAY)
    now = entries[0].at + round(warm_up_days * DAY)
    lives = _Lives(living={}, ended={})
    taken = 0
    while now + horizon <= entries[-1].at:
        while taken < len(entries) and entries[taken].at <= now:
            _take(lives, entries[taken], law, decay)
            taken += 1
        ahead = taken
        uses: Counter[str] = Counter()
        while ahead < len(entries) and entries[ahead].at <= now + horizon:
            if entries[ahead].event is Happening.USED:
                uses[entries[ahead].memory] += 1
            ahead += 1
        asked = {name: life for name, life in lives.living.items() if not life.out}
        if asked:
            yield _moment(Instant(now), asked, uses)
        now += horizon


def _take(lives: _Lives, entry: Entry, law: Law, decay: float) -> None:
    if entry.event in {*ENDS, Happening.SUPPRESSED, Happening.RESTORED}:
        _move(lives, entry)
        return
    known = lives.living.get(entry.memory)
    if known is None:
        if entry.event in {Happening.CREATED, Happening.USED}:
            told = law.initial(Seed(created_at=entry.at, kind=Kind.EPISODIC))
            held = Held(created_at=entry.at, strength=told, importance=0.5, decay=decay)
            lives.living[entry.memory] = _Life(held=held, bucket=0, last=entry.at, count=1)
        return
    if entry.event is not Happening.USED:
        return
    known.last, known.count = entry.at, known.count + 1
    created = known.held.created_at
    bucket = (
        bucket_of(entry.at, created, law.cooldown_hours)
        if law.cooldown_hours > 0
        else known.bucket + 1
    )
    if bucket > known.bucket:
        use = CountedUse(at=entry.at, source=UseSource.CITED, weight=1.0)
        strength = law.reinforce(known.held.strength, use)
        known.held = Held(created_at=created, strength=strength, importance=0.5, decay=decay)
        known.bucket = bucket


def _move(lives: _Lives, entry: Entry) -> None:
    """End a life, take it out of recall, or bring it back as it was."""
    name = entry.memory
    if entry.event in ENDS:
        if name in lives.living:
            lives.ended[name] = lives.living.pop(name)
        return
    if entry.event is Happening.RESTORED and name in lives.ended:
        lives.living[name] = lives.ended.pop(name)
    elif name in lives.living:
        lives.living[name].out = entry.event is Happening.SUPPRESSED


def _moment(now: Instant, lives: dict[str, _Life], uses: Counter[str]) -> Moment:
    rows = list(lives.values())
    last = np.array([each.last for each in rows], dtype=np.float64)
    born = np.array([each.held.created_at for each in rows], dtype=np.float64)
    return Moment(
        now=now,
        names=tuple(lives),
        strengths=columns_of([each.held for each in rows]),
        uses=np.array([uses[name] for name in lives], dtype=np.int64),
        recency_s=(now - last) / SECOND,
        age_s=(now - born) / SECOND,
        counts=np.array([each.count for each in rows], dtype=np.int64),
        weights=np.ones(len(rows)),
    )


def _weights(moment: Moment, in_force: Law, share: float) -> FloatArray:
    if in_force.archive_level is None:
        return moment.weights
    member = np.array([in_slice(each, share) for each in moment.names])
    faded = in_force.retrievability(moment.strengths, moment.now) < in_force.archive_level
    return np.where(faded, np.where(member, 1 / share, 0.0), 1.0)
