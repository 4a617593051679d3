"""Connections to one PostgreSQL store, and transactions on them.

Decides how a transaction begins: whose rows it may touch, as which role, in which schema and for
how long are set for the transaction alone, in the same message, so that a connection may be anybody
else's between two transactions (a pooler's, say). A write to a bank waits for the writes before it;
a read of several statements sees one moment. Refuses to know tables.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import blake2b
from threading import BoundedSemaphore
from typing import (
    Any,  # a row of a driver holds columns of many types
    Final,
    TypeAlias,
    cast,  # the pool asks for more of a connection than it uses
)

import psycopg
from psycopg.adapt import AdaptersMap
from psycopg.conninfo import make_conninfo
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.pool import PoolProxiedConnection, QueuePool

from lapse.errors import LapseError, StoreBusyError, StoreError
from lapse.model.memory import BankRef
from lapse.stores.postgres.failures import LostError, translated
from lapse.stores.postgres.link import ADAPTERS, Link, Session
from lapse.stores.postgres.location import Location
from lapse.stores.sql.connections import legible
from lapse.stores.sql.driver import Connection

Question: TypeAlias = tuple[str, Sequence[object]]
"""A statement with its values."""

NOBODYS: Final = " "
"""Whose rows are what belongs to no tenant: a name that no tenant can have."""

SHOWN: Final = ("host", "dbname", "user")
"""What of an address may be told."""

_READ: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_GLANCE: Final = "BEGIN READ ONLY"
_WRITE: Final = "BEGIN ISOLATION LEVEL READ COMMITTED"
_SETUP: Final = (
    "SELECT set_config('lock_timeout', %s, true), set_config('statement_timeout', %s, true),"
    " set_config('search_path', %s, true), set_config('lapse.tenant', %s, true),"
    " set_config('lapse.upkeep', %s, true), set_config('role', %s, true)"
)
_LOCKED: Final = (
    f"{_SETUP}, pg_advisory_xact_lock_shared(%s), pg_advisory_xact_lock(%s),"
    " pg_current_xact_id()::text"
)
_PREPARED_AFTER: Final = 4
_BEGINS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """What a write leaves behind.

    Attributes:
        ref: The bank.
        revision: The bank's revision after it.
        entry: Number and hash of its entry in the journal, or None.
    """

    ref: BankRef
    revision: int
    entry: tuple[int, bytes] | None


class Transaction(Link):
    """A link with the name of the write that it is inside, or None for a read."""

    def __init__(self, session: Session, name: str | None) -> None:
        """Hold a connection inside a transaction."""
        super().__init__(session)
        self.name = name
        self.turns: set[BankRef] = set()
        self.marks: list[Mark] = []


class Connections:
    """The connections of one process to one store."""

    def __init__(self, location: Location) -> None:
        self.location = location
        self._pool = QueuePool(
            # What the pool hands out is used through `driver_connection` alone.
            cast("Callable[[], DBAPIConnection]", self.connect),
            pool_size=location.pool,
            # A judge may read while its write holds a connection, so there is one for each writer.
            max_overflow=location.pool,
            timeout=location.lock_timeout_s,
            reset_on_return=None,
            use_lifo=True,
        )
        self._writers = BoundedSemaphore(location.pool)
        self._process = os.getpid()
        self._closed = False

    @contextmanager
    def reading(self, tenant: str) -> Iterator[Transaction]:
        """Lend a connection whose statements all read the same moment of a tenant's rows.

        Raises:
            StoreError: The store is closed, cannot be reached, or PostgreSQL failed.
        """
        with self._begun(_READ, _SETUP, self._settings(tenant)) as found, legible():
            yield found

    @contextmanager
    def glancing(self, tenant: str) -> Iterator[Transaction]:
        """Lend a connection for one statement about a tenant's rows."""
        with self._begun(_GLANCE, _SETUP, self._settings(tenant)) as found:
            yield found

    def asked(self, tenant: str, questions: Sequence[Question]) -> list[list[Any]]:
        """Ask about a tenant's rows in one message, and give the rows of each answer.

        Each question may read a moment of its own, so none may rely on another.

        Raises:
            StoreError: The store is closed, cannot be reached, or PostgreSQL failed.
        """
        for _ in range(_BEGINS - 1):
            # Nothing was written: it is asked again of another connection.
            with suppress(LostError):
                return self._asked(tenant, questions)
        return self._asked(tenant, questions)

    def _asked(self, tenant: str, questions: Sequence[Question]) -> list[list[Any]]:
        lent, session = self._take()
        try:
            # What is sent together is one transaction, and ends with the message.
            with session.pipeline():
                session.execute(_SETUP.encode(), self._settings(tenant))
                link = Link(session)
                cursors = [link.execute(*each) for each in questions]
            return [each.fetchall() for each in cursors]
        except (psycopg.Error, UnicodeError, OverflowError) as error:
            raise self._told(error, session) from None
        finally:
            _give(lent, session)

    @contextmanager
    def overlooking(self) -> Iterator[Transaction]:
        """Lend a connection for one statement about the names of all banks."""
        with self._begun(_GLANCE, _SETUP, self._settings("", upkeep="1")) as found:
            yield found

    @contextmanager
    def copying(self) -> Iterator[Transaction]:
        """Lend a connection that sees one moment, and the names of all banks."""
        with self._begun(_READ, _SETUP, self._settings("", upkeep="1")) as found:
            yield found

    @contextmanager
    def writing(self, ref: BankRef) -> Iterator[Transaction]:
        """Lend a connection inside a write to one bank; it is rolled back unless committed.

        Raises:
            StoreBusyError: Another write to the bank took longer than `lock_timeout_s`.
        """
        place = self.location.schema
        locks = (_number(place, ref.tenant), _number(place, ref.tenant, ref.name))
        settings = (*self._settings(ref.tenant), *locks)
        with self._writers, self._begun(_WRITE, _LOCKED, settings) as found:
            found.turns.add(ref)
            yield found

    def take_turn(self, found: Transaction, ref: BankRef) -> None:
        """Wait for the writes before it to another bank of the tenant, inside one write."""
        if ref not in found.turns:
            self.take_bank(found, ref)
            found.turns.add(ref)

    @contextmanager
    def working(self, tenant: str) -> Iterator[Transaction]:
        """Lend a connection for a write that no other one has to wait for."""
        with self._begun(_WRITE, _SETUP, self._settings(tenant)) as found:
            yield found

    @contextmanager
    def owning(self, tenant: str) -> Iterator[Transaction]:
        """Lend a connection for a long work on tables, as the user who owns them."""
        place = self.location
        settings = ("0", "0", place.schema, tenant, "", "none")
        with self._begun(_WRITE, _SETUP, settings) as found:
            yield found

    def take_bank(self, link: Connection, ref: BankRef) -> None:
        """Wait until no write to a bank is under way, and let none begin."""
        number = _number(self.location.schema, ref.tenant, ref.name)
        link.execute("SELECT pg_advisory_xact_lock(?)", (number,))

    def take_near(self, link: Connection, ref: BankRef) -> None:
        """Wait until nobody else works on the index of a large bank, and let nobody begin."""
        number = _number(self.location.schema, ref.tenant, ref.name, "near")
        link.execute("SELECT pg_advisory_xact_lock(?)", (number,))

    def lock_tenant(self, link: Connection, tenant: str) -> None:
        """Wait until no other write of a tenant is under way, and let none begin."""
        link.execute("SELECT pg_advisory_xact_lock(?)", (_number(self.location.schema, tenant),))

    @contextmanager
    def alone(self) -> Iterator[Session]:
        """Lend a connection of the user's own, with no transaction begun."""
        lent, session = self._answering()
        try:
            yield session
        except (psycopg.Error, UnicodeError) as error:
            raise self._told(error, session) from None
        finally:
            _give(lent, session)

    def _answering(self) -> tuple[PoolProxiedConnection, Session]:
        """Take a connection that has not broken since it was used."""
        for left in reversed(range(_BEGINS)):
            lent, session = self._take()
            try:
                session.execute(b"SELECT 1")
            except psycopg.Error as error:
                _give(lent, session)
                if not left:
                    raise self._told(error, session) from None
            else:
                return lent, session
        raise AssertionError  # the last round returns or raises

    def connect(self) -> Session:
        """Open another connection.

        Raises:
            StoreError: The server cannot be reached or refuses the user.
        """
        try:
            return psycopg.connect(
                make_conninfo("", **self.location.connection),
                autocommit=True,
                prepare_threshold=_PREPARED_AFTER if self.location.direct else None,
                context=_Context(),
            )
        except psycopg.Error as error:
            raise StoreError(
                f"{self.location.shown} cannot be reached: {self._said(error)}",
                fields={"place": self.location.shown},
            ) from None

    def _said(self, error: psycopg.Error) -> str:
        """What libpq or the server said, in one line; without any value that may be a secret."""
        said = " ".join(str(error).split())
        for name, value in self.location.connection.items():
            if name not in SHOWN:
                said = said.replace(value, "…")
        return said

    def _told(self, error: BaseException, session: Session) -> LapseError:
        """The error in Lapse's words. Of a connection that broke the driver says many things."""
        own_words = isinstance(error, psycopg.Error) and error.sqlstate is None
        found = psycopg.OperationalError() if own_words and session.closed else error
        return translated(found, self.location.shown)

    def begin_anew(self) -> None:
        """Leave the connections to the parent: this is a forked process."""
        self._pool = self._pool.recreate()
        self._writers = BoundedSemaphore(self.location.pool)
        self._process = os.getpid()

    def close(self) -> None:
        """Close what is free now and the rest when it comes back."""
        self._closed = True
        self._pool.dispose()

    @contextmanager
    def _begun(self, begin: str, setup: str, settings: Sequence[object]) -> Iterator[Transaction]:
        lent, session, name = self._begin(begin, setup, settings)
        try:
            yield Transaction(session, name)
        except (psycopg.Error, UnicodeError, OverflowError) as error:
            raise self._told(error, session) from None
        finally:
            _give(lent, session)

    def _begin(
        self, begin: str, setup: str, settings: Sequence[object]
    ) -> tuple[PoolProxiedConnection, Session, str | None]:
        # A connection may have broken since it was used: nothing was asked of it yet.
        for left in reversed(range(_BEGINS)):
            lent, session = self._take()
            try:
                with session.pipeline():
                    session.execute(begin.encode())
                    cursor = session.execute(setup.encode(), settings)
                    found = cursor.fetchone()
            except BaseException as error:
                _give(lent, session)
                if not isinstance(error, psycopg.Error):
                    raise
                told = self._told(error, session)
                if left and isinstance(told, LostError):
                    continue
                raise told from None
            name = found[-1] if setup is _LOCKED and found is not None else None
            return lent, session, name
        raise AssertionError  # the last round returns or raises

    def _settings(self, tenant: str, upkeep: str = "") -> tuple[object, ...]:
        place = self.location
        waits = (
            f"{each * 1000:.0f}ms" for each in (place.lock_timeout_s, place.statement_timeout_s)
        )
        return (*waits, place.schema, tenant, upkeep, place.role)

    def _take(self) -> tuple[PoolProxiedConnection, Session]:
        if self._closed:
            raise StoreError(
                "the store is closed: open it again", fields={"place": self.location.shown}
            )
        if self._process != os.getpid():
            self.begin_anew()
        try:
            lent = self._pool.connect()
        except PoolTimeout:
            text = f"every connection to {self.location.shown} is in use: try again, or raise pool"
            raise StoreBusyError(text, fields={"pool": str(self.location.pool)}) from None
        session = lent.driver_connection
        assert isinstance(session, psycopg.Connection)  # noqa: S101 - the pool makes no other
        return lent, session


def _give(lent: PoolProxiedConnection, session: Session) -> None:
    if not session.closed and session.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
        try:
            session.execute(b"ROLLBACK")
        except psycopg.Error:
            lent.invalidate()  # what broke was told where it broke
    elif session.closed or session.broken:
        lent.invalidate()
    lent.close()


def _number(*names: str) -> int:
    """A number for a lock: two names that share one only wait for each other."""
    digest = blake2b("\0".join(names).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)


class _Context:
    """Tells the driver how our values are written."""

    @property
    def adapters(self) -> AdaptersMap:
        return ADAPTERS

    @property
    def connection(self) -> None:
        return None
