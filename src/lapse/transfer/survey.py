"""Looking a file through before anything of it is taken in.

Decides what is wrong with it, line by line and all at once: nothing is written of a file with a
fault. Refuses to hold more of it than names.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from lapse.errors import Fault, ValidationError, fault
from lapse.model.bank import Bank
from lapse.model.closing import Closing
from lapse.model.dump import KeptMemory, Piece
from lapse.model.journal import GENESIS, JournalEntry, follows
from lapse.model.memory import (
    UNKEEPABLE,
    Memory,
    can_be_kept,
    interval_faults,
    json_faults,
    name_faults,
    share_faults,
    value_faults,
)
from lapse.model.proposal import Proposal
from lapse.model.tombstone import Tombstone
from lapse.transfer.lines import KINDS, End, Header, read_header, read_line

MOST_FAULTS: Final = 100
"""Faults that are told; what comes after them is not looked at."""

_ORDER: Final = {kind: at for at, kind in enumerate(KINDS.values())}


@dataclass(slots=True, kw_only=True)
class Survey:
    """What a file holds.

    Attributes:
        header: Its first line.
        bank: The bank's own record.
        ids: Memories, each with its content version.
        numbers_through: Highest number that the journal gives to a memory.
        head: Number and hash of the journal's last entry.
        keys: Names of the keys that its tombstones were made under.
    """

    header: Header
    bank: Bank | None = None
    ids: set[str] = field(default_factory=set)
    numbers_through: int = 0
    head: tuple[int, bytes] = (0, GENESIS)
    keys: set[str] = field(default_factory=set)


def survey(lines: Iterable[bytes], most_text_bytes: int) -> Survey:
    """Read a file to its end.

    Args:
        lines: Its lines.
        most_text_bytes: Longest text of a memory.

    Raises:
        ValidationError: All its faults, each with line and field.
    """
    coming = iter(lines)
    look = _Look(Survey(header=read_header(next(coming, b""))), most_text_bytes)
    faults: list[Fault] = []
    for number, line in enumerate(coming, start=2):
        faults += (_placed(number, each) for each in look.at(line))
        if len(faults) >= MOST_FAULTS:
            raise ValidationError(faults[:MOST_FAULTS])
    faults += look.at_end()
    if faults:
        raise ValidationError(faults)
    return look.found


class _Look:
    """A look at one line after another."""

    def __init__(self, found: Survey, most_text_bytes: int) -> None:
        self.found = found
        self._most = most_text_bytes
        self._place = -1
        self._pieces = 0
        self._ended = False

    def at(self, line: bytes) -> Iterator[Fault]:
        """The faults of one line."""
        try:
            piece = read_line(line)
        except ValidationError as error:
            self._pieces += 1
            yield from error.faults
            return
        if self._ended:
            yield fault("json", "…", "nothing may stand behind the last line")
        elif isinstance(piece, End):
            self._ended = True
            if (piece.pieces, piece.memories) != (self._pieces, len(self.found.ids)):
                yield fault("pieces", piece.pieces, f"{self._pieces} stand before it")
        else:
            self._pieces += 1
            yield from self._taken(piece)

    def at_end(self) -> Iterator[Fault]:
        """The faults of the whole."""
        if not self._ended:
            yield fault("end", None, "the file is cut off: its last line is missing")
        elif self.found.bank is None:
            yield fault("bank", None, "is required")

    def _taken(self, piece: Piece) -> Iterator[Fault]:
        place = _ORDER[type(piece)]
        if place < self._place:
            yield fault("json", "…", f"stands too late: the order is {', '.join(KINDS)}")
        self._place = max(place, self._place)
        match piece:
            case Bank():
                if self.found.bank is not None:
                    yield fault("bank", "…", "stands there twice")
                self.found.bank = piece
            case Tombstone():
                self.found.keys.add(piece.key_id)
            case JournalEntry():
                yield from self._chained(piece)
            case KeptMemory():
                yield from self._remembered(piece)
            case Closing():
                yield from self._known("by_id", piece.memory_id, piece.by_id, piece.rest_id)
            case Proposal():
                yield from self._known("memory_ids", *piece.memory_ids)
            case _:
                pass

    def _chained(self, entry: JournalEntry) -> Iterator[Fault]:
        seq, previous = self.found.head
        if entry.seq != seq + 1 or not follows(entry, previous):
            yield fault("entry", entry.seq, "is altered, or does not follow the one before it")
        self.found.head = (entry.seq, entry.hash)
        self._number(*(each.row for each in entry.items))

    def _number(self, *numbers: int) -> None:
        self.found.numbers_through = max(self.found.numbers_through, *numbers, 0)

    def _remembered(self, kept: KeptMemory) -> Iterator[Fault]:
        name = kept.memory.id
        if name in self.found.ids:
            yield fault("memory.id", name, "stands there twice")
        self.found.ids.add(name)
        self._number(kept.number)
        if kept.number < 1:
            yield fault("memory.number", kept.number, "needs an integer from 1")
        for at, each in enumerate((*kept.versions, kept.memory)):
            where = "memory" if at == len(kept.versions) else f"memory.versions[{at}]"
            for found in _content_faults(each, self._most):
                yield replace(found, field=f"{where}.{found.field}")
        for vector in kept.vectors:
            yield from self._direction(vector.space, vector.data)
        for use in kept.uses:
            if use.event.memory_id != name:
                yield fault("memory.uses", use.event.memory_id, "belongs to another memory")

    def _direction(self, space: int, data: bytes) -> Iterator[Fault]:
        bank = self.found.bank
        known = {} if bank is None else {e.number: e for e in (bank.space, bank.building) if e}
        if space not in known:
            yield fault("memory.vectors", space, "lies in a space that the bank does not use")
        elif len(data) != 4 * known[space].dimension:
            yield fault("memory.vectors", len(data), "has another length than its space")
        elif not np.isfinite(np.frombuffer(data, dtype="<f4")).all():
            yield fault("memory.vectors", "…", "needs finite numbers")

    def _known(self, name: str, *ids: str | None) -> Iterator[Fault]:
        for each in ids:
            if each is not None and each not in self.found.ids:
                yield fault(name, each, "is no memory of this file")


def _content_faults(memory: Memory, most_text_bytes: int) -> Iterator[Fault]:
    yield from name_faults("id", memory.id)
    for name in ("key", "subject", "session", "source", "supersedes", "superseded_by"):
        value = getattr(memory, name)
        if value is not None:
            yield from name_faults(name, value)
    for name in ("tags", "entities", "derived_from"):
        for each in getattr(memory, name):
            yield from name_faults(name, each)
    if not can_be_kept(memory.text):
        yield fault("text", "…", UNKEEPABLE)
    elif not memory.text.strip():
        yield fault("text", "…", "must not be blank")
    elif len(memory.text.encode()) > most_text_bytes:
        yield fault("text", "…", f"must be at most {most_text_bytes} bytes long")
    yield from value_faults(memory.key, memory.value)
    yield from share_faults("confidence", memory.confidence)
    yield from json_faults("metadata", memory.metadata)
    yield from interval_faults(memory.valid_from, memory.stated_to)
    if memory.proof_count < 1 or memory.content_version < 1:
        yield fault("proof_count", memory.proof_count, "needs integers from 1, as versions do")


def _placed(number: int, found: Fault) -> Fault:
    return replace(found, field=f"line {number}.{found.field}")
