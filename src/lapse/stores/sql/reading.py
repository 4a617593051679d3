"""Reading memories, events and pages: from keys to values.

Decides how a question about one bank becomes look-ups. Refuses to rank, and to answer for another
bank: every look-up starts from the bank's number.
"""

from collections.abc import Iterable, Sequence

from sqlalchemy import ColumnElement, bindparam, literal_column

from lapse.model.memory import BankRef, Memory, can_be_kept
from lapse.model.paging import Listing, Page
from lapse.model.plan import Plan
from lapse.model.record import Record
from lapse.model.retention import Lifecycle, UseEvent
from lapse.model.view import Reads, View
from lapse.stores.applying import Standing, stateless_error
from lapse.stores.sql import statements
from lapse.stores.sql.answering import get_answers
from lapse.stores.sql.banks import BankRow
from lapse.stores.sql.dialects import listed
from lapse.stores.sql.driver import Connection
from lapse.stores.sql.graves import get_tombstones
from lapse.stores.sql.holding import get_cited_by, get_holds
from lapse.stores.sql.planning import get_plan
from lapse.stores.sql.portions import portions
from lapse.stores.sql.redacting import get_words
from lapse.stores.sql.rows import LIFECYCLES, Row, read_event, read_memory, read_record
from lapse.stores.sql.schema import memory, retention
from lapse.stores.sql.truths import read_closings, read_named_proposals


def get_records(connection: Connection, bank: BankRow, ids: Iterable[str]) -> list[Record]:
    """Read memories by id, in the order asked.

    Raises:
        CorruptStoreError: One of them has no retention state.
    """
    wanted = list(filter(can_be_kept, dict.fromkeys(ids)))
    found = {
        row[1]: row
        for part, statement in portions(wanted, statements.records_by_id)
        for row in connection.execute(statement, (bank.id, *part))
    }
    return [_whole(bank.bank.ref, found[each]) for each in wanted if each in found]


def get_contents(connection: Connection, bank: BankRow, ids: Iterable[str]) -> list[Memory]:
    """Read what memories say, in the order asked."""
    wanted = list(filter(can_be_kept, dict.fromkeys(ids)))
    found = {
        row[0]: read_memory(bank.bank.ref, row[0], row[1:])
        for part, statement in portions(wanted, statements.contents_by_id)
        for row in connection.execute(statement, (bank.id, *part))
    }
    return [found[each] for each in wanted if each in found]


def get_versions(connection: Connection, bank: BankRow, memory_id: str) -> list[Memory]:
    """Read the earlier versions of a memory."""
    row = _row_number(connection, bank, memory_id)
    found = connection.execute(statements.VERSIONS, (bank.id, row)).fetchall()
    return [read_memory(bank.bank.ref, memory_id, each) for each in found]


def get_page(connection: Connection, bank: BankRow, listing: Listing) -> Page:
    """Read one page, and look one memory further to know whether it is the last."""
    exact = (listing.key, listing.subject, listing.tag)
    if not all(each is None or can_be_kept(each) for each in exact):
        return Page(records=(), next_after=None)
    statement = (
        statements.records()
        .where(memory.c.bank == bank.id, memory.c.row > listing.after, *_filters(listing))
        .order_by(memory.c.row)
    )
    asked, parameters = statements.with_values(statement)
    found = connection.execute(asked.limited(), (*parameters, listing.limit + 1)).fetchall()
    records = tuple(_whole(bank.bank.ref, row) for row in found[: listing.limit])
    more = len(found) > listing.limit
    return Page(records=records, next_after=records[-1].row if more else None)


def get_missing(connection: Connection, bank: BankRow, space: int, limit: int) -> list[Record]:
    """Read memories that have no vector in a space."""
    found = connection.execute(statements.MISSING_VECTORS, (bank.id, space, limit)).fetchall()
    return [_whole(bank.bank.ref, row) for row in found]


def get_events(connection: Connection, bank: BankRow, ids: Sequence[str]) -> list[UseEvent]:
    """Read all events of memories, in order of (at, memory id, event id)."""
    events = [
        read_event(memory_id, row)
        for memory_id in dict.fromkeys(ids)
        for row in connection.execute(
            statements.EVENTS, (bank.id, _row_number(connection, bank, memory_id))
        )
    ]
    return sorted(events, key=lambda each: (each.at, each.memory_id, each.event_id))


def get_standing(connection: Connection, bank: BankRow, ids: Iterable[str]) -> dict[str, Standing]:
    """Read how the memories that exist among `ids` stand."""
    wanted = list(filter(can_be_kept, dict.fromkeys(ids)))
    found = {
        memory_id: Standing(
            row=row,
            content_version=version,
            text=text,
            salt=salt,
            lifecycle=Lifecycle.ACTIVE if lifecycle is None else LIFECYCLES[lifecycle],
        )
        for part, statement in portions(wanted, statements.standing_by_id)
        for memory_id, row, version, text, salt, lifecycle in connection.execute(
            statement, (bank.id, *part)
        )
    }
    return {each: found[each] for each in wanted if each in found}


def get_view(connection: Connection, bank: BankRow, reads: Reads) -> View:
    """Read what a judge asked to see."""
    seen = _Seen(connection, bank)
    numbers = get_rows(connection, bank, reads.ids)
    same_text = seen.same_text(reads.fingerprints)
    same_key = {each: seen.same_key(each) if can_be_kept(each) else [] for each in reads.keys}
    waiting = seen.waiting(reads.pending) if reads.pending > 0 else []
    alike = [row for found in (*same_text.values(), *same_key.values()) for row, _ in found]
    seen.take([*numbers, *alike, *waiting])
    seen.take(
        _present(
            _row_number(connection, bank, record.memory.superseded_by)
            for found in same_text.values()
            for _, name in found
            if (record := seen.records.get(name)) is not None
            and record.memory.superseded_by is not None
        )
    )
    pending = tuple(each for each in map(seen.id_of, waiting) if each in seen.records)
    everyone = (*seen.records, *seen.stateless)
    return View(
        bank=bank.bank,
        records=seen.records,
        same_text={each: _ids(found) for each, found in same_text.items()},
        same_key={each: _ids(found) for each, found in same_key.items()},
        pending=pending,
        events={each: seen.events(each) for each in (everyone if reads.events else pending)},
        stateless=seen.stateless,
        holds=get_holds(connection, bank.id),
        cited_by=get_cited_by(connection, bank.id, everyone) if reads.cited else {},
        closings=tuple(read_closings(connection, bank.id, seen.rows)) if reads.closings else (),
        proposals=read_named_proposals(connection, bank.id, reads.proposals),
        plans=_plans(connection, bank, reads.plans),
        tombstones=get_tombstones(connection, bank.bank.ref, reads.tombstones),
        words=tuple(get_words(connection, bank.id, bank.bank.ref)) if reads.words else (),
        answers=get_answers(connection, bank.id, reads.answers),
    )


def _plans(connection: Connection, bank: BankRow, ids: Iterable[str]) -> dict[str, Plan]:
    found = {each: get_plan(connection, bank.id, each) for each in filter(can_be_kept, ids)}
    return {name: each for name, each in found.items() if each is not None}


class _Seen:
    """Memories read for one view, each once."""

    def __init__(self, connection: Connection, bank: BankRow) -> None:
        self._connection = connection
        self._bank = bank
        self._ids: dict[int, str] = {}
        self.records: dict[str, Record] = {}
        self.stateless: dict[str, tuple[int, Memory]] = {}

    @property
    def rows(self) -> list[int]:
        """Numbers of the memories taken."""
        return list(self._ids)

    def same_text(self, fingerprints: Iterable[bytes]) -> dict[bytes, list[tuple[int, str]]]:
        """List number and id of the memories with each of the texts."""
        found: dict[bytes, list[tuple[int, str]]] = {each: [] for each in fingerprints}
        for part, statement in portions(list(found), statements.same_text):
            for own, *place in self._connection.execute(statement, (self._bank.id, *part)):
                found[own].append((place[0], place[1]))
        return {each: sorted(places) for each, places in found.items()}

    def same_key(self, key: str) -> list[tuple[int, str]]:
        """List number and id of the memories under a key."""
        return self._connection.execute(statements.SAME_KEY, (self._bank.id, key)).fetchall()

    def waiting(self, limit: int) -> list[int]:
        """List the numbers of the memories that the oldest pending events are of."""
        found = self._connection.execute(statements.PENDING_ROWS, (self._bank.id, limit))
        return list(dict.fromkeys(row for (row,) in found))

    def id_of(self, number: int) -> str:
        """Give the id of a memory that was taken."""
        return self._ids[number]

    def take(self, numbers: list[int]) -> None:
        """Read the memories of these numbers, which exist, in this order."""
        wanted = list(dict.fromkeys(numbers))
        rows = {
            row[0]: row
            for part, statement in portions(wanted, statements.records_by_row)
            for row in self._connection.execute(statement, (self._bank.id, *part))
        }
        for number in wanted:
            found = read_record(self._bank.bank.ref, rows[number])
            memory_id = rows[number][1]
            self._ids[number] = memory_id
            if isinstance(found, Record):
                self.records[memory_id] = found
            else:
                self.stateless[memory_id] = found

    def events(self, memory_id: str) -> tuple[UseEvent, ...]:
        """Read a memory's events from its checkpoint on, and older ones that are still pending."""
        record = self.records.get(memory_id)
        if record is None:
            return tuple(get_events(self._connection, self._bank, [memory_id]))
        place = (self._bank.id, record.row, record.state.checkpoint.through)
        found = [
            *self._connection.execute(statements.LATE_PENDING, place).fetchall(),
            *self._connection.execute(statements.RECENT_EVENTS, place).fetchall(),
        ]
        events = (read_event(memory_id, row) for row in found)
        return tuple(sorted(events, key=lambda each: (each.at, each.event_id)))


def _ids(found: list[tuple[int, str]]) -> tuple[str, ...]:
    return tuple(memory_id for _, memory_id in found)


def _whole(ref: BankRef, row: Row) -> Record:
    found = read_record(ref, row)
    if isinstance(found, Record):
        return found
    raise stateless_error(found[1].id)


def _row_number(connection: Connection, bank: BankRow, memory_id: str) -> int | None:
    if not can_be_kept(memory_id):
        return None
    found = connection.execute(statements.ROW, (bank.id, memory_id)).fetchone()
    return None if found is None else found[0]


def get_rows(connection: Connection, bank: BankRow, ids: Iterable[str]) -> list[int]:
    """Give the internal numbers of the memories that exist among `ids`."""
    wanted = list(filter(can_be_kept, dict.fromkeys(ids)))
    found = {
        memory_id: row
        for part, statement in portions(wanted, statements.rows_by_id)
        for memory_id, row in connection.execute(statement, (bank.id, *part))
    }
    return [found[each] for each in wanted if each in found]


def _present(numbers: Iterable[int | None]) -> list[int]:
    return [each for each in numbers if each is not None]


def _filters(listing: Listing) -> list[ColumnElement[bool]]:
    filters: list[ColumnElement[bool]] = []
    if listing.kinds:
        filters.append(memory.c.kind.in_([each.value for each in listing.kinds]))
    if listing.sessions:
        filters.append(memory.c.session.in_(filter(can_be_kept, listing.sessions)))
    if listing.lifecycles:
        wanted = retention.c.lifecycle.in_([each.value for each in listing.lifecycles])
        # A lost state is not passed over: reading the page says that it is lost.
        filters.append(wanted | retention.c.row.is_(None))
    if listing.key is not None:
        filters.append(memory.c.key == listing.key)
    if listing.subject is not None:
        filters.append(memory.c.subject == listing.subject)
    if listing.tag is not None:
        filters.append(listed(memory.c.tags, bindparam("tag", listing.tag)))
    if listing.latest_only:
        filters += [memory.c.is_latest == literal_column("1"), memory.c.recorded_to.is_(None)]
    return filters
