"""The gate: the one place that every write passes before it is carried out.

Inside the transaction, after a verb's own judge has answered, the gate looks at every memory that
would go out of sight (active to suppressed, either to archived) or for good, and asks the guards
once more. It trusts no verb: what a verb does not say of a memory is held against it, and a verb
that the table does not let take memories away can take none.

Decides that a write which a guard refuses is not done at all and leaves the refusal in the journal;
that a memory does not leave a hold by being relabelled; and which version of the policy a date or a
move is noted under. Refuses to skip single memories: a judge that means to, asks the guards itself.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from lapse.errors import ConflictError
from lapse.lifecycle.guards import Act, judge, subject_of
from lapse.lifecycle.holds import attached_to, holding
from lapse.model.changeset import Changes, Judge
from lapse.model.guards import Choice, Departure, Guard, Spared
from lapse.model.instants import Instant
from lapse.model.memory import Memory
from lapse.model.policy import Policy
from lapse.model.record import NewRecord
from lapse.model.retention import Lifecycle, RetentionState
from lapse.model.verbs import VERBS, Verb
from lapse.model.view import View

_OUTWARD: Final = {
    Lifecycle.ACTIVE: 0,
    Lifecycle.SUPPRESSED: 1,
    Lifecycle.ARCHIVED: 2,
    Lifecycle.ERASED: 3,
}

_ACTS: Final = {Lifecycle.SUPPRESSED: Verb.SUPPRESS, Lifecycle.ARCHIVED: Verb.ARCHIVE}


@dataclass(slots=True, kw_only=True)
class Gate:
    """The gate of one write.

    Attributes:
        verb: The verb that writes.
        policy: Policy in force.
        policy_version: Its version in the bank.
        now: The verb's one reading of the clock.
        stopped: Filled when the guards refused the write: what they spared. Nothing was written.
    """

    verb: Verb
    policy: Policy
    policy_version: int
    now: Instant
    stopped: tuple[Spared, ...] = field(default=())

    def around(self, judged: Judge) -> Judge:
        """The judge, with the gate behind it."""
        return lambda view: self._pass(view, judged(view))

    def _pass(self, view: View, changes: Changes) -> Changes:
        if changes.empty:
            return changes
        spared = tuple(self._spared(view, changes))
        if spared:
            self.stopped = spared
            return _refusal(spared, changes)
        return self._dated(view, self._attached(view, changes))

    # --- who goes -------------------------------------------------------------------------------

    def _spared(self, view: View, changes: Changes) -> Iterator[Spared]:
        said = {each.memory_id: each for each in changes.departures}
        for memory_id, verb in self._leaving(view, changes):
            departure = said.get(memory_id) or Departure(memory_id=memory_id, choice=Choice.SCORED)
            guard = self._guard(view, departure, verb)
            if guard is not None:
                yield Spared(memory_id=memory_id, guard=guard)

    def _leaving(self, view: View, changes: Changes) -> Iterator[tuple[str, Verb]]:
        """Each memory that goes further out, and the act that this is."""
        for memory_id, state in changes.states:
            record = view.records.get(memory_id)
            was = Lifecycle.ACTIVE if record is None else record.state.lifecycle
            if _OUTWARD[state.lifecycle] > _OUTWARD[was]:
                yield memory_id, self._act(memory_id, _ACTS.get(state.lifecycle, Verb.ERASE))
        for memory_id in changes.removed:
            yield (
                memory_id,
                self._act(memory_id, Verb.PRUNE if self.verb is Verb.PRUNE else Verb.ERASE),
            )

    def _act(self, memory_id: str, act: Verb) -> Verb:
        if not VERBS[self.verb].departs:
            raise ConflictError(
                f"the verb {self.verb} may not take memories away, and would take {memory_id}",
                fields={"id": memory_id, "verb": self.verb},
            )
        return act

    def _guard(self, view: View, departure: Departure, verb: Verb) -> Guard | None:
        memory_id = departure.memory_id
        if memory_id in view.records:
            act = Act(verb=verb, policy=self.policy, now=self.now)
            return judge(act, departure.choice, subject_of(view, memory_id, departure.planned))
        if memory_id in view.stateless:
            # Whatever its state said is lost; a hold is on the memory.
            _, memory = view.stateless[memory_id]
            return Guard.HOLD if holding(view.holds, memory) else None
        raise ConflictError(
            f"memory {memory_id} was not read, so that no guard can be asked",
            fields={"id": memory_id},
        )

    # --- what else a write must carry along -----------------------------------------------------

    def _attached(self, view: View, changes: Changes) -> Changes:
        if not view.holds:
            return changes
        gone = set(changes.holds_released) | {each.name for each in changes.holds_placed}
        holds = [each for each in view.holds if each.name not in gone]
        kept = tuple(attached_to(holds, _relabelled(view, changes)))
        return replace(changes, holds_placed=(*changes.holds_placed, *kept)) if kept else changes

    def _dated(self, view: View, changes: Changes) -> Changes:
        version = self.policy_version
        if not version or not (changes.created or changes.states):
            return changes
        return replace(
            changes,
            created=tuple(_stamped(each, version) for each in changes.created),
            states=tuple((name, self._noted(view, name, state)) for name, state in changes.states),
        )

    def _noted(self, view: View, memory_id: str, state: RetentionState) -> RetentionState:
        record = view.records.get(memory_id)
        before = None if record is None else record.state
        same = before is not None and (before.dates, before.transition) == (
            state.dates,
            state.transition,
        )
        if same or state.policy_version == self.policy_version:
            return state
        return replace(state, policy_version=self.policy_version)


def counted(spared: tuple[Spared, ...]) -> tuple[tuple[str, int], ...]:
    """How often each guard refused, for the journal: ("refused_hold", 2)."""
    tally: dict[str, int] = {}
    for each in spared:
        name = f"refused_{each.guard.value}"
        tally[name] = tally.get(name, 0) + 1
    return tuple(sorted(tally.items()))


def _refusal(spared: tuple[Spared, ...], changes: Changes) -> Changes:
    """Nothing of a write but what the journal says of its being refused."""
    if changes.journal is None:
        return Changes()
    draft = replace(
        changes.journal,
        memory_ids=tuple(dict.fromkeys(each.memory_id for each in spared)),
        counts=counted(spared),
    )
    return Changes(refused=spared, journal=draft)


def _relabelled(view: View, changes: Changes) -> Iterator[tuple[Memory, Memory]]:
    changed = (
        *(each.memory for each in changes.revised),
        *(each.memory for each in changes.reread),
        *changes.amended,
    )
    for after in changed:
        record = view.records.get(after.id)
        if record is not None:
            yield record.memory, after


def _stamped(created: NewRecord, version: int) -> NewRecord:
    return replace(created, state=replace(created.state, policy_version=version))
