"""Taking memories in from a file: which are taken, and what of them.

Decides that what was erased here stays out, with what was made of it alone; that a memory which is
here already with the same content is left as it is; and that one with other content stops the whole
import. Refuses to look at tombstones by itself: it is told what they refuse.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import TypeAlias

from lapse.model.changeset import Changes
from lapse.model.closing import Closing
from lapse.model.dump import KeptMemory
from lapse.model.memory import BankRef, Memory, TextFacets
from lapse.model.proposal import Proposal
from lapse.model.record import NewRecord, VectorChange
from lapse.model.retention import RetentionState
from lapse.model.tombstone import Tombstone
from lapse.model.view import View

Refused: TypeAlias = "tuple[str, str] | None"
"""Tombstone and ground by which a memory may not come in."""

DERIVED = "derived"
"""Ground of what was made of refused memories alone."""


@dataclass(slots=True, kw_only=True)
class Tally:
    """What became of the memories of a file.

    Attributes:
        created, skipped: Ids of those taken in, and of those that were here already.
        refused: Tombstone and ground of each that was refused.
        conflicts: Ids of those that are here with other content.
        left: Pieces beside memories that were left out, such as a question that was erased.
    """

    created: set[str] = field(default_factory=set)
    skipped: set[str] = field(default_factory=set)
    refused: dict[str, tuple[str, str]] = field(default_factory=dict)
    conflicts: list[str] = field(default_factory=list)
    left: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Taking:
    """How a file is taken in.

    Attributes:
        ref: The bank it goes to.
        whole: Whether the bank is taken over whole: then numbers and dates stay as they were.
        facets: What the text layer reads off texts.
        refuses: What of a memory was erased before.
        date: Dates a state by the policy of a bank that was there before.
        settle: Puts the claims of one key in order.
        spaces: Numbers of the spaces whose vectors can be kept.
        tally: Filled along.
    """

    ref: BankRef
    whole: bool
    facets: Callable[[Sequence[str]], list[TextFacets]]
    refuses: Callable[[NewRecord], Refused]
    date: Callable[[Memory, RetentionState], RetentionState]
    settle: Callable[[Sequence[Memory]], list[Memory]]
    spaces: frozenset[int]
    tally: Tally

    def judge(self, kept: Sequence[KeptMemory], view: View) -> Changes:
        """What to write of some memories."""
        coming: dict[str, tuple[KeptMemory, NewRecord]] = {}
        facets = self.facets([each.memory.text for each in kept])
        for each, read in zip(kept, facets, strict=True):
            known = view.records.get(each.memory.id)
            if known is not None:
                self._meet(known.memory, each.memory)
                continue
            record = self._record(each, read)
            refused = self.refuses(record) or self._orphaned(each.memory)
            if refused is not None:
                self.tally.refused[each.memory.id] = refused
                continue
            coming[each.memory.id] = (each, record)
        if self.tally.conflicts:
            return Changes()
        self.tally.created.update(coming)
        records, amended = self._settled({n: r for n, (_, r) in coming.items()}, view)
        uses = [(use, name) for name, (each, _) in coming.items() for use in each.uses]
        return Changes(
            created=tuple(records.values()),
            amended=tuple(amended),
            enqueued=tuple(use.event for use, _ in uses),
            drained=tuple((name, use.event.event_id) for use, name in uses if not use.pending),
            vectors=tuple(
                VectorChange(
                    memory_id=name, content_version=each.memory.content_version, vector=vector
                )
                for name, (each, _) in coming.items()
                for vector in each.vectors
                if vector.space in self.spaces
            ),
        )

    def there(self, ids: Iterable[str]) -> bool:
        """Whether this import took in all of these memories."""
        return all(each in self.tally.created for each in ids)

    def truths(self, closings: Sequence[Closing], proposals: Sequence[Proposal]) -> Changes:
        """What to write of closings and proposals: those about memories that were taken in."""
        told = [each for each in closings if self.there(_named(each))]
        asked = [each for each in proposals if self.there(each.memory_ids)]
        self.tally.left += len(closings) + len(proposals) - len(told) - len(asked)
        return Changes(closings=tuple(told), proposed=tuple(asked))

    def _meet(self, here: Memory, there: Memory) -> None:
        if _content(here) == _content(there):
            self.tally.skipped.add(here.id)
        else:
            self.tally.conflicts.append(here.id)

    def _orphaned(self, memory: Memory) -> Refused:
        gone = [each for each in memory.derived_from if each in self.tally.refused]
        if gone and len(gone) == len(memory.derived_from):
            return self.tally.refused[gone[0]][0], DERIVED
        return None

    def _record(self, kept: KeptMemory, facets: TextFacets) -> NewRecord:
        memory = replace(
            kept.memory,
            tenant=self.ref.tenant,
            bank=self.ref.name,
            fingerprint=facets.fingerprint,
            derived_from=tuple(
                each for each in kept.memory.derived_from if each not in self.tally.refused
            ),
        )
        return NewRecord(
            memory=memory,
            state=kept.state if self.whole else self.date(memory, kept.state),
            facets=facets,
            salt=kept.salt,
            number=kept.number if self.whole else None,
            versions=tuple(
                replace(each, tenant=self.ref.tenant, bank=self.ref.name) for each in kept.versions
            ),
        )

    def _settled(
        self, records: dict[str, NewRecord], view: View
    ) -> tuple[dict[str, NewRecord], list[Memory]]:
        """The records among the claims of their keys, and the claims here that this changes."""
        amended: dict[str, Memory] = {}
        if self.whole:
            return records, []
        keys = dict.fromkeys(each.memory.key for each in records.values() if each.memory.key)
        for key in keys:
            here = [view.records[name].memory for name in view.same_key.get(key, ())]
            new = [each.memory for each in records.values() if each.memory.key == key]
            for claim in self.settle([*here, *new]) if here else ():
                if claim.id in records:
                    records[claim.id] = replace(records[claim.id], memory=claim)
                elif claim != view.records[claim.id].memory:
                    amended[claim.id] = claim
        return records, list(amended.values())


def moved(stone: Tombstone, source: BankRef, target: BankRef) -> Tombstone:
    """A tombstone as it applies to the bank that takes it over.

    It has a name of its own there, so that it does not take the place of the one it is made from.
    """
    bank = target.name if stone.bank == source.name else stone.bank
    if (stone.tenant, stone.bank) == (target.tenant, bank):
        return stone
    name = sha256(f"{stone.id}\x00{target.tenant}\x00{bank}".encode()).hexdigest()[:20]
    return replace(stone, id=name, tenant=target.tenant, bank=bank)


def _named(closing: Closing) -> tuple[str, ...]:
    found = (closing.memory_id, closing.by_id, closing.rest_id)
    return tuple(each for each in found if each is not None)


def _content(memory: Memory) -> tuple[object, ...]:
    told = (memory.text, memory.key, memory.value, memory.kind, memory.metadata)
    return (*told, memory.created_at, memory.content_version)
