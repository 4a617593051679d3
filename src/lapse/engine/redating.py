"""Bringing stored strengths and dates in line with the law and levels in force.

Decides that the pass over a bank goes portion by portion, each in a transaction that also notes how
far it has come: cut off anywhere, or ended at a limit, it goes on there, in whatever process. A
state that stays as it is is not written. Refuses to compute a strength or a date.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from lapse.engine.core import Core
from lapse.engine.embedding import Progress, no_progress
from lapse.engine.paging import PAGE
from lapse.engine.runtime import BankRuntime, Rule
from lapse.intake.composing import Setting, initial_strength
from lapse.lifecycle.draining import DrainRules, refolded
from lapse.model.bank import Bank
from lapse.model.changeset import Changes
from lapse.model.paging import Listing
from lapse.model.record import Record
from lapse.model.retention import RetentionState, UseEvent
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View


@dataclass(frozen=True, slots=True, kw_only=True)
class Redated:
    """How far a pass came.

    Attributes:
        changed: States that were rewritten.
        finished: Whether nothing of it waits.
    """

    changed: int = 0
    finished: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pass:
    """One pass over a bank: from what it leaves to what it wants."""

    rule: Rule
    version: int
    other_law: bool


def follow_policy(core: Core, runtime: BankRuntime, progress: Progress = no_progress) -> int:
    """Bring all states in line with the law and levels in force. Returns how many were rewritten.

    Under another law the whole use log is folded anew, which is exact while the log is whole. What
    only dates the fading is computed from the states as they are.
    """
    return follow_policy_within(core, runtime, None, progress).changed


def follow_policy_within(
    core: Core, runtime: BankRuntime, limit: int | None, progress: Progress = no_progress
) -> Redated:
    """The same, for at most about so many memories; the next call goes on after them."""
    runtime.follow()
    bank, rule = runtime.bank, runtime.rule
    if bank is None or (bank.law == rule.stamp and not bank.redating):
        return Redated()
    laws = {_law_part(each) for each in (bank.law, bank.redating) if each}
    doing = _Pass(rule=rule, version=bank.policy_version, other_law=laws != {_law_part(rule.stamp)})
    changed, done = 0, 0
    total = core.parts.store.count(runtime.ref)
    for records in _portions(core, runtime, bank, rule) if bank.law else ():
        if limit is not None and done >= limit:
            runtime.follow()
            return Redated(changed=changed, finished=False)
        changed += _redate(core, runtime, doing, records)
        done += len(records)
        progress(done, max(total, done))
    core.commit(
        Verb.REDATE,
        runtime.ref,
        core.now(),
        Reads(),
        lambda view: _ended(view, doing),
    )
    runtime.follow()
    return Redated(changed=changed, finished=True)


def _portions(
    core: Core, runtime: BankRuntime, bank: Bank, rule: Rule
) -> Iterator[tuple[Record, ...]]:
    """The memories that the pass has still to see, by internal number."""
    begun = bank.redating == rule.stamp
    after: int | None = bank.redated_through if begun else 0
    while after is not None:
        page = core.page(runtime.ref, Listing(after=after, limit=PAGE))
        if page.records:
            yield page.records
        after = page.next_after


def _law_part(stamp: str) -> str:
    return stamp.split("\n", maxsplit=1)[0]


def _ended(view: View, doing: _Pass) -> Changes:
    if view.bank.policy_version != doing.version:
        return Changes()  # another policy came meanwhile, and with it another pass
    bank = replace(view.bank, law=doing.rule.stamp, redating="", redated_through=0)
    return Changes(bank=bank)


def _redate(core: Core, runtime: BankRuntime, doing: _Pass, seen: Sequence[Record]) -> int:
    now, rule = core.now(), doing.rule
    ids = [each.memory.id for each in seen]
    rules = DrainRules(now=now, policy=rule.policy, law=rule.law, dating=rule.date_each)
    setting = Setting(ref=runtime.ref, now=now, policy=rule.policy, law=rule.law, dating=rule.date)
    logs = _logs(core, runtime, ids) if doing.other_law else {}

    def judge(view: View) -> Changes:
        if view.bank.policy_version != doing.version:
            return Changes()
        records = [view.records[each] for each in ids if each in view.records]
        states = [
            _relawed(rules, setting, each, {**logs.get(each.memory.id, {}), **_recent(view, each)})
            if doing.other_law
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
            ),
            bank=replace(view.bank, redating=rule.stamp, redated_through=seen[-1].row),
        )

    reads = Reads(ids=tuple(ids), events=doing.other_law)
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
