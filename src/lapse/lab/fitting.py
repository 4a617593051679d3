"""Fitting the default law to a log: on the past, judged on the future it has not seen.

The exponent d and the weight of a use are sought on a bounded grid, and for each pair the line
from base level to the log-odds of need is fitted (τ and s are that line). What fits the first part
of the log best is judged on the rest beside what knows less or more: the base rate, last use,
count, an adaptive cache, chance, the law as it was, a logistic regression made for this log, and
the clairvoyant optimum.

How need falls with age is read off all of the first part; how much is needed at all drifts over the
years, so the line is fitted once more on the latest third of it.

Decides what is proposed, and when nothing is. Refuses to change a policy: a proposal waits for
somebody who applies it.

Source: the protocol of Anderson & Schooler (1991) for need; Platt (1999) for the line.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from lapse.bank import Bank
from lapse.engine.embedding import Progress, no_progress
from lapse.engine.policy_history import propose
from lapse.errors import Fault, fault, raise_all
from lapse.lab.arc import arc_scores
from lapse.lab.judging import Bin, log_loss, reliability
from lapse.lab.log import Entry
from lapse.lab.logistic import fit_logistic
from lapse.lab.replaying import Moment, Slice, moments
from lapse.lab.verdicts import (
    KEPT,
    Verdict,
    judged_by,
    kept_by,
    needed_in,
    ranked_by,
    weights_in,
)
from lapse.laws import FloatArray, law_for
from lapse.laws.calibration import logistic
from lapse.model.instants import DAY
from lapse.model.memory import JsonValue
from lapse.model.policy import LawName, LawPolicy
from lapse.model.policy_proposal import PolicyProposal

DECAYS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
USE_GAINS = (1.0, 2.0, 5.0)
LONGEST_DAYS = 36_500
LEAST_MOMENTS = 6
LEAST_NEEDED = 50
"""Fewer memories needed than this in either part, and the figures would be chance."""

LEAST_SLOPE = 0.1
"""Log-odds of need by nat of base level; a line that rises less says that a log knows no memory."""

LATE_SHARE = 1 / 3
"""Part of what is fitted on, at its end, that the calibration goes by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """How a log is cut.

    Attributes:
        horizon_days: Days within which a use counts as need, > 0.
        warm_up_days: Days before the first question, ≥ 0.
        learned_share: Part of the log that is fitted on, in (0, 1).
        slice_share: `retention.slice_share` while the log was made; see `Slice`. 0 for none.
    """

    horizon_days: float = 30.0
    warm_up_days: float = 365.0
    learned_share: float = 0.7
    slice_share: float = 0.0

    def __post_init__(self) -> None:
        raise_all(self._faults())

    def _faults(self) -> Iterator[Fault]:
        if not 0 < self.horizon_days <= LONGEST_DAYS:
            yield fault("horizon_days", self.horizon_days, f"needs (0, {LONGEST_DAYS}] days")
        if not 0 <= self.warm_up_days <= LONGEST_DAYS:
            yield fault("warm_up_days", self.warm_up_days, f"needs [0, {LONGEST_DAYS}] days")
        if not 0 < self.learned_share < 1:
            yield fault("learned_share", self.learned_share, "needs a number between 0 and 1")
        if not 0 <= self.slice_share <= 1:
            yield fault("slice_share", self.slice_share, "needs a number from 0 to 1")

    def kept(self, policy: LawPolicy) -> Slice | None:
        """The slice that was kept while a law was in force; None for none."""
        return Slice(share=self.slice_share, policy=policy) if self.slice_share > 0 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """What was found.

    Attributes:
        missing: Why nothing is proposed; empty if something is.
        diff: Settings that are proposed, by dotted path; empty if nothing is.
        verdicts: By predictor; empty where the log is too short.
        reliability: Of the fitted law.
        learned_moments, judged_moments: Instants of the two parts.
    """

    missing: tuple[str, ...]
    diff: Mapping[str, float]
    verdicts: Mapping[str, Verdict]
    reliability: tuple[Bin, ...]
    learned_moments: int
    judged_moments: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    policy: LawPolicy
    slope: float
    offset: float
    loss: float


def fit_and_propose(
    bank: Bank, entries: Sequence[Entry], window: Window, progress: Progress = no_progress
) -> tuple[Fit, PolicyProposal | None]:
    """Fit to a log, and propose to a bank what fits better; see `fit_activation`.

    Raises:
        StoreError: Something is to be proposed, and this kind of store keeps no proposals.
        ValidationError: A window that is none.
    """
    whole = bank.policy().policy
    policy, window = whole.law, replace(window, slice_share=whole.retention.slice_share)
    found = fit_activation(entries, policy, window, progress)
    if not found.diff:
        return found, None
    law = {} if policy.name is LawName.ACTIVATION else {"law.name": LawName.ACTIVATION.value}
    settings: dict[str, JsonValue] = {**law, **found.diff}
    core = bank.engine
    return found, propose(core, core.runtime(bank.ref), settings, _evidence(found))


def _evidence(found: Fit) -> dict[str, float]:
    ours, as_it_is = found.verdicts["fitted"], found.verdicts["as it is"]
    told = {
        "log_loss": ours.log_loss,
        "log_loss_as_it_is": as_it_is.log_loss,
        "log_loss_base_rate": found.verdicts["base rate"].log_loss,
        "ece": ours.ece,
        "auc": ours.auc,
        "hit20": ours.hit20,
        "judged_moments": float(found.judged_moments),
    }
    return {name: value for name, value in told.items() if value is not None}


def fit_activation(
    entries: Sequence[Entry],
    policy: LawPolicy,
    window: Window,
    progress: Progress = no_progress,
) -> Fit:
    """Fit `activation` to a log in order of time and judge it.

    Args:
        entries: The log.
        policy: The law as it is. Of what is fitted and judged only its `activation` settings are
            read; what had faded, where there is a slice, it says as it is.
        window: How the log is cut.
        progress: Called with (points of the grid tried, points).
    """
    kept = window.kept(policy)
    policy = replace(policy, name=LawName.ACTIVATION, importance_weight=0.0)
    parts = _Parts(entries=entries, window=window, kept=kept)
    learned, judged = parts.under(policy)
    missing = _missing("to fit on", learned) + _missing("to judge by", judged)
    if missing:
        return Fit(
            missing=tuple(missing),
            diff={},
            verdicts={},
            reliability=(),
            learned_moments=len(learned),
            judged_moments=len(judged),
        )
    best: _Line | None = None
    tried = 0
    for gain in USE_GAINS:
        seen, _ = parts.under(replace(policy, use_gain=gain))
        for decay in DECAYS:
            line = _line(seen, replace(policy, use_gain=gain, decay=decay))
            tried += 1
            progress(tried, len(USE_GAINS) * len(DECAYS))
            if best is None or line.loss < best.loss:
                best = line
    assert best is not None  # noqa: S101 - the grid is not empty
    learned_by_best, judged_by_best = parts.under(best.policy)
    late = learned_by_best[-max(round(len(learned_by_best) * LATE_SHARE), 1) :]
    if not _missing("late in the part to fit on", late):
        best = _line(late, best.policy)
    verdicts = _verdicts(entries, learned, judged, judged_by_best, best, policy)
    predicted = np.concatenate([_need(each, best) for each in judged_by_best])
    missing = _against(best, verdicts)
    return Fit(
        missing=tuple(missing),
        diff={} if missing else _diff(best),
        verdicts=verdicts,
        reliability=reliability(
            predicted, needed_in(judged_by_best), weights=weights_in(judged_by_best)
        ),
        learned_moments=len(learned),
        judged_moments=len(judged),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parts:
    """A log, and how it is cut into what is learned from and what judges."""

    entries: Sequence[Entry]
    window: Window
    kept: Slice | None

    def under(self, policy: LawPolicy) -> tuple[list[Moment], list[Moment]]:
        """Instants whose answer lies before the cut, and instants from the cut on."""
        window = self.window
        found = [
            each
            for each in moments(
                self.entries,
                law_for(policy),
                policy.decay,
                window.horizon_days,
                window.warm_up_days,
                self.kept,
            )
            if _tells(each)
        ]
        horizon, cut = window.horizon_days * DAY, self._cut()
        return (
            [each for each in found if each.now + horizon <= cut],
            [each for each in found if each.now >= cut],
        )

    def _cut(self) -> int:
        if not self.entries:
            return 0
        first, last = self.entries[0].at, self.entries[-1].at
        return round(first + self.window.learned_share * (last - first))


def _tells(moment: Moment) -> bool:
    """Whether something that counts was needed, and something was not."""
    counted = moment.uses[moment.weights > 0] > 0
    return bool(counted.any() and not counted.all())


def _missing(purpose: str, part: Sequence[Moment]) -> list[str]:
    needed = sum(int(((each.uses > 0) & (each.weights > 0)).sum()) for each in part)
    found = []
    if len(part) < LEAST_MOMENTS:
        found.append(
            f"{len(part)} instants {purpose}, at least {LEAST_MOMENTS} are needed: a longer log, "
            "or a shorter horizon or warm-up"
        )
    # Without an instant nothing is counted, however many uses the log has.
    if part and needed < LEAST_NEEDED:
        found.append(
            f"{needed} memories needed again in the part {purpose}, at least {LEAST_NEEDED} are "
            "needed: report uses with `used`"
        )
    return found


def _against(line: _Line, verdicts: Mapping[str, Verdict]) -> list[str]:
    """Why a line is not proposed; empty where it is."""
    if line.slope <= LEAST_SLOPE:
        return ["in this log what was used lately or often was not used more afterwards"]
    if (verdicts["fitted"].log_loss or 0.0) >= (verdicts["as it is"].log_loss or 0.0):
        return ["the settings as they are foresee the judged part as well as fitted ones"]
    return []


def _line(seen: Sequence[Moment], policy: LawPolicy) -> _Line:
    levels = np.concatenate([_level(each, policy) for each in seen])
    needed = needed_in(seen)
    counted = weights_in(seen)
    columns = np.column_stack([levels, np.ones(len(levels))])
    weights = fit_logistic(columns, needed, weights_of_rows=counted)
    slope, offset = max(float(weights[0]), LEAST_SLOPE), float(weights[1])
    return _Line(
        policy=policy,
        slope=slope,
        offset=offset,
        loss=log_loss(logistic(slope * levels + offset), needed, counted),
    )


def _level(moment: Moment, policy: LawPolicy) -> FloatArray:
    """B in nats under d of a policy, whatever d the columns were made with."""
    same_decay = np.full(len(moment.uses), policy.decay)
    strengths = replace(moment.strengths, decay=same_decay)
    return law_for(policy).base_level_activation(strengths, moment.now)


def _need(moment: Moment, line: _Line) -> FloatArray:
    return logistic(line.slope * _level(moment, line.policy) + line.offset)


def _diff(line: _Line) -> dict[str, float]:
    return {
        "law.decay": line.policy.decay,
        "law.use_gain": line.policy.use_gain,
        "law.threshold": round(-line.offset / line.slope, 4),
        "law.noise": round(1 / line.slope, 4),
    }


def _features(moment: Moment) -> FloatArray:
    """What a regression made for one log may see: last use, count and age, each as a logarithm."""
    return np.column_stack(
        [
            np.log(moment.recency_s + 3600),
            np.log(moment.counts.astype(np.float64)),
            np.log(moment.age_s + 3600),
            np.ones(len(moment.uses)),
        ]
    )


def _verdicts(
    entries: Sequence[Entry],
    learned: Sequence[Moment],
    judged: Sequence[Moment],
    judged_by_best: Sequence[Moment],
    best: _Line,
    policy: LawPolicy,
) -> dict[str, Verdict]:
    counted = weights_in(learned)
    base_rate = float(np.average(needed_in(learned), weights=counted))
    features = np.concatenate([_features(each) for each in learned])
    weights = fit_logistic(features, needed_in(learned), weights_of_rows=counted)
    dice = np.random.default_rng(0)
    law = law_for(policy)
    ours = judged_by(judged_by_best, lambda each: _need(each, best))
    return {
        "fitted": ours,
        "as it is": judged_by(judged, lambda each: law.need(each.strengths, each.now)),
        "regression": judged_by(judged, lambda each: logistic(_features(each) @ weights)),
        "base rate": judged_by(judged, lambda each: np.full(len(each.uses), base_rate)),
        "lru": ranked_by(judged, lambda each: -each.recency_s),
        "lfu": ranked_by(judged, lambda each: each.counts.astype(np.float64)),
        "arc": kept_by(judged, arc_scores(entries, judged, KEPT)),
        "random": ranked_by(judged, lambda each: dice.random(len(each.uses))),
        "clairvoyant": ranked_by(judged, lambda each: each.uses.astype(np.float64)),
    }
