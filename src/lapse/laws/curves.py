"""The formulas of the laws whose strength is one curve since the anchor, and of Ebbinghaus' growth.

Decides each formula once. Refuses to know whose age it is given, or which law a bank uses.
Every curve exists as its logarithm, because the tail is where forgetting is decided: 24 h
half-lives reach 0 in float64 after 1,075 days.
"""

import math

import numpy as np

from lapse.errors import DomainError, Fault, fault
from lapse.laws.strength import FloatArray

HOURS_PER_DAY = 24.0


def log_exponential(age_hours: FloatArray, decay_per_hour: float) -> FloatArray:
    """Logarithm of retrievability that falls by one factor per hour, ln R = age·ln(decay).

    Args:
        age_hours: Shape (n,). Below 0 (clock skew) counts as 0.
        decay_per_hour: In (0, 1]; 1 is no ageing.

    Returns:
        Shape (n,), ≤ 0.

    Raises:
        DomainError: The factor is outside (0, 1], or an age is NaN.

    Source: Park et al. (2023), Generative Agents; golden group `ga_recency`.
    """
    _refuse(_decay_fault(decay_per_hour), _age_fault("age_hours", age_hours))
    return _aged(age_hours, math.log(decay_per_hour))


def exponential(age_hours: FloatArray, decay_per_hour: float) -> FloatArray:
    """Retrievability R = decay_per_hour^age_hours. Arguments, errors, source: `log_exponential`.

    Returns:
        Shape (n,), in [0, 1]; 1 at age 0.
    """
    return np.exp(log_exponential(age_hours, decay_per_hour))


def log_half_life(age_hours: FloatArray, half_life_hours: float) -> FloatArray:
    """Logarithm of retrievability that halves every half-life, ln R = −ln 2·age/h.

    Args:
        age_hours: Shape (n,). Below 0 (clock skew) counts as 0.
        half_life_hours: Finite, > 0.

    Returns:
        Shape (n,), ≤ 0.

    Raises:
        DomainError: The half-life is not finite and positive, or an age is NaN.

    Source: the retrieval workbench; golden group `half_life`.
    """
    _refuse(_positive_fault("half_life_hours", half_life_hours), _age_fault("age_hours", age_hours))
    return _aged(age_hours, -math.log(2) / half_life_hours)


def half_life(age_hours: FloatArray, half_life_hours: float) -> FloatArray:
    """Retrievability R = 2^(−age/h). Arguments, errors and source as in `log_half_life`.

    Returns:
        Shape (n,), in [0, 1]; 1 at age 0.
    """
    return np.exp(log_half_life(age_hours, half_life_hours))


def log_ebbinghaus(age_days: FloatArray, stability_days: FloatArray) -> FloatArray:
    """Logarithm of retrievability under exponential forgetting, ln R = −age/S.

    Args:
        age_days: Shape (n,). Days since the last reinforcement; below 0 (clock skew) counts as 0.
        stability_days: Shape (n,), > 0. S is the time to R = 1/e here, not to 0.9 as in FSRS.

    Returns:
        Shape (n,), ≤ 0.

    Raises:
        DomainError: A stability is not finite and positive, or an age is NaN.

    Source: Ebbinghaus (1885) as used in the retention RFC; golden group
    `ebbinghaus_retrievability`.
    """
    _refuse(_stability_fault(stability_days), _age_fault("age_days", age_days))
    return -np.maximum(age_days, 0.0) / stability_days


def ebbinghaus(age_days: FloatArray, stability_days: FloatArray) -> FloatArray:
    """Retrievability R = exp(−age/S). Arguments, errors and source as in `log_ebbinghaus`.

    Returns:
        Shape (n,), in [0, 1]; 1 at age 0; never rises with age.
    """
    return np.exp(log_ebbinghaus(age_days, stability_days))


def ebbinghaus_reinforced(
    stability_days: float,
    elapsed_days: float,
    counted: int,
    *,
    weighted_gain: float,
    minimum_quality: float,
    max_stability_days: float,
) -> float:
    """Stability after a counted use: much after a long gap, less the oftener it happened.

        R_b = exp(−Δ/S)     q = clamp(1 − R_b, q_min, 1)     S ← min(S·(1 + g·w·q/√(1 + n)), S_max)

    Args:
        stability_days: S before, > 0.
        elapsed_days: Δ since the last reinforcement; below 0 counts as 0.
        counted: n, uses counted before this one.
        weighted_gain: g·w, gain times weight of the use, ≥ 0.
        minimum_quality: q_min in [0, 1]; above 0, every counted use strengthens, spaced or not.
        max_stability_days: S_max. An S already above it is kept: a use never weakens.

    Raises:
        DomainError: The stability is not finite and positive, or the gap is NaN.

    Source: the retention RFC, section 3; golden group `ebbinghaus_reinforce`.
    """
    _refuse(
        _positive_fault("stability_days", stability_days),
        _age_fault("elapsed_days", np.array([elapsed_days])),
    )
    missed = -math.expm1(-max(elapsed_days, 0.0) / stability_days)
    quality = min(max(missed, minimum_quality), 1.0)
    grown = stability_days * (1 + weighted_gain * quality / math.sqrt(1 + counted))
    return max(min(grown, max_stability_days), stability_days)


def _aged(age_hours: FloatArray, log_factor: float) -> FloatArray:
    # + 0.0 turns the −0.0 of an age of 0 into 0.0, which is what a reader expects to see.
    return np.maximum(age_hours, 0.0) * log_factor + 0.0


def _decay_fault(value: float) -> Fault | None:
    if 0 < value <= 1:
        return None
    return fault("decay_per_hour", value, "needs a number above 0 and at most 1")


def _positive_fault(name: str, value: float) -> Fault | None:
    if math.isfinite(value) and value > 0:
        return None
    return fault(name, value, "needs a finite number above 0")


def _stability_fault(values: FloatArray) -> Fault | None:
    good = np.isfinite(values) & (values > 0)
    if good.all():
        return None
    return fault("stability_days", float(values[~good].flat[0]), "needs finite numbers above 0")


def _age_fault(name: str, values: FloatArray) -> Fault | None:
    if not np.isnan(values).any():
        return None
    return fault(name, math.nan, "needs numbers; an unknown age has to be settled before")


def _refuse(*found: Fault | None) -> None:
    faults = [each for each in found if each is not None]
    if faults:
        raise DomainError(faults)
