"""Recall over a bank's snapshot: find, then judge.

Decides the order of the stages, and that a pool which duplicates filled is drawn again from further
down. Refuses to load a text, to reinforce anything and to read a clock.
"""

from dataclasses import replace
from typing import Final

import numpy as np

from lapse.index.snapshot import Snapshot
from lapse.index.strength import strength_columns
from lapse.laws import Law
from lapse.model.index_delta import IntArray
from lapse.model.policy import Mode, Policy
from lapse.model.query import Reason
from lapse.recall.candidates import POOL_LIMIT, Found, find
from lapse.recall.field import field_of
from lapse.recall.judging import Case, judge
from lapse.recall.question import Answer, Instruments, Question, Verdict
from lapse.recall.strength import half_lives

_WIDENINGS: Final = 3
"""How often a pool full of duplicates is drawn again, each time from further down."""

_WIDENED_BY: Final = 4

_NONE_ASKED: IntArray = np.zeros(0, np.int64)


def recall(
    snapshot: Snapshot, question: Question, policy: Policy, law: Law, instruments: Instruments
) -> Answer:
    """What comes to mind for a question, what does not, and why.

    Args:
        snapshot: The bank, as of the revision that the question is to see.
        question: What is asked, at which instant.
        policy: The policy in force.
        law: The law that the policy names (`laws.law_for`).
        instruments: Stopwatch, token counter, reranker.

    Returns:
        At most `question.k` picks within the budgets; every other candidate with its first reason.

    Raises:
        ValidationError: A budget of tokens without a counter, or a reranker's score outside [0, 1].
    """
    return _recalled(snapshot, question, (policy, law), instruments, _NONE_ASKED)


def why(
    snapshot: Snapshot, question: Question, policy: Policy, law: Law, memory_id: str
) -> Verdict | None:
    """What becomes of one memory under a question, whether or not it would be a candidate.

    Returns:
        None when the index does not hold it: unknown, archived or erased.
    """
    slot = snapshot.live.find(memory_id)
    if slot is None:
        return None
    asked = np.array([slot], dtype=np.int64)
    answer = _recalled(snapshot, question, (policy, law), Instruments(stopwatch=lambda: 0.0), asked)
    for rank, pick in enumerate(answer.picks, start=1):
        if pick.id == memory_id:
            return Verdict(explanation=pick.explanation, reason=None, rank=rank)
    for pick in answer.revived:
        if pick.id == memory_id:
            return Verdict(
                explanation=pick.explanation, reason=Reason.SUPPRESSED, rank=None, detail="revived"
            )
    for miss in answer.exclusions:
        if miss.id == memory_id:
            return Verdict(
                explanation=miss.explanation, reason=miss.reason, rank=None, detail=miss.detail
            )
    return None


def _recalled(
    snapshot: Snapshot,
    question: Question,
    rules: tuple[Policy, Law],
    instruments: Instruments,
    asked: IntArray,
) -> Answer:
    policy, law = rules
    answer, found = _judged(snapshot, question, (policy, law), instruments, asked)
    for _ in range(_WIDENINGS):
        wider = _wider(answer, found, question, policy)
        if wider is None:
            break
        answer, found = _judged(snapshot, question, (wider, law), instruments, asked)
    return answer


def _wider(answer: Answer, found: Found, question: Question, policy: Policy) -> Policy | None:
    """A policy with a wider pool, when duplicates filled it and left places of `k` empty."""
    size, reasons = found.size, answer.passed_over
    if len(answer.picks) >= question.k or Reason.DUPLICATE not in reasons:
        return None
    if np.count_nonzero(found.listed & (found.reasons == 0)) < size:
        return None
    if Reason.OVER_BUDGET in reasons or Reason.NOT_DIVERSE in reasons:
        return None  # the places are empty for another reason
    widest = min(size * _WIDENED_BY, POOL_LIMIT)
    if widest == size:
        return None
    return replace(policy, recall=replace(policy.recall, pool_minimum=widest))


def _judged(
    snapshot: Snapshot,
    question: Question,
    rules: tuple[Policy, Law],
    instruments: Instruments,
    asked: IntArray,
) -> tuple[Answer, Found]:
    policy, law = rules
    started = instruments.stopwatch()
    found = find(snapshot, question, policy.recall, asked, instruments.product)
    located = instruments.stopwatch()
    strengths = None
    if policy.forgetting.effective_mode.allows(Mode.OBSERVE):
        strengths = strength_columns(snapshot.live, snapshot.states, found.slots, policy)
    case = Case(
        field=field_of(snapshot, found, strengths),
        half_lives=lambda places: half_lives(snapshot, found.slots[places], policy, law),
        question=question,
        policy=policy,
        law=law,
    )
    prepared = instruments.stopwatch()
    answer = judge(case, instruments)
    timed = replace(
        answer,
        find_ms=1e3 * (located - started),
        strength_ms=answer.strength_ms + 1e3 * (prepared - located),
    )
    return timed, found
