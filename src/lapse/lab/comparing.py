"""Comparing laws over one log: what each would keep, and what would be needed after it was gone.

Beside them stands what needs no law: last use, count, an adaptive cache, chance, and the optimum
that knows the future. All answer at the same instants about the same memories, so they are compared
pair by pair, and an interval comes from drawing the instants anew. Nothing is let go while
replaying: at each instant it is asked what a law would have kept, and the log answers for all.

Decides the figures of a comparison. Refuses to name a winner, and to change a policy.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lapse.errors import ValidationError, fault
from lapse.lab.arc import arc_scores
from lapse.lab.judging import Needed, kept_uses
from lapse.lab.log import Entry
from lapse.lab.replaying import Moment, Slice, moments
from lapse.laws import FloatArray, law_for
from lapse.model.policy import LawPolicy

SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
RESAMPLES = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A mean paired difference, and its 95 % interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """How one law did.

    Attributes:
        hit_rates: Share of all uses that falls on the best-ranked part, one for each of `SHARES`.
        needed_after_forgotten: Uses, of a thousand, of what lay below the law's archive level at
            the instant before; 0 for a law that lets nothing go, None for what has no level.
        active_shares: Part of the memories at or above that level, instant by instant; empty for
            what has no level.
        lead_on_first: Hit rate less that of the law named first, one for each of `SHARES`.
    """

    hit_rates: tuple[float, ...]
    needed_after_forgotten: float | None
    active_shares: tuple[float, ...]
    lead_on_first: tuple[Interval, ...]


def compare(
    entries: Sequence[Entry],
    laws: Mapping[str, LawPolicy],
    *,
    horizon_days: float = 30.0,
    warm_up_days: float = 365.0,
    kept: Slice | None = None,
    seed: int = 0,
) -> dict[str, Curve]:
    """Replay a log that is in order of time under several laws.

    Args:
        entries: The log.
        laws: By name, at least one; the first is what the others are held against.
        horizon_days: Days within which a use counts as need, > 0.
        warm_up_days: Days before the first instant, ≥ 0.
        kept: The slice that was kept within reach while the log was made; None for none.
        seed: Of the draws behind the intervals.

    Raises:
        ValidationError: No law is named, no use follows any instant of the log, or the horizon is
            too short for it.
    """
    if not laws:
        raise ValidationError([fault("laws", "", "needs at least one law")])
    hits: dict[str, FloatArray] = {}
    curves: dict[str, Curve] = {}
    for name, policy in laws.items():
        law = law_for(policy)
        asked = moments(entries, law, policy.decay, horizon_days, warm_up_days, kept)
        seen = _answered(entries, asked)
        hits[name] = np.array([_hits(each, law.need(each.strengths, each.now)) for each in seen])
        uses = np.array([_uses(each) for each in seen])
        first = next(iter(hits.values()))
        active = [_active(each, policy) for each in seen]
        pairs = list(zip(seen, active, strict=True))
        lost = sum(float((each.uses * each.weights)[~up].sum()) for each, up in pairs)
        curves[name] = Curve(
            hit_rates=tuple((hits[name].sum(axis=0) / uses.sum()).tolist()),
            needed_after_forgotten=1000 * lost / float(uses.sum()),
            active_shares=tuple(float(np.average(up, weights=each.weights)) for each, up in pairs),
            lead_on_first=_intervals(hits[name] - first, uses, seed),
        )
    return curves


BASELINES: Mapping[str, Callable[[Moment, np.random.Generator], FloatArray]] = {
    "lru": lambda moment, _: -moment.recency_s,
    "lfu": lambda moment, _: moment.counts.astype(np.float64),
    "random": lambda moment, dice: dice.random(len(moment.uses)),
    "clairvoyant": lambda moment, _: moment.uses.astype(np.float64),
}
"""What each baseline keeps first: higher is kept. `arc` stands beside them and is no order."""


def beside(
    entries: Sequence[Entry],
    first: LawPolicy,
    *,
    horizon_days: float = 30.0,
    warm_up_days: float = 365.0,
    kept: Slice | None = None,
    seed: int = 0,
) -> dict[str, Curve]:
    """The curves of what needs no law, at the same instants as `compare`, by name.

    Args:
        entries: The log, in order of time.
        first: The law that they are held against.
        horizon_days, warm_up_days, kept, seed: As for `compare`.

    Raises:
        ValidationError: As for `compare`.
    """
    law = law_for(first)
    asked = moments(entries, law, first.decay, horizon_days, warm_up_days, kept)
    seen = _answered(entries, asked)
    uses = np.array([_uses(each) for each in seen])
    ahead = np.array([_hits(each, law.need(each.strengths, each.now)) for each in seen])
    dice = np.random.default_rng(seed)
    hits = {
        name: np.array([_hits(each, rank(each, dice)) for each in seen])
        for name, rank in BASELINES.items()
    }
    by_share = [arc_scores(entries, seen, share) for share in SHARES]
    hits["arc"] = np.array(
        [
            [
                kept_uses(by_share[place][at], each.uses, share, each.weights)
                for place, share in enumerate(SHARES)
            ]
            for at, each in enumerate(seen)
        ]
    )
    return {
        name: Curve(
            hit_rates=tuple((found.sum(axis=0) / uses.sum()).tolist()),
            needed_after_forgotten=None,
            active_shares=(),
            lead_on_first=_intervals(found - ahead, uses, seed),
        )
        for name, found in hits.items()
    }


def _answered(entries: Sequence[Entry], asked: Iterable[Moment]) -> list[Moment]:
    """The instants that something was needed after."""
    seen = [each for each in asked if _uses(each) > 0]
    if not seen:
        lacking = "needs uses after the warm-up: a longer log, or a shorter warm-up or horizon"
        raise ValidationError([fault("log", len(entries), lacking)])
    return seen


def _hits(moment: Moment, scores: FloatArray) -> list[float]:
    return [kept_uses(scores, moment.uses, share, moment.weights) for share in SHARES]


def _uses(moment: Moment) -> float:
    """Uses that an instant is answered by, those of a slice for all that they stand for."""
    return float((moment.uses * moment.weights).sum())


def _active(moment: Moment, policy: LawPolicy) -> Needed:
    """Which lie at or above the level that the law fades at."""
    law = law_for(policy)
    if law.archive_level is None:
        return np.ones(len(moment.uses), dtype=np.bool_)
    return law.retrievability(moment.strengths, moment.now) >= law.archive_level


def _intervals(apart: FloatArray, uses: FloatArray, seed: int) -> tuple[Interval, ...]:
    dice = np.random.default_rng(seed)
    drawn = dice.integers(0, len(uses), (RESAMPLES, len(uses)))
    resampled = apart[drawn].sum(axis=1) / uses[drawn].sum(axis=1)[:, None]
    low, high = np.quantile(resampled, (0.025, 0.975), axis=0)
    mean = apart.sum(axis=0) / uses.sum()
    return tuple(
        Interval(mean=float(m), low=float(a), high=float(b))
        for m, a, b in zip(mean, low, high, strict=True)
    )
