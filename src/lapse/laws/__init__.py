"""Laws of decay: numbers in, numbers out. No clock, no store, no memory's text.

Decides which law a policy means. `law.Law` says what a law can do, `strength` what it is given;
each formula stands once, in `curves`, `fsrs`, `activation` or `traces`.
"""

from typing import assert_never

from lapse.laws.activation import effective_decay
from lapse.laws.activation_law import ActivationLaw
from lapse.laws.calibration import EBBINGHAUS, FSRS, NONE, last_use_line
from lapse.laws.curve_law import CurveLaw
from lapse.laws.ebbinghaus_law import EbbinghausCurve
from lapse.laws.falling import DATED_SCORES, Bar, bar_of, below, falls_at, score_of
from lapse.laws.fsrs_law import FsrsCurve
from lapse.laws.law import (
    Law,
    Shared,
    archive_level,
    cooldown_hours,
    creation_log_term,
    need_line,
)
from lapse.laws.plain import NO_AGEING, exponential_curve, half_life_curve
from lapse.laws.strength import (
    HORIZON_DAYS,
    NEVER,
    CountedUse,
    FloatArray,
    Held,
    IntArray,
    Seed,
    StrengthColumns,
    columns_of,
)
from lapse.model.policy import LawName, LawPolicy

__all__ = [
    "DATED_SCORES",
    "HORIZON_DAYS",
    "NEVER",
    "Bar",
    "CountedUse",
    "FloatArray",
    "Held",
    "IntArray",
    "Law",
    "Seed",
    "StrengthColumns",
    "archive_level",
    "bar_of",
    "below",
    "columns_of",
    "cooldown_hours",
    "creation_log_term",
    "effective_decay",
    "falls_at",
    "law_for",
    "score_of",
]


def law_for(policy: LawPolicy) -> Law:
    """Build the law that a policy names.

    Args:
        policy: The section `law`; what it leaves open, the law fills with its own.

    Raises:
        DomainError: FSRS weights outside the published bounds.
    """
    shared = Shared.of(policy)
    match policy.name:
        case LawName.ACTIVATION:
            return ActivationLaw.of(policy)
        case LawName.EXPONENTIAL | LawName.HALF_LIFE:
            exponential = policy.name is LawName.EXPONENTIAL
            plain = exponential_curve(policy) if exponential else half_life_curve(policy)
            line = need_line(policy, last_use_line(plain.log_fall_per_day))
            return CurveLaw(shared=shared, curve=plain, line=line)
        case LawName.EBBINGHAUS:
            curve = EbbinghausCurve(policy=policy)
            return CurveLaw(shared=shared, curve=curve, line=need_line(policy, EBBINGHAUS))
        case LawName.FSRS:
            line = need_line(policy, FSRS)
            return CurveLaw(shared=shared, curve=FsrsCurve.of(policy), line=line)
        case LawName.NONE:
            line = need_line(policy, NONE)
            return CurveLaw(shared=shared, curve=NO_AGEING, line=line)
        case _:
            assert_never(policy.name)
