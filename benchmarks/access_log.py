"""Reading access logs of files, and cutting them into questions about the future.

A log says which file of a repository was touched when: a file stands for a memory, a touch for a
use. Decides what lives at an instant and what is asked about it. Refuses to score.
"""

import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from lapse.model.instants import DAY, SECOND, Instant

WARM_UP_DAYS = 365
"""Nothing is asked before a log is this old: without a past there is nothing to rank by."""

HORIZON_DAYS = 30
"""Need is asked about this many days, and asked again when they have passed."""


class Touch(IntEnum):
    """What a commit did to a file. A pure rename is no touch, and not in the log."""

    ADDED = 1
    CHANGED = 2
    RENAMED_AND_CHANGED = 3
    DELETED = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """One line of a log."""

    item: int
    at: Instant
    touch: Touch


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Which of the living items are used in the `HORIZON_DAYS` after an instant, and how often.

    Attributes:
        now: The instant.
        news: Accesses since the question before it, up to and including `now`, in order of time.
        living: Items that exist at `now`, ascending.
        uses: How often each living item is used in (now, now + horizon]; those never used are left
            out.
    """

    now: Instant
    news: Sequence[Access]
    living: Sequence[int]
    uses: Mapping[int, int]


def read_log(path: Path) -> list[Access]:
    """Read `path id, unix seconds, kind` lines, in order of time. Lines with a # are left out.

    Raises:
        ValueError: A line that is none of these.
    """
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
    accesses = [
        Access(item=int(item), at=Instant(int(at) * SECOND), touch=Touch(int(kind)))
        for item, at, kind in rows
    ]
    return sorted(accesses, key=lambda each: each.at)


def questions(log: Sequence[Access]) -> Iterator[Question]:
    """Ask every `HORIZON_DAYS` after the first year, as long as the log knows the answer.

    An item lives from its first access until a deletion that no later access takes back. What is
    born after an instant is not asked about. Instants at which nothing living is used, or all of
    it, ask nothing.
    """
    if not log:
        return
    horizon = HORIZON_DAYS * DAY
    now = log[0].at + WARM_UP_DAYS * DAY
    living: set[int] = set()
    asked_to = 0
    while now + horizon <= log[-1].at:
        known = _first_after(log, now, asked_to)
        for each in log[asked_to:known]:
            (living.discard if each.touch is Touch.DELETED else living.add)(each.item)
        ahead = log[known : _first_after(log, now + horizon, known)]
        uses = Counter(
            each.item for each in ahead if each.item in living and each.touch is not Touch.DELETED
        )
        yield Question(now=Instant(now), news=log[asked_to:known], living=sorted(living), uses=uses)
        asked_to = known
        now += horizon


def _first_after(log: Sequence[Access], instant: int, start: int) -> int:
    """Place of the first access later than an instant, looking from `start` on."""
    return next((at for at in range(start, len(log)) if log[at].at > instant), len(log))
