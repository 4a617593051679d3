"""Recalling: from a question to what comes to mind.

Decides the order: bring the index up to date, read the question, let recall judge, load the texts
of the hits, and note what was returned. Refuses to rank, to filter and to write: events that a
policy counts for being returned wait in RAM.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from lapse.engine.core import Core
from lapse.engine.embedding import idf_of, state_of
from lapse.engine.runtime import BankRuntime, Rule, Trace
from lapse.errors import EmbedderError, fault, raise_all
from lapse.lifecycle.uses import event_id_of, weight_of
from lapse.model.instants import Instant, to_iso
from lapse.model.memory import Memory
from lapse.model.policy import Mode
from lapse.model.query import AsOf, Explanation, Hit, Reason, Recall, Scope, Timings
from lapse.model.retention import UseEvent, UseSource
from lapse.recall.pipeline import (
    Pick,
    Question,
    Verdict,
)
from lapse.recall.pipeline import (
    recall as judge_recall,
)
from lapse.recall.pipeline import (
    why as judge_why,
)
from lapse.text.normalise import clean


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question as the caller asked it.

    Attributes:
        query: The text of the question.
        scope: Hard filters.
        as_of: The two times it is asked at.
        overrides: What the request lays over the policy, by dotted path.
    """

    query: str
    scope: Scope = field(default_factory=Scope)
    as_of: AsOf = field(default_factory=AsOf)
    overrides: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """Why one memory was, or was not, an answer to a question.

    Attributes:
        memory_id: The memory.
        rank: Its rank among the hits, or None.
        reason: The first reason that kept it out, or None for a hit.
        explanation: The numbers; None for a memory outside the RAM index (archived).
        detail: What made the reason apply, e.g. the id of a duplicate.
    """

    memory_id: str
    rank: int | None
    reason: Reason | None
    explanation: Explanation | None
    detail: str = ""


def answer(core: Core, runtime: BankRuntime, asked: Asked) -> Recall:
    """What comes to mind for a question, judged at one instant."""
    watch = core.parts.stopwatch
    started = watch()
    now = core.now()
    snapshot = runtime.refresh()
    rule = runtime.rule_for(asked.overrides)
    refreshed = watch()
    question, warnings = read_question(core, runtime, rule, asked, now)
    embedded = watch()
    judged = judge_recall(
        snapshot,
        question,
        rule.policy,
        rule.law,
        token_counts=_token_counts(core, runtime, question),
        reranker=_reranker(core, runtime, asked.query),
        stopwatch=watch,
    )
    ranked = watch()
    hits = _hits(core, runtime, judged.picks, now)
    revived = _hits(core, runtime, judged.revived, now)
    finished = watch()
    recall = Recall(
        id=core.parts.new_id(now),
        at=now,
        mode=rule.mode,
        hits=hits,
        revived=revived,
        exclusions=judged.exclusions,
        warnings=warnings,
        words=sum(each.words for each in hits),
        policy=rule.fingerprint,
        timings=Timings(
            refresh_ms=1000 * (refreshed - started),
            embed_ms=1000 * (embedded - refreshed),
            find_ms=judged.find_ms,
            strength_ms=judged.strength_ms,
            select_ms=judged.select_ms,
            load_ms=1000 * (finished - ranked),
            total_ms=1000 * (finished - started),
        ),
    )
    if rule.mode is not Mode.OFF:
        runtime.keep(Trace(recall=recall, query=asked.query))
        note_returned(runtime, rule, recall)
    return recall


def explain(core: Core, runtime: BankRuntime, asked: Asked, memory_id: str) -> Why:
    """Why one memory is or is not an answer to a question.

    Raises:
        NotFoundError: No such memory in this bank.
    """
    now = core.now()
    snapshot = runtime.refresh()
    rule = runtime.rule_for(asked.overrides)
    question, _ = read_question(core, runtime, rule, asked, now)
    if snapshot.slot_of(memory_id) is None:
        return _outside(core, runtime, memory_id)
    verdict: Verdict = judge_why(
        snapshot,
        question,
        rule.policy,
        rule.law,
        memory_id,
        token_counts=_token_counts(core, runtime, question),
        reranker=_reranker(core, runtime, asked.query),
    )
    return Why(
        memory_id=memory_id,
        rank=verdict.rank,
        reason=verdict.reason,
        explanation=verdict.explanation,
        detail=verdict.detail,
    )


def read_question(
    core: Core, runtime: BankRuntime, rule: Rule, asked: Asked, now: Instant
) -> tuple[Question, tuple[str, ...]]:
    """Turn what was asked into terms and a vector, with warnings about what could not be had."""
    recall = rule.policy.recall
    text = clean(asked.query, "query", rule.policy.memory.max_text_bytes)
    vector, warnings = _query_vector(core, runtime, text)
    question = Question(
        text=text,
        terms=tuple(runtime.tokeniser.query_terms(text)),
        vector=vector,
        scope=asked.scope,
        as_of=asked.as_of,
        now=now,
        k=recall.k,
        budget_words=recall.budget_words,
        budget_tokens=recall.budget_tokens,
    )
    if recall.budget_tokens is not None and core.parts.count_tokens is None:
        raise_all(
            [fault("budget_tokens", recall.budget_tokens, "needs Lapse opened with count_tokens=")]
        )
    return question, warnings


def note_returned(runtime: BankRuntime, rule: Rule, recall: Recall) -> None:
    """Remember in RAM that the hits were returned, where the policy wants to know."""
    policy = rule.policy.reinforcement
    weight = weight_of(UseSource.RETURNED, policy)
    observing = rule.mode is Mode.OBSERVE
    if observing or not policy.enabled or not (weight > 0 or policy.access_log):
        return
    runtime.returned.extend(
        UseEvent(
            event_id=event_id_of(each.id, UseSource.RETURNED, recall.id),
            memory_id=each.id,
            source=UseSource.RETURNED,
            weight=weight,
            at=recall.at,
            enqueued_at=recall.at,
            recall_id=recall.id,
        )
        for each in recall.hits
    )


def qualifier_of(memory: Memory, now: Instant) -> str:
    """What a reader must know of the claim's validity."""
    if memory.recorded_to is not None and memory.recorded_to <= now:
        return "retracted"
    if memory.valid_to is not None:
        return f"until {to_iso(memory.valid_to)}"
    return "current"


def _query_vector(
    core: Core, runtime: BankRuntime, text: str
) -> tuple[NDArray[np.float32] | None, tuple[str, ...]]:
    embedder, bank = core.parts.embedder, runtime.bank
    state = state_of(bank, embedder)
    if not state.usable or embedder is None or bank is None or bank.space is None:
        return None, () if state.warning is None else (state.warning,)
    try:
        return embedder.embed([text], idf_of(bank.space))[0], ()
    except EmbedderError as error:
        return None, (f"searched by text only, the query has no vector: {error}",)


def _hits(core: Core, runtime: BankRuntime, picks: Sequence[Pick], now: Instant) -> tuple[Hit, ...]:
    ids = [each.id for each in picks]
    memories = {each.memory.id: each.memory for each in core.parts.store.get(runtime.ref, ids)}
    # A memory that another process erased since the snapshot is not shown.
    found = [each for each in picks if each.id in memories]
    return tuple(
        Hit(
            rank=rank,
            memory=memories[pick.id],
            score=pick.score,
            explanation=pick.explanation,
            qualifier=qualifier_of(memories[pick.id], now),
            words=pick.words,
        )
        for rank, pick in enumerate(found, start=1)
    )
