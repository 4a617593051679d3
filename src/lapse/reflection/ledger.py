"""What the journal tells of consolidation: which memories were read into one, and what failed.

Decides how the counts of an entry are named and read back. The journal is all that is kept of it:
what was consolidated is known to every process, after every restart and in every export, and an
entry holds internal numbers and counts, nothing of a text. Refuses to read a store.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from lapse.model.instants import MINUTE, Instant
from lapse.model.journal import JournalEntry

SCHEDULED: Final = "scheduled"
DONE: Final = "done"
FAILED: Final = "failed"
"""The stages of a pass, as counts of its journal entries."""

ATTEMPTS: Final = 3
"""Failures of a host's summariser after which the built-in one does it."""

FIRST_PAUSE: Final = 10 * MINUTE
"""Microseconds after the first failure in which nothing is tried again; doubled by the next."""


@dataclass(slots=True, kw_only=True)
class Ledger:
    """The journal of consolidation as far as it was read, by the journal's own numbers of memories.

    Attributes:
        through: Number of the last entry looked at.
        considered: Memories that a finished pass read or made: none of them is gathered again.
        made: Memories that passes made, in the order they were made.
        scheduled: Memories of passes that were scheduled.
        failures: By memory, how often a pass that read it failed.
        failed_at: By memory, when the latest of these did.
    """

    through: int = 0
    considered: set[int] = field(default_factory=set)
    made: list[int] = field(default_factory=list)
    scheduled: set[int] = field(default_factory=set)
    failures: dict[int, int] = field(default_factory=dict)
    failed_at: dict[int, Instant] = field(default_factory=dict)

    def take(self, entries: Iterable[JournalEntry]) -> None:
        """Learn of further entries of consolidation, in order."""
        for entry in entries:
            counts = dict(entry.counts)
            rows = [each.row for each in entry.items]
            if DONE in counts:
                self.considered.update(rows)
                self.made += [each.row for each in entry.items if each.was is None]
            elif FAILED in counts:
                self._failed(rows, entry.at)
            elif SCHEDULED in counts:
                self.scheduled.update(rows)
            self.through = max(self.through, entry.seq)

    def announced(self, rows: Iterable[int]) -> bool:
        """Whether a pass over any of these was scheduled, and none has finished since."""
        return not self.scheduled.isdisjoint(set(rows) - self.considered)

    def attempts(self, rows: Sequence[int]) -> int:
        """How often a pass over these has failed."""
        return max((self.failures.get(each, 0) for each in rows), default=0)

    def waits_until(self, rows: Sequence[int]) -> Instant | None:
        """Until when nothing is tried again after a failure; None where none has failed."""
        failed = [self.failed_at[each] for each in rows if each in self.failed_at]
        if not failed:
            return None
        return Instant(max(failed) + FIRST_PAUSE * 2 ** (self.attempts(rows) - 1))

    def _failed(self, rows: Sequence[int], at: Instant) -> None:
        for each in rows:
            self.failures[each] = self.failures.get(each, 0) + 1
            self.failed_at[each] = at
