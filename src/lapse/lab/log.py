"""Access logs: what was created, used and let go, as ids and instants alone.

A line is `{at, memory, event}`, in JSON Lines or CSV with a header. `at` is ISO 8601 (UTC where it
names no zone) or a number of seconds since 1970; `event` is one of created, used, returned,
rejected, superseded, suppressed, restored, deleted. Lines may come in any order.

Decides the form of a log, and which events are needs: only `used` is, because what is returned is
chosen by the policy that the log is to judge. Refuses to hold a text and to score.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from lapse.errors import Fault, ValidationError, fault
from lapse.model.access_log import Entry, Happening
from lapse.model.instants import SECOND, Instant, parse_instant, to_iso
from lapse.transfer.rows import JSON_SUFFIXES, Unreadable, csv_rows, json_rows, text_of

__all__ = ["ENDS", "Entry", "Happening", "entries_of", "in_order", "read_entries", "written"]

FAULTS_TOLD = 20
"""Most faults of one file that are named; the rest are counted."""

KNOWN = ", ".join(Happening)


ENDS = frozenset({Happening.DELETED, Happening.SUPERSEDED})
"""What ends a memory's life in a log: it cannot be needed afterwards."""


def read_entries(path: Path) -> list[Entry]:
    """Read a log in JSON Lines (`.jsonl`, `.ndjson`, `.json`) or CSV (else), in order of time.

    Entries of one instant keep the order of the file.

    Raises:
        ValidationError: A file that cannot be read, or lines that are none of these; up to twenty
            are named at once, and how many more there are.
    """
    text = text_of(path)
    as_json = path.suffix.lower() in JSON_SUFFIXES
    rows = json_rows(text) if as_json else csv_rows(text)
    return _entries((f"line {number}", row) for number, row in rows)


def entries_of(rows: Iterable[object]) -> list[Entry]:
    """Entries of objects, in order of time; faults name them as `log[0]`, `log[1]` and so on.

    Raises:
        ValidationError: As for `read_entries`.
    """
    return _entries((f"log[{at}]", row) for at, row in enumerate(rows))


def told_at_once(faults: Sequence[Fault]) -> ValidationError:
    """The error that names faults of a file: the first of them, and how many more there are."""
    shown = list(faults[:FAULTS_TOLD])
    if len(faults) > FAULTS_TOLD:
        more = len(faults) - FAULTS_TOLD
        shown.append(Fault(field="others", value="…", problem=f"there are {more} more faults"))
    return ValidationError(shown)


def in_order(entries: Sequence[Entry]) -> list[Entry]:
    """Entries in order of time; those of one instant stay as they are."""
    return sorted(entries, key=lambda each: each.at)


def written(entries: Iterable[Entry]) -> Iterator[str]:
    """A log as JSON Lines that `read_entries` reads as the same log."""
    for each in entries:
        line = {"at": to_iso(each.at), "memory": each.memory, "event": each.event.value}
        yield json.dumps(line, ensure_ascii=True) + "\n"


def _entries(rows: Iterable[tuple[str, object]]) -> list[Entry]:
    entries: list[Entry] = []
    faults: list[Fault] = []
    for place, row in rows:
        found = _entry(place, row)
        if isinstance(found, Entry):
            entries.append(found)
        else:
            faults += found
    if faults:
        raise told_at_once(faults)
    return in_order(entries)


def _entry(place: str, row: object) -> Entry | list[Fault]:
    if isinstance(row, Unreadable):
        return [Fault(field=place, value="…", problem=row.problem)]
    if not isinstance(row, dict):
        return [fault(place, "…", "needs an object with at, memory, event")]
    memory, event, at = row.get("memory"), row.get("event"), row.get("at")
    faults: list[Fault] = []
    named = str(memory) if isinstance(memory, str | int) and memory is not True else ""
    if memory is False or not named.strip():
        faults.append(fault(f"{place}.memory", memory, "needs an id"))
    happening = Happening(event) if isinstance(event, str) and event in set(Happening) else None
    if happening is None:
        faults.append(fault(f"{place}.event", event, f"needs one of {KNOWN}"))
    instant = _instant(at)
    if instant is None:
        faults.append(fault(f"{place}.at", at, "needs ISO 8601, or seconds since 1970"))
    if faults or happening is None or instant is None:
        return faults
    return Entry(at=instant, memory=named, event=happening)


def _instant(at: object) -> Instant | None:
    try:
        given: int | str = round(float(str(at)) * SECOND)
    except (ValueError, OverflowError):
        given = str(at)
    try:
        return parse_instant(given, "at")
    except ValidationError:
        return None
