"""What goes where: results to standard output, everything else to standard error.

Decides how text is written to a terminal and to a pipe. Refuses to interpret anything in it:
whatever is printed here has been made visible first, and no markup is read.
"""

import errno
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from lapse.faces.visible import visible

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

UNLIMITED_WIDTH = 100_000
"""Columns of what is no terminal: nothing is wrapped, so that lines can be searched."""


class ReaderGoneError(Exception):
    """Nobody reads standard output, or any more. No `OSError`, which Typer would end itself."""


def results() -> "Console":
    """The console that results are printed to, plain when it is no terminal."""
    return _console(sys.stdout)


def messages() -> "Console":
    """The console for notes, progress and errors."""
    return _console(sys.stderr)


def write_line(text: str) -> None:
    """Write one line of a result as it is: JSON.

    Raises:
        ReaderGoneError: Nobody reads.
    """
    _write(text + "\n")


def show(renderable: "RenderableType") -> None:
    """Print a result for people.

    Raises:
        ReaderGoneError: Nobody reads.
    """
    if _open("stdout") is None:
        raise ReaderGoneError
    console = results()
    with _noticing_nobody(), console.capture() as captured:
        # Not cropped: on a very narrow terminal lines run over rather than lose their end.
        console.print(renderable, crop=False)
    shown = captured.get()
    if not console.is_terminal:
        # Cells are padded to their column, which only a terminal needs.
        shown = "".join(f"{line.rstrip()}\n" for line in shown.splitlines())
    _write(shown)


def note(text: str) -> None:
    """Say something that is no result."""
    note_line(f"lapse: {visible(text)}")


def note_line(text: str) -> None:
    """Write one line to standard error as it is: JSON."""
    stream = _open("stderr")
    if stream is not None:
        stream.write(text + "\n")
        stream.flush()


def read_input() -> str:
    """All of standard input."""
    return sys.stdin.read()


def be_tolerant() -> None:
    """Make characters that a stream cannot encode visible instead of failing on them."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _write(text: str) -> None:
    stream = _open("stdout")
    if stream is None:
        raise ReaderGoneError
    with _noticing_nobody():
        stream.write(text)
        stream.flush()


@contextmanager
def _noticing_nobody() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.EPIPE, errno.EBADF):
            raise
        raise ReaderGoneError from None


def _open(name: str) -> TextIO | None:
    """A standard stream, or None where the process was started with it closed."""
    stream: TextIO | None = getattr(sys, name)
    return None if stream is None or stream.closed else stream


def _console(stream: TextIO) -> "Console":
    from rich.console import Console  # noqa: PLC0415 - with --json Rich is not loaded at all

    console = Console(file=stream, highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console = Console(
            file=stream, highlight=False, markup=False, emoji=False, width=UNLIMITED_WIDTH
        )
    elif console.no_color:
        # Bold and dim are sequences for a terminal as well: who wants none of them wants text.
        console = Console(
            file=stream, highlight=False, markup=False, emoji=False, color_system=None
        )
    return console
