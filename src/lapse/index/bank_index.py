"""One bank's index: takes what changed, publishes a new snapshot.

Decides when the index can go on from where it is and when it must be built anew. Refuses to read a
store, a clock or a query.
"""

from collections.abc import Callable
from dataclasses import replace
from threading import Lock

from lapse.errors import ConflictError
from lapse.index.snapshot import Snapshot
from lapse.index.tables import Tables
from lapse.model.index_delta import IndexDelta
from lapse.model.memory import BankRef


class BankIndex:
    """Columns of one bank, advanced by revision. Safe to share among threads.

    Readers take `snapshot` and keep it; writers wait for each other.
    """

    def __init__(self, ref: BankRef) -> None:
        self._ref = ref
        self._lock = Lock()
        self._tables = Tables(None)
        self._snapshot: Snapshot = self._tables.snapshot(ref, 0)

    @property
    def snapshot(self) -> Snapshot:
        """The latest published snapshot."""
        return self._snapshot

    def advance(self, delta: IndexDelta) -> Snapshot:
        """Publish the snapshot that the delta leads to.

        Raises:
            ConflictError: The delta does not start where the index is, or restores a memory whose
                content the index no longer has. Read the changes since 0 and advance by those.
        """
        with self._lock:
            return self._advance(delta)

    def follow(self, read: Callable[[int], IndexDelta]) -> Snapshot:
        """Read what changed since the latest snapshot and publish the next one.

        Reads everything when the index cannot go on from where it is.

        Args:
            read: `Store.changes` of this bank: gives what changed after a revision.
        """
        with self._lock:
            if self._snapshot.revision and not self._tables.wasteful:
                try:
                    return self._advance(read(self._snapshot.revision))
                except ConflictError:
                    pass  # what follows is the way out that the error names
            return self._advance(read(0))

    def _advance(self, delta: IndexDelta) -> Snapshot:
        if delta.since == 0:
            tables = Tables(delta.space)
        elif delta.since != self._snapshot.revision:
            raise ConflictError(f"the index is at {self._snapshot.revision}, not at {delta.since}")
        elif delta.revision == delta.since:
            return self._snapshot
        elif delta.space_changed:
            tables = self._tables.emptied(delta.space)
        else:
            tables = self._tables
            tables.check(delta)
            if not (len(delta.content.rows) or len(delta.states.rows) or len(delta.removed)):
                self._snapshot = replace(self._snapshot, revision=delta.revision)
                return self._snapshot
        tables.apply(delta)
        self._tables = tables
        self._snapshot = tables.snapshot(self._ref, delta.revision)
        return self._snapshot
