"""The written form of a bank: one JSON object on each line.

The first line names the form, the last one counts. Between them stands one piece on each line,
under the name of its kind: what protects the bank before what it protects. Bytes are hexadecimal,
keys are sorted, so that equal banks have equal files. No key of a tombstone is ever in one, and
nothing is said of where a bank lies in its store.

Decides this form, and what of a bank belongs into it. Refuses to open a file.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from lapse.errors import ValidationError
from lapse.model.bank import Bank
from lapse.model.canary import Canary
from lapse.model.closing import Closing
from lapse.model.codec import decode, dumps
from lapse.model.dump import KeptMemory, Piece
from lapse.model.hold import Hold
from lapse.model.journal import JournalEntry
from lapse.model.memory import BankRef
from lapse.model.plan import Plan
from lapse.model.proposal import Proposal
from lapse.model.sweep import SweepReport
from lapse.model.tombstone import Tombstone
from lapse.model.verbs import VERBS, Verb

FORMAT: Final = "lapse-export"
"""Names the form."""

VERSION: Final = 1
"""The one version of the form that is written and read."""

WHOLE: Final = "whole"
"""Counted in the journal by what took a bank over whole, beside its own journal."""

LINE_BYTES: Final = 64 * 1024 * 1024
"""Longest line that is read."""

KINDS: Final[Mapping[str, type[Piece]]] = MappingProxyType(
    {
        "bank": Bank,
        "tombstone": Tombstone,
        "hold": Hold,
        "canary": Canary,
        "sweep": SweepReport,
        "entry": JournalEntry,
        "memory": KeptMemory,
        "closing": Closing,
        "proposal": Proposal,
        "plan": Plan,
    }
)
"""What stands on a line, by its name, in the order in which they come."""

_NAMES: Final = {kind: name for name, kind in KINDS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What the first line says.

    Attributes:
        format, version: `FORMAT` and `VERSION`.
        tenant, bank: Where the bank was.
    """

    format: str
    version: int
    tenant: str
    bank: str


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """What the last line says: how many pieces stand before it, and how many are memories."""

    pieces: int
    memories: int


def written(ref: BankRef, pieces: Iterable[Piece]) -> Iterator[str]:
    """Write a bank, line by line, each with its end of line."""
    yield _line(Header(format=FORMAT, version=VERSION, tenant=ref.tenant, bank=ref.name))
    total = memories = 0
    for piece in without_later_copies(pieces):
        total += 1
        memories += isinstance(piece, KeptMemory)
        yield f'{{"{_NAMES[type(piece)]}":{dumps(_plain(piece))}}}\n'
    yield _line(End(pieces=total, memories=memories))


def without_later_copies(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """The pieces, without what the journal says last of copies alone.

    That a bank was exported, or came whole out of a file, is no part of what it holds: so the file
    of a bank that was taken over is that from which it came.
    """
    waiting: list[JournalEntry] = []
    for piece in pieces:
        if isinstance(piece, JournalEntry):
            if _of_copies(piece):
                waiting.append(piece)
                continue
            yield from waiting
            waiting = []
        yield piece


def read_header(line: bytes) -> Header:
    """Read the first line.

    Raises:
        ValidationError: It is no export, or of a version that is not read here.
    """
    problem = f"needs the first line of a {FORMAT}"
    try:
        plain = _parsed(line)
    except ValidationError:
        raise ValidationError.of("line 1", "…", problem) from None
    if not isinstance(plain, Mapping) or plain.get("format") != FORMAT:
        raise ValidationError.of("line 1", "…", problem)
    if plain.get("version") != VERSION:
        problem = f"this Lapse reads version {VERSION} alone: use the one that wrote it"
        raise ValidationError.of("line 1.version", plain.get("version"), problem)
    return decode(Header, plain)


def read_line(line: bytes) -> Piece | End:
    """Read one line after the first.

    Raises:
        ValidationError: No JSON, no known kind, or faults of its value, all at once.
    """
    plain = _parsed(line)
    if not isinstance(plain, Mapping):
        raise ValidationError.of("json", "…", "needs an object")
    if plain.keys() == {"pieces", "memories"}:
        return decode(End, plain)
    name = next(iter(plain), "")
    if len(plain) != 1 or name not in KINDS:
        raise ValidationError.of("json", name, f"needs one of {', '.join(KINDS)}")
    kind: type[Piece] = KINDS[name]
    return decode(kind, plain[name])


def _parsed(line: bytes) -> object:
    if len(line) > LINE_BYTES:
        raise ValidationError.of("json", len(line), f"must be at most {LINE_BYTES} bytes long")
    try:
        plain: object = json.loads(line)
    except (ValueError, RecursionError):
        raise ValidationError.of("json", "…", "needs JSON, whole and in UTF-8") from None
    return plain


def _line(value: object) -> str:
    return f"{dumps(value)}\n"


def _plain(piece: Piece) -> Piece:
    """Without what is of one store alone."""
    if isinstance(piece, Bank):
        return replace(piece, revision=0, shift=0, redated_through=0)
    return piece


def _of_copies(entry: JournalEntry) -> bool:
    if entry.verb is Verb.IMPORT:
        return WHOLE in dict(entry.counts)
    return VERBS[entry.verb].copies and entry.verb is not Verb.SHARE
