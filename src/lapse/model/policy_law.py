"""Settings of the laws of decay.

Decides names, defaults and ranges of every law's parameters. Refuses to compute with them, and to
resolve what is left to "the law's own": `lapse.laws` does both.
"""

# ruff: noqa: RUF009 - setting() returns a field declaration, made once, on purpose

from dataclasses import dataclass
from typing import ClassVar

from lapse.model.policy_enums import Anchor, ImportanceEffect, LawName
from lapse.model.setting_values import Section
from lapse.model.settings import setting

# fmt: off - the 21 numbers in the order and grouping in which they are published
FSRS6_WEIGHTS: tuple[float, ...] = (
    0.212,
    1.2931,
    2.3065,
    8.2956,
    6.4133,
    0.8334,
    3.0194,
    0.001,
    1.8722,
    0.1666,
    0.796,
    1.4835,
    0.0614,
    0.2629,
    1.6483,
    0.6014,
    1.8729,
    0.5425,
    0.0912,
    0.0658,
    0.1542,
)
"""Published FSRS-6 weights w0 … w20. Source: py-fsrs 6, the same as in fsrs-optimizer."""
# fmt: on


@dataclass(frozen=True, slots=True, kw_only=True)
class LawPolicy(Section):
    """How retrievability falls between uses and rises with them."""

    section: ClassVar[str] = "law"

    name: LawName = setting(
        default=LawName.ACTIVATION,
        help="Law of decay in force.",
    )
    anchor: Anchor = setting(
        default=Anchor.LAST_USE,
        help="Instant from which age counts; last_use: the later of last counted use and creation.",
    )
    decay: float = setting(
        default=0.5,
        within="[0.2, 0.9]",
        help="Activation: exponent d of the power law; higher forgets faster.",
    )
    age_floor_s: float = setting(
        default=60.0,
        within="(0, 86400]",
        unit="seconds",
        help="Activation: youngest age a use is given, because the power law is infinite at 0.",
    )
    threshold: float | None = setting(
        default=None,
        within="[-50, 50]",
        unit="nats, ages in seconds",
        special="the law's own",
        help="Activation: base level τ at which need is one half.",
    )
    noise: float | None = setting(
        default=None,
        within="(0, 10]",
        unit="nats",
        special="the law's own",
        help="Activation: scale s of the logistic curve from base level to need.",
    )
    importance_effect: ImportanceEffect = setting(
        default=ImportanceEffect.LOG_ODDS,
        help="Activation: importance adds to the log-odds of need, or slows decay (weight unused).",
    )
    importance_weight: float = setting(
        default=4.0,
        within="[0, 20]",
        unit="nats",
        help="Activation: β in β·(importance − 0.5), added to the base level.",
    )
    importance_decay_share: float = setting(
        default=0.6,
        within="[0, 1]",
        help="Activation, effect decay: share of d that full importance takes away.",
    )
    importance_decay_neutral: float = setting(
        default=0.31,
        within="[0, 1)",
        help="Activation, effect decay: evidence (confidence, proof, entities) that decays at d.",
    )
    use_gain: float = setting(
        default=1.0,
        within="(0, 100]",
        help="Activation: how much a use of weight 1 counts beside the telling.",
    )
    cooldown_hours: float | None = setting(
        default=None,
        within="[0, 8760]",
        unit="hours",
        special="the law's own (ebbinghaus 6, others 24)",
        help="Width of the bucket in which at most one use of a memory counts; 0 counts each use.",
    )
    decay_per_hour: float = setting(
        default=0.995,
        within="(0, 1]",
        unit="per hour",
        help="Exponential: factor per hour; 1 is no ageing.",
    )
    half_life_hours: float = setting(
        default=24.0,
        within="(0, 876000]",
        unit="hours",
        help="Half-life: age at which retrievability is one half.",
    )
    base_stability_days: float = setting(
        default=30.0,
        within="(0, 36500]",
        unit="days",
        help="Ebbinghaus: S of a new episodic memory of importance 0.5; R is 1/e at that age.",
    )
    max_stability_days: float = setting(
        default=3650.0,
        within="(0, 36500]",
        unit="days",
        help="Ebbinghaus: the most S can become.",
    )
    stability_factor_working: float = setting(
        default=0.1,
        within="(0, 100]",
        help="Ebbinghaus: factor on the first S of a working memory.",
    )
    stability_factor_episodic: float = setting(
        default=1.0,
        within="(0, 100]",
        help="Ebbinghaus: factor on the first S of an episodic memory.",
    )
    stability_factor_semantic: float = setting(
        default=2.0,
        within="(0, 100]",
        help="Ebbinghaus: factor on the first S of a semantic memory.",
    )
    stability_factor_procedural: float = setting(
        default=2.0,
        within="(0, 100]",
        help="Ebbinghaus: factor on the first S of a procedural memory.",
    )
    stability_factor_derived: float = setting(
        default=3.0,
        within="(0, 100]",
        help="Ebbinghaus: factor on the first S of a memory derived from others.",
    )
    reinforcement_gain: float = setting(
        default=0.5,
        within="[0, 10]",
        help="Ebbinghaus: g in S ← S·(1 + g·weight·q/√(1 + n)).",
    )
    minimum_quality: float = setting(
        default=0.1,
        within="[0, 1]",
        help="Ebbinghaus: least spacing quality q of a counted use.",
    )
    fsrs_weights: tuple[float, ...] = setting(
        default=FSRS6_WEIGHTS,
        within="[0, 100]",
        length=21,
        help="FSRS-6: weights w0 … w20.",
    )
    need_slope: float | None = setting(
        default=None,
        within="(0, 100]",
        special="the law's own",
        help="Slope of the line from the law's score to the log-odds of need within 30 days.",
    )
    need_offset: float | None = setting(
        default=None,
        within="[-100, 100]",
        special="the law's own",
        help="Offset of the line from the law's score to the log-odds of need within 30 days.",
    )
    archive_level: float | None = setting(
        default=None,
        within="(0, 1)",
        special="the law's own (activation 0.02, fsrs 0.58, none never, others 0.05)",
        help="Retrievability below which a memory has faded; levels of two laws do not compare.",
    )
