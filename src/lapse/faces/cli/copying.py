"""Exports and imports on a command line: files, standard output and standard input.

Decides that a stream goes through a temporary file of its owner's: an import is read twice, and
half an export must never be taken for one. Refuses to know what a line holds.
"""

import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from lapse.faces.cli.common import Common
from lapse.faces.cli.reading import STDIN
from lapse.faces.cli.running import carried_out
from lapse.faces.cli.streams import note, write_line
from lapse.faces.operations import Operation
from lapse.model.codec import dumps

_NAME = "bank.jsonl"


def streamed(values: dict[str, object]) -> bool:
    """Whether a stream was named in place of a file; then a name stands there that reads nothing.

    Elsewhere on the command line `-` stands for a text read from standard input.
    """
    named = values.get("path") == STDIN
    if named:
        values["path"] = _NAME
    return named


def export_out(operation: Operation, asked: Mapping[str, object], common: Common) -> None:
    """Export to standard output; what was done is told on standard error."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / _NAME
        with carried_out(operation, {**asked, "path": str(path)}, common) as (done, _):
            pass
        with path.open(encoding="ascii") as file:
            for line in file:
                write_line(line.rstrip("\n"))
        note(dumps(done).replace(str(path), STDIN))


@contextmanager
def spooled() -> Iterator[str]:
    """Standard input as a file, while it is needed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / _NAME
        with path.open("w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            shutil.copyfileobj(sys.stdin, file)
        yield str(path)
