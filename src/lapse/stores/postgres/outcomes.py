"""What became of a write whose connection broke while it was being committed.

The server is asked by the transaction's number. A number alone proves too little: one that a server
gave before it crashed, and that had not reached its disk, it gives again after. So a write that is
said to be there must have left its mark: the entry of the journal that it made, or where it made
none, its revision.

Decides how long a server that is coming up again is waited for. Refuses to guess: what cannot be
found out is told as unknown, and nothing is written a second time.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

import psycopg

from lapse.errors import StoreError
from lapse.stores.postgres.connections import Connections, Mark

WAITS_S: Final = (0.0, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2)
"""Seconds between the questions: a server that restarts is back within some of them."""

_COMMITTED: Final = "committed"
_ABORTED: Final = "aborted"
_STATUS: Final = "SELECT pg_xact_status(%s::xid8)"
_REVISION: Final = "SELECT revision FROM bank WHERE tenant = ? AND name = ?"
_ENTRY: Final = (
    "SELECT journal.hash FROM journal JOIN bank ON bank.id = journal.bank"
    " WHERE bank.tenant = ? AND bank.name = ? AND journal.seq = ?"
)


def took_place(
    connections: Connections,
    name: str,
    marks: Sequence[Mark],
    pause: Callable[[float], None] = time.sleep,
) -> bool:
    """Whether a write whose connection broke took place.

    Args:
        connections: To the same store.
        name: Number of the transaction.
        marks: What each of its writes left behind; one or more.
        pause: Waits so many seconds.

    Raises:
        StoreError: That could not be found out.
    """
    for each in WAITS_S:
        pause(each)
        # It is down, or breaks once more: it is asked again.
        with suppress(StoreError):
            status = _status(connections, name)
            if status == _ABORTED:
                return False
            if status == _COMMITTED:
                return _stands(connections, marks)
    raise StoreError(
        "the connection broke during a write, and whether it took place is not known: "
        "look before writing again",
        fields={"place": connections.location.shown},
    )


def _status(connections: Connections, name: str) -> str | None:
    with connections.alone() as session:
        try:
            found = session.execute(_STATUS.encode(), (name,)).fetchone()
        except psycopg.errors.InvalidParameterValue:
            # "In the future": the server crashed before anything of it had reached the disk.
            return _ABORTED
    return None if found is None or found[0] is None else str(found[0])


def _stands(connections: Connections, marks: Sequence[Mark]) -> bool:
    """Whether the first that was entered in the journal stands there: all do, or none."""
    mark = next((each for each in marks if each.entry is not None), marks[0])
    ref = mark.ref
    with connections.glancing(ref.tenant) as link:
        if mark.entry is None:
            found = link.execute(_REVISION, (ref.tenant, ref.name)).fetchone()
            return found is not None and found[0] >= mark.revision
        seq, digest = mark.entry
        found = link.execute(_ENTRY, (ref.tenant, ref.name, seq)).fetchone()
        return found is not None and bytes(found[0]) == digest
