"""The memories one act of truth touches, and how they stand while it goes on.

A ledger starts from what a judge sees, takes closings and new memories one after another, and gives
the changes that follow. How a memory stands is never set by hand: it is computed from its own word,
its key's chain and its closings, so that taking an act back gives exactly what was there before.

Decides how standing follows from these. Refuses to decide who replaces whom.
"""

from collections.abc import Iterable
from dataclasses import replace

from lapse.errors import NotFoundError
from lapse.model.changeset import Changes
from lapse.model.closing import Closing, ClosingKind
from lapse.model.instants import Instant
from lapse.model.memory import Memory
from lapse.model.record import NewRecord
from lapse.model.view import View
from lapse.truth.supersession import settle


class Ledger:
    """Memories and closings of one act."""

    def __init__(self, view: View, base: Changes | None = None) -> None:
        """Start from what is stored, and from changes that were decided already.

        Raises:
            CorruptStoreError: Some memory it must look at lost its state.
        """
        view.require_states()
        self._view = view
        self._base = base or Changes()
        self._created = {each.memory.id: each for each in self._base.created}
        self._amended = {each.id: each for each in self._base.amended}
        self._closings = {each.name: each for each in view.closings}
        self._told: dict[tuple[str, ClosingKind, str, Instant], Closing] = {}

    def memory(self, memory_id: str) -> Memory:
        """A memory as it stands by now.

        Raises:
            NotFoundError: It was not read and not created.
        """
        if memory_id in self._created:
            return self._created[memory_id].memory
        if memory_id in self._amended:
            return self._amended[memory_id]
        record = self._view.records.get(memory_id)
        if record is None:
            raise NotFoundError(f"no memory {memory_id} in this bank", fields={"id": memory_id})
        return record.memory

    def knows(self, memory_id: str) -> bool:
        """Whether it was read or created."""
        return memory_id in self._created or memory_id in self._view.records

    def put(self, memory: Memory) -> None:
        """Let a memory stand like this."""
        if memory.id in self._created:
            self._created[memory.id] = replace(self._created[memory.id], memory=memory)
        elif memory != self.memory(memory.id):
            self._amended[memory.id] = memory

    def create(self, record: NewRecord) -> None:
        """Add a memory to what is created."""
        self._created[record.memory.id] = record

    def close(self, closing: Closing) -> None:
        """Add a closing, or one with another end."""
        self._closings[closing.name] = closing
        self._told[closing.name] = closing

    def closings(
        self, kind: ClosingKind, *, of: str | None = None, by: str | None = None
    ) -> list[Closing]:
        """Closings that stand, of a memory or by one, earliest start first."""
        found = [
            each
            for each in self._closings.values()
            if each.kind is kind
            and each.recorded_to is None
            and of in (None, each.memory_id)
            and by in (None, each.by_id)
        ]
        return sorted(found, key=lambda each: (each.starts_at or 0, each.recorded_from, each.name))

    def stands(self, memory_id: str) -> bool:
        """Whether it is neither retracted nor superseded."""
        memory = self.memory(memory_id)
        return memory.recorded_to is None and memory.is_latest

    def restate(self, memory_ids: Iterable[str]) -> None:
        """Compute anew how memories stand, and those of their keys with them."""
        keys: dict[str, None] = {}
        for memory_id in memory_ids:
            memory = self.memory(memory_id)
            self.put(self._by_closings(memory))
            if memory.key is not None and not memory.multi:
                keys[memory.key] = None
        for key in keys:
            for settled in settle(self._claims(key)):
                self.put(settled)

    def changes(self) -> Changes:
        """All that follows."""
        return replace(
            self._base,
            created=tuple(self._created.values()),
            amended=tuple(self._amended.values()),
            closings=(*self._base.closings, *self._told.values()),
        )

    def _by_closings(self, memory: Memory) -> Memory:
        """The memory as its closings leave it; without any, as its own word does."""
        ends = [
            each
            for each in self.closings(ClosingKind.SUPERSEDED, of=memory.id)
            if each.by_id is None or self._counts(each.by_id)
        ]
        if not ends:
            return replace(memory, valid_to=memory.stated_to, superseded_by=None, is_latest=True)
        first = ends[0]
        starts = first.starts_at
        own = memory.stated_to
        end = own if starts is None or (own is not None and own < starts) else starts
        return replace(memory, valid_to=end, superseded_by=first.by_id, is_latest=False)

    def _counts(self, memory_id: str) -> bool:
        return not self.knows(memory_id) or self.memory(memory_id).recorded_to is None

    def _claims(self, key: str) -> list[Memory]:
        stored = [self.memory(each) for each in self._view.same_key.get(key, ())]
        new = [each.memory for each in self._created.values() if each.memory.key == key]
        return [*stored, *(each for each in new if each.id not in self._view.records)]
