"""All that a report on a bank's forgetting shows, as figures.

Curves of real memories, how well need is foreseen, what each policy would have kept of the log, how
the active set would go on and what would go and why, and how much hangs on the level.

Decides which figures are gathered and which memories stand for the others. Refuses to draw, to hold
a text, and to say that a policy is better: a log that is too short leaves its part empty, and what
is missing is said.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np

from lapse.bank import Bank
from lapse.engine.embedding import Progress, no_progress
from lapse.engine.paging import pages
from lapse.errors import ValidationError
from lapse.lab.comparing import Curve, beside, compare
from lapse.lab.fitting import Fit, Window, fit_activation
from lapse.lab.log import Entry
from lapse.lab.policies import deployed, policy_of
from lapse.lab.replaying import Slice
from lapse.lab.rollout import Rollout, roll_out
from lapse.lab.simulating import roll_forward
from lapse.laws import Held, columns_of, law_for
from lapse.lifecycle.dating import guarded, held_of
from lapse.model.instants import DAY, Instant
from lapse.model.memory import JsonValue, Kind
from lapse.model.policy import LawName, Policy
from lapse.model.policy_layers import DEFAULT
from lapse.model.record import Record
from lapse.model.retention import Lifecycle

DRAWN: Final = 6
"""Memories whose curves are shown, from the strongest to the weakest."""

POINTS: Final = 60
LEVEL_FACTORS: Final = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0)
"""Levels that are tried, as multiples of the one in force."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryCurve:
    """How one memory's retrievability falls from now on if it is not used.

    Attributes:
        memory_id, kind, importance: Which it is.
        uses: Counted uses so far.
        age_days: Since its creation.
        days, retrievability: The curve, point by point, from now on.
    """

    memory_id: str
    kind: Kind
    importance: float
    uses: int
    age_days: float
    days: tuple[float, ...]
    retrievability: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AtLevel:
    """What another level would leave.

    Attributes:
        level: Retrievability below which a memory has faded.
        active: Memories that would not be due at the end, by their curves alone.
    """

    level: float
    active: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportFigures:
    """A report, without its pictures.

    Attributes:
        bank: Name of the bank.
        at: When it was made.
        days: How far is looked ahead.
        policy: Fingerprint of the policy in force.
        law: The law in force.
        level: Its archive level; None for a law that lets nothing fade.
        memories, active: Of the bank.
        log_entries: Lines of the log that was judged by.
        curves: Of some memories under the policy in force.
        fit: Of the law `activation` to the log.
        compared: Each policy and each baseline over the log, by name; empty for too short a log.
        rollouts: The bank rolled forward under each policy, by name.
        levels: How much hangs on the level.
        missing: What is not shown, and why.
    """

    bank: str
    at: Instant
    days: int
    policy: str
    law: LawName
    level: float | None
    memories: int
    active: int
    log_entries: int
    curves: tuple[MemoryCurve, ...]
    fit: Fit
    compared: Mapping[str, Curve]
    rollouts: Mapping[str, Rollout]
    levels: tuple[AtLevel, ...]
    missing: tuple[str, ...]


def figures_of(
    bank: Bank,
    entries: Sequence[Entry],
    policies: Mapping[str, Mapping[str, JsonValue]],
    *,
    window: Window,
    days: int,
    progress: Progress = no_progress,
) -> ReportFigures:
    """Gather a report.

    Args:
        bank: It is read and not changed.
        entries: The log to judge by, in order of time.
        policies: Settings of a bank's own, by name: what is compared.
        window: How the log is cut; its slice is the bank's.
        days: How far is looked ahead, 1 to 3650.
        progress: Called with (parts done, parts).

    Raises:
        NotFoundError: There is no such bank.
        PolicyError: A setting that cannot be.
        ValidationError: Days out of range.
    """
    parts = 3 + len(policies)
    policy, now = bank.policy().policy, bank.engine.now()
    window = replace(window, slice_share=policy.retention.slice_share)
    records = list(_records(bank))
    rows = [each for each in records if each.state.lifecycle is Lifecycle.ACTIVE]
    fit = fit_activation(entries, policy.law, window)
    progress(1, parts)
    compared, missing = _compared(
        entries, policies, window, window.kept(policy.law), deployed(bank)
    )
    progress(2, parts)
    rollouts: dict[str, Rollout] = {}
    for done, (name, settings) in enumerate(policies.items(), start=3):
        rollouts[name] = roll_out(bank, days=days, settings=settings)
        progress(done, parts)
    law = law_for(policy.law)
    levels = tuple(_levels(policy, rows, now, days))
    curves = tuple(_curves(policy, rows, now, days))
    progress(parts, parts)
    return ReportFigures(
        bank=bank.ref.name,
        at=now,
        days=days,
        policy=bank.engine.runtime(bank.ref).rule.fingerprint,
        law=policy.law.name,
        level=law.archive_level,
        memories=len(records),
        active=len(rows),
        log_entries=len(entries),
        curves=curves,
        fit=fit,
        compared=compared,
        rollouts=rollouts,
        levels=levels,
        missing=(*fit.missing, *missing),
    )


def compared_on_log(
    entries: Sequence[Entry],
    policies: Mapping[str, Mapping[str, JsonValue]],
    window: Window,
    kept: Slice | None = None,
    base: Policy = DEFAULT,
) -> dict[str, Curve]:
    """Curves of the laws of policies over a log, and of the baselines, by name.

    Args:
        entries: The log, in order of time.
        policies: A bank's own settings, by name, at least one.
        window: How the log is cut.
        kept: The slice that was kept within reach while the log was made; None for none.
        base: What the settings are laid over: what the deployment has.

    Raises:
        ValidationError: No use follows the warm-up of the log.
        PolicyError: A setting that cannot be.
    """
    laws = {name: policy_of(settings, base).law for name, settings in policies.items()}
    horizon, warm_up = window.horizon_days, window.warm_up_days
    first = next(iter(laws.values()))
    return {
        **compare(entries, laws, horizon_days=horizon, warm_up_days=warm_up, kept=kept),
        **beside(entries, first, horizon_days=horizon, warm_up_days=warm_up, kept=kept),
    }


def _compared(
    entries: Sequence[Entry],
    policies: Mapping[str, Mapping[str, JsonValue]],
    window: Window,
    kept: Slice | None,
    base: Policy,
) -> tuple[dict[str, Curve], tuple[str, ...]]:
    try:
        return compared_on_log(entries, policies, window, kept, base), ()
    except ValidationError as error:
        return {}, tuple(f"policies are not compared: {each.problem}" for each in error.faults)


def _records(bank: Bank) -> Iterator[Record]:
    core = bank.engine
    for records in pages(core, core.runtime(bank.ref)):
        yield from records


def _curves(
    policy: Policy, rows: Sequence[Record], now: Instant, days: int
) -> Iterator[MemoryCurve]:
    if not rows:
        return
    law = law_for(policy.law)
    held = [_held(policy, each) for each in rows]
    strengths = law.retrievability(columns_of(held), now)
    order = np.argsort(-strengths, kind="stable")
    places = np.unique(np.linspace(0, len(rows) - 1, min(DRAWN, len(rows))).round().astype(int))
    ahead = np.concatenate([[0.0], np.geomspace(1 / 24, days, POINTS - 1)])
    for row in order[places].tolist():
        record, columns = rows[row], columns_of([held[row]])
        curve = [float(law.retrievability(columns, _after(now, day))[0]) for day in ahead]
        yield MemoryCurve(
            memory_id=record.memory.id,
            kind=record.memory.kind,
            importance=held[row].importance,
            uses=record.state.strength.reinforcement_count,
            age_days=max((now - record.state.created_at) / DAY, 0.0),
            days=tuple(ahead.tolist()),
            retrievability=tuple(curve),
        )


def _levels(policy: Policy, rows: Sequence[Record], now: Instant, days: int) -> Iterator[AtLevel]:
    level = law_for(policy.law).archive_level
    if level is None or not rows:
        return
    columns = columns_of([_held(policy, each) for each in rows])
    spared = [guarded(each.state, policy) for each in rows]
    due = partial(
        roll_forward, now=now, days=days, grace_days=policy.retention.grace_days, spared=spared
    )
    for factor in LEVEL_FACTORS:
        if level * factor < 1:
            law = replace(policy.law, archive_level=level * factor)
            yield AtLevel(level=level * factor, active=due(columns, law).active[-1])


def _held(policy: Policy, record: Record) -> Held:
    return held_of(policy, record.memory, record.state)


def _after(now: Instant, days: float) -> Instant:
    return Instant(now + round(days * DAY))
