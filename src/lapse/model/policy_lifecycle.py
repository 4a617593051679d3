"""Settings of reinforcement and of governed attention.

Decides names, defaults and ranges. Refuses to count a use (`lapse.lifecycle`) or to spare a
memory (the guards do).
"""

# ruff: noqa: RUF009 - setting() returns a field declaration, made once, on purpose

from dataclasses import dataclass
from typing import ClassVar

from lapse.model.memory import Kind
from lapse.model.policy_enums import GraceAnchor, RetentionScore
from lapse.model.setting_values import Section
from lapse.model.settings import setting


@dataclass(frozen=True, slots=True, kw_only=True)
class ReinforcementPolicy(Section):
    """What counts as use, and how much."""

    section: ClassVar[str] = "reinforcement"

    enabled: bool = setting(
        default=True,
        help="Whether use makes memories stronger.",
    )
    weight_explicit: float = setting(
        default=1.0,
        within="[0, 1]",
        help="Weight of a user's or host's explicit confirmation.",
    )
    weight_cited: float = setting(
        default=0.8,
        within="[0, 1]",
        help="Weight of being consumed by a completed answer.",
    )
    weight_reconfirmed: float = setting(
        default=0.6,
        within="[0, 1]",
        help="Weight of being told again.",
    )
    weight_evidence: float = setting(
        default=0.5,
        within="[0, 1]",
        help="Weight of independent new proof.",
    )
    weight_returned: float = setting(
        default=0.0,
        within="[0, 1]",
        help="Weight of being shown by a recall; 0, because being shown is not being used.",
    )
    rejected_factor: float = setting(
        default=0.5,
        within="[0, 1]",
        help="Factor on the strength of a memory that was rejected.",
    )
    event_horizon_days: float = setting(
        default=30.0,
        within="(0, 3650]",
        unit="days",
        help="Age from which a late event is refused and counted instead of replayed.",
    )
    reflect_limit: int = setting(
        default=20,
        within="[1, 10000]",
        unit="memories",
        help="Most memories that one reflect session reinforces.",
    )
    access_log: bool = setting(
        default=False,
        help="Whether every returned hit is logged, for the lab.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionPolicy(Section):
    """Which memories a plan may propose, which are spared, and how plans are governed."""

    section: ClassVar[str] = "retention"

    score: RetentionScore = setting(
        default=RetentionScore.NEED,
        help="Score that is compared with the level.",
    )
    level: float | None = setting(
        default=None,
        within="[-100, 100]",
        unit="the score's own",
        special="law.archive_level",
        help="Level of the score below which a memory is due; activation: nats, ages in seconds.",
    )
    budget_score: RetentionScore = setting(
        default=RetentionScore.PROMISE,
        help="Score for plans to a percentile or a budget.",
    )
    grace_days: float = setting(
        default=30.0,
        within="[0, 36500]",
        unit="days",
        help="Days below the level before a memory is due; also protects what was restored.",
    )
    grace_anchor: GraceAnchor = setting(
        default=GraceAnchor.BELOW,
        help="Whether the grace period counts from the fall below the level or from creation.",
    )
    kinds: tuple[Kind, ...] = setting(
        default=tuple(Kind),
        help="Kinds of memory that a plan may propose.",
    )
    max_active: int | None = setting(
        default=40_000,
        within="[1, 1000000000]",
        unit="memories",
        special="no limit",
        help="Active memories of a bank above which a sweep also plans to this budget.",
    )
    plan_limit: int = setting(
        default=10_000,
        within="[1, 100000]",
        unit="memories",
        help="Most memories in one plan.",
    )
    plan_expiry_days: float = setting(
        default=7.0,
        within="(0, 365]",
        unit="days",
        help="Age at which a plan can no longer be approved or applied.",
    )
    two_person: bool = setting(
        default=False,
        help=(
            "Whether what leaves attention, or is erased, needs two people: a plan is made by "
            "somebody named and approved by somebody else, and a direct act names a second "
            "person. Excludes forgetting.auto_apply."
        ),
    )
    protect_importance: float | None = setting(
        default=0.9,
        within="[0, 1]",
        special="importance alone protects nothing",
        help="Importance from which a memory is spared by scores.",
    )
    protect_cited: bool = setting(
        default=True,
        help="Whether a memory that an active one cites is spared by scores.",
    )
    protect_pinned: bool = setting(
        default=True,
        help="Whether a pinned memory is spared.",
    )
    protect_verified: bool = setting(
        default=True,
        help="Whether a verified memory is spared.",
    )
    slice_share: float = setting(
        default=0.0,
        within="[0, 0.5]",
        help=(
            "Share of the memories, drawn by their ids, that no score proposes to put out of mind "
            "or leaves out of an answer: an access log in which what should have faded is still "
            "used stays unbiased. An approved plan is carried out all the same."
        ),
    )
    prune: bool = setting(
        default=False,
        help=(
            "Whether what has long been archived may be planned for destruction; sweeps plan it "
            "then, and do it with forgetting.auto_apply."
        ),
    )
    prune_after_days: float = setting(
        default=365.0,
        within="[0, 36500]",
        unit="days",
        help="Days in the archive before a memory may be pruned.",
    )
    max_canary_drop: float = setting(
        default=0.05,
        within="[0, 1]",
        help="Loss of recall on the canary queries that stops auto_apply.",
    )
    sweep_interval_days: float = setting(
        default=7.0,
        within="(0, 365]",
        unit="days",
        help="Time between sweeps.",
    )
    busy_sweep_interval_days: float = setting(
        default=1.0,
        within="(0, 365]",
        unit="days",
        help="Time between sweeps of a busy bank.",
    )
    busy_writes_per_day: int = setting(
        default=200,
        within="[0, 1000000000]",
        unit="writes per day",
        help="Writes a day above which a bank is busy.",
    )
    sweep_from_hour: int = setting(
        default=1,
        within="[0, 23]",
        unit="hour, UTC",
        help="Start of the off-peak window for sweeps.",
    )
    sweep_until_hour: int = setting(
        default=5,
        within="[0, 23]",
        unit="hour, UTC",
        help="End of the off-peak window for sweeps; equal to the start means any time.",
    )
