"""Settings of recall: how far forgetting may go, what is found, how it is scored.

Decides names, defaults and ranges. Refuses to score anything (`lapse.recall`).
"""

# ruff: noqa: RUF009 - setting() returns a field declaration, made once, on purpose

from dataclasses import dataclass
from typing import ClassVar

from lapse.model.policy_enums import (
    Diversity,
    DuplicatePolicy,
    EventRecency,
    Mode,
    Normalise,
    RelevanceKind,
    Scorer,
    StrongCue,
)
from lapse.model.setting_values import Section
from lapse.model.settings import setting


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgettingPolicy(Section):
    """How far forgetting may go."""

    section: ClassVar[str] = "forgetting"

    enabled: bool = setting(
        default=True,
        help="Whether forgetting exists at all; false is mode off.",
    )
    mode: Mode = setting(
        default=Mode.RANK,
        help="How far forgetting may go: off, observe, rank, filter or lifecycle.",
    )
    auto_apply: bool = setting(
        default=False,
        help="Whether a sweep in mode lifecycle applies its own plans instead of asking.",
    )
    recall_threshold: float | None = setting(
        default=None,
        within="[0, 1)",
        special="law.archive_level",
        help="Mode filter: retrievability below which only a strong cue brings a memory back.",
    )
    strong_cue_coverage: float = setting(
        default=0.6,
        within="(0, 1]",
        help="Share of the query's IDF mass that a strong cue covers, while first in an arm.",
    )
    revive: bool = setting(
        default=True,
        help="Whether a strong cue may show a suppressed memory, apart from the hits.",
    )
    revive_limit: int = setting(
        default=2,
        within="[0, 100]",
        unit="memories",
        help="Most suppressed memories shown by one recall, outside k and budgets.",
    )

    @property
    def effective_mode(self) -> Mode:
        """The mode in force: `off` when forgetting is not enabled."""
        return self.mode if self.enabled else Mode.OFF


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallPolicy(Section):
    """What is found, kept apart and packed."""

    section: ClassVar[str] = "recall"

    k: int = setting(
        default=8,
        within="[1, 10000]",
        unit="memories",
        help="Most hits of one recall.",
    )
    budget_words: int | None = setting(
        default=None,
        within="[0, 10000000]",
        unit="words",
        special="no limit",
        help="Most whitespace-separated words in the tray; what does not fit is skipped.",
    )
    budget_tokens: int | None = setting(
        default=None,
        within="[0, 10000000]",
        unit="tokens",
        special="no limit",
        help="Most tokens in the tray, by the host's counter.",
    )
    min_relevance: float = setting(
        default=0.0,
        within="[0, 1]",
        help="Raw relevance that a hit needs at least; 0 relevance is never a match.",
    )
    relevance: RelevanceKind = setting(
        default=RelevanceKind.HYBRID,
        help="What finds and measures relevance: text and vectors fused, one, or TF-IDF.",
    )
    pool_minimum: int = setting(
        default=100,
        within="[1, 100000]",
        unit="memories",
        help="Least number of candidates taken before scoring.",
    )
    pool_factor: int = setting(
        default=3,
        within="[1, 1000]",
        help="Candidates taken per wanted hit.",
    )
    near_misses: int = setting(
        default=20,
        within="[0, 10000]",
        unit="memories",
        help="Best-scoring memories outside the scope that are reported with their reason.",
    )
    rrf_k: int = setting(
        default=60,
        within="[1, 10000]",
        help="Constant k of reciprocal rank fusion, 1/(k + rank).",
    )
    bm25_k1: float = setting(
        default=1.2,
        within="[0, 10]",
        help="BM25: how soon repeats of a term stop counting.",
    )
    bm25_b: float = setting(
        default=0.75,
        within="[0, 1]",
        help="BM25: how much long texts are discounted.",
    )
    latest_per_key: bool = setting(
        default=True,
        help="Whether an older claim is left out when a newer one has the same key.",
    )
    max_age_hours: float | None = setting(
        default=None,
        within="[0, 8760000]",
        unit="hours",
        special="no limit",
        help="Oldest age, inclusive, of a memory in scope.",
    )
    include_other_sessions: bool = setting(
        default=True,
        help="Whether memories of other sessions are in scope when a recall names its session.",
    )
    duplicates: DuplicatePolicy = setting(
        default=DuplicatePolicy.NEAR,
        help="Which duplicates among the hits are left out.",
    )
    near_duplicate_cosine: float = setting(
        default=0.95,
        within="(0, 1]",
        help="Cosine from which memories with equal numbers, names and negation are the same.",
    )
    diversity: Diversity = setting(
        default=Diversity.OFF,
        help="Whether hits are spread by maximal marginal relevance, which costs recall.",
    )
    diversity_lambda: float = setting(
        default=0.7,
        within="[0, 1]",
        help="MMR: share of the score against the likeness to hits already chosen.",
    )
    explain: bool = setting(
        default=True,
        help="Whether hits and exclusions carry their explanation.",
    )
    trace_ring: int = setting(
        default=256,
        within="[0, 100000]",
        unit="recalls",
        help="Recalls per bank whose traces are kept in memory.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringPolicy(Section):
    """How relevance, strength and importance become one number."""

    section: ClassVar[str] = "scoring"

    scorer: Scorer = setting(
        default=Scorer.BOOST,
        help="Bounded factor on relevance, weighted sum, or blend of cosine and recency.",
    )
    strong_cue: StrongCue = setting(
        default=StrongCue.SPARED,
        help="Boost: whether what a strong cue names counts as unfaded, or is bent like the rest.",
    )
    boost_alpha: float = setting(
        default=0.2,
        within="[0, 2]",
        help="Boost: α in base·(1 + α·(signal − 0.5)).",
    )
    signal_floor: float = setting(
        default=0.2,
        within="[0, 1]",
        help="Boost: signal of a memory whose retrievability is 0.",
    )
    signal_gamma: float = setting(
        default=1.0,
        within="(0, 10]",
        help="Boost: exponent on retrievability within the signal.",
    )
    weight_recency: float = setting(
        default=1.0,
        within="[0, 1000]",
        help="Weighted: weight of use recency.",
    )
    weight_importance: float = setting(
        default=1.0,
        within="[0, 1000]",
        help="Weighted: weight of importance.",
    )
    weight_relevance: float = setting(
        default=1.0,
        within="[0, 1000]",
        help="Weighted: weight of relevance.",
    )
    normalise: Normalise = setting(
        default=Normalise.MIN_MAX,
        help="Weighted: how the three terms are brought to one scale over the candidates.",
    )
    default_importance: float = setting(
        default=0.5,
        within="[0, 1]",
        help="Importance of a memory that nobody rated; a rated 0 stays 0.",
    )
    blend_recency_weight: float = setting(
        default=0.3,
        within="[0, 1]",
        help="Blend: share of recency against cosine.",
    )
    blend_half_life_hours: float = setting(
        default=24.0,
        within="(0, 876000]",
        unit="hours",
        help="Blend: age at which recency is one half.",
    )
    event_recency: EventRecency = setting(
        default=EventRecency.OFF,
        help="Factor for how long ago the event was; separate from strength.",
    )
    event_window_days: float = setting(
        default=365.0,
        within="(0, 36500]",
        unit="days",
        help="Linear event recency: age of the event at which it is 0.",
    )
    event_half_life_days: float = setting(
        default=90.0,
        within="(0, 36500]",
        unit="days",
        help="Exponential event recency: age of the event at which it is one half.",
    )
    event_weight: float = setting(
        default=0.2,
        within="[0, 2]",
        help="Weight in 1 + weight·(event recency − 0.5); halved while forgetting ranks.",
    )
    temporal_weight: float = setting(
        default=0.0,
        within="[0, 2]",
        help="Weight of the fit between the query's time and the event's; 0 is off.",
    )
    proof_weight: float = setting(
        default=0.0,
        within="[0, 2]",
        help="Weight of independent corroboration; 0 is off.",
    )
