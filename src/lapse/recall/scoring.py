"""One number per candidate: relevance leads, forgetting bends.

Decides the three scorers and the bounded factors. Refuses to filter and to order: `selection` does.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import assert_never

import numpy as np

from lapse.model.index_delta import MISSING, BoolArray, FloatArray
from lapse.model.instants import DAY, Instant
from lapse.model.policy import (
    EventRecency,
    Mode,
    Normalise,
    Policy,
    Scorer,
    ScoringPolicy,
    StrongCue,
)
from lapse.model.query import AsOf
from lapse.recall.field import Field
from lapse.recall.matching import matched, strong_cues
from lapse.recall.relevance import rounded
from lapse.recall.strength import Strengths

FLAT_TERM = 0.5
"""What a term counts that is the same for all candidates.

Source: the released code of Generative Agents.
"""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scores:
    """Scores of c candidates; arrays of shape (c,).

    Attributes:
        score: Final ranking number, rounded.
        base: What forgetting bends: candidate's base times the bounded factors.
        boost: What forgetting put on `base`; 1 where it did not act.
        terms: The scorer's terms by name, raw and normalised.
    """

    score: FloatArray
    base: FloatArray
    event_recency: FloatArray
    temporal: FloatArray
    proof: FloatArray
    boost: FloatArray
    terms: Mapping[str, FloatArray]


def score(field: Field, strengths: Strengths, policy: Policy, now: Instant, as_of: AsOf) -> Scores:
    """Score the candidates. Where forgetting does not rank, it is worked out and put in `terms`."""
    scoring = policy.scoring
    ranks = policy.forgetting.effective_mode.allows(Mode.RANK)
    event = _event_factor(field, scoring, now, halved=ranks)
    temporal = _temporal_factor(field, scoring, as_of)
    proof = _proof_factor(field, scoring)
    base = field.base * event * temporal * proof
    bent, boost, terms = _bent(field, strengths, base, policy, now)
    straight = base if scoring.scorer is Scorer.BOOST else _relevance(field)
    return Scores(
        score=rounded(bent if ranks else straight),
        base=base,
        event_recency=event,
        temporal=temporal,
        proof=proof,
        boost=boost if ranks else np.ones(len(field)),
        terms=terms,
    )


def boosted(retrievability: FloatArray, scoring: ScoringPolicy) -> tuple[FloatArray, FloatArray]:
    """Signal of a retrievability, and the bounded factor it becomes.

        signal = floor + (1 − floor)·R^γ
        boost = 1 + α·(signal − 0.5)

    Source: the retention RFC's forgetting boost; R 0.63 gives 1.0408, and 1.026 with floor 0.
    """
    floor = scoring.signal_floor
    signal = floor + (1 - floor) * retrievability**scoring.signal_gamma
    return signal, 1 + scoring.boost_alpha * (signal - 0.5)


def min_max(values: FloatArray, over: BoolArray) -> FloatArray:
    """Values brought to [0, 1] over the candidates in `over`; the others are cut off at the ends.

    A term that is the same for all of them counts `FLAT_TERM`.
    """
    if not over.any():
        return np.full(len(values), FLAT_TERM)
    low, high = float(values[over].min()), float(values[over].max())
    if high == low:
        return np.full(len(values), FLAT_TERM)
    within: FloatArray = np.clip(values, low, high)
    if not math.isfinite(high - low):
        # Halves of any two floats are less than the largest float apart.
        within, low, high = within / 2, low / 2, high / 2
    shares: FloatArray = (within - low) / (high - low)
    return shares


def recency_shares(log_recency: FloatArray, over: BoolArray) -> FloatArray:
    """`min_max` of exp(log_recency), where every recency itself may be too small to be told from 0.

    Min-max does not change when all values are multiplied by one number, so the greatest is taken
    out first. Source: golden group `ga_score`, the case of 150,000 hours.
    """
    if not over.any():
        return np.full(len(log_recency), FLAT_TERM)
    greatest = float(log_recency[over].max())
    return min_max(np.exp(np.minimum(log_recency - greatest, 0.0)), over)


def weighted(
    recency: FloatArray, importance: FloatArray, relevance: FloatArray, scoring: ScoringPolicy
) -> FloatArray:
    """Weighted mean of the three terms.

        (a_r·recency + a_i·importance + a_v·relevance) / (a_r + a_i + a_v)

    Source: Park et al. (2023), Generative Agents; golden group `ga_score`.
    """
    r, i, v = scoring.weight_recency, scoring.weight_importance, scoring.weight_relevance
    mean: FloatArray = (r * recency + i * importance + v * relevance) / (r + i + v)
    return mean


def blended(relevance: FloatArray, age_hours: FloatArray, scoring: ScoringPolicy) -> FloatArray:
    """(1 − w)·relevance + w·2^(−age / half-life).

    Source: the retrieval workbench's score.
    """
    w = scoring.blend_recency_weight
    recency = np.exp2(-age_hours / scoring.blend_half_life_hours)
    blend: FloatArray = (1 - w) * relevance + w * recency
    return blend


def _bent(
    field: Field, strengths: Strengths, base: FloatArray, policy: Policy, now: Instant
) -> tuple[FloatArray, FloatArray, Mapping[str, FloatArray]]:
    """Score with forgetting in it, the factor it is of `base`, and the terms it is made of."""
    scoring = policy.scoring
    whole = np.ones(len(field))
    match scoring.scorer:
        case Scorer.BOOST:
            signal, boost = boosted(_standing(field, strengths, policy), scoring)
            return base * boost, boost, {"signal": signal, "forgetting_boost": boost}
        case Scorer.WEIGHTED:
            bent, terms = _weighted_terms(field, strengths, policy, now)
            return bent, whole, terms
        case Scorer.BLEND:
            age_hours, relevance = strengths.age_hours(now), _relevance(field)
            recency = np.exp2(-age_hours / scoring.blend_half_life_hours)
            terms = {"relevance": relevance, "recency": recency}
            return blended(relevance, age_hours, scoring), whole, terms
        case _:
            assert_never(scoring.scorer)


def _standing(field: Field, strengths: Strengths, policy: Policy) -> FloatArray:
    """Retrievability that bends: a precise question is answered as if its answer had not faded.

    Where the question names several memories precisely, the strongest of them counts as unfaded and
    the others are measured by it, so that strength still decides between them.
    """
    match policy.scoring.strong_cue:
        case StrongCue.BENT:
            return strengths.retrievability
        case StrongCue.SPARED:
            strong, standing = strong_cues(field, policy), strengths.retrievability
            strongest = float(standing[strong].max(initial=0.0))
            beside = standing / strongest if strongest > 0 else np.ones(len(standing))
            return np.where(strong, beside, standing)
        case _:
            assert_never(policy.scoring.strong_cue)


def _weighted_terms(
    field: Field, strengths: Strengths, policy: Policy, now: Instant
) -> tuple[FloatArray, Mapping[str, FloatArray]]:
    scoring = policy.scoring
    relevance, importance = _relevance(field), strengths.importance
    # The paper's use recency, whatever the law in force.
    log_recency = strengths.age_hours(now) * math.log(policy.law.decay_per_hour)
    recency = np.exp(log_recency)
    raw = {"recency": recency, "importance": importance, "relevance": relevance}
    match scoring.normalise:
        case Normalise.NONE:
            return weighted(recency, importance, relevance, scoring), raw
        case Normalise.MIN_MAX:
            over = field.open & field.found.listed & matched(field, policy)
            recency = recency_shares(log_recency, over)
            importance, relevance = min_max(importance, over), min_max(relevance, over)
            shares = {
                "recency_normalised": recency,
                "importance_normalised": importance,
                "relevance_normalised": relevance,
            }
            return weighted(recency, importance, relevance, scoring), {**raw, **shares}
        case _:
            assert_never(scoring.normalise)


def _relevance(field: Field) -> FloatArray:
    """Relevance as a term of a score: another store's or a reranker's number where there is one."""
    return field.base if field.own_score else field.found.relevance


def _event_factor(
    field: Field, scoring: ScoringPolicy, now: Instant, *, halved: bool
) -> FloatArray:
    """1 + w·(recency of the event − 0.5); 1 where the event has no time or the policy is off.

    The weight is halved while forgetting ranks, so that age is not charged twice.
    """
    if scoring.event_recency is EventRecency.OFF:
        return np.ones(len(field))
    dated = field.occurred_at != MISSING
    age_days = np.maximum(now - np.where(dated, field.occurred_at, now), 0) / DAY
    match scoring.event_recency:
        case EventRecency.LINEAR:
            recency = np.maximum(1 - age_days / scoring.event_window_days, 0.0)
        case EventRecency.EXPONENTIAL:
            recency = np.exp2(-age_days / scoring.event_half_life_days)
        case _:
            assert_never(scoring.event_recency)
    weight = scoring.event_weight / 2 if halved else scoring.event_weight
    return np.where(dated, 1 + weight * (recency - 0.5), 1.0)


def _proof_factor(field: Field, scoring: ScoringPolicy) -> FloatArray:
    """1 + w·(1 − 1/proof_count): 1 for a single source, below 1 + w for any number."""
    if scoring.proof_weight == 0:
        return np.ones(len(field))
    factor: FloatArray = 1 + scoring.proof_weight * (1 - 1 / field.proof_count)
    return factor


def _temporal_factor(field: Field, scoring: ScoringPolicy, as_of: AsOf) -> FloatArray:
    """1 + w·(fit − 0.5); 1 where the question or the event has no time.

    The fit halves with each event half-life between the time asked about and the event's.
    """
    if scoring.temporal_weight == 0 or as_of.valid is None:
        return np.ones(len(field))
    dated = field.occurred_at != MISSING
    apart = np.where(dated, field.occurred_at, as_of.valid) - as_of.valid
    fit = np.exp2(-np.abs(apart) / (DAY * scoring.event_half_life_days))
    return np.where(dated, 1 + scoring.temporal_weight * (fit - 0.5), 1.0)
