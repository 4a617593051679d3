"""Upkeep: everything that is done off the path of recall.

Decides what one round of upkeep does for a bank, in this order: give memories without a state one,
fold in the events, recompute strengths after a change of law, date the fading anew after a change
of policy, read the texts again after a change of language, move to the vector epoch that is due,
embed what has no vector. Each step is bounded by
transactions, can be interrupted, and finds nothing to do when it is run again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from lapse.engine.core import Core
from lapse.engine.embedding import Progress, fill_missing, no_progress
from lapse.engine.paging import pages
from lapse.engine.rereading import reread
from lapse.engine.runtime import BankRuntime, Rule
from lapse.engine.using import drain
from lapse.engine.writing import follow_epoch
from lapse.errors import EmbedderError
from lapse.intake.composing import Setting, initial_strength
from lapse.lifecycle.draining import DrainRules, refolded
from lapse.model.changeset import Changes, Reads, Record, View
from lapse.model.instants import Instant
from lapse.model.memory import BankRef
from lapse.model.retention import RetentionState, UseEvent
from lapse.model.verbs import Verb


@dataclass(frozen=True, slots=True, kw_only=True)
class Upkeep:
    """What a round of upkeep did.

    Attributes:
        drained: Memories whose events were folded in.
        repaired: Memories that had lost their state and got one from their own dates.
        redated: Memories whose strength or date of fading was computed anew.
        reread: Memories whose text was read again by another tokeniser.
        embedded: Memories that got a vector they lacked.
        moved: Whether the bank moved to a new vector epoch.
    """

    drained: int = 0
    repaired: int = 0
    redated: int = 0
    reread: int = 0
    embedded: int = 0
    moved: bool = False


def keep_up(core: Core, runtime: BankRuntime, progress: Progress = no_progress) -> Upkeep:
    """Do everything that waits for the bank. Looks for lost states once in a process.

    Raises:
        PolicyError: The bank's policy contradicts the deployment's: nothing was done.
    """
    runtime.follow()
    if runtime.bank is None:
        return Upkeep()
    runtime.check_policy()
    repaired = 0 if runtime.inspected else core.repair(runtime.ref)
    runtime.inspected = True
    drained = drain(core, runtime)
    redated = follow_policy(core, runtime, progress)
    read_again = reread(core, runtime, progress)
    moved = follow_epoch(core, runtime, limit=None).moved
    try:
        embedded = fill_missing(core, runtime)
    except EmbedderError:
        embedded = 0
    runtime.follow()
    return Upkeep(
        drained=drained,
        repaired=repaired,
        redated=redated,
        reread=read_again,
        embedded=embedded,
        moved=moved,
    )


def keep_up_whole(core: Core, runtime: BankRuntime, progress: Progress = no_progress) -> Upkeep:
    """Do everything that waits for the bank, and look for lost states again."""
    runtime.inspected = False
    return keep_up(core, runtime, progress)


def keep_up_all(
    core: Core, care: Callable[[Core, BankRuntime], Upkeep] = keep_up
) -> dict[BankRef, Upkeep]:
    """Do everything that waits for every bank this process has opened.

    A bank that fails does not keep the others waiting: the first failure is raised when all had
    their turn.
    """
    done: dict[BankRef, Upkeep] = {}
    failures: list[Exception] = []
    for runtime in core.open_banks():
        try:
            done[runtime.ref] = care(core, runtime)
        except Exception as error:  # noqa: BLE001 - whatever ails one bank, the others have their turn
            failures.append(error)
    if failures:
        raise failures[0]
    return done


def follow_policy(core: Core, runtime: BankRuntime, progress: Progress = no_progress) -> int:
    """Bring states in line with the law and levels now in force. Returns how many were rewritten.

    Under another law the whole use log is folded anew, which is exact while the log is whole. What
    only dates the fading is computed from the states as they are.
    """
    runtime.follow()
    bank, rule = runtime.bank, runtime.rule
    wanted = rule.stamp
    if bank is None or bank.law == wanted:
        return 0
    other_law = _law_part(bank.law) != _law_part(wanted)
    total, done, changed = core.parts.store.count(runtime.ref), 0, 0
    for records in pages(core, runtime) if bank.law else ():
        ids = [each.memory.id for each in records]
        changed += _redate(core, runtime, rule, ids, other_law=other_law)
        done += len(ids)
        progress(done, max(total, done))
    core.commit(
        Verb.REDATE,
        runtime.ref,
        core.now(),
        Reads(),
        lambda view: Changes(bank=replace(view.bank, law=wanted)),
    )
    runtime.follow()
    return changed


def _law_part(stamp: str) -> str:
    return stamp.split("\n", maxsplit=1)[0]


def _redate(
    core: Core, runtime: BankRuntime, rule: Rule, ids: Sequence[str], *, other_law: bool
) -> int:
    now = core.now()
    rules = DrainRules(now=now, policy=rule.policy, law=rule.law, dating=rule.date_each)
    setting = _setting(runtime, now)
    logs = _logs(core, runtime, ids) if other_law else {}

    def judge(view: View) -> Changes:
        records = [view.records[each] for each in ids if each in view.records]
        states = [
            _relawed(rules, setting, each, {**logs.get(each.memory.id, {}), **_recent(view, each)})
            if other_law
            else each.state
            for each in records
        ]
        rows = [(each.memory, state) for each, state in zip(records, states, strict=True)]
        dated = [
            state.dated(due) for (_, state), due in zip(rows, rule.date_each(rows), strict=True)
        ]
        return Changes(
            states=tuple(
                (each.memory.id, state)
                for each, state in zip(records, dated, strict=True)
                if state != each.state
            )
        )

    reads = Reads(ids=tuple(ids), events=other_law)
    return len(core.commit(Verb.REDATE, runtime.ref, now, reads, judge).changes.states)


def _relawed(
    rules: DrainRules, setting: Setting, record: Record, events: Mapping[str, UseEvent]
) -> RetentionState:
    initial = initial_strength(setting, record.memory, record.state.importance)
    log = sorted(events.values(), key=lambda each: (each.at, each.event_id))
    return refolded(rules, record, initial, log)


def _logs(core: Core, runtime: BankRuntime, ids: Sequence[str]) -> dict[str, dict[str, UseEvent]]:
    logs: dict[str, dict[str, UseEvent]] = {}
    for event in core.parts.store.events(runtime.ref, ids):
        logs.setdefault(event.memory_id, {})[event.event_id] = event
    return logs


def _recent(view: View, record: Record) -> dict[str, UseEvent]:
    # What was enqueued since the log was read: seen inside the transaction, so nothing is missed.
    return {each.event_id: each for each in view.events.get(record.memory.id, ())}


def _setting(runtime: BankRuntime, now: Instant) -> Setting:
    rule = runtime.rule
    return Setting(ref=runtime.ref, now=now, policy=rule.policy, law=rule.law, dating=rule.date)
