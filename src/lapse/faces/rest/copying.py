"""Whole banks over HTTP: an export is streamed out as it is read, an import is taken in whole.

    bank ──thread──▶ pieces, a few ahead of the reader ──▶ response
    request ──▶ a file without a name ──whole──▶ bank

Decides that an export whose reader has gone or stands still is given up, so that no slow client
holds a snapshot of the store for ever; that a file which is not whole, or larger than may be, is
never begun to be imported; and that what waits to be imported lies in RAM, or beyond a few
megabytes in a file that no name leads to. Refuses what `Bank.export` and `Bank.import_` decide.
"""

import queue
import tempfile
import threading
from collections.abc import AsyncIterable, Callable, Generator
from contextlib import ExitStack, suppress
from typing import IO, Final

from starlette.concurrency import run_in_threadpool

from lapse.bank import Bank
from lapse.engine.embedding import Progress
from lapse.errors import TooLargeError

EXPORTS: Final = "exports"
IMPORTS: Final = "imports"
PIECE_BYTES: Final = 65_536
_AHEAD: Final = 16
"""Pieces that wait for their reader."""
PATIENCE_S: Final = 60.0
"""Seconds that an export waits for its reader to take the next piece."""
_IN_RAM_BYTES: Final = 8_388_608


class Pieces:
    """Takes what is written in one thread, and gives it in pieces in another."""

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        self._patience_s = patience_s
        self._queue: queue.Queue[bytes | Exception | None] = queue.Queue(_AHEAD)
        self._gone = threading.Event()
        self._part = bytearray()

    def write(self, data: bytes) -> None:
        """Take some bytes.

        Raises:
            ConnectionError: Nobody reads any more.
        """
        self._part += data
        if len(self._part) >= PIECE_BYTES:
            self._hand_on(bytes(self._part))
            self._part.clear()

    def end(self, error: Exception | None = None) -> None:
        """Hand on what is left, and that this is all; or what broke it off."""
        try:
            if error is None and self._part:
                self._hand_on(bytes(self._part))
            self._hand_on(error)
        except ConnectionError as gone:
            self._break_off(error or gone)

    def read(self) -> Generator[bytes, None, None]:
        """Everything, as it comes.

        Raises:
            Exception: What broke it off.
        """
        try:
            while (piece := self._queue.get()) is not None:
                if isinstance(piece, Exception):
                    raise piece
                yield piece
        finally:
            self._gone.set()
            with suppress(queue.Empty):  # whoever waits to hand on the next learns it now
                while True:
                    self._queue.get_nowait()

    def _hand_on(self, piece: bytes | Exception | None) -> None:
        try:
            if not self._gone.is_set():
                self._queue.put(piece, timeout=self._patience_s)
                return
        except queue.Full:
            pass
        raise ConnectionError("nobody reads any more")

    def _break_off(self, error: Exception) -> None:
        """Have a reader that comes back after all hear that it was given up."""
        with suppress(queue.Empty):
            while True:
                self._queue.get_nowait()
        self._queue.put_nowait(error)


def streamed(act: Callable[[Pieces], object]) -> Generator[bytes, None, None]:
    """What `act` writes, in pieces. The first is made before this returns.

    Raises:
        Exception: Whatever `act` raised before it had written a piece.
    """
    pieces = Pieces()

    def work() -> None:
        try:
            act(pieces)
        except Exception as error:  # noqa: BLE001 - it is the reader's to tell
            pieces.end(error)
        else:
            pieces.end()

    threading.Thread(target=work, name="lapse-export", daemon=True).start()
    found = pieces.read()
    first = next(found, b"")

    def whole() -> Generator[bytes, None, None]:
        yield first
        yield from found

    return whole()


async def spooled(chunks: AsyncIterable[bytes], limit: int) -> IO[bytes]:
    """A body as a file that can be read twice, and that is gone when it is closed.

    Raises:
        TooLargeError: It is longer than it may be.
    """
    with ExitStack() as undo:
        file: IO[bytes] = undo.enter_context(tempfile.SpooledTemporaryFile(_IN_RAM_BYTES))
        size = 0
        async for chunk in chunks:
            size += len(chunk)
            if size > limit:
                raise TooLargeError(
                    f"an import may hold {limit} bytes (server.max_import_bytes)",
                    fields={"max_import_bytes": str(limit)},
                )
            await run_in_threadpool(file.write, chunk)
        undo.pop_all()  # it is whole, and its taker's to close
        return file


def imported(bank: Bank, file: IO[bytes], by: str, reason: str, progress: Progress) -> object:
    """Take a file in, and let it go."""
    with file:
        return bank.import_(file, by=by, reason=reason, progress=progress)
