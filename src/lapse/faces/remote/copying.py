"""A bank of a server as a file, and a file into it.

    server ──pieces──▶ sink                      source ──pieces──▶ server ──▶ a job, watched

Decides that neither side holds a bank in RAM; that what was written is measured here and not only
believed, so that an export that broke off is never taken for one; and that an import is a job,
since it may take longer than any answer is waited for. Refuses to open files.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Final

from lapse.bank import HOST
from lapse.engine.embedding import Progress, no_progress
from lapse.engine.exporting import Exported, Sink
from lapse.engine.importing import Imported, Source
from lapse.engine.reading import Stats
from lapse.errors import UnreachableError
from lapse.faces.operations import TABLE
from lapse.faces.remote.asks import bank_path
from lapse.faces.remote.exchange import Asker, exchange, followed, repeated
from lapse.faces.remote.steps import Ask, Exchange
from lapse.faces.remote.wire import Wire
from lapse.faces.rest.copying import EXPORTS, IMPORTS, PIECE_BYTES
from lapse.faces.rest.reading import JSON, LINES
from lapse.faces.rest.routes import Method

_TOLD_EVERY_BYTES: Final = 1_048_576
_LONGEST_END_BYTES: Final = 256
"""The last line only counts; a longer one is none."""


class ServedCopies:
    """Export and import of one bank of a server, as `Bank` has them."""

    def __init__(self, wire: Wire, asker: Asker) -> None:
        """Name the bank, and what carries requests to it."""
        self._wire = wire
        self._asker = asker

    def export(
        self,
        sink: Sink,
        *,
        by: str = HOST,
        reason: str = "asked for",
        progress: Progress = no_progress,
    ) -> Exported:
        """Write the whole bank. See `Bank.export`.

        Raises:
            UnreachableError: No answer, or it broke off: what was written is no export.
            LapseError: What `Bank.export` raises.
        """
        total = 0 if progress is no_progress else self._wire.run(_memories(self._asker))
        watched = _Watched(sink, progress, total)
        self._wire.run(_export(self._asker, _who_and_why(by, reason), watched))
        return watched.ended()

    def import_(
        self,
        source: Source,
        *,
        by: str = HOST,
        reason: str = "asked for",
        progress: Progress = no_progress,
    ) -> Imported:
        """Take in what `export` wrote. See `Bank.import_`.

        Raises:
            LapseError: What `Bank.import_` raises.
        """
        told = _who_and_why(by, reason)
        return self._wire.run(_import(self._asker, told, source, progress))


def _who_and_why(by: str, reason: str) -> dict[str, str]:
    """What a request says besides the file; of the actor nothing where the key tells who it is."""
    return {"reason": reason} if by == HOST else {"by": by, "reason": reason}


def _memories(asker: Asker) -> Exchange[int]:
    stats = yield from exchange(TABLE["stats"], {}, asker)
    return stats.memories if isinstance(stats, Stats) else 0


def _export(asker: Asker, told: Mapping[str, str], watched: "_Watched") -> Exchange[None]:
    ask = Ask(
        method=Method.POST,
        path=f"{bank_path(asker.place)}/{EXPORTS}",
        headers={"Content-Type": JSON, "Accept": LINES},
        body=json.dumps(told).encode("ascii"),
        into=watched.take,
    )
    yield from repeated(ask, asker.manner)


def _import(
    asker: Asker, told: Mapping[str, str], source: Source, progress: Progress
) -> Exchange[Imported]:
    ask = Ask(
        method=Method.POST,
        path=f"{bank_path(asker.place)}/{IMPORTS}",
        query=tuple(told.items()),
        headers={"Content-Type": LINES, "Prefer": "respond-async"},
        pieces=lambda: _pieces(source),
    )
    begun = yield from repeated(ask, asker.manner)
    found = yield from followed(TABLE["import"], begun, asker.manner, progress)
    assert isinstance(found, Imported)  # noqa: S101 - the table says so
    return found


def _pieces(source: Source) -> Iterator[bytes]:
    source.seek(0)
    piece = bytearray()
    while line := source.readline(PIECE_BYTES):
        piece += line
        if len(piece) >= PIECE_BYTES:
            yield bytes(piece)
            piece.clear()
    if piece:
        yield bytes(piece)


class _Watched:
    """Hands on what is exported, and measures it."""

    def __init__(self, sink: Sink, progress: Progress, total: int) -> None:
        self._sink = sink
        self._progress = progress
        self._total = total
        self._digest = hashlib.sha256()
        self._lines = self._bytes = self._told = 0
        self._tail = b""

    def take(self, piece: bytes) -> None:
        self._sink.write(piece)
        self._digest.update(piece)
        self._lines += piece.count(b"\n")
        self._bytes += len(piece)
        self._tail = (self._tail + piece)[-_LONGEST_END_BYTES:]
        if self._bytes - self._told >= _TOLD_EVERY_BYTES:
            self._told = self._bytes
            self._progress(min(self._lines, self._total), self._total)

    def ended(self) -> Exported:
        """What was written.

        Raises:
            UnreachableError: It has no end.
        """
        memories = _counted(self._tail)
        if memories is None:
            raise UnreachableError(
                "the export broke off: what was written is not whole and cannot be imported"
            )
        self._progress(memories, memories)
        return Exported(
            memories=memories,
            lines=self._lines,
            bytes=self._bytes,
            sha256=self._digest.hexdigest(),
        )


def _counted(tail: bytes) -> int | None:
    """How many memories the last line counts, or None where it is no last line."""
    if not tail.endswith(b"\n"):
        return None
    try:
        end: object = json.loads(tail[:-1].rpartition(b"\n")[2])
    except ValueError:
        return None
    counted = end.get("memories") if isinstance(end, dict) and "pieces" in end else None
    return counted if isinstance(counted, int) else None
