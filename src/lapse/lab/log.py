"""Access logs: what was created, used and let go, as ids and instants alone.

A line is `{at, memory, event}`, in JSON Lines or CSV with a header. `at` is ISO 8601 (UTC where it
names no zone) or a number of seconds since 1970; `event` is one of created, used, returned,
rejected, superseded, suppressed, restored, deleted. Lines may come in any order.

Decides the form of a log, and which events are needs: only `used` is, because what is returned is
chosen by the policy that the log is to judge. Refuses to hold a text and to score.
"""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from lapse.errors import Fault, ValidationError, fault
from lapse.model.access_log import Entry, Happening
from lapse.model.instants import SECOND, Instant, parse_instant, to_iso

__all__ = ["ENDS", "Entry", "Happening", "entries_of", "in_order", "read_entries", "written"]

FAULTS_TOLD = 20
"""Most faults of one file that are named; the rest are counted."""


ENDS = frozenset({Happening.DELETED, Happening.SUPERSEDED})
"""What ends a memory's life in a log: it cannot be needed afterwards."""


def read_entries(path: Path) -> list[Entry]:
    """Read a log in JSON Lines (`.jsonl`, `.ndjson`, `.json`) or CSV (else), in order of time.

    Entries of one instant keep the order of the file.

    Raises:
        ValidationError: Lines that are none of these; up to twenty are named at once.
    """
    written = path.read_text(encoding="utf-8").splitlines()
    as_json = path.suffix in {".jsonl", ".ndjson", ".json"}
    rows = _json_rows(written) if as_json else _csv_rows(written)
    entries: list[Entry] = []
    faults: list[Fault] = []
    for line, row in rows:
        found = _entry(line, row)
        if isinstance(found, Entry):
            entries.append(found)
        else:
            faults.append(found)
    if faults:
        raise ValidationError(faults[:FAULTS_TOLD])
    return in_order(entries)


def entries_of(rows: Iterable[object]) -> list[Entry]:
    """Entries of objects, in order of time; lines count from 1.

    Raises:
        ValidationError: As for `read_entries`.
    """
    found = [
        _entry(number, row if isinstance(row, dict) else None)
        for number, row in enumerate(rows, start=1)
    ]
    faults = [each for each in found if isinstance(each, Fault)]
    if faults:
        raise ValidationError(faults[:FAULTS_TOLD])
    return in_order([each for each in found if isinstance(each, Entry)])


def in_order(entries: Sequence[Entry]) -> list[Entry]:
    """Entries in order of time; those of one instant stay as they are."""
    return sorted(entries, key=lambda each: each.at)


def written(entries: Iterable[Entry]) -> Iterator[str]:
    """A log as JSON Lines that `read_entries` reads as the same log."""
    for each in entries:
        line = {"at": to_iso(each.at), "memory": each.memory, "event": each.event.value}
        yield json.dumps(line, ensure_ascii=True) + "\n"


def _json_rows(lines: Sequence[str]) -> Iterator[tuple[int, Mapping[str, object] | None]]:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                row = json.loads(line)
            except ValueError:
                row = None
            yield number, row if isinstance(row, dict) else None


def _csv_rows(lines: Sequence[str]) -> Iterator[tuple[int, Mapping[str, object] | None]]:
    for number, row in enumerate(csv.DictReader(lines), start=2):
        yield number, dict(row)


def _entry(line: int, row: Mapping[str, object] | None) -> Entry | Fault:
    place = f"line {line}"
    if row is None:
        return fault(place, "", "needs a JSON object with at, memory, event")
    memory, event, at = row.get("memory"), row.get("event"), row.get("at")
    if memory is None or not str(memory).strip():
        return fault(f"{place}: memory", memory, "needs an id")
    if event not in set(Happening):
        known = ", ".join(Happening)
        return fault(f"{place}: event", event, f"needs one of {known}")
    instant = _instant(at)
    if instant is None:
        return fault(f"{place}: at", at, "needs ISO 8601, or seconds since 1970")
    return Entry(at=instant, memory=str(memory), event=Happening(str(event)))


def _instant(at: object) -> Instant | None:
    try:
        given: int | str = round(float(str(at)) * SECOND)
    except (ValueError, OverflowError):
        given = str(at)
    try:
        return parse_instant(given, "at")
    except ValidationError:
        return None
