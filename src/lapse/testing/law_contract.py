"""What every law of decay has to be like, as clauses that any law can be held against.

Decides the properties, and raises on the first case that breaks one. Refuses to know a law's
formula: golden values do. Runs without a test framework; with Hypothesis, give `CLAUSES` cases of
its own.

    from lapse.testing.law_contract import check_law
    check_law(MyLaw(), Policy())
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType

import numpy as np

from lapse.laws import (
    HORIZON_DAYS,
    NEVER,
    CountedUse,
    FloatArray,
    Held,
    Law,
    Seed,
    StrengthColumns,
    columns_of,
    effective_decay,
)
from lapse.lifecycle.reinforcement import advance, first_checkpoint, fold
from lapse.model.instants import DAY, MICROSECOND, SECOND, Instant, parse_instant
from lapse.model.policy import Policy
from lapse.model.retention import Strength, UseEvent, UseSource

TOLD_AT: Instant = parse_instant("2026-03-01T09:00:00Z", "told_at")
"""When the memories of the contract are told."""

AGES_DAYS: tuple[float, ...] = (
    *(-1.0, 0.0, MICROSECOND / DAY, 1e-4, 59 / 86_400, 61 / 86_400, 1 / 24, 0.5, 1.0, 3.0, 10.0),
    *(30.0, 100.0, 365.25, 2_000.0, 7_305.0, 20_000.0, HORIZON_DAYS, 365_250.0),
)
"""Days after the last event at which every law is asked: the future, now, and up to 1,000 years."""

LEVELS: tuple[float, ...] = (0.9, 0.58, 0.2, 0.05, 0.02, 1e-4)
"""Levels whose crossing is asked for."""

IMPORTANCES: tuple[float, ...] = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
"""Importances that are compared, least first."""

_CLOSE = 1e-9
_NOISE = 1e-12
_LEVEL = 1e-6


class LawContractError(AssertionError):
    """A law breaks a clause; the message names the clause, the case and the numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One memory and what happened to it.

    Attributes:
        policy: Policy that the law was built from.
        importance: In [0, 1].
        events: Uses and rejections, each id once, none before `TOLD_AT`.
    """

    policy: Policy
    importance: float = 0.5
    events: tuple[UseEvent, ...] = ()

    @property
    def asked_from(self) -> Instant:
        """The last event, or the telling."""
        return max((event.at for event in self.events), default=TOLD_AT)


Clause = Callable[[Law, Case], None]


def bounded(law: Law, case: Case) -> None:
    """R and need lie in [0, 1] and ln R below 0, all finite, at every age, without a warning."""
    columns = _columns(law, case)
    with np.errstate(divide="raise", over="raise", invalid="raise"):
        for now in _instants(case):
            recall, need = law.retrievability(columns, now), law.need(columns, now)
            log_recall = law.log_retrievability(columns, now)
            base_level = law.base_level_activation(columns, now)
            _require(_within(recall, 0, 1), "R outside [0, 1]", case, now, recall)
            _require(_within(need, 0, 1), "need outside [0, 1]", case, now, need)
            _require(_within(log_recall, -math.inf, 0), "ln R above 0", case, now, log_recall)
            finite = np.isfinite(log_recall).all() and np.isfinite(base_level).all()
            _require(bool(finite), "ln R or B is not finite", case, now, log_recall)


def consistent(law: Law, case: Case) -> None:
    """Ln R is the logarithm of R, down to where R itself is a normal float64."""
    columns = _columns(law, case)
    for now in _instants(case):
        logarithm = float(law.log_retrievability(columns, now)[0])
        recall = float(law.retrievability(columns, now)[0])
        same = math.isclose(recall, math.exp(logarithm), rel_tol=_CLOSE, abs_tol=1e-300)
        _require(same, "R is not exp(ln R)", case, now, recall, math.exp(logarithm))


def never_rises(law: Law, case: Case) -> None:
    """R and need never rise with age; R is at its highest, 1 or the law's most, at age 0."""
    columns = _columns(law, case)
    ages = sorted(_instants(case))
    for measure in (law.log_retrievability, law.need):
        values = [float(measure(columns, now)[0]) for now in ages]
        for now, (earlier, later) in zip(ages[1:], pairwise(values), strict=True):
            fell = later <= earlier + _NOISE * max(1.0, abs(earlier))
            _require(fell, "rose with age", case, now, earlier, later)
    future, told = Instant(case.asked_from - DAY), case.asked_from
    highest = law.retrievability(columns, told)[0] <= law.retrievability(columns, future)[0]
    _require(bool(highest), "R is not highest at age 0", case, told)


def crossing_inverts(law: Law, case: Case) -> None:
    """R is the level or less from the crossing on and not before; beyond 100 years is never."""
    columns = _columns(law, case)
    for level in LEVELS:
        at = int(law.crossing(columns, level)[0])
        start = _start(law, case)
        if at == NEVER:
            end = Instant(start + round(HORIZON_DAYS * DAY))
            left = float(law.retrievability(columns, end)[0])
            _require(left >= level * (1 - _CLOSE), f"never at {level}, but below", case, end, left)
            continue
        before = float(law.retrievability(columns, Instant(at - MICROSECOND))[0])
        after = float(law.retrievability(columns, Instant(at))[0])
        fallen = after <= level * (1 + _LEVEL)
        held = at <= start or before >= level * (1 - _LEVEL)
        _require(fallen and held, f"not the crossing of {level}", case, Instant(at), before, after)


def half_life_halves(law: Law, case: Case) -> None:
    """One half-life after the last use, R is half of what it was then."""
    columns = _columns(law, case)
    days = float(law.half_life_days(columns)[0])
    start = _start(law, case)
    before = float(law.log_retrievability(columns, start)[0])
    within = min(days, HORIZON_DAYS)
    after = float(law.log_retrievability(columns, Instant(start + round(within * DAY)))[0])
    fallen = before - after
    # An instant is a whole microsecond, which is a large share of a very short half-life.
    slack = max(1e-6, 10 / max(within * DAY, 1.0))
    halved = math.isclose(fallen, math.log(2), rel_tol=slack)
    right = fallen <= math.log(2) * (1 + _CLOSE) if math.isinf(days) else halved
    _require(right, f"R did not halve after {days} days", case, start, fallen)


def pure(law: Law, case: Case) -> None:
    """Asking twice gives the same answer and changes no argument."""
    columns, untouched = _columns(law, case), _columns(law, case)
    now = Instant(case.asked_from + 30 * DAY)
    answers = [
        (
            law.retrievability(columns, now),
            law.log_retrievability(columns, now),
            law.need(columns, now),
            law.base_level_activation(columns, now),
            law.crossing(columns, 0.05),
            law.half_life_days(columns),
        )
        for _ in range(2)
    ]
    for first, second in zip(*answers, strict=True):
        _require(np.array_equal(first, second), "answers twice differently", case, now)
    for name in StrengthColumns.__slots__:
        same = np.array_equal(getattr(columns, name), getattr(untouched, name))
        _require(same, f"changed its argument {name}", case, now)


def row_by_row(law: Law, case: Case) -> None:
    """A memory's numbers do not depend on the memories beside it, to the last bit."""
    held = [_held(law, replace(case, importance=each)) for each in IMPORTANCES]
    together, now = columns_of(held), Instant(case.asked_from + 30 * DAY)
    for place, each in enumerate(held):
        alone = columns_of([each])
        for measure in (law.retrievability, law.need):
            same = measure(together, now)[place] == measure(alone, now)[0]
            _require(bool(same), "differs beside others", case, now)
        dated = law.crossing(together, 0.05)[place] == law.crossing(alone, 0.05)[0]
        _require(bool(dated), "is dated differently beside others", case, now)


def importance_never_hurts(law: Law, case: Case) -> None:
    """With one history, the more important memory never has the lower R and never falls sooner."""
    columns = columns_of([_held(law, replace(case, importance=each)) for each in IMPORTANCES])
    for now in _instants(case):
        for earlier, later in pairwise(law.log_retrievability(columns, now).tolist()):
            kept = later >= earlier - _NOISE * max(1.0, abs(earlier))
            _require(kept, "importance lowered R", case, now, earlier, later)
    for level in LEVELS:
        for sooner, later in pairwise(law.crossing(columns, level).tolist()):
            # A microsecond per ten thousand years of age, the precision of a crossing.
            kept = later >= sooner - max((sooner - TOLD_AT) * _CLOSE, 1)
            _require(kept, "importance made it fall sooner", case, case.asked_from, sooner, later)


def use_never_hurts(law: Law, case: Case) -> None:
    """A counted use, however light, never lowers R: not at its instant and at no later one."""
    before = _held(law, case)
    at = Instant(max(before.strength.traces_at, TOLD_AT))
    for gap_days in (0.0, MICROSECOND / DAY, 30 / 86_400, 90 / 86_400, 0.1, 1.0, 40.0):
        used_at = Instant(at + round(gap_days * DAY))
        for source, weight in ((UseSource.EXPLICIT, 1.0), (UseSource.CITED, 0.01)):
            use = CountedUse(at=used_at, source=source, weight=weight)
            after = replace(before, strength=law.reinforce(before.strength, use))
            both = columns_of([before, after])
            for age_days in AGES_DAYS[1:]:
                now = Instant(used_at + round(age_days * DAY))
                unused, used = law.log_retrievability(both, now).tolist()
                kept = used >= unused - _NOISE * max(1.0, abs(unused))
                _require(kept, f"a use of weight {weight} lowered R", case, now, unused, used)


def rejection_never_helps(law: Law, case: Case) -> None:
    """A rejection never raises R and moves no anchor."""
    before = _held(law, case)
    at = Instant(case.asked_from + DAY)
    left = law.reject(before.strength, at, case.policy.reinforcement.rejected_factor)
    moved = (left.last_counted_at, left.traces_at) != (
        before.strength.last_counted_at,
        before.strength.traces_at,
    )
    _require(not moved, "a rejection moved an anchor", case, at)
    both = columns_of([before, replace(before, strength=left)])
    for age_days in AGES_DAYS[1:]:
        now = Instant(at + round(age_days * DAY))
        kept, rejected = law.log_retrievability(both, now).tolist()
        lower = rejected <= kept + _NOISE * max(1.0, abs(kept))
        _require(lower, "a rejection raised R", case, now, kept, rejected)


def massed_is_not_spaced(law: Law, case: Case) -> None:
    """Ten uses in one minute are not ten spaced uses, where use enters the law and is counted.

    Without a cooldown every use counts, massed or not; then spacing only may not make it weaker.
    """
    start = Instant(case.asked_from + 2 * DAY)
    massed = tuple(_use(f"massed-{n}", start + n * 6 * SECOND) for n in range(10))
    spaced = tuple(_use(f"spaced-{n}", start + n * 2 * DAY) for n in range(10))
    held = [_held(law, replace(case, events=case.events + more)) for more in ((), massed, spaced)]
    now = Instant(start + 40 * DAY)
    never, together, apart = law.log_retrievability(columns_of(held), now).tolist()
    _require(apart >= together, "spacing makes it weaker", case, now, together, apart)
    if law.cooldown_hours > 0:
        more = apart > together or apart == never
        _require(more, "spacing adds nothing", case, now, together, apart)
        _, few, many = (each.strength.reinforcement_count for each in held)
        _require(many > few, "one minute counts like ten days", case, now, few, many)


def order_free(law: Law, case: Case) -> None:
    """Neither the order of delivery, nor repeats, nor cuts of the log change strength."""
    policy, seed = case.policy, _seed(case)
    start = first_checkpoint(law, seed)
    whole = fold(law, policy, start, case.events, TOLD_AT)
    shuffled = (*reversed(case.events), *case.events[::2])
    again = fold(law, policy, start, shuffled, TOLD_AT)
    _require(whole == again, "order or repeats changed strength", case, TOLD_AT)
    checkpoint = start
    for event in sorted(case.events, key=lambda each: each.at):
        checkpoint = advance(law, policy, checkpoint, case.events, TOLD_AT, event.at)
        cut_up = fold(law, policy, checkpoint, case.events, TOLD_AT)
        _require(whole == cut_up, "a cut of the log changed strength", case, checkpoint.through)


CLAUSES: Mapping[str, Clause] = MappingProxyType(
    {
        clause.__name__: clause
        for clause in (
            bounded,
            consistent,
            never_rises,
            crossing_inverts,
            half_life_halves,
            pure,
            row_by_row,
            importance_never_hurts,
            use_never_hurts,
            rejection_never_helps,
            massed_is_not_spaced,
            order_free,
        )
    }
)
"""Every clause by its name."""


def check_law(law: Law, policy: Policy, cases: Sequence[Case] = ()) -> None:
    """Hold a law against every clause.

    Args:
        law: The law in question.
        policy: Policy that it was built from.
        cases: Beside the standard ones.

    Raises:
        LawContractError: All broken clauses, each with its first case.
    """
    broken: list[str] = []
    for name, clause in CLAUSES.items():
        try:
            for case in (*standard_cases(policy), *cases):
                clause(law, case)
        except LawContractError as error:
            broken.append(f"{name}: {error}")
    if broken:
        raise LawContractError("\n".join(broken))


def standard_cases(policy: Policy) -> Iterator[Case]:
    """Memories never used, used once, used often, used and rejected; unimportant to important."""
    once = (_use("once", TOLD_AT + 3 * DAY),)
    often = tuple(_use(f"often-{n}", TOLD_AT + n * n * DAY) for n in range(1, 12))
    wrong = UseEvent(
        event_id="wrong",
        memory_id="m",
        source=UseSource.REJECTED,
        weight=1.0,
        at=Instant(TOLD_AT + 20 * DAY),
        enqueued_at=Instant(TOLD_AT + 20 * DAY),
    )
    for importance in (0.0, 0.5, 1.0):
        for events in ((), once, often, (*often, wrong)):
            yield Case(policy=policy, importance=importance, events=events)


def _held(law: Law, case: Case) -> Held:
    decay = effective_decay(case.policy.law, case.importance, 0.5, 1, 0)
    start = first_checkpoint(law, _seed(case))
    return Held(
        created_at=TOLD_AT,
        strength=fold(law, case.policy, start, case.events, TOLD_AT),
        importance=case.importance,
        decay=float(decay),
    )


def _seed(case: Case) -> Seed:
    return Seed(created_at=TOLD_AT, importance=case.importance)


def _columns(law: Law, case: Case) -> StrengthColumns:
    return columns_of([_held(law, case)])


def _start(law: Law, case: Case) -> Instant:
    """Where the curve in force starts: the last counted use, or the telling."""
    strength: Strength = _held(law, case).strength
    used_at = strength.last_counted_at
    return TOLD_AT if used_at is None else max(used_at, TOLD_AT)


def _instants(case: Case) -> tuple[Instant, ...]:
    return tuple(Instant(case.asked_from + round(age * DAY)) for age in AGES_DAYS)


def _use(event_id: str, at: int) -> UseEvent:
    return UseEvent(
        event_id=event_id,
        memory_id="m",
        source=UseSource.CITED,
        weight=0.8,
        at=Instant(at),
        enqueued_at=Instant(at),
    )


def _within(values: FloatArray, low: float, high: float) -> bool:
    return bool(((values >= low) & (values <= high)).all())


def _require(
    # A condition switches nothing here, and reads best in front.
    holds: bool | np.bool_,  # noqa: FBT001
    what: str,
    case: Case,
    now: Instant,
    *numbers: object,
) -> None:
    if not holds:
        shown = ", ".join(map(str, numbers))
        raise LawContractError(f"{what} [{shown}] at {now} for {case}")
