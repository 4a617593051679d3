"""Whole banks over the wire: neither side of a client holds one in RAM."""

import io
import tracemalloc
from collections.abc import Iterator

import pytest

pytest.importorskip("httpx", reason="needs the extra remote: pip install 'lapse[remote]'")

import httpx

from lapse.engine.exporting import Exported
from lapse.errors import LimitError, UnreachableError
from lapse.faces.remote.copying import ServedCopies
from lapse.faces.remote.exchange import Asker
from lapse.faces.remote.steps import Manner
from lapse.faces.remote.wire import Server, Wire
from lapse.model.memory import BankRef

LINE = b'{"memory":"' + b"x" * 1000 + b'"}\n'
LINES = 24_000
SMALL_BYTES = 6_000_000
"""A quarter of what goes over the wire."""


class Answering(httpx.BaseTransport):
    """A server that streams a bank out, or counts what it is sent."""

    def __init__(self, end: bytes = b"") -> None:
        self.end = end
        self.taken = self.pieces = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/exports"):
            return httpx.Response(200, stream=Streamed(self.end))
        assert isinstance(request.stream, httpx.SyncByteStream)
        for piece in request.stream:
            self.taken += len(piece)
            self.pieces += 1
        problem = {"error": "LimitError", "detail": "too many jobs wait already"}
        return httpx.Response(429, json=problem, headers={"Retry-After": "1"})


class Streamed(httpx.SyncByteStream):
    """Lines of a bank, and what stands at its end."""

    def __init__(self, end: bytes) -> None:
        self._end = end

    def __iter__(self) -> Iterator[bytes]:
        for _ in range(LINES):
            yield LINE
        yield self._end


class Sink:
    """Takes bytes, and keeps none."""

    def write(self, data: bytes) -> None:
        assert data


class Source(io.BufferedIOBase):
    """As many lines as were asked for, of which none is kept; read from the start as often."""

    def __init__(self) -> None:
        self._left = 0

    def seek(self, offset: int, whence: int = 0) -> int:
        assert (offset, whence) == (0, 0)
        self._left = LINES
        return 0

    def readline(self, _limit: int | None = -1) -> bytes:
        self._left -= 1
        return LINE if self._left >= 0 else b""


def copies(answering: Answering, *, retries: int = 0) -> ServedCopies:
    wire = Wire(Server(url="http://host"), transport=answering, pause=lambda _: None)
    manner = Manner(new_word=lambda: "w", retries=retries)
    return ServedCopies(wire, Asker(place=BankRef(name="notes"), manner=manner))


def peak_of(act: object) -> int:
    assert callable(act)
    tracemalloc.start()
    try:
        act()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_an_export_is_handed_on_as_it_comes() -> None:
    found: list[Exported] = []
    end = b'{"memories":7,"pieces":9}\n'
    peak = peak_of(lambda: found.append(copies(Answering(end)).export(Sink())))
    assert (found[0].memories, found[0].lines) == (7, LINES + 1)
    assert found[0].bytes == LINES * len(LINE) + len(end)
    assert peak < SMALL_BYTES


@pytest.mark.parametrize("end", [b"", b'{"memories":7}', b"7\n", b"[]\n", b'{"memories":7}\n'])
def test_an_export_without_its_last_line_is_none(end: bytes) -> None:
    with pytest.raises(UnreachableError, match="not whole"):
        copies(Answering(end)).export(Sink())


def test_an_import_is_sent_as_it_is_read_and_anew_when_it_was_refused_for_now() -> None:
    answering = Answering()

    def take() -> None:
        with pytest.raises(LimitError):
            copies(answering, retries=1).import_(Source())

    assert peak_of(take) < SMALL_BYTES
    assert answering.taken == 2 * LINES * len(LINE)
    assert answering.pieces < 2 * LINES / 10
