"""Change of law without a log of uses.

Decides what one memory's strength becomes under another law when its uses can no longer be
replayed. Refuses to replay: with a log, fold it under the new law from the first strength, which is
exact (`lapse.lifecycle.reinforcement`).

What a replay would have given is kept where both laws keep the same things: traces under every law,
the pace of the laws that have only one, last use always. Elsewhere need at the instant of the
change is kept, and with it the rank among memories, by choosing S so that the new law's calibrated
need equals the old one's. No instant is ever made up for that: `last_counted_at` stays a fact.
"""

from dataclasses import dataclass, replace

import numpy as np

from lapse.laws.activation_law import ActivationLaw
from lapse.laws.curve_law import CurveLaw
from lapse.laws.law import Law
from lapse.laws.plain import PlainCurve
from lapse.laws.strength import MINIMUM_STABILITY_DAYS, Held, columns_of, last_counted
from lapse.model.instants import DAY, Instant
from lapse.model.policy import Anchor
from lapse.model.retention import Strength


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion:
    """A strength under another law.

    Attributes:
        strength: The new one.
        exact: Whether a replay of the log would have given the same retrievability.
        reason: Why it is or is not, in a sentence.
    """

    strength: Strength
    exact: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LawChange:
    """A change from one law to another.

    Attributes:
        before: Law under which the strengths were kept.
        after: Law in force from now on.
        now: Instant of the change.
    """

    before: Law
    after: Law
    now: Instant

    def convert(self, held: Held, first: Strength) -> Conversion:
        """Strength of one memory under the new law.

        Args:
            held: The memory under the old law.
            first: What the new law's `initial` gives for it; stands in where nothing is to be kept.
        """
        match self.after:
            case ActivationLaw():
                return self._by_traces(held)
            case CurveLaw(curve=PlainCurve()) if _has_pace(self.before):
                return self._by_pace(held)
            case CurveLaw():
                return self._by_need(self.after, held, first)
            case _:
                return Conversion(
                    strength=replace(
                        held.strength,
                        stability_days=first.stability_days,
                        difficulty=first.difficulty,
                    ),
                    exact=False,
                    reason="The new law is not one of Lapse's: traces and last use were kept, "
                    "stability starts anew.",
                )

    def _by_traces(self, held: Held) -> Conversion:
        exact = self._counts_alike()
        return Conversion(
            strength=held.strength,
            exact=exact,
            reason="The traces were kept under the old law too." if exact else _OTHER_COOLDOWN,
        )

    def _by_pace(self, held: Held) -> Conversion:
        exact = self._counts_alike()
        return Conversion(
            strength=held.strength,
            exact=exact,
            reason="Last use and rejections are all that the new law reads, and both were kept."
            if exact
            else _OTHER_COOLDOWN,
        )

    def _by_need(self, after: CurveLaw, held: Held, first: Strength) -> Conversion:
        fresh = replace(
            held.strength, stability_days=first.stability_days, difficulty=first.difficulty
        )
        age_days = (self.now - self._anchored_at(after, held)) / DAY
        if age_days <= 0:
            return Conversion(
                strength=fresh,
                exact=False,
                reason="Used or told just now: stability starts anew, need is at its highest.",
            )
        need = float(self.before.need(columns_of([held]), self.now)[0])
        log_r = after.line.score_at(need)
        longest = max(after.curve.longest_stability_days(), MINIMUM_STABILITY_DAYS)
        if log_r >= 0:
            return Conversion(
                strength=replace(fresh, stability_days=longest),
                exact=False,
                reason="Need is higher than the new law can show at this age: stability is its "
                "greatest.",
            )
        ratio = float(after.curve.ratio_at(np.array([log_r]))[0])
        wanted = age_days / ratio if ratio > 0 else longest
        stability = min(max(wanted, MINIMUM_STABILITY_DAYS), longest)
        return Conversion(
            strength=replace(fresh, stability_days=stability),
            exact=False,
            reason="Stability was chosen so that need stays what it was."
            if stability == wanted
            else "Stability was chosen so that need stays as near as the new law allows.",
        )

    def _anchored_at(self, after: CurveLaw, held: Held) -> Instant:
        return last_counted(held) if after.shared.anchor is Anchor.LAST_USE else held.created_at

    def _counts_alike(self) -> bool:
        return self.before.cooldown_hours == self.after.cooldown_hours


_OTHER_COOLDOWN = (
    "The old law counted uses with another cooldown, so some counted that the new law would pass "
    "over, or the other way round."
)


def _has_pace(law: Law) -> bool:
    """Whether the law keeps in S nothing but what rejections left of it."""
    match law:
        case ActivationLaw() | CurveLaw(curve=PlainCurve()):
            return True
        case _:
            return False
