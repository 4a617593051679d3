"""From a URL to what is needed to connect, and how the store is laid out there.

Decides which options a URL may have: those of this module, and those libpq knows. Refuses every
other one, so that a slip of the pen is no silent default.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from psycopg import pq
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from lapse.errors import Fault, ValidationError, fault, raise_all

PREFIXES: Final = ("postgresql+psycopg://", "postgresql://")
"""How a location begins that is PostgreSQL's."""

_NAME: Final = re.compile(r"[a-z_][a-z0-9_]{0,62}")
_HOST: Final = re.compile(r"[A-Za-z0-9._:-]*")
_DATABASE: Final = re.compile(r"[^@/:]*")
_WHOLE: Final = {
    "partitions": (1, 1024),
    "pool": (1, 200),
    "direct": (0, 1),
    "hnsw_m": (2, 100),
    "hnsw_ef_construction": (4, 1000),
    "hnsw_ef_search": (1, 1000),
    "scored_rows": (1, 100_000_000),
}
_SECONDS: Final = ("lock_timeout_s", "statement_timeout_s")


@dataclass(frozen=True, slots=True, kw_only=True)
class NearOptions:
    """How the own indexes of large banks are made and asked.

    Attributes:
        m, ef_construction: pgvector's, when a bank's index is made.
        ef_search: pgvector's, the least for each search.
        scored_rows: Memories among which words are looked for: those that hold the rarest terms of
            a question.
    """

    m: int = 16
    ef_construction: int = 64
    ef_search: int = 200
    scored_rows: int = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """Where a store is, and how it is laid out.

    Attributes:
        connection: What libpq needs to connect, by its own names.
        schema: The PostgreSQL schema that holds the tables: one for each deployment, or tenant.
        role: The role that every transaction takes on; it owns nothing, so that row-level security
            binds it.
        partitions: How many parts memories are laid apart in, by bank; counts when the tables are
            made, and never after.
        pool: Connections that are kept open.
        lock_timeout_s: How long a write waits for another of the same bank.
        statement_timeout_s: How long one statement may take.
        direct: Whether nothing stands between this process and the server: statements may be kept
            prepared there, which a pooler by transaction does not allow.
        near: How the own indexes of large banks are made and asked.
    """

    connection: Mapping[str, str]
    schema: str = "lapse"
    role: str = "lapse_app"
    partitions: int = 16
    pool: int = 8
    lock_timeout_s: float = 30.0
    statement_timeout_s: float = 60.0
    direct: bool = False
    near: NearOptions = field(default_factory=NearOptions)

    @property
    def shown(self) -> str:
        """Host and database, for errors: never a password."""
        host = self.connection.get("host", "localhost")
        return f"{host}/{self.connection.get('dbname', '')}"


def parse_location(text: str) -> Location:
    """Read a URL such as `postgresql+psycopg://user@host/database?schema=lapse`.

    Raises:
        ValidationError: It is none, or has options that nobody knows or that make no sense; all of
            them at once.
    """
    try:
        url = make_url(text)
    except ArgumentError:
        # What follows the scheme may hold a password.
        raise ValidationError.of("target", "postgresql://…", "is not a URL") from None
    query = {name: _last(value) for name, value in url.query.items()}
    raise_all([*_cut_faults(url), *_unknown(query), *_faults(query)])
    own = {name: query.pop(name) for name in tuple(query) if name in _OWN}
    return Location(
        connection=_connection(url) | query,
        schema=own.get("schema", "lapse"),
        role=own.get("role", "lapse_app"),
        partitions=int(own.get("partitions", 16)),
        pool=int(own.get("pool", 8)),
        lock_timeout_s=float(own.get("lock_timeout_s", 30)),
        statement_timeout_s=float(own.get("statement_timeout_s", 60)),
        direct=own.get("direct") == "1",
        near=NearOptions(
            m=int(own.get("hnsw_m", 16)),
            ef_construction=int(own.get("hnsw_ef_construction", 64)),
            ef_search=int(own.get("hnsw_ef_search", 200)),
            scored_rows=int(own.get("scored_rows", 20_000)),
        ),
    )


_OWN: Final = ("schema", "role", *_WHOLE, *_SECONDS)


def _last(value: str | tuple[str, ...]) -> str:
    return value if isinstance(value, str) else value[-1]


def _connection(url: URL) -> dict[str, str]:
    parts = {
        "user": url.username,
        "password": None if url.password is None else str(url.password),
        "host": url.host,
        "port": None if url.port is None else str(url.port),
        "dbname": url.database,
    }
    return {name: value for name, value in parts.items() if value}


def _cut_faults(url: URL) -> Iterator[Fault]:
    # A password with a sign of the URL in it ends early: the rest stands for host and database.
    if not _HOST.fullmatch(url.host or "") or not _DATABASE.fullmatch(url.database or ""):
        problem = "needs a host name; in a password, @ is %40, / %2F, : %3A, ? %3F, # %23 and % %25"
        yield fault("target", "postgresql://…", problem)


def _unknown(query: Mapping[str, str]) -> Iterator[Fault]:
    libpq = {each.keyword.decode() for each in pq.Conninfo.get_defaults()}
    for name in query:
        if name not in _OWN and name not in libpq:
            known = ", ".join(_OWN)
            yield fault(f"target.{name}", "…", f"is no option: there are {known} and libpq's own")


def _faults(query: Mapping[str, str]) -> Iterator[Fault]:
    for name in ("schema", "role"):
        if name in query and not _NAME.fullmatch(query[name]):
            yield fault(f"target.{name}", query[name], "needs lower-case letters, digits and _")
    for name, (least, most) in _WHOLE.items():
        value = query.get(name, str(least))
        if not value.isdecimal() or not least <= int(value) <= most:
            yield fault(f"target.{name}", value, f"needs a whole number from {least} to {most}")
    built, links = query.get("hnsw_ef_construction", "64"), query.get("hnsw_m", "16")
    if built.isdecimal() and links.isdecimal() and int(built) < 2 * int(links):
        yield fault("target.hnsw_ef_construction", built, "needs twice hnsw_m or more")
    for name in _SECONDS:
        value = query.get(name, "1")
        if not re.fullmatch(r"\d{1,6}(\.\d{1,3})?", value) or float(value) <= 0:
            yield fault(f"target.{name}", value, "needs a number of seconds above 0")
