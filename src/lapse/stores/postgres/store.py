"""The store for those who outgrow one machine: PostgreSQL.

Decides how often a write is tried, what else it does there than in SQLite (it lets no erasure of
a whole tenant slip past another bank's write, and folds counts of terms in now and then), and what
PostgreSQL alone can tell. Refuses everything else: what is asked stands in `sql.store`, and the
parts beside this file translate, connect and make the tables.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import ClassVar, Final, TypeVar

from lapse.errors import StoreError
from lapse.model.changeset import Changes, ChangeSet, Committed
from lapse.model.instants import Instant
from lapse.model.journal import JournalEntry
from lapse.model.memory import BankRef
from lapse.model.near import Near, Wanted
from lapse.model.scrubbing import Scrubbed
from lapse.model.shown import Shown
from lapse.model.tombstone import TombstoneScope
from lapse.stores.postgres import counting, leases
from lapse.stores.postgres.backing_up import back_up
from lapse.stores.postgres.connections import NOBODYS, Connections, Mark, Transaction
from lapse.stores.postgres.failures import AgainError, LostError
from lapse.stores.postgres.location import Location, parse_location
from lapse.stores.postgres.near import NearSearch
from lapse.stores.postgres.numbers import Numbers
from lapse.stores.postgres.opening import prepare
from lapse.stores.postgres.outcomes import took_place
from lapse.stores.postgres.redrawing import Redrawing
from lapse.stores.postgres.scrubbing import scrub
from lapse.stores.sql.banks import Banks
from lapse.stores.sql.connections import legible
from lapse.stores.sql.doctor import LOOKS, Look
from lapse.stores.sql.driver import Connection
from lapse.stores.sql.noting import SqlNotes
from lapse.stores.sql.showing import asked_for, memories_of, named_in, statements_for
from lapse.stores.sql.store import SqlStore

T = TypeVar("T")

TRIES: Final = 4
"""How often a write is made that gave way to others, or whose connection broke."""

_STANDING: Final = "SELECT id, revision FROM bank WHERE tenant = ? AND name = ?"
_SIZE: Final = (
    "SELECT coalesce(sum(pg_total_relation_size(oid)), 0) FROM pg_class"
    " WHERE relkind = 'r' AND relnamespace = to_regnamespace(%s)"
)


class PostgresStore(SqlStore):
    """A store in one schema of a database. Threads and processes on any machine may share it."""

    _looks: ClassVar[Mapping[str, Look]] = LOOKS

    def __init__(self, connections: Connections) -> None:
        """Use `PostgresStore.open`."""
        super().__init__()
        self._connections = connections
        self._near = NearSearch(connections)
        self._numbers = Numbers()
        self.notes = SqlNotes(
            lambda: connections.glancing(NOBODYS), lambda: connections.working(NOBODYS)
        )

    @classmethod
    def open(cls, location: str | Location) -> "PostgresStore":
        """Open a store; its schema is made on first use.

        Args:
            location: Such as `postgresql+psycopg://user@host/database?schema=lapse`.

        Raises:
            ValidationError: An option that nobody knows, or that makes no sense.
            SchemaError: The schema belongs to another program or to a newer Lapse.
            StoreError: The server cannot be reached, or the schema cannot be made.
        """
        place = parse_location(location) if isinstance(location, str) else location
        connections = Connections(place)
        try:
            prepare(connections)
        except BaseException:
            connections.close()
            raise
        return cls(connections)

    def commit(self, change: ChangeSet) -> Committed:
        """See `lapse.ports.Store.commit`.

        Raises:
            StoreError: The server could not be reached, however often it was tried.
        """
        return self._tried(change.ref, lambda link: self._carry_out(link, change), lambda: True)

    def commit_each(self, changes: Iterable[ChangeSet]) -> list[Committed]:
        """See `lapse.ports.Store.commit_each`.

        Made again like a single write, unless there were too many of them to keep.

        Raises:
            StoreError: The server could not be reached, however often it was tried.
        """
        drawing = Redrawing(changes)
        first = drawing.first
        if first is None:
            return []
        try:
            return self._tried(
                first.ref,
                lambda link: [self._carry_out(link, each) for each in drawing.drawn()],
                lambda: drawing.whole,
            )
        except BaseException:
            # Spaces that were written and read back, and are not there after all.
            self._banks = Banks()
            raise

    def _tried(self, ref: BankRef, write: Callable[[Connection], T], may: Callable[[], bool]) -> T:
        """Write and commit; once more, while it may be, where it gave way or was cut off."""
        for left in reversed(range(TRIES)):
            link: Transaction | None = None
            done: list[T] = []
            try:
                with self._connections.writing(ref) as link:
                    done.append(write(link))
                    link.execute("COMMIT")
            except AgainError as error:
                if isinstance(error, LostError) and done and self._took_place(link):
                    return done[0]
                if not left or not may():
                    raise
                self._banks = Banks()
            else:
                return done[0]
        raise StoreError("the server could not be reached")  # the last round returns or raises

    def _took_place(self, link: Transaction | None) -> bool:
        """Whether a write took place whose connection broke while it was being committed."""
        if link is None or link.name is None or not link.marks:
            return False  # nothing was written
        return took_place(self._connections, link.name, link.marks)

    def revision(self, ref: BankRef) -> int:
        """See `lapse.ports.Store.revision`. Learns the bank's number in passing."""
        (found,) = self._connections.asked(ref.tenant, [(_STANDING, (ref.tenant, ref.name))])
        number, revision = found[0] if found else (None, 0)
        self._numbers.learn(ref, number)
        return int(revision)

    def shown(self, ref: BankRef, ids: Sequence[str]) -> Shown:
        """See `lapse.ports.Store.shown`. One message, as long as no proposal names any of them."""
        wanted = asked_for(ids)
        while True:
            guess = self._numbers.known(ref)
            asked = () if guess is None else statements_for(guess, wanted)
            (standing, *found) = self._connections.asked(
                ref.tenant, [(_STANDING, (ref.tenant, ref.name)), *asked]
            )
            number = standing[0][0] if standing else None
            if number == guess:
                break
            # A bank keeps its number, but for one that was put in the place of another.
            self._numbers.learn(ref, number)
        rows = [row for each in found for row in each]
        with legible():
            memories = memories_of(ref, wanted, rows)
        proposals = self.proposals_naming(ref, wanted) if named_in(rows) else ()
        return Shown(memories=memories, proposals=tuple(proposals))

    def near(self, ref: BankRef, wanted: Wanted) -> Near | None:
        """See `lapse.ports.SearchesNear.near`."""
        return self._near.near(ref, wanted)

    def follow_near(self, ref: BankRef) -> bool:
        """See `lapse.ports.SearchesNear.follow_near`."""
        return self._near.follow(ref)

    def scrub(self, needles: Sequence[bytes]) -> Scrubbed:
        """See `lapse.ports.Store.scrub`."""
        return scrub(self._connections, needles)

    def size_bytes(self) -> int:
        """Give the bytes of all tables and indexes."""
        with self._connections.alone() as session:
            found = session.execute(_SIZE, (self._connections.location.schema,)).fetchone()
        return 0 if found is None else int(found[0])

    def backup(self, path: str) -> None:
        """Write a consistent copy to a new SQLite file, with access for its owner alone.

        Raises:
            StoreError: The path exists or cannot be written.
        """
        back_up(self._connections, path)

    def begin_anew(self) -> None:
        """Leave the connections to the parent: this is a forked process."""
        self._connections.begin_anew()

    def close(self) -> None:
        """See `lapse.ports.Store.close`."""
        self._connections.close()

    def _carry_out(self, connection: Connection, change: ChangeSet) -> Committed:
        assert isinstance(connection, Transaction)  # noqa: S101 - every write here is inside one
        self._connections.take_turn(connection, change.ref)
        done = super()._carry_out(connection, change)
        if not done.changes.empty and counting.is_due(done.revision):
            counting.fold(connection, self._bank(connection, change.ref).id or 0)
        return done

    def _before(self, connection: Connection, changes: Changes) -> None:
        for each in changes.tombstones:
            # Another bank of the tenant may be writing what this one forbids from now on.
            if each.scope is TombstoneScope.TENANT:
                self._connections.lock_tenant(connection, each.tenant)

    def _after(
        self, connection: Connection, ref: BankRef, revision: int, entry: JournalEntry | None
    ) -> None:
        assert isinstance(connection, Transaction)  # noqa: S101 - every write here is inside one
        entered = None if entry is None else (entry.seq, entry.hash)
        connection.marks.append(Mark(ref=ref, revision=revision, entry=entered))

    def _take_lease(
        self,
        connection: Connection,
        bank: int,
        name: str,
        holder: str,
        now: Instant,
        until: Instant,
    ) -> bool:
        return leases.take(connection, bank, name, holder, now, until)

    def _faults(self, connection: Connection) -> Iterator[str]:
        del connection
        yield from ()

    def _number(self, statement: str, ref: BankRef) -> int:
        (found,) = self._connections.asked(ref.tenant, [(statement, (ref.tenant, ref.name))])
        return int(found[0][0]) if found else 0

    def _reading(self, tenant: str) -> AbstractContextManager[Connection]:
        return self._connections.reading(tenant)

    def _glancing(self, tenant: str) -> AbstractContextManager[Connection]:
        return self._connections.glancing(tenant)

    def _overlooking(self) -> AbstractContextManager[Connection]:
        return self._connections.overlooking()

    def _writing(self, ref: BankRef) -> AbstractContextManager[Connection]:
        return self._connections.writing(ref)

    def _leasing(self, ref: BankRef) -> AbstractContextManager[Connection]:
        return self._connections.working(ref.tenant)
