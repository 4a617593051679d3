"""Screening a batch: what was erased before is left out, and the rest of it is told.

Decides that of many things told at once only those that would bring back what was erased are
refused, each with its own outcome, so that a source can be fed again whole. A single telling is not
screened: the watch that every write passes refuses it with an error. Refuses to compare.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from lapse.engine.preparing import Writing
from lapse.engine.runtime import BankRuntime
from lapse.erasure.checking import Refusal, refusals
from lapse.intake.judging import Prepared
from lapse.model.changeset import Changes
from lapse.model.memory import Memory
from lapse.model.outcome import Action, Outcome
from lapse.model.verbs import Verb

ERASED_BEFORE = "erased before (tombstone {}): not stored; lift_tombstone allows it again"
"""What a caller is told of something that was refused in a batch."""

_BATCHES = frozenset({Verb.REMEMBER_MANY, Verb.INGEST})


@dataclass(frozen=True, slots=True, kw_only=True)
class Screened:
    """A batch, divided.

    Attributes:
        passing: What may be told, in order.
        refused: By place in the batch, what may not.
    """

    passing: Sequence[Prepared]
    refused: dict[int, Refusal]

    def told_of(self, changes: Changes) -> Changes:
        """The changes of what passes, with an outcome for each of the batch, in its order."""
        if not self.refused:
            return changes
        told = iter(changes.outcomes)
        count = len(self.passing) + len(self.refused)
        outcomes = tuple(
            _refused(self.refused[at]) if at in self.refused else next(told) for at in range(count)
        )
        return replace(changes, outcomes=outcomes, turned_away=len(self.refused))


def screen_of(runtime: BankRuntime, writing: Writing) -> Callable[[Sequence[Prepared]], Screened]:
    """How a writing is screened; asked inside the transaction, where the tombstones are known."""
    if writing.verb not in _BATCHES:
        return _unscreened
    index = runtime.watch().index

    def screen(prepared: Sequence[Prepared]) -> Screened:
        if not len(index):
            return _unscreened(prepared)
        records = [each.record for each in prepared]
        met = {each.memory_id: each for each in refusals(index, records)}
        refused = {
            at: met[each.memory.id] for at, each in enumerate(records) if each.memory.id in met
        }
        passing = [each for at, each in enumerate(prepared) if at not in refused]
        return Screened(passing=passing, refused=refused)

    return screen


def refused_of(
    prepared: Sequence[Prepared], outcomes: Sequence[Outcome]
) -> Iterator[tuple[str, Memory]]:
    """What was refused, by id, as it was told: nothing of it is stored."""
    for each, outcome in zip(prepared, outcomes, strict=True):
        if outcome.action is Action.REFUSED:
            yield outcome.memory_id, each.record.memory


def _unscreened(prepared: Sequence[Prepared]) -> Screened:
    return Screened(passing=prepared, refused={})


def _refused(refusal: Refusal) -> Outcome:
    return Outcome(
        memory_id=refusal.memory_id,
        action=Action.REFUSED,
        note=ERASED_BEFORE.format(refusal.tombstone),
    )
