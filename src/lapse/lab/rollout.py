"""Rolling a bank forward under a policy, on a copy: what would go when, and what that would cost.

The copy is swept as often as its policy says, with every guard, canary and budget, and is told
nothing and uses nothing meanwhile: the darkest forecast, since every use puts a date off. Beside it
each mode is asked the same questions, so that the way from `observe` over `rank` and `filter` to
`lifecycle` can be seen in numbers before it is gone.

Decides what is told of a forecast. Refuses to touch the bank, and to guess what will be used.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from lapse.bank import Bank
from lapse.engine.embedding import Progress, no_progress
from lapse.engine.paging import pages
from lapse.engine.rewinding import moves_of
from lapse.engine.sweep_turns import Turns, sweep_bank
from lapse.errors import Fault, ValidationError, fault
from lapse.lab.policies import put_in_force
from lapse.lab.twins import BY, LET_GO, Twin, twin_of
from lapse.model.instants import DAY, Instant, plus_days
from lapse.model.memory import JsonValue
from lapse.model.policy import Mode
from lapse.model.record import Record
from lapse.model.retention import Lifecycle
from lapse.model.sweep import Advice, SparedCount, SweepReport

SHOWN: Final = 100
"""Most memories that are named as leaving; all of them are counted."""

LONGEST_DAYS: Final = 3_650
MOST_SWEEPS: Final = 4_000
"""Sweeps of one forecast: ten years, day by day."""

MODES: Final = (Mode.OBSERVE, Mode.RANK, Mode.FILTER, Mode.LIFECYCLE)


class Cause(StrEnum):
    """Why a memory would go."""

    FADED = "faded"
    """Its strength fell below the level, and the grace period passed."""
    EXPIRED = "expired"
    """Its own date of expiry came."""
    BUDGET = "budget"
    """The bank held more than its policy allows, and this was worth least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One sweep of a forecast.

    Attributes:
        at: When.
        active: Memories left in the active set after it.
        went: Memories that went.
        canary_recall: Mean recall on the bank's canaries afterwards; None without canaries.
        spared: What was due and stayed, by guard.
    """

    at: Instant
    active: int
    went: int
    canary_recall: float | None
    spared: tuple[SparedCount, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaving:
    """A memory that would go."""

    memory_id: str
    at: Instant
    cause: Cause


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What one mode would answer at one instant.

    Attributes:
        mode: The mode.
        at: When it is asked.
        questions: How many questions were asked.
        changed: Mean share of what `observe` answers now that is not among this mode's answers, in
            [0, 1]; None without questions.
        canary_recall: Mean recall on the canaries; None without canaries.
        words: Mean words of an answer; None without questions.
    """

    mode: Mode
    at: Instant
    questions: int
    changed: float | None
    canary_recall: float | None
    words: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rollout:
    """What would become of a bank.

    Attributes:
        start, end: From when to when.
        policy: Fingerprint of the policy it is rolled forward under.
        active: Active memories at the start.
        steps: Sweep by sweep.
        leaving: Those that would go, the first `SHOWN` of them.
        leaving_count: All of them.
        effects: Each mode at the start and at the end.
        stopped_at: When auto_apply would be switched off because the canaries lost too much; None
            for never.
    """

    start: Instant
    end: Instant
    policy: str
    active: int
    steps: tuple[Step, ...]
    leaving: tuple[Leaving, ...]
    leaving_count: int
    effects: tuple[Effect, ...]
    stopped_at: Instant | None


def roll_out(
    bank: Bank,
    *,
    days: int,
    settings: Mapping[str, JsonValue] | None = None,
    questions: Sequence[str] = (),
    progress: Progress = no_progress,
) -> Rollout:
    """Roll a copy of a bank forward.

    Args:
        bank: It is read and not changed.
        days: How far, 1 to 3650.
        settings: Settings in place of the bank's own; None for its own.
        questions: Asked beside the canaries.
        progress: Called with (days done, days).

    Raises:
        ValidationError: Days out of range, a blank question, or more than `MOST_SWEEPS` sweeps.
        NotFoundError: There is no such bank.
        PolicyError: A setting that cannot be.
    """
    _check(days, questions)
    with twin_of(bank) as twin:
        if settings is not None:
            put_in_force(twin.bank, settings, BY)
        policy = twin.bank.policy().policy
        _check_sweeps(days, policy.retention.sweep_interval_days)
        fingerprint = twin.bank.engine.runtime(twin.bank.ref).rule.fingerprint
        twin.bank.set_policy(LET_GO, by=BY)
        start, end = twin.clock.at, plus_days(twin.clock.at, days)
        before = {each.row: each for each in _records(twin)}
        active = sum(each.state.lifecycle is Lifecycle.ACTIVE for each in before.values())
        asked = _asked(twin, questions)
        baseline = _answers(twin, asked, Mode.OBSERVE)
        effects = [_effect(twin, asked, baseline, each) for each in MODES]
        steps, stopped_at = _swept(twin, end, policy.retention.sweep_interval_days, progress)
        twin.clock.at = end
        effects += [_effect(twin, asked, baseline, each) for each in MODES]
        leaving = list(_leaving(twin, before, start))
    return Rollout(
        start=start,
        end=end,
        policy=fingerprint,
        active=active,
        steps=tuple(steps),
        leaving=tuple(leaving[:SHOWN]),
        leaving_count=len(leaving),
        effects=tuple(effects),
        stopped_at=stopped_at,
    )


def _check(days: int, questions: Sequence[str]) -> None:
    faults: list[Fault] = []
    if not 1 <= days <= LONGEST_DAYS:
        faults.append(fault("days", days, f"needs a whole number from 1 to {LONGEST_DAYS}"))
    blank = [at for at, each in enumerate(questions) if not each.strip()]
    faults += [fault(f"questions[{at}]", "", "needs text") for at in blank]
    if faults:
        raise ValidationError(faults)


def _check_sweeps(days: int, interval_days: float) -> None:
    if days / interval_days > MOST_SWEEPS:
        problem = f"makes more than {MOST_SWEEPS} sweeps of {days} days; needs to be longer"
        raise ValidationError.of("retention.sweep_interval_days", interval_days, problem)


def _records(twin: Twin) -> Iterator[Record]:
    core = twin.bank.engine
    for records in pages(core, core.runtime(twin.bank.ref)):
        yield from records


def _asked(twin: Twin, questions: Sequence[str]) -> list[str]:
    return list(dict.fromkeys([*(each.query for each in twin.bank.canaries), *questions]))


def _swept(
    twin: Twin, end: Instant, interval_days: float, progress: Progress
) -> tuple[list[Step], Instant | None]:
    start, steps, stopped_at = twin.clock.at, list[Step](), None
    while twin.clock.at <= end:
        report = sweep_bank(twin.bank.engine, twin.bank.ref, Turns(by=BY)).report
        if report is None:
            break
        steps.append(_step(twin, report))
        if Advice.AUTO_APPLY_STOPPED in report.advice and stopped_at is None:
            stopped_at = twin.clock.at
        done, days = (twin.clock.at - start) // DAY, (end - start) // DAY
        progress(done, days)
        twin.clock.at = plus_days(twin.clock.at, interval_days)
    return steps, stopped_at


def _step(twin: Twin, report: SweepReport) -> Step:
    return Step(
        at=twin.clock.at,
        active=report.active_after,
        went=report.applied,
        canary_recall=twin.bank.canaries.check().recall,
        spared=report.spared,
    )


def _answers(twin: Twin, asked: Sequence[str], mode: Mode) -> list[tuple[frozenset[str], int]]:
    found = [twin.bank.recall(each, mode=mode, explain=False) for each in asked]
    return [(frozenset(hit.id for hit in each.hits), each.words) for each in found]


def _effect(
    twin: Twin, asked: Sequence[str], baseline: Sequence[tuple[frozenset[str], int]], mode: Mode
) -> Effect:
    answers = _answers(twin, asked, mode)
    pairs = zip(baseline, answers, strict=True)
    gone = [len(then - now) / len(then) if then else 0.0 for (then, _), (now, _) in pairs]
    wanted = {each.query: frozenset(each.expected_ids) for each in twin.bank.canaries}
    shares = [
        len(hits & wanted[query]) / len(wanted[query])
        for query, (hits, _) in zip(asked, answers, strict=True)
        if query in wanted
    ]
    return Effect(
        mode=mode,
        at=twin.clock.at,
        questions=len(asked),
        changed=_mean(gone),
        canary_recall=_mean(shares),
        words=_mean([float(words) for _, words in answers]),
    )


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 9) if values else None


def _leaving(twin: Twin, before: Mapping[int, Record], start: Instant) -> Iterator[Leaving]:
    core = twin.bank.engine
    for row, step in moves_of(core, core.runtime(twin.bank.ref)):
        known = before.get(row)
        if step.at >= start and known is not None and step.was is Lifecycle.ACTIVE:
            cause = _cause(known, step.at)
            yield Leaving(memory_id=known.memory.id, at=step.at, cause=cause)


def _cause(record: Record, at: Instant) -> Cause:
    expires_at, fades_at = record.memory.expires_at, record.state.fades_at
    if expires_at is not None and expires_at <= at:
        return Cause.EXPIRED
    return Cause.FADED if fades_at is not None and fades_at <= at else Cause.BUDGET
