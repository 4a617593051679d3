"""What makes a cached answer stale: a change to any memory that it was made from.

Decides, inside the transaction that changes memories, whose answers go with it: those of memories
that are destroyed, that leave attention, are taken back, replaced, or say something else from now
on. What only changes how strongly a memory is held leaves its answers alone. Refuses to find the
answers (the store does, by their sources) and to bring any back when a memory comes back.
"""

from collections.abc import Iterator
from dataclasses import replace

from lapse.model.changeset import Changes, Judge
from lapse.model.memory import Memory
from lapse.model.retention import Lifecycle
from lapse.model.view import View


def letting_die(judged: Judge) -> Judge:
    """The judge, with the answers going along of what it changes."""

    def judge(view: View) -> Changes:
        changes = judged(view)
        sources = tuple(dict.fromkeys((*changes.answers.of_sources, *_stale(view, changes))))
        if not sources:
            return changes
        return replace(changes, answers=replace(changes.answers, of_sources=sources))

    return judge


def _stale(view: View, changes: Changes) -> Iterator[str]:
    yield from changes.removed
    yield from (each.memory.id for each in changes.revised)
    for memory_id, state in changes.states:
        if state.lifecycle is not Lifecycle.ACTIVE:
            yield memory_id
    for memory in changes.amended:
        record = view.records.get(memory.id)
        if record is None or _standing(record.memory) != _standing(memory):
            yield memory.id


def _standing(memory: Memory) -> tuple[object, ...]:
    return (
        memory.is_latest,
        memory.superseded_by,
        memory.recorded_to,
        memory.valid_from,
        memory.valid_to,
        memory.expires_at,
        memory.derived_from,
    )
