"""Recalling from a bank too large for RAM: the store finds, recall judges what it found.

Decides which banks and questions that is for, how much is asked of the store, and that more is
asked when filters took out too much of it. Refuses to rank. A question as of what was known then,
and one whose relevance is the TF-IDF cosine, are judged over the whole bank, in RAM.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from lapse.engine.core import Core
from lapse.engine.judging import Asked, judge
from lapse.engine.recalling import (
    Marks,
    Why,
    judged_over,
    noted,
    query_vector,
    read_question,
    told,
    told_why,
)
from lapse.engine.runtime import BankRuntime, Rule
from lapse.index.nearby import nearby_snapshot
from lapse.index.snapshot import Snapshot
from lapse.index.states import SUPPRESSED
from lapse.model.instants import Instant
from lapse.model.near import Present, Wanted
from lapse.model.policy import RecallPolicy, RelevanceKind
from lapse.model.query import Flag, Hit, Recall
from lapse.model.retention import Lifecycle
from lapse.ports import SearchesNear
from lapse.recall import pipeline
from lapse.recall.candidates import Arms
from lapse.recall.question import Question
from lapse.recall.scope import Gate, oldest

_MORE: Final = 3
"""How many times as many as its pool holds a question asks of each index."""

_WIDENED_BY: Final = 4
_ROUNDS: Final = 3
"""How often a question asks for more, where filters left less than a pool."""

_TRIES: Final = 3
"""How often a question is asked whose bank went over to another policy or to other vectors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """The part of a bank that a question is judged over.

    Attributes:
        rule: The policy in force.
        question: The question, with its vector.
        snapshot: What was found for it.
        warnings: What the caller should know.
        refreshed, read: Readings of the stopwatch, as if the store had found before the question
            got its vector: its search is counted as bringing up to date what is judged over.
    """

    rule: Rule
    question: Question
    snapshot: Snapshot
    warnings: tuple[str, ...]
    refreshed: float
    read: float


def is_large(core: Core, runtime: BankRuntime) -> bool:
    """Whether the bank is one that its store searches."""
    store = core.parts.store
    if not isinstance(store, SearchesNear):
        return False
    limit = runtime.rule.policy.memory.ram_bank_limit
    # What is in RAM tells without asking the store; dead places among it can only say more.
    if 0 < runtime.held <= limit:
        return False
    at, count = runtime.counted
    # Only that it was large is believed: its search tells whether anything was written since.
    if at == _revision(runtime) and count > limit:
        return True
    runtime.counted = at, count = _revision(runtime), store.count(runtime.ref)
    return count > limit


def keep_near(core: Core, runtime: BankRuntime) -> None:
    """Bring a large bank's index up to date, and hold the bank in RAM no longer.

    Whatever needs the whole bank (a plan by a budget, a search of the archive) reads it again.
    """
    store = core.parts.store
    if not isinstance(store, SearchesNear) or not is_large(core, runtime):
        return
    if store.follow_near(runtime.ref) and runtime.held:
        runtime.let_go()


def answer_near(core: Core, runtime: BankRuntime, asked: Asked) -> Recall | None:
    """What comes to mind, by the store's own search; None where this cannot answer."""
    started = core.parts.stopwatch()
    now = core.now()
    sight = look_near(core, runtime, asked, now)
    if sight is None:
        return None
    judged, loaded = judged_over(core, runtime, sight.snapshot, sight.rule, asked, sight.question)
    marks = Marks(started=started, refreshed=sight.refreshed, read=sight.read)
    recall = told(core, sight.rule, now, judged, loaded, marks)
    recall = replace(
        recall,
        hits=tuple(map(_flagged, recall.hits)),
        revived=tuple(map(_flagged, recall.revived)),
        warnings=sight.warnings,
        approximate=True,
    )
    return noted(runtime, sight.rule, recall, asked)


def explain_near(core: Core, runtime: BankRuntime, asked: Asked, memory_id: str) -> Why | None:
    """Why one memory is or is not an answer; None where this cannot say."""
    sight = look_near(core, runtime, asked, core.now(), (memory_id,))
    if sight is None:
        return None
    rule = sight.rule
    return told_why(
        core,
        runtime,
        memory_id,
        pipeline.why(sight.snapshot, sight.question, rule.policy, rule.law, memory_id),
    )


def silent_ids_near(
    core: Core, runtime: BankRuntime, query: str, now: Instant
) -> tuple[str, ...] | None:
    """`recalling.silent_ids` by the store's own search; None where this cannot answer."""
    asked = Asked(query=query)
    sight = look_near(core, runtime, asked, now)
    if sight is None:
        return None
    judged = judge(core, runtime, sight.snapshot, sight.rule, asked, sight.question)
    return tuple(each.id for each in judged.picks)


def look_near(
    core: Core, runtime: BankRuntime, asked: Asked, now: Instant, ids: tuple[str, ...] = ()
) -> Sight | None:
    """Find what a question is judged over; None where the whole bank has to be.

    Args:
        core, runtime: The bank.
        asked: The question.
        now: The instant to judge at.
        ids: Memories that are judged in any case.
    """
    if asked.as_of.recorded is not None:
        return None
    watch = core.parts.stopwatch
    sight: Sight | None = None
    for _ in range(_TRIES):
        if not is_large(core, runtime):
            return None
        rule = runtime.rule_for(asked.overrides)
        if rule.policy.recall.relevance is RelevanceKind.TFIDF:
            return None
        refreshed = watch()
        question, warnings = read_question(core, runtime, rule, asked, now)
        vector, trouble = query_vector(core, runtime, question.text)
        question = replace(question, vector=vector)
        read = watch()
        space = _space(runtime)
        snapshot = _found(core, runtime, rule, question, space, ids)
        if snapshot is None:
            # It is made off the path; until then the bank is held in RAM.
            core.parts.wake()
            return None
        sought_s = watch() - read
        sight = Sight(
            rule=rule,
            question=question,
            snapshot=snapshot,
            warnings=(*trouble, *warnings),
            refreshed=refreshed + sought_s,
            read=read + sought_s,
        )
        if snapshot.revision == _revision(runtime):
            break
        # Written to since: whether that changed how the question was asked, is seen afterwards.
        runtime.follow()
        own = None if snapshot.space is None else snapshot.space.number
        changed = runtime.rule_for(asked.overrides).fingerprint != rule.fingerprint
        if not changed and own == space and is_large(core, runtime):
            break
    return sight


def _revision(runtime: BankRuntime) -> int:
    bank = runtime.bank
    return 0 if bank is None else bank.revision


def _space(runtime: BankRuntime) -> int | None:
    bank = runtime.bank
    return None if bank is None or bank.space is None else bank.space.number


def _found(
    core: Core,
    runtime: BankRuntime,
    rule: Rule,
    question: Question,
    space: int | None,
    ids: tuple[str, ...],
) -> Snapshot | None:
    store = core.parts.store
    assert isinstance(store, SearchesNear)  # noqa: S101 - `is_large` asked
    policy = rule.policy.recall
    size = max(policy.pool_minimum, policy.pool_factor * question.k)
    arms = Arms.of(question, policy.relevance)
    wanted = Wanted(
        terms=question.sought if arms.text else (),
        vector=arms.vector,
        space=space,
        k1=policy.bm25_k1,
        b=policy.bm25_b,
        count=_MORE * size,
        kinds=tuple(sorted(question.scope.kinds)),
        session=None if policy.include_other_sessions else question.scope.session,
        tags=tuple(question.scope.tags),
        subject=question.scope.subject,
        metadata=question.scope.metadata,
        created_from=oldest(question, policy),
        ids=ids,
    )
    for left in reversed(range(_ROUNDS)):
        near = store.near(runtime.ref, wanted)
        if near is None:
            return None
        snapshot = nearby_snapshot(runtime.ref, near)
        gate = Gate(snapshot=snapshot, question=question, policy=policy)
        # What came along with a claim that was found says nothing of how far the search went.
        passing = gate.passing() & np.isin(snapshot.live.rows, near.found)
        if not left or not near.cut or np.count_nonzero(passing) >= size:
            return snapshot
        wanted = _narrowed(wanted, snapshot, question, policy)
    raise AssertionError  # the last round returns


def _narrowed(
    wanted: Wanted, snapshot: Snapshot, question: Question, policy: RecallPolicy
) -> Wanted:
    """More of what can be an answer, and what was found that may come back to mind."""
    valid = question.now if question.as_of.valid is None else question.as_of.valid
    put_away = np.flatnonzero(snapshot.live.status == SUPPRESSED)
    return replace(
        wanted,
        count=_WIDENED_BY * wanted.count,
        lifecycles=(Lifecycle.ACTIVE,),
        present=Present(
            valid=valid, ended=valid if policy.latest_per_key else None, now=question.now
        ),
        ids=(*wanted.ids, *(snapshot.live.ids[int(slot)] for slot in put_away)),
    )


def _flagged(hit: Hit) -> Hit:
    explanation = hit.explanation
    flags = (*explanation.flags, Flag.APPROXIMATE)
    return replace(hit, explanation=replace(explanation, flags=flags))
