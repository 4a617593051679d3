"""ACT-R's base level as need: the numbers and formulas of the default law.

Decides threshold, noise, and how importance enters. Refuses to keep a history: `traces` stands for
it.

    B    = ln Σ_j v_j·max(t_j, floor)^−d + β·(importance − 0.5)       t in seconds, B in nats
    need = 1/(1 + exp((τ − B)/s))

By rational analysis B is the log-odds that a memory is needed, which is what eight access logs
show: the slope of log-odds on B is about 1 (so s ≈ 1, not the 0.25 of laboratory models).

Source: Anderson & Schooler (1991); Anderson et al. (2004); golden groups `actr_base_level`,
`actr_probability`, `actr_importance_decay`.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from lapse.errors import DomainError
from lapse.laws.calibration import logistic
from lapse.laws.strength import FloatArray
from lapse.laws.trace_weights import FITTED_DECAYS
from lapse.model.policy import ImportanceEffect, LawPolicy

DAY_S = 86_400.0
TYPICAL_DECAY = 0.5

CONFIDENCE_SHARE = 0.5
PROOF_SHARE = 0.3
ENTITY_SHARE = 0.2
FULL_PROOF = 5.0
FULL_ENTITIES = 10.0


def threshold(policy: LawPolicy, cooldown_hours: float) -> float:
    """τ in nats: the policy's, else −4.45 − (d − 0.5)·ln 86400 (−4.0 in front without a cooldown).

    The second term makes a memory told once, one day ago, equally likely to be needed under every
    d.

    Args:
        policy: Its d is used, never the d of one memory: else a slower decay would raise the bar.
        cooldown_hours: Width of the counting bucket in force; the numbers were fitted with 24 and
            0.
    """
    if policy.threshold is not None:
        return policy.threshold
    base = -4.45 if cooldown_hours > 0 else -4.0
    return base - (policy.decay - TYPICAL_DECAY) * math.log(DAY_S)


def noise(policy: LawPolicy, cooldown_hours: float) -> float:
    """Scale s in nats: the policy's, else 0.97 (1.07 without a cooldown)."""
    if policy.noise is not None:
        return policy.noise
    return 0.97 if cooldown_hours > 0 else 1.07


def importance_weight(policy: LawPolicy) -> float:
    """β in nats: the policy's, or 0 where importance slows decay instead."""
    match policy.importance_effect:
        case ImportanceEffect.LOG_ODDS:
            return policy.importance_weight
        case ImportanceEffect.DECAY:
            return 0.0


def recall_probability(
    activation: FloatArray, threshold_nats: float, noise_nats: float
) -> FloatArray:
    """P = 1/(1 + exp((τ − B)/s)): the chance that B plus logistic noise exceeds τ.

    Args:
        activation: Shape (n,). B in nats.
        threshold_nats: τ, for ages in the unit in which B was taken (B in days is d·ln 86400
        higher).
        noise_nats: s > 0. Noise is never sampled: a recall has to be repeatable.

    Raises:
        DomainError: s is not positive.

    Source: golden group `actr_probability`.
    """
    if not noise_nats > 0:
        raise DomainError.of("noise_nats", noise_nats, "needs a number above 0")
    return logistic((np.asarray(activation, dtype=np.float64) - threshold_nats) / noise_nats)


def evidence(confidence: ArrayLike, proof_count: ArrayLike, entity_count: ArrayLike) -> FloatArray:
    """The sweep's importance, I = 0.5·confidence + 0.3·min(proof/5, 1) + 0.2·min(entities/10, 1).

    Args:
        confidence: In [0, 1]; where it lies outside, so does I, as in the seed (`effective_decay`
            clamps).
        proof_count: Independent corroborations, ≥ 0.
        entity_count: Entities that the memory names, ≥ 0.

    Returns:
        Broadcast shape; in [0, 1] for a confidence in [0, 1].

    Source: the forgetting how-to (confidence there is 0 to 10); golden group
    `actr_importance_decay`.
    """
    proof = np.minimum(np.asarray(proof_count, dtype=np.float64) / FULL_PROOF, 1.0)
    entities = np.minimum(np.asarray(entity_count, dtype=np.float64) / FULL_ENTITIES, 1.0)
    belief = np.asarray(confidence, dtype=np.float64)
    return np.asarray(
        CONFIDENCE_SHARE * belief + PROOF_SHARE * proof + ENTITY_SHARE * entities, dtype=np.float64
    )


def slowed_decay(decay: float, degree: ArrayLike, share: float) -> FloatArray:
    """d_eff = d·(1 − share·degree).

    Args:
        decay: d of an unimportant memory.
        degree: How important it is; in [0, 1] unless the caller wants the seed's unclamped form.
        share: What a degree of 1 takes away, in [0, 1].

    Source: the forgetting how-to; golden group `actr_importance_decay`.
    """
    taken = np.asarray(degree, dtype=np.float64) * share
    return np.asarray(decay * (1 - taken), dtype=np.float64)


def effective_decay(
    policy: LawPolicy,
    importance: ArrayLike,
    confidence: ArrayLike,
    proof_count: ArrayLike,
    entity_count: ArrayLike,
) -> FloatArray:
    """Exponent d of each memory, as `StrengthColumns.decay` wants it.

    Where importance adds to the log-odds, that is the policy's d. Where it slows decay:

        D = max(clamp((I − I₀)/(1 − I₀)), clamp(2·importance − 1))
        d_eff = max(d·(1 − 0.6·D), 0.2)

    I₀ is the evidence of a memory about which nothing is known (0.31), so that it decays at exactly
    d.

    Args:
        policy: Names d, the effect, I₀ and the share.
        importance: In [0, 1], broadcast with the others.
        confidence: In [0, 1].
        proof_count: ≥ 1.
        entity_count: ≥ 0.

    Returns:
        Broadcast shape, in [0.2, 0.9].
    """
    match policy.importance_effect:
        case ImportanceEffect.LOG_ODDS:
            together = np.broadcast(importance, confidence, proof_count, entity_count)
            return np.full(together.shape, policy.decay)
        case ImportanceEffect.DECAY:
            neutral = policy.importance_decay_neutral
            known = (evidence(confidence, proof_count, entity_count) - neutral) / (1 - neutral)
            rated = 2 * np.asarray(importance, dtype=np.float64) - 1
            degree = np.maximum(np.clip(known, 0.0, 1.0), np.clip(rated, 0.0, 1.0))
            slowed = slowed_decay(policy.decay, degree, policy.importance_decay_share)
            return np.asarray(np.maximum(slowed, FITTED_DECAYS[0]), dtype=np.float64)
