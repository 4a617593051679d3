"""What goes where: results to standard output, everything else to standard error.

Decides how text is written to a terminal and to a pipe. Refuses to interpret anything in it:
whatever is printed here has been made visible first, and no markup is read.
"""

import sys
from typing import TYPE_CHECKING, TextIO

from lapse.faces.visible import visible

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

UNLIMITED_WIDTH = 100_000
"""Columns of what is no terminal: nothing is wrapped, so that lines can be searched."""


class ReaderGoneError(Exception):
    """Whoever read standard output stopped reading. No `OSError`, which Typer would end itself."""


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
    console = results()
    with console.capture() as captured:
        # Not cropped: on a very narrow terminal lines run over rather than lose their end.
        console.print(renderable, crop=False)
    shown = captured.get()
    if not console.is_terminal:
        # Cells are padded to their column, which only a terminal needs.
        shown = "".join(f"{line.rstrip()}\n" for line in shown.splitlines())
    _write(shown)


def note(text: str) -> None:
    """Say something that is no result."""
    sys.stderr.write(f"lapse: {visible(text)}\n")
    sys.stderr.flush()


def note_line(text: str) -> None:
    """Write one line to standard error as it is: JSON."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def read_input() -> str:
    """All of standard input."""
    return sys.stdin.read()


def be_tolerant() -> None:
    """Make characters that a stream cannot encode visible instead of failing on them."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _write(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise ReaderGoneError from None


def _console(stream: TextIO) -> "Console":
    from rich.console import Console  # noqa: PLC0415 - with --json Rich is not loaded at all

    console = Console(file=stream, highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console = Console(
            file=stream, highlight=False, markup=False, emoji=False, width=UNLIMITED_WIDTH
        )
    return console
