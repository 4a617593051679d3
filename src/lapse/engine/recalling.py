"""Recalling: from a question to what comes to mind.

Decides the order: bring the index up to date, read the question, let recall judge, load the texts
of the hits, and note what was returned. Refuses to rank, to filter and to write: events that a
policy counts for being returned wait in RAM.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lapse.engine.core import Core
from lapse.engine.embedding import rows_of, state_of
from lapse.engine.judging import Asked, judge
from lapse.engine.rereading import warning_of
from lapse.engine.rewinding import as_it_stood, shown_then
from lapse.engine.runtime import BankRuntime, Rule, Trace
from lapse.errors import EmbedderError, NotFoundError
from lapse.index.snapshot import Snapshot
from lapse.lifecycle.uses import event_id_of, weight_of
from lapse.model.instants import Instant
from lapse.model.memory import Memory
from lapse.model.policy import Mode
from lapse.model.proposal import Proposal
from lapse.model.query import Explanation, Hit, Reason, Recall
from lapse.model.record import Record
from lapse.model.retention import Lifecycle, UseEvent, UseSource
from lapse.model.timings import Timings
from lapse.recall import pipeline
from lapse.recall.explaining import Exclusions
from lapse.recall.qualifying import qualifier_of, with_disputes
from lapse.recall.question import Answer, Pick, Question, Verdict
from lapse.text.classes import classes_asked
from lapse.text.normalise import clean

TEXT_ONLY = "searched by text only, the query has no vector: {}"
"""Warning of an answer, with the reason."""

POLICY_REFUSED = (
    "the bank's own policy contradicts the deployment's, which alone is in force, and nothing can "
    "be written until set_policy has mended it: {}"
)
"""Warning of an answer, with the faults."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """Readings of the stopwatch along one recall, in seconds."""

    started: float
    refreshed: float
    read: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """What an answer shows.

    Attributes:
        memories: By id; what is gone meanwhile is left out.
        proposals: Open ones that name any of them.
    """

    memories: Mapping[str, Memory]
    proposals: tuple[Proposal, ...] = ()


def answer(core: Core, runtime: BankRuntime, asked: Asked) -> Recall:
    """What comes to mind for a question, judged at one instant."""
    watch = core.parts.stopwatch
    started = watch()
    now = core.now()
    recorded = asked.as_of.recorded
    snapshot = as_it_stood(core, runtime, runtime.refresh(), recorded)
    rule = runtime.rule_for(asked.overrides)
    refreshed = watch()
    question, warnings = read_question(core, runtime, rule, asked, now)
    vector, trouble = query_vector(core, runtime, question.text)
    question = replace(question, vector=vector)
    warnings = (*trouble, *warnings)
    marks = Marks(started=started, refreshed=refreshed, read=watch())
    judged, loaded = judged_over(core, runtime, snapshot, rule, asked, question)
    if not all(each.id in loaded.memories for each in (*judged.picks, *judged.revived)):
        # Erased a moment ago, or taken out behind our back: what comes next moves up.
        snapshot = as_it_stood(core, runtime, runtime.rebuild(), recorded)
        judged, loaded = judged_over(core, runtime, snapshot, rule, asked, question)
    recall = told(core, rule, now, judged, loaded, marks)
    return noted(runtime, rule, replace(recall, warnings=warnings), asked)


def told(
    core: Core,
    rule: Rule,
    now: Instant,
    judged: Answer,
    loaded: Loaded,
    marks: Marks,
) -> Recall:
    """The answer with its memories, and what is disputed of them, as the caller gets it."""
    watch = core.parts.stopwatch
    judged_ms = judged.wait_ms + judged.find_ms + judged.strength_ms + judged.select_ms
    hits = _hits(judged.picks, loaded.memories, now)
    finished = watch()
    recall = Recall(
        id=core.parts.new_id(now),
        at=now,
        mode=rule.mode,
        hits=hits,
        revived=_hits(judged.revived, loaded.memories, now),
        exclusions=judged.exclusions,
        words=sum(each.words for each in hits),
        policy=rule.fingerprint,
        timings=Timings(
            refresh_ms=1e3 * (marks.refreshed - marks.started),
            embed_ms=1e3 * (marks.read - marks.refreshed),
            wait_ms=judged.wait_ms,
            find_ms=judged.find_ms,
            strength_ms=judged.strength_ms,
            select_ms=judged.select_ms,
            load_ms=max(1e3 * (finished - marks.read) - judged_ms, 0.0),
            total_ms=1e3 * (finished - marks.started),
        ),
    )
    return with_disputes(recall, loaded.proposals)


def noted(runtime: BankRuntime, rule: Rule, recall: Recall, asked: Asked) -> Recall:
    """The recall, kept in the ring of traces; mode off leaves no trace."""
    if rule.mode is not Mode.OFF:
        # Made once for the caller they are some two hundred objects of thirty numbers each.
        left_out = recall.exclusions
        kept = left_out.unmade() if isinstance(left_out, Exclusions) else left_out
        runtime.keep(Trace(recall=replace(recall, exclusions=kept), query=asked.query))
        note_returned(runtime, rule, recall)
    return recall


def silent_ids(
    core: Core, runtime: BankRuntime, query: str, now: Instant, seen: Snapshot | None = None
) -> tuple[str, ...]:
    """Ids of the hits of a question that Lapse asks itself: nothing is counted, no trace is kept.

    Args:
        core, runtime: The bank.
        query: The question.
        now: The instant to judge at.
        seen: The bank as it would be; as it is if left out.

    Raises:
        ValidationError: A blank or over-long query.
    """
    asked = Asked(query=query)
    snapshot = runtime.refresh() if seen is None else seen
    rule = runtime.rule
    question, _ = read_question(core, runtime, rule, asked, now)
    vector, _ = query_vector(core, runtime, question.text)
    question = replace(question, vector=vector)
    judged = judge(core, runtime, snapshot, rule, asked, question)
    return tuple(each.id for each in judged.picks)


def explain(core: Core, runtime: BankRuntime, asked: Asked, memory_id: str) -> Why:
    """Why one memory is or is not an answer to a question.

    Raises:
        NotFoundError: No such memory in this bank.
    """
    now = core.now()
    snapshot = as_it_stood(core, runtime, runtime.refresh(), asked.as_of.recorded)
    rule = runtime.rule_for(asked.overrides)
    question, _ = read_question(core, runtime, rule, asked, now)
    vector, _ = query_vector(core, runtime, question.text)
    question = replace(question, vector=vector)
    verdict = pipeline.why(snapshot, question, rule.policy, rule.law, memory_id)
    return told_why(core, runtime, memory_id, verdict)


def told_why(core: Core, runtime: BankRuntime, memory_id: str, verdict: Verdict | None) -> Why:
    """What became of one memory, as the caller gets it.

    Raises:
        NotFoundError: No verdict, and no such memory in this bank.
    """
    if verdict is None:
        return _outside(core, runtime, memory_id)
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
    """Turn what was asked into terms, with warnings about what they cannot find."""
    recall = rule.policy.recall
    past = asked.as_of.recorded is not None
    text = clean(asked.query, "query", rule.policy.memory.max_text_bytes)
    question = Question(
        text=text,
        terms=tuple(runtime.tokeniser.query_terms(text)),
        classes=classes_asked(text),
        vector=None,
        scope=asked.scope,
        as_of=asked.as_of,
        closings=core.parts.store.closings(runtime.ref) if past else (),
        now=now,
        k=recall.k,
        budget_words=recall.budget_words,
        budget_tokens=recall.budget_tokens,
    )
    stale = warning_of(runtime)
    refused = "; ".join(map(str, runtime.policy_faults))
    told = (refused and POLICY_REFUSED.format(refused), stale)
    return question, tuple(each for each in told if each)


def note_returned(runtime: BankRuntime, rule: Rule, recall: Recall) -> None:
    """Remember in RAM that the hits were returned, where the policy wants to know.

    The newest `RETURNED_LIMIT` such events wait there; a process that dies takes them with it.
    """
    policy = rule.policy.reinforcement
    weight = weight_of(UseSource.RETURNED, policy)
    # Observing writes nothing that nobody asked for; a log that was asked for is what it feeds.
    wanted = policy.access_log or (weight > 0 and rule.mode is not Mode.OBSERVE)
    if not policy.enabled or not wanted:
        return
    runtime.note_returned(
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


def query_vector(
    core: Core, runtime: BankRuntime, text: str
) -> tuple[NDArray[np.float32] | None, tuple[str, ...]]:
    """The question's vector, or None with the reason as a warning."""
    embedder, bank = core.parts.embedder, runtime.bank
    state = state_of(bank, embedder)
    if not state.usable or embedder is None or bank is None or bank.space is None:
        return None, () if state.warning is None else (state.warning,)
    try:
        idf = runtime.idf(bank.space, embedder)
        return rows_of(embedder, [text], idf, bank.space.dimension)[0], ()
    except EmbedderError as error:
        return None, (TEXT_ONLY.format(error),)


def judged_over(
    core: Core,
    runtime: BankRuntime,
    snapshot: Snapshot,
    rule: Rule,
    asked: Asked,
    question: Question,
) -> tuple[Answer, Loaded]:
    """What recall makes of a snapshot, and the memories that it would show."""
    judged = judge(core, runtime, snapshot, rule, asked, question)
    ids = [each.id for each in (*judged.picks, *judged.revived)]
    shown = shown_then(core, runtime, ids, asked.as_of.recorded)
    memories = {each.id: each for each in shown.memories}
    return judged, Loaded(memories=memories, proposals=shown.proposals)


def _hits(picks: Sequence[Pick], memories: Mapping[str, Memory], now: Instant) -> tuple[Hit, ...]:
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


def _outside(core: Core, runtime: BankRuntime, memory_id: str) -> Why:
    stored = core.get(runtime.ref, [memory_id])
    if not stored:
        raise NotFoundError(f"no memory {memory_id} in this bank", fields={"id": memory_id})
    return Why(memory_id=memory_id, rank=None, reason=_reason_outside(stored[0]), explanation=None)


def _reason_outside(record: Record) -> Reason:
    # Only archived memories are stored and not in the RAM index.
    erased = record.state.lifecycle is Lifecycle.ERASED
    return Reason.ERASED if erased else Reason.ARCHIVED
