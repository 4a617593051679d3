"""Changes that come one by one and can be gone through again.

Decides how many of them are kept for that: a load that does not fit into RAM is drawn once only.
Refuses to know what is done with them.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from lapse.model.changeset import ChangeSet

MOST_KEPT: Final = 256
"""Changes of one write that are kept, so that the write can be made again."""


class Redrawing:
    """Changes as their maker gives them, and from the beginning again while they are few."""

    def __init__(self, changes: Iterable[ChangeSet]) -> None:
        self._coming = iter(changes)
        self._kept: list[ChangeSet] = []
        self._count = 0

    @property
    def first(self) -> ChangeSet | None:
        """The first of them, or None where there are none."""
        return next(self.drawn(), None)

    @property
    def whole(self) -> bool:
        """Whether `drawn` can begin anew: nothing was let go."""
        return self._count <= MOST_KEPT

    def drawn(self) -> Iterator[ChangeSet]:
        """Give those that were given before, as long as they are kept, and then what comes."""
        yield from self._kept
        for each in self._coming:
            self._count += 1
            if self.whole:
                self._kept.append(each)
            else:
                self._kept.clear()
            yield each
