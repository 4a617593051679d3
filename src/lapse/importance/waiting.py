"""Which memories of a bank wait for a model's rating, as far as one process looked.

Decides how many are asked about at once after a failure, and how long nobody is asked then. Refuses
to ask, and to store anything: another process, or this one after a restart, looks again.

A failure halves the batch and doubles the wait; an answer undoes one failure. So one text that the
model cannot bear ends up alone, the others get through, and a model that is away is asked rarely.
"""

from typing import Final

from lapse.model.instants import HOUR, MINUTE, Instant

PATIENCE: Final = 4
"""Failures in a row after which a memory that fails alone keeps the heuristic's rating."""

_MOST_SETBACKS: Final = 10


class Waiting:
    """The ids that wait, in the order told. Guarded by whoever holds it.

    Attributes:
        through: The highest internal number that was looked at.
        ids: Ids that wait, as far as known.
        setbacks: Failures that were not made good by an answer since.
        not_before: Until then nobody is asked by upkeep.
    """

    def __init__(self) -> None:
        """Know of nothing."""
        self.through = 0
        self.ids: dict[str, None] = {}
        self.setbacks = 0
        self.not_before = Instant(0)

    def batch(self, most: int) -> list[str]:
        """The next ids to ask about: at most so many, fewer after failures, at least one."""
        return list(self.ids)[: max(1, most >> self.setbacks)]

    def forget(self, ids: list[str]) -> None:
        """These wait no longer."""
        for each in ids:
            self.ids.pop(each, None)

    def failed(self, now: Instant) -> None:
        """The model gave no answer."""
        self.setbacks = min(self.setbacks + 1, _MOST_SETBACKS)
        self.not_before = Instant(now + min(MINUTE * 2 ** (self.setbacks - 1), HOUR))

    def answered(self) -> None:
        """The model gave an answer."""
        self.setbacks = max(self.setbacks - 1, 0)
        self.not_before = Instant(0)
