"""Reading the journal: whether it is whole, what a memory lived through, where it stood.

Decides what is wrong with a chain and which entry is the first that is; what of the journal belongs
to one memory's life, in which order; and where a memory stood at an instant, by what had been
recorded then. Refuses to read a store, and to mend anything: a journal is only ever added to.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lapse.model.instants import Instant
from lapse.model.journal import GENESIS, JournalEntry, JournalItem, follows
from lapse.model.redaction import mark
from lapse.model.retention import Lifecycle, UseEvent
from lapse.model.verbs import Verb

MISSING = "is missing"
"""What is wrong with an entry whose number is not there."""

ALTERED = "is not what was written, or does not follow the one before it"
"""What is wrong with an entry whose hash is not that of its content and its place."""

UNREADABLE = "cannot be read"
"""What is wrong with an entry that holds what Lapse never writes."""

USED = "used"
"""What happened to a memory that was reported as used: the log of events, not the journal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainFault:
    """The first thing wrong with a journal.

    Attributes:
        seq: Number of the entry.
        problem: What is wrong with it.
    """

    seq: int
    problem: str


@dataclass(slots=True, kw_only=True)
class ChainWalk:
    """A walk along a chain from its beginning, entry by entry.

    Attributes:
        seq: Number of the last entry that was sound.
        hash: Its hash.
    """

    seq: int = 0
    hash: bytes = GENESIS

    def take(self, entries: Iterable[JournalEntry]) -> ChainFault | None:
        """Go on along these entries, and stop at the first that is wrong."""
        for entry in entries:
            if entry.seq > self.seq + 1:
                return ChainFault(seq=self.seq + 1, problem=MISSING)
            if entry.seq != self.seq + 1 or not follows(entry, self.hash):
                return ChainFault(seq=self.seq + 1, problem=ALTERED)
            self.seq, self.hash = entry.seq, entry.hash
        return None

    def end(self, head: tuple[int, bytes]) -> ChainFault | None:
        """Hold the end of the walk against the head that was noted apart from the entries."""
        if head[0] > self.seq:
            return ChainFault(seq=self.seq + 1, problem=MISSING)
        if head != (self.seq, self.hash):
            return ChainFault(seq=self.seq, problem=ALTERED)
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """One thing that happened to a memory.

    Attributes:
        at: When.
        what: The verb that acted, or `used`.
        by: Who acted; empty for a use.
        reason: Why, or None; of one that was redacted, which erasure took it.
        about: Id of the plan or name of the hold, or empty; of a use, what it is evidence of.
        was: Where the memory stood before, or None for one that did not exist.
        now: Where it stood afterwards.
        changed: Whether its text was another one afterwards.
        refused: Whether a guard refused the act.
        seq: Number of the journal entry, or None for a use.
        approved_by: Who else stands for it, or empty.
        via: The face the act came through, or empty.
    """

    at: Instant
    what: str
    by: str
    reason: str | None
    about: str
    was: Lifecycle | None
    now: Lifecycle
    changed: bool = False
    refused: bool = False
    seq: int | None = None
    approved_by: str = ""
    via: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One move of one memory on the axis of attention.

    Attributes:
        row: Its internal number.
        at: When it was recorded.
        was: Where it stood before.
        now: Where it stood afterwards.
    """

    row: int
    at: Instant
    was: Lifecycle
    now: Lifecycle


def life_of(
    row: int, entries: Iterable[JournalEntry], uses: Iterable[UseEvent]
) -> tuple[Happening, ...]:
    """What happened to one memory, in order of the journal; uses stand where their time puts them.

    Args:
        row: Its internal number.
        entries: The entries that name it, in order.
        uses: Its events of use.
    """
    told = [_told(entry, item) for entry, item in _items(row, entries)]
    waiting = sorted(uses, key=lambda each: (each.at, each.event_id))
    woven: list[Happening] = []
    stands = Lifecycle.ACTIVE
    for happening in told:
        while waiting and woven and waiting[0].at < happening.at:
            woven.append(_used(waiting.pop(0), stands))
        woven.append(happening)
        stands = happening.now
    return (*woven, *(_used(each, stands) for each in waiting))


def stood_at(row: int, entries: Iterable[JournalEntry], recorded: Instant) -> Lifecycle | None:
    """Where a memory stood by what had been recorded at an instant; None before it was stored.

    The latest entry recorded by then counts, in the order of the journal: a clock that was set
    back does not undo what was done.
    """
    stood: Lifecycle | None = None
    for entry, item in _items(row, entries):
        if entry.at <= recorded:
            stood = item.now
    return stood


def steps_of(entries: Iterable[JournalEntry]) -> list[Step]:
    """Every move of a memory on the axis of attention that these entries tell, in order."""
    return [
        Step(row=item.row, at=entry.at, was=item.was, now=item.now)
        for entry in entries
        for item in entry.items
        if item.was is not None and item.was is not item.now
    ]


def moved_since(steps: Iterable[Step], recorded: Instant) -> dict[int, Lifecycle]:
    """Where those memories stood at an instant that have moved since, by internal number.

    Whoever is not named has not moved since, or was not there yet.

    Args:
        steps: Every move of a bank's memories, in the order of the journal.
        recorded: The instant.
    """
    then: dict[int, Lifecycle] = {}
    since: dict[int, Lifecycle] = {}
    for step in steps:
        if step.at <= recorded:
            then[step.row] = step.now
        else:
            since.setdefault(step.row, step.was)
    return {row: then.get(row, was) for row, was in since.items()}


def _items(row: int, entries: Iterable[JournalEntry]) -> Iterator[tuple[JournalEntry, JournalItem]]:
    for entry in entries:
        for item in entry.items:
            if item.row == row:
                yield entry, item


_MOVES = (Verb.SUPPRESS, Verb.ARCHIVE, Verb.APPLY, Verb.SWEEP, Verb.PRUNE, Verb.ERASE)


def _told(entry: JournalEntry, item: JournalItem) -> Happening:
    return Happening(
        at=entry.at,
        what=entry.verb.value,
        by=entry.by,
        approved_by=entry.approved_by,
        via=entry.via,
        reason=mark(entry.redacted_by) if entry.redacted_by else entry.reason,
        about=entry.about,
        was=item.was,
        now=item.now,
        changed=item.was is not None and item.before != item.after,
        refused=entry.verb in _MOVES and item.was is item.now,
        seq=entry.seq,
    )


def _used(event: UseEvent, stands: Lifecycle) -> Happening:
    return Happening(
        at=event.at,
        what=USED,
        by="",
        reason=None,
        about=event.source.value,
        was=stands,
        now=stands,
    )
