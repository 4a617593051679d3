"""Finding what a new statement replaces: which memories are compared, and by whom.

Decides where candidates come from: the bank's own recall, as if nothing were ever forgotten, for
the query and for the statement itself. Refuses to judge them (`truth.finding`, or a plugged-in
finder) and to act on what is found.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from lapse.engine.core import Core
from lapse.engine.judging import Asked, judge
from lapse.engine.recalling import query_vector, read_question
from lapse.engine.runtime import BankRuntime
from lapse.engine.searching_near import look_near
from lapse.model.finding import ChangeKind, Finding, Statement
from lapse.model.instants import Instant
from lapse.model.memory import Memory
from lapse.model.policy import Mode
from lapse.model.query import Explanation, Reason
from lapse.truth.finding import ChangeFinder

STILL_SO = frozenset(
    {
        Reason.SUPPRESSED,
        Reason.FADED,
        Reason.DUPLICATE,
        Reason.NOT_DIVERSE,
        Reason.OVER_COUNT,
        Reason.OVER_BUDGET,
        Reason.NO_MATCH,
    }
)
"""Reasons for which a memory is no hit and yet what it says stands."""

LATER: Final = 5
"""Most statements of a later time that are asked whether they replace what is told now."""


def statement_of(memory: Memory, similarity: float = 1.0) -> Statement:
    """A memory as finding looks at it."""
    return Statement(
        id=memory.id,
        text=memory.text,
        key=memory.key,
        subject=memory.subject,
        session=memory.session,
        occurred_at=memory.occurred_at,
        recorded_from=memory.recorded_from,
        similarity=similarity,
    )


def found_for(
    core: Core, runtime: BankRuntime, new: Memory, query: str | None, now: Instant
) -> list[Finding]:
    """What a new memory replaces, surest first; it may be stored already or not.

    Args:
        new: The new memory.
        query: What the caller says is replaced, or None.
        now: The verb's one reading of the clock.
    """
    likeness = _alike(core, runtime, new.text if query is None else query, now)
    if query is not None:
        beside = _alike(core, runtime, new.text, now)
        likeness = {
            each: (likeness.get(each, 0.0) + beside.get(each, 0.0)) / 2
            for each in dict.fromkeys([*beside, *likeness])
        }
    likeness.pop(new.id, None)
    memories = core.contents(runtime.ref, list(likeness))
    candidates = [
        statement_of(each, likeness[each.id])
        for each in memories
        if each.fingerprint != new.fingerprint and each.recorded_to is None and each.is_latest
    ]
    found = found_among(core, runtime, new, candidates, query)
    if query is None:
        found += _found_of_later(core, runtime, new, candidates)
    return found


def _found_of_later(
    core: Core, runtime: BankRuntime, new: Memory, candidates: Sequence[Statement]
) -> list[Finding]:
    """What tells of a later time, and would have replaced this had it been told in order.

    The order of telling must not decide: the older statement then takes its place in the past.
    """
    told_at = new.occurred_at
    if told_at is None:
        return []
    later = [
        each for each in candidates if each.occurred_at is not None and each.occurred_at > told_at
    ]
    later.sort(key=lambda each: (-each.similarity, each.id))
    finder = core.parts.finder or ChangeFinder(runtime.tokeniser)
    found: list[Finding] = []
    for each in later[:LATER]:
        rivals = [
            statement_of(new, each.similarity),
            *(other for other in candidates if other.id != each.id),
        ]
        found += [
            replace(finding, ids=(each.id,))
            for finding in finder(each, rivals)
            # Cutting what was told just now would leave a rest of it that nobody told.
            if finding.ids == (new.id,) and finding.kind is not ChangeKind.PARTIAL
        ]
    # Only one of them can have come next; the surest is.
    return sorted(found, key=lambda each: (-each.confidence, each.ids))[:1]


def found_among(
    core: Core,
    runtime: BankRuntime,
    new: Memory,
    candidates: Sequence[Statement],
    query: str | None = None,
) -> list[Finding]:
    """What a new memory replaces among some statements."""
    finder = core.parts.finder or ChangeFinder(runtime.tokeniser)
    return list(finder(statement_of(new), candidates, query)) if candidates else []


def _alike(core: Core, runtime: BankRuntime, text: str, now: Instant) -> dict[str, float]:
    """Standing memories most like a text, with their similarity in [0, 1]."""
    count = runtime.rule.policy.truth.candidates
    asked = Asked(query=text, overrides={"recall.k": count, "forgetting.mode": Mode.OFF.value})
    sight = look_near(core, runtime, asked, now)
    if sight is None:
        snapshot = runtime.refresh()
        if not len(snapshot.live):
            return {}
        rule = runtime.rule_for(asked.overrides)
        question, _ = read_question(core, runtime, rule, asked, now)
        vector, _ = query_vector(core, runtime, question.text)
        question = replace(question, vector=vector)
    else:
        snapshot, rule, question = sight.snapshot, sight.rule, sight.question
    question = replace(question, budget_words=None, budget_tokens=None)
    judged = judge(core, runtime, snapshot, rule, asked, question)
    alike = {each.id: _similarity(each.explanation) for each in judged.picks}
    for each in judged.exclusions:
        if each.reason in STILL_SO and len(alike) < 2 * count:
            alike[each.id] = _similarity(each.explanation)
    return alike


def _similarity(explanation: Explanation) -> float:
    measured = explanation.relevance if explanation.cosine is None else explanation.cosine
    return min(1.0, max(0.0, measured))
