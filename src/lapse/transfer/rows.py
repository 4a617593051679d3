"""Rows of a file of records: JSON on each line, a JSON array, or CSV with a header.

Decides how a text falls into rows and under which number each is named: the number of its line, or
in an array its place. A line ends where a line feed says so and nowhere else: a text may hold the
separators that Unicode knows besides. Refuses to judge what is in a row, and to stop at the first
that is none: it becomes `Unreadable`, so that all can be named at once.
"""

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lapse.errors import ValidationError

CSV_SUFFIX: Final = ".csv"
"""Ends the name of a file that is read as CSV."""

JSON_SUFFIXES: Final = frozenset({".jsonl", ".ndjson", ".json"})
"""End the name of a file that is read as JSON whatever else is the custom."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """A row that is none.

    Attributes:
        problem: What is wrong with it; nothing of its words.
    """

    problem: str


Rows = Iterator[tuple[int, object]]
"""Numbers from 1, and what stands there: a value of JSON, a mapping of texts, or `Unreadable`."""


def text_of(path: Path) -> str:
    """The text of a file in UTF-8, with or without a mark of byte order.

    Raises:
        ValidationError: It cannot be read, or is no UTF-8.
    """
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ValidationError.of("file", str(path), f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValidationError.of("file", str(path), "needs to be UTF-8 text") from None


def json_rows(text: str) -> Rows:
    """Rows of JSON Lines, blank ones left out, or of one array."""
    if text.lstrip().startswith("["):
        found, first = loaded(text), loaded(text.lstrip().split("\n", 1)[0])
        if isinstance(found, list):
            yield from enumerate(found, start=1)
            return
        if isinstance(first, Unreadable):
            # An array that is cut off, and no lines: one thing is wrong, not one on each line.
            yield 1, found
            return
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, loaded(line)


def csv_rows(text: str) -> Rows:
    """Rows of CSV with a header, as texts by column; a row is numbered by its last line."""
    lines = csv.DictReader(io.StringIO(text, newline=""), skipinitialspace=True, strict=True)
    try:
        for row in lines:
            yield lines.line_num, {name: each for name, each in row.items() if name is not None}
    except csv.Error as error:
        yield lines.line_num + 1, Unreadable(problem=f"is not valid CSV: {error}")


def loaded(text: str) -> object:
    """A value of JSON, or `Unreadable`: also for what is nested too deeply, and for NaN."""
    try:
        found: object = json.loads(text, parse_constant=_refuse)
    except RecursionError:
        return Unreadable(problem="is not valid JSON: nested too deeply")
    except json.JSONDecodeError as error:
        return Unreadable(problem=f"is not valid JSON: {error.msg}")
    except ValueError as error:
        return Unreadable(problem=f"is not valid JSON: {error}")
    return found


def _refuse(name: str) -> object:
    raise ValueError(f"{name} is no JSON number")
