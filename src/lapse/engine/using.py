"""Use and its consequences: reporting uses, and draining them into states.

Decides when events are written and when they are folded in. Refuses to decide what counts
(`lifecycle`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from lapse.engine.core import SYSTEM, Core
from lapse.engine.registering import check_known, register
from lapse.engine.runtime import BankRuntime
from lapse.engine.untyped import as_count, as_names, read
from lapse.errors import Fault, LapseError, ValidationError, raise_all
from lapse.lifecycle.draining import DrainRules, judge_drain
from lapse.lifecycle.reinforcement import too_late
from lapse.lifecycle.uses import Use, judge_reports, unique
from lapse.model.changeset import Changes
from lapse.model.instants import Instant, InstantLike, parse_instant
from lapse.model.journal import JournalDraft
from lapse.model.memory import name_faults
from lapse.model.outcome import Action
from lapse.model.policy import Mode
from lapse.model.retention import UseEvent, UseSource
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View

DRAIN_BATCH = 1000
"""Events folded by one transaction, about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UseReport:
    """What became of a report of use.

    Attributes:
        enqueued: Events that are new.
        repeated: Events known already: nothing changed.
        refused_late: Events too long ago to count.
    """

    enqueued: int = 0
    repeated: int = 0
    refused_late: int = 0


class Reflection:
    """Collects what an answer uses while it is being made; counts nothing by itself."""

    def __init__(self, limit: int, occasion: str) -> None:
        """Start empty; at most `limit` memories are reinforced, the first ones named.

        Raises:
            ValidationError: `limit` is no integer from 1.
        """
        self._limit = as_count("limit", limit)
        self._used: dict[str, UseSource] = {}
        self.occasion = occasion

    def cited(self, ids: Iterable[str]) -> None:
        """The answer used these."""
        self._collect(ids, UseSource.CITED)

    def confirmed(self, ids: Iterable[str]) -> None:
        """The user confirmed these."""
        self._collect(ids, UseSource.EXPLICIT)

    def rejected(self, ids: Iterable[str]) -> None:
        """The user said these are wrong or unwanted."""
        self._collect(ids, UseSource.REJECTED)

    def collected(self) -> list[tuple[UseSource, tuple[str, ...]]]:
        """What to count, by source; the last word on a memory is the one that stands."""
        chosen = list(self._used.items())[: self._limit]
        sources = dict.fromkeys(source for _, source in chosen)
        return [
            (source, tuple(each for each, its in chosen if its is source)) for source in sources
        ]

    def _collect(self, ids: Iterable[str], source: UseSource) -> None:
        self._used.update(dict.fromkeys(as_names("ids", ids), source))


def read_use(
    core: Core,
    ids: Iterable[str],
    source: UseSource | str,
    *,
    recall: str | None,
    event_id: str | None,
    at: InstantLike | None,
) -> Use:
    """Read a report of use.

    Raises:
        ValidationError: An unknown source, an unreadable instant, ids that are no list of names.
    """
    faults: list[Fault] = []
    named = read(partial(as_names, "ids"), ids, faults)
    evidence = read(_source, source, faults)
    now = core.now()
    happened = now
    try:
        happened = now if at is None else min(parse_instant(at, "at"), now)
    except ValidationError as error:
        faults.extend(error.faults)
    for name, value in (("recall", recall), ("event_id", event_id)):
        if value is not None:
            faults.extend(name_faults(name, value))
    raise_all(faults)
    return Use(
        memory_ids=named or (),
        source=evidence or UseSource.CITED,
        at=happened,
        now=now,
        recall_id=recall,
        event_id=event_id,
    )


def _source(value: object) -> UseSource:
    if isinstance(value, str) and value in set(UseSource):
        return UseSource(value)
    raise ValidationError.of("source", value, f"needs one of {', '.join(UseSource)}")


def collected_uses(core: Core, reflection: Reflection) -> list[Use]:
    """What a reflection counts, as reports of one instant."""
    now = core.now()
    return [
        Use(memory_ids=ids, source=source, at=now, now=now, recall_id=reflection.occasion)
        for source, ids in reflection.collected()
    ]


def report_uses(core: Core, runtime: BankRuntime, uses: Sequence[Use]) -> UseReport:
    """Enqueue the events of reports, durably, in one batched insert: all of them or none.

    Raises:
        NotFoundError: Some ids are not in the bank; nothing was enqueued.
    """
    runtime.follow()
    rule = runtime.rule
    ids = unique(each for use in uses for each in use.memory_ids)
    if rule.mode is Mode.OFF or not rule.policy.reinforcement.enabled or not ids:
        return UseReport()
    check_known(core, runtime, ids)
    register(core, runtime, ids)
    committed = core.commit(
        Verb.USED,
        runtime.ref,
        uses[0].now,
        Reads(ids=ids),
        lambda view: judge_reports(uses, rule.policy.reinforcement, view),
    )
    core.parts.wake()
    refused = sum(each.action is Action.REFUSED for each in committed.changes.outcomes)
    return UseReport(
        enqueued=committed.enqueued,
        repeated=len(committed.changes.enqueued) - committed.enqueued,
        refused_late=refused,
    )


def flush_returned(core: Core, runtime: BankRuntime) -> int:
    """Write the `returned` events that recalls left in RAM. Returns how many were new.

    Raises:
        StoreError: The store could not take them; they wait on.
    """
    with runtime.lock:
        waiting = tuple(runtime.returned)
        runtime.returned.clear()
    if not waiting:
        return 0
    try:
        return _write_returned(core, runtime, waiting)
    except LapseError:
        with runtime.lock:
            later = tuple(runtime.returned)
            runtime.returned.clear()
            # In order, so that it is the oldest that go when there are too many.
            runtime.returned.extend((*waiting, *later))
        raise


def _write_returned(core: Core, runtime: BankRuntime, waiting: tuple[UseEvent, ...]) -> int:
    ids = unique(each.memory_id for each in waiting)
    register(core, runtime, ids)
    now = core.now()
    horizon_days = runtime.rule.policy.reinforcement.event_horizon_days

    def judge(view: View) -> Changes:
        # Drains may have passed what waited in RAM for long: such an event no longer counts.
        known = (each for each in waiting if each.memory_id in view.records)
        return Changes(
            enqueued=tuple(each for each in known if not too_late(each.at, now, horizon_days))
        )

    return core.commit(Verb.RETURNED, runtime.ref, now, Reads(ids=ids), judge).enqueued


def drain(core: Core, runtime: BankRuntime) -> int:
    """Fold every pending event into its memory's state. Returns how many memories changed."""
    flush_returned(core, runtime)
    changed = 0
    while core.parts.store.pending_count(runtime.ref):
        folded = _drain_once(core, runtime)
        # Nothing folded: only events of memories without a state are left.
        if folded == 0 and core.repair(runtime.ref) == 0:
            break
        changed += folded
    return changed


def _drain_once(core: Core, runtime: BankRuntime) -> int:
    runtime.follow()
    rule = runtime.rule
    now = core.now()
    rules = DrainRules(now=now, policy=rule.policy, law=rule.law, dating=rule.date_each)

    def judge(view: View) -> Changes:
        changes = judge_drain(rules, view)
        return changes if changes.empty else replace(changes, journal=_entry(now, changes))

    reads = Reads(pending=DRAIN_BATCH, events=True)
    return len(core.commit(Verb.DRAIN, runtime.ref, now, reads, judge).changes.states)


def _entry(now: Instant, changes: Changes) -> JournalDraft:
    counts = (("events", len(changes.drained)), ("memories", len(changes.states)))
    return JournalDraft(verb=Verb.DRAIN, at=now, by=SYSTEM, counts=counts)
