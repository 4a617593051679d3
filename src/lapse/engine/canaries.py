"""Canaries: adding questions with known answers, and asking them.

Decides where the expected memories of a captured canary come from, and that asking a canary counts
as nothing. Refuses to decide what a loss means (`lapse.lifecycle.advising`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lapse.engine import asking, recalling
from lapse.engine.core import Core, check_actor
from lapse.engine.runtime import BankRuntime, Trace
from lapse.errors import NotFoundError
from lapse.index.states import SUPPRESSED
from lapse.model.canary import (
    EXPECTED_LIMIT,
    Canary,
    CanaryCheck,
    CanaryResult,
    CanarySource,
)
from lapse.model.changeset import Changes
from lapse.model.instants import Instant
from lapse.model.journal import JournalDraft
from lapse.model.plan import CanaryShift
from lapse.model.retention import UseSource
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View
from lapse.text.normalise import clean

_AGAINST = frozenset({UseSource.REJECTED, UseSource.RETURNED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What somebody tells of a canary.

    Attributes:
        query: The question.
        expected_ids: The memories that should be among its answers.
        source: Where they come from.
    """

    query: str
    expected_ids: tuple[str, ...]
    source: CanarySource = CanarySource.GIVEN


def add_canary(core: Core, runtime: BankRuntime, told: Told, by: str) -> Canary:
    """Keep a question with its answers, in place of an earlier canary with the same question.

    Raises:
        NotFoundError: Some of the expected memories are not in this bank.
        ValidationError: A blank or over-long question; no ids, or too many.
    """
    check_actor(by)
    now = core.now()
    limit = runtime.rule.policy.memory.max_text_bytes
    canary = Canary(
        query=clean(told.query, "query", limit),
        expected_ids=told.expected_ids,
        source=told.source,
        added_at=now,
        by=by,
    )

    def judge(view: View) -> Changes:
        known = {*view.records, *view.stateless}
        missing = [each for each in canary.expected_ids if each not in known]
        if missing:
            raise NotFoundError(
                f"no such memories in this bank: {', '.join(missing)}",
                fields={"ids": ", ".join(missing)},
            )
        draft = JournalDraft(
            verb=Verb.ADD_CANARY, at=now, by=by, memory_ids=canary.expected_ids, about=canary.id
        )
        return Changes(canaries=(canary,), journal=draft)

    core.commit(Verb.ADD_CANARY, runtime.ref, now, Reads(ids=canary.expected_ids), judge)
    return canary


def answered(core: Core, runtime: BankRuntime, query: str) -> Told:
    """A question with the answers it has now.

    Raises:
        NotFoundError: It has none.
    """
    hits = asking.silent_ids(core, runtime, query, core.now())
    if not hits:
        raise NotFoundError("the question has no answer now: name what it should find")
    return Told(query=query, expected_ids=hits[:EXPECTED_LIMIT], source=CanarySource.CAPTURED)


def captured(core: Core, runtime: BankRuntime, recall_id: str, ids: tuple[str, ...] | None) -> Told:
    """The question of a recall of this process, with what it should keep finding.

    Args:
        recall_id: A recall that is still in the ring of traces.
        ids: What should be found; if left out, the hits that were reported as used for this
            recall, or all its hits where none was.

    Raises:
        NotFoundError: No such recall in this process, or one that found nothing.
    """
    trace = runtime.trace(recall_id)
    if trace is None:
        raise NotFoundError(
            f"no recall {recall_id} is known to this process: another one of the store answered it,"
            " or it was too long ago. Add its question instead, with the expected_ids you know",
            fields={"recall": recall_id},
        )
    expected = _expected(core, runtime, trace) if ids is None else ids
    if not expected:
        raise NotFoundError(
            f"recall {recall_id} found nothing to expect again", fields={"recall": recall_id}
        )
    return Told(query=trace.query, expected_ids=expected, source=CanarySource.CAPTURED)


def drop_canary(core: Core, runtime: BankRuntime, canary_id: str, by: str) -> Canary:
    """Drop a canary by its id or its question, and give what it was.

    Raises:
        NotFoundError: No such canary in this bank.
    """
    check_actor(by)
    now = core.now()
    found = [each for each in list_canaries(core, runtime) if canary_id in (each.id, each.query)]
    if not found:
        raise NotFoundError(
            f"no canary {canary_id} in this bank", fields={"canary": canary_id[:60]}
        )
    draft = JournalDraft(verb=Verb.DROP_CANARY, at=now, by=by, about=found[0].id)
    changes = Changes(canaries_gone=(found[0].id,), journal=draft)
    core.commit(Verb.DROP_CANARY, runtime.ref, now, Reads(), lambda _: changes)
    return found[0]


def list_canaries(core: Core, runtime: BankRuntime) -> Sequence[Canary]:
    """Every canary of the bank, in the order they were first added."""
    return core.parts.store.canaries(runtime.ref)


def ask_canaries(core: Core, runtime: BankRuntime, now: Instant) -> CanaryCheck:
    """Ask every canary, and see how many of its memories are among the first k answers.

    Being asked is no use: nothing is counted, logged or traced.
    """
    canaries = list_canaries(core, runtime)
    results = [
        _result(each, asking.silent_ids(core, runtime, each.query, now)) for each in canaries
    ]
    shares = [each.found / each.expected for each in results]
    return CanaryCheck(
        at=now,
        k=runtime.rule.policy.recall.k,
        recall=round(sum(shares) / len(shares), 9) if shares else None,
        results=tuple(results),
    )


def shifts_of(
    core: Core, runtime: BankRuntime, now: Instant, leaving: Sequence[str]
) -> tuple[CanaryShift, ...]:
    """What would change in the answer to each canary if these memories left attention.

    They are masked and nothing is written; how common each term is stays as it is until they go.
    """
    canaries = list_canaries(core, runtime) if leaving else ()
    if not canaries:
        return ()
    snapshot = runtime.refresh()
    live = snapshot.live
    slots = [slot for each in leaving if (slot := live.find(each)) is not None]
    status = live.status.copy()
    status[slots] = SUPPRESSED
    without = replace(snapshot, live=replace(live, status=status))
    return tuple(
        _shift(
            each,
            recalling.silent_ids(core, runtime, each.query, now, snapshot),
            recalling.silent_ids(core, runtime, each.query, now, without),
        )
        for each in canaries
    )


def _shift(canary: Canary, before: Sequence[str], after: Sequence[str]) -> CanaryShift:
    first, then = _result(canary, before), _result(canary, after)
    return CanaryShift(
        canary=canary.id,
        recall_before=round(first.found / first.expected, 9),
        recall_after=round(then.found / then.expected, 9),
        leaving=tuple(each for each in before if each not in after),
        entering=tuple(each for each in after if each not in before),
    )


def _result(canary: Canary, hits: Sequence[str]) -> CanaryResult:
    found = set(hits)
    missing = tuple(each for each in canary.expected_ids if each not in found)
    expected = len(canary.expected_ids)
    return CanaryResult(
        id=canary.id, found=expected - len(missing), expected=expected, missing=missing
    )


def _expected(core: Core, runtime: BankRuntime, trace: Trace) -> tuple[str, ...]:
    hits = [each.id for each in trace.recall.hits]
    used = {
        each.memory_id
        for each in core.parts.store.events(runtime.ref, hits)
        if each.recall_id == trace.recall.id and each.source not in _AGAINST
    }
    wanted = [each for each in hits if each in used] or hits
    return tuple(wanted[:EXPECTED_LIMIT])
