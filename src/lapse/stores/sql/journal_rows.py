"""Entries of the journal as rows, and back.

Decides how the memories of an entry are packed. Refuses to chain or to check anything.
"""

import json
import struct
from typing import Final

from lapse.model.journal import GENESIS, JournalEntry, JournalItem
from lapse.model.retention import Lifecycle
from lapse.model.verbs import Verb
from lapse.stores.sql import statements
from lapse.stores.sql.driver import Connection
from lapse.stores.sql.rows import Row, Value, compact_json

_ROW: Final = struct.Struct("<q")
# Row, lifecycle before and after, digest before and after.
_ITEM: Final = struct.Struct("<qBB32s32s")
# Only ever lengthened: what was written keeps its meaning.
_STANDINGS: Final[tuple[Lifecycle | None, ...]] = (
    None,
    Lifecycle.ACTIVE,
    Lifecycle.SUPPRESSED,
    Lifecycle.ARCHIVED,
    Lifecycle.ERASED,
)
_CODES: Final = {standing: code for code, standing in enumerate(_STANDINGS)}


def get_head(connection: Connection, bank: int | None) -> tuple[int, bytes]:
    """Read number and hash of the latest entry, as they were noted apart from it."""
    found = connection.execute(statements.JOURNAL_HEAD, (bank,)).fetchone()
    return (0, GENESIS) if found is None else (found[0], found[1])


def put_entry(connection: Connection, bank: int, entry: JournalEntry) -> None:
    """Append an entry, and note that it is the latest."""
    connection.execute(statements.INSERT_JOURNAL, (bank, *entry_values(entry)))
    connection.execute(statements.PUT_JOURNAL_HEAD, (bank, entry.seq, entry.hash))


def get_entries_of(connection: Connection, bank: int | None, row: int) -> list[JournalEntry]:
    """Read the entries that name a memory by its internal number, in order."""
    # The number's bytes may stand across two items by chance: the database narrows, this decides.
    found = connection.execute(statements.JOURNAL_OF, (bank, _ROW.pack(row)))
    entries = [read_entry(each) for each in found]
    return [each for each in entries if any(item.row == row for item in each.items)]


def entry_values(entry: JournalEntry) -> tuple[Value, ...]:
    """Give a journal entry in the order of the table, without the bank."""
    return (
        entry.seq,
        entry.verb.value,
        entry.at,
        entry.by,
        entry.approved_by,
        entry.via,
        b"".join(_packed(each) for each in entry.items),
        compact_json(entry.counts),
        entry.about,
        entry.words_hash,
        entry.reason,
        entry.reason_salt,
        entry.previous,
        entry.hash,
        entry.redacted_by,
    )


def read_entry(row: Row) -> JournalEntry:
    """Read a journal entry in the order of the table, without the bank."""
    return JournalEntry(
        seq=row[0],
        verb=Verb(row[1]),
        at=row[2],
        by=row[3],
        approved_by=row[4],
        via=row[5],
        items=tuple(_unpacked(*each) for each in _ITEM.iter_unpack(row[6])),
        counts=tuple((name, count) for name, count in json.loads(row[7])),
        about=row[8],
        words_hash=row[9],
        reason=row[10],
        reason_salt=row[11],
        previous=row[12],
        hash=row[13],
        redacted_by=row[14],
    )


def _packed(item: JournalItem) -> bytes:
    return _ITEM.pack(item.row, _CODES[item.was], _CODES[item.now], item.before, item.after)


def _unpacked(row: int, was: int, now: int, before: bytes, after: bytes) -> JournalItem:
    return JournalItem(
        row=row,
        was=_STANDINGS[was],
        # A byte that no write gives was tampered with: the chain tells, so any reading will do.
        now=_STANDINGS[now] or Lifecycle.ERASED,
        before=before,
        after=after,
    )
