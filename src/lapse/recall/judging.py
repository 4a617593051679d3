"""From candidates to an answer: strength, score, mode, selection, reasons.

Decides what each mode does and that each candidate becomes exactly one hit or one exclusion.
Refuses to find candidates: `pipeline` does for a bank, `overlay` for another store.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lapse.errors import ValidationError
from lapse.index.states import PINNED
from lapse.laws import Law
from lapse.model.index_delta import BoolArray, FloatArray, IntArray
from lapse.model.policy import Mode, Policy
from lapse.model.query import Reason
from lapse.model.slicing import in_slice
from lapse.recall.candidates import Found
from lapse.recall.explaining import Exclusions, Explainer
from lapse.recall.field import Field
from lapse.recall.matching import matched, strong_cues
from lapse.recall.order import best_first
from lapse.recall.question import Answer, Instruments, Pick, Question
from lapse.recall.scope import CODE_OF, REASONS
from lapse.recall.scoring import Scores, score
from lapse.recall.selection import Room, Rules, Tray, select
from lapse.recall.strength import Strengths, strengths_of

OUTSIDE_POOL = "outside the pool"
"""Detail of a memory that was asked for by name and that no arm's list holds."""


_NO_VECTORS: NDArray[np.float32] = np.zeros((0, 0), np.float32)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Case:
    """One question over one field of candidates.

    Attributes:
        half_lives: Gives half-lives in days by place, where they are known already; else the law is
            asked.
    """

    field: Field
    half_lives: Callable[[IntArray], FloatArray] | None
    question: Question
    policy: Policy
    law: Law

    @property
    def mode(self) -> Mode:
        """The mode in force."""
        return self.policy.forgetting.effective_mode


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Weighed:
    """A case with its numbers.

    Attributes:
        order: Places of all candidates, best first.
        strong: Which candidates the question names precisely.
    """

    case: Case
    strengths: Strengths
    scores: Scores
    order: list[int]
    strong: BoolArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Outcome:
    """What became of the candidates, by place.

    Attributes:
        codes: Code of the reason that kept a candidate from being ranked; 0 for none.
        tray: What was packed, and what was not.
        revived: Suppressed candidates that are told beside the tray.
    """

    codes: list[int]
    tray: Tray
    revived: list[int]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _LeftOut:
    """Finds, when somebody asks, what was left out and why. Holds no vector."""

    outcome: _Outcome
    order: list[int]
    found: Found
    near_misses: int

    def __call__(self) -> list[tuple[int, Reason, str]]:
        found, outcome = self.found, self.outcome
        left: list[tuple[int, Reason, str]] = []
        misses = self.near_misses
        for place in self.order:
            reason = outcome.tray.left.get(place) or REASONS[outcome.codes[place]]
            if reason is None or place in outcome.revived:
                continue
            if found.reasons.item(place):
                if misses <= 0 and not found.asked.item(place):
                    continue
                misses -= 1
            outside = "" if found.listed.item(place) else OUTSIDE_POOL
            left.append((place, reason, outcome.tray.details.get(place, outside)))
        return left


def judge(case: Case, instruments: Instruments) -> Answer:
    """Judge every candidate.

    Raises:
        ValidationError: A budget of tokens without a counter, or a reranker's score outside [0, 1].
    """
    started = instruments.stopwatch()
    weighed = _weigh(_reranked(case, instruments))
    scored = instruments.stopwatch()
    answer = _told(weighed, _decided(weighed, instruments))
    done = instruments.stopwatch()
    return replace(answer, strength_ms=1e3 * (scored - started), select_ms=1e3 * (done - scored))


def _reranked(case: Case, instruments: Instruments) -> Case:
    """Put a reranker's scores in the place of fused ranks. It only sees what no filter took out."""
    field = case.field
    if instruments.rerank is None:
        return case
    shown = np.flatnonzero(field.open & field.found.listed & matched(field, case.policy))
    if len(shown) == 0:
        return case
    scores = np.array(instruments.rerank(field.rows[shown].tolist()), dtype=np.float64)
    if scores.shape != shown.shape or not ((scores >= 0) & (scores <= 1)).all():
        raise ValidationError.of(
            "reranker", scores.tolist(), f"needs {len(shown)} numbers from 0 to 1"
        )
    base = field.base.copy()
    base[shown] = scores
    return replace(case, field=replace(field, base=base, own_score=True))


def _weigh(case: Case) -> _Weighed:
    field, question = case.field, case.question
    strengths = strengths_of(field, case.policy, case.law, question.now)
    scores = score(field, strengths, case.policy, question.now, question.as_of)
    keys = (scores.score, field.found.relevance, field.recorded_from)
    return _Weighed(
        case=case,
        strengths=strengths,
        scores=scores,
        order=best_first(keys, field.ids.__getitem__).tolist(),
        strong=strong_cues(field, case.policy),
    )


def _decided(weighed: _Weighed, instruments: Instruments) -> _Outcome:
    case, field = weighed.case, weighed.case.field
    codes = _codes(weighed)
    ranked = [place for place in weighed.order if codes[place] == 0]
    first = 0
    pinned = (field.guards & PINNED) != 0
    if pinned.any() and case.mode.allows(Mode.RANK):
        ahead = [place for place in ranked if pinned[place]]
        first = len(ahead)
        ranked = ahead + [place for place in ranked if not pinned[place]]
    room = _room(case, ranked, instruments)
    rules = Rules(policy=case.policy.recall, same=instruments.same)
    tray = select(field, ranked, first, weighed.scores.score, room, rules)
    return _Outcome(codes=codes, tray=tray, revived=_revived(weighed))


def _codes(weighed: _Weighed) -> list[int]:
    """Code of the reason that keeps each candidate from being ranked; 0 for none."""
    case, found = weighed.case, weighed.case.field.found
    codes = found.reasons.copy()
    codes[(codes == 0) & ~matched(case.field, case.policy)] = CODE_OF[Reason.NO_MATCH]
    if case.mode.allows(Mode.FILTER):
        level = case.policy.forgetting.recall_threshold
        level = case.law.archive_level if level is None else level
        if level is not None:
            faded = (weighed.strengths.retrievability < level) & ~weighed.strong
            codes[_unsliced(case, (codes == 0) & faded)] = CODE_OF[Reason.FADED]
    codes[(codes == 0) & ~found.listed] = CODE_OF[Reason.OVER_COUNT]
    listed: list[int] = codes.tolist()
    return listed


def _unsliced(case: Case, faded: BoolArray) -> list[int]:
    """Places of what has faded, less the slice, which stays within reach for the log's sake."""
    places: list[int] = np.flatnonzero(faded).tolist()
    share, ids = case.policy.retention.slice_share, case.field.ids
    return [each for each in places if not in_slice(ids[each], share)]


def _revived(weighed: _Weighed) -> list[int]:
    """Suppressed candidates that a strong cue brings up, best first."""
    case, forgetting = weighed.case, weighed.case.policy.forgetting
    if not (forgetting.revive and case.mode.allows(Mode.OBSERVE)):
        return []
    suppressed = case.field.found.reasons == CODE_OF[Reason.SUPPRESSED]
    called = suppressed & weighed.strong & matched(case.field, case.policy)
    if not called.any():
        return []
    return [place for place in weighed.order if called[place]][: forgetting.revive_limit]


def _room(case: Case, ranked: list[int], instruments: Instruments) -> Room:
    question, field = case.question, case.field
    costs: list[Sequence[int]] = []
    budgets: list[int] = []
    if question.budget_words is not None:
        costs.append(field.words.tolist())
        budgets.append(question.budget_words)
    if question.budget_tokens is not None:
        if instruments.token_counts is None:
            raise ValidationError.of(
                "budget_tokens", question.budget_tokens, "needs a token counter to count by"
            )
        counts = [0] * len(field)
        rows = field.rows[np.array(ranked, dtype=np.int64)].tolist()
        for place, count in zip(ranked, instruments.token_counts(rows), strict=True):
            counts[place] = count
        costs.append(counts)
        budgets.append(question.budget_tokens)
    return Room(k=question.k, costs=tuple(costs), budgets=tuple(budgets))


def _told(weighed: _Weighed, outcome: _Outcome) -> Answer:
    case, field = weighed.case, weighed.case.field
    split = len(outcome.tray.picked)
    left = _LeftOut(
        outcome=outcome,
        order=weighed.order,
        found=replace(field.found, vectors=_NO_VECTORS),
        near_misses=case.policy.recall.near_misses,
    )
    explainer = Explainer(
        found=left.found,
        strengths=weighed.strengths,
        scores=weighed.scores,
        created_at=field.created_at,
        guards=field.guards,
        lifecycle=field.lifecycle,
        use_count=field.use_count,
        columns=field.strengths,
        law=case.law,
        strong=weighed.strong,
        now=case.question.now,
        brief=not case.policy.recall.explain,
    )
    told = [*outcome.tray.picked, *outcome.revived]
    explanations = explainer.explain(told, case.half_lives)
    picks = tuple(
        Pick(
            row=field.rows.item(place),
            id=field.ids[place],
            score=why.score,
            explanation=why,
            words=field.words.item(place),
        )
        for place, why in zip(told, explanations, strict=True)
    )
    return Answer(
        picks=picks[:split],
        revived=picks[split:],
        exclusions=Exclusions(explainer, field.ids, left),
        passed_over=frozenset(outcome.tray.left.values()),
    )
