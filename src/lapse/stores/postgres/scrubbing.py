"""Seeing to it that a database no longer holds what was removed from it.

PostgreSQL leaves a removed row where it was until a vacuum, and a vacuum leaves its bytes in the
room that it frees until something else is written there. So every table of ours is vacuumed, and
one in whose files anything wanted is still found is written anew, part by part: whoever uses that
part waits meanwhile. Where the server does not let this user read its files, nothing can be
searched, and every table is written anew.

Decides which tables that is. Refuses to promise anything about the server's log of writes, its
archives, replicas and backups: none of them is searched, and the log is not said to be empty.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

from psycopg import errors

from lapse.model.scrubbing import Scrubbed
from lapse.stores.postgres.connections import Connections
from lapse.stores.postgres.link import Session

_TABLES: Final = (
    "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = to_regnamespace(%s)"
    " ORDER BY relname"
)
# A table, where long texts of it lie, and the indexes of both.
_FILES: Final = (
    "WITH ours AS (SELECT oid, reltoastrelid FROM pg_class WHERE relkind = 'r'"
    " AND relnamespace = to_regnamespace(%s) AND relname = %s),"
    " places AS (SELECT oid FROM ours UNION ALL SELECT reltoastrelid FROM ours)"
    " SELECT pg_relation_filepath(oid) FROM places WHERE oid <> 0 UNION ALL"
    " SELECT pg_relation_filepath(indexrelid) FROM pg_index JOIN places ON indrelid = oid"
)
_MAY_READ: Final = (
    "SELECT has_function_privilege('pg_read_binary_file(text, bigint, bigint)', 'execute')"
    " AND has_function_privilege('pg_stat_file(text, boolean)', 'execute')"
    " AND pg_has_role('pg_checkpoint', 'usage')"
)
_LENGTH: Final = "SELECT (pg_stat_file(%s, true)).size"
_HELD: Final = (
    "SELECT needle FROM unnest(%s::bytea[]) AS needle,"
    " pg_read_binary_file(%s, %s, %s) AS found WHERE position(needle IN found) > 0"
)
_PORTION_BYTES: Final = 16 * 1024 * 1024


def scrub(connections: Connections, needles: Sequence[bytes]) -> Scrubbed:
    """See `lapse.ports.Store.scrub`."""
    wanted = tuple(dict.fromkeys(each for each in needles if each))
    schema = connections.location.schema
    with connections.alone() as session:
        names = [name for (name,) in session.execute(_TABLES, (schema,))]
        readable = _may_read(session)
        for name in names:
            _vacuum(session, schema, name, "VACUUM" if readable else "VACUUM (FULL)")
        if not readable:
            return Scrubbed(places=(), log_emptied=False, rebuilt=True, residue=0)
        held = [name for name in names if _held(session, schema, name, wanted)]
        for name in held:
            _vacuum(session, schema, name, "VACUUM (FULL)")
        left: set[bytes] = set()
        for name in held:
            left |= _held(session, schema, name, wanted)
    return Scrubbed(places=tuple(names), log_emptied=False, rebuilt=bool(held), residue=len(left))


def _may_read(session: Session) -> bool:
    found = session.execute(_MAY_READ).fetchone()
    return found is not None and bool(found[0])


def _vacuum(session: Session, schema: str, name: str, how: str) -> None:
    # Not inside a transaction: the user's own role, since only an owner may.
    with suppress(errors.LockNotAvailable):
        session.execute(f"{how} {schema}.{name}".encode())


def _held(session: Session, schema: str, name: str, needles: Sequence[bytes]) -> set[bytes]:
    """Which of the needles the files of a table hold."""
    found: set[bytes] = set()
    if not needles:
        return found
    session.execute(b"CHECKPOINT")
    for path in _files(session, schema, name):
        left = [each for each in needles if each not in found]
        found |= _in_file(session, path, left)
    return found


def _files(session: Session, schema: str, name: str) -> Iterator[str]:
    for (path,) in session.execute(_FILES, (schema, name)).fetchall():
        segment = 0
        while _length(session, _segment(path, segment)):
            yield _segment(path, segment)
            segment += 1


def _segment(path: str, number: int) -> str:
    return f"{path}.{number}" if number else path


def _length(session: Session, path: str) -> int:
    row = session.execute(_LENGTH, (path,)).fetchone()
    return 0 if row is None or row[0] is None else int(row[0])


def _in_file(session: Session, path: str, needles: Sequence[bytes]) -> set[bytes]:
    found: set[bytes] = set()
    overlap = max(map(len, needles), default=1)
    for start in range(0, _length(session, path), _PORTION_BYTES):
        portion = (list(needles), path, start, _PORTION_BYTES + overlap)
        found |= {bytes(each) for (each,) in session.execute(_HELD, portion)}
    return found
