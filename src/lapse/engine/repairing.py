"""Repairing: giving a memory whose state was lost a new one.

The new state is the one it started with, from its own dates, with every kept event of use folded in
again. What nobody can know any more is gone: the rating, marks such as a pin, a suppression.

Decides what the new state is. Refuses to look for lost states by itself: whoever meets one asks
(`engine.core`), and so does `engine.upkeep`.
"""

from lapse.engine.parts import Parts
from lapse.engine.runtime import SYSTEM, BankRuntime
from lapse.intake.composing import Setting, initial_state
from lapse.lifecycle.draining import DrainRules, refolded
from lapse.lifecycle.gate import Gate
from lapse.model.changeset import Changes, ChangeSet
from lapse.model.instants import Instant
from lapse.model.journal import JournalDraft
from lapse.model.memory import Memory
from lapse.model.outcome import Action, Outcome
from lapse.model.record import Record
from lapse.model.retention import RetentionState
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View


def repair(parts: Parts, runtime: BankRuntime) -> int:
    """Give every memory of the bank whose state was lost a new one. Returns how many."""
    ids = parts.store.stateless(runtime.ref)
    if not ids:
        return 0
    runtime.follow()
    now = parts.clock.now()

    def judge(view: View) -> Changes:
        lost = [
            Record(row=row, memory=memory, state=_anew(runtime, now, row, memory, view))
            for row, memory in view.stateless.values()
        ]
        return Changes(
            states=tuple((each.memory.id, each.state) for each in lost),
            outcomes=tuple(
                Outcome(memory_id=each.memory.id, action=Action.CREATED) for each in lost
            ),
            journal=JournalDraft(
                verb=Verb.REPAIR,
                at=now,
                by=SYSTEM,
                memory_ids=tuple(each.memory.id for each in lost),
            ),
        )

    change = ChangeSet(
        verb=Verb.REPAIR,
        ref=runtime.ref,
        now=now,
        reads=Reads(ids=tuple(ids), events=True),
        judge=gate_of(runtime, Verb.REPAIR, now).around(judge),
    )
    return len(parts.store.commit(change).changes.states)


def gate_of(runtime: BankRuntime, verb: Verb, now: Instant) -> Gate:
    """The gate of one write to a bank."""
    bank = runtime.bank
    return Gate(
        verb=verb,
        policy=runtime.rule.policy,
        policy_version=0 if bank is None else bank.policy_version,
        now=now,
    )


def _anew(
    runtime: BankRuntime, now: Instant, row: int, memory: Memory, view: View
) -> RetentionState:
    rule = runtime.rule
    setting = Setting(ref=runtime.ref, now=now, policy=rule.policy, law=rule.law, dating=rule.date)
    rules = DrainRules(now=now, policy=rule.policy, law=rule.law, dating=rule.date_each)
    first = initial_state(setting, memory)
    record = Record(row=row, memory=memory, state=first)
    # Events that still wait are folded in with the others; draining them later changes nothing.
    state = refolded(rules, record, first.strength, view.events.get(memory.id, ()))
    return state.dated(rule.date(memory, state))
