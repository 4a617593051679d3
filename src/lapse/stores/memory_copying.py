"""What the in-memory reference hands on of a bank, and which copies it has elsewhere.

Decides nothing but what the protocol says. Refuses to change anything.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence

from lapse.errors import StoreError
from lapse.model.dump import KeptMemory, KeptUse, Piece
from lapse.model.journal import JournalEntry
from lapse.model.memory import BankRef, MemoryRef, SharedFrom
from lapse.model.record import Vector
from lapse.model.scrubbing import Scrubbed
from lapse.model.verbs import VERBS, Verb
from lapse.stores.applying import stateless_error
from lapse.stores.memory_bank import BankData, Row
from lapse.stores.memory_graves import Graves
from lapse.stores.memory_views import closings_of, holds_of


class Copying(ABC):
    """The reads of a store that copies need."""

    _banks: dict[BankRef, BankData]
    _graves: Graves

    @abstractmethod
    def _read(self, ref: BankRef) -> BankData: ...

    @abstractmethod
    def _stand_ready(self) -> None: ...

    def dump(self, ref: BankRef) -> Iterator[Piece]:
        """See `lapse.ports.Store.dump`."""
        data, graves = self._read(ref), self._graves.after(ref, 0)
        if not data.record.revision:
            return
        yield data.record
        yield from (each.tombstone for each in graves)
        yield from holds_of(data)
        yield from data.canaries.values()
        yield from data.sweeps
        yield from data.journal
        for row in data.rows.values():
            yield _kept(data, row)
        yield from closings_of(data, None)
        yield from data.proposals.values()
        yield from sorted(data.plans.values(), key=lambda each: (each.created_at, each.id))

    def copied(self, ref: BankRef) -> list[JournalEntry]:
        """See `lapse.ports.Store.copied`."""
        return [each for each in self._read(ref).journal if VERBS[each.verb].copies]

    def journal_by(self, ref: BankRef, verb: Verb, after: int) -> list[JournalEntry]:
        """See `lapse.ports.Store.journal_by`."""
        return [each for each in self._read(ref).journal if each.seq > after and each.verb is verb]

    def copies(self, ref: BankRef, ids: Sequence[str]) -> Mapping[str, tuple[MemoryRef, ...]]:
        """See `lapse.ports.Store.copies`."""
        self._read(ref)
        wanted = {SharedFrom(bank=ref.name, id=each): each for each in ids}
        found: dict[str, list[MemoryRef]] = {}
        for other in sorted(self._banks):
            if other.tenant != ref.tenant:
                continue
            for name, row in self._banks[other].rows.items():
                source = row.memory.shared_from
                if source is not None and source in wanted:
                    found.setdefault(wanted[source], []).append(MemoryRef(ref=other, id=name))
        return {each: tuple(names) for each, names in found.items()}

    def scrub(self, needles: Sequence[bytes]) -> Scrubbed:  # noqa: ARG002 - nothing is searched
        """Find nothing: what was removed is in no place that outlives it."""
        self._stand_ready()
        return Scrubbed()

    def size_bytes(self) -> int:
        """Give 0: nothing is kept outside RAM."""
        self._stand_ready()
        return 0

    def backup(self, path: str) -> None:
        """Refuse: there is nothing to copy.

        Raises:
            StoreError: Always.
        """
        raise StoreError(
            f"an in-memory store cannot be copied to {path}: open a file to keep something",
            fields={"path": path},
        )


def _kept(data: BankData, row: Row) -> KeptMemory:
    if row.state is None:
        raise stateless_error(row.memory.id)
    uses = sorted(row.uses, key=lambda each: each.number)
    return KeptMemory(
        number=row.row - data.record.shift,
        memory=row.memory,
        state=row.state,
        salt=row.salt,
        versions=row.versions,
        vectors=tuple(
            Vector(space=space, data=row.vectors[space]) for space in sorted(row.vectors)
        ),
        uses=tuple(KeptUse(event=each.event, pending=each.pending) for each in uses),
    )
