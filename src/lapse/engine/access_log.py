"""The access log of a bank, gathered from what it keeps anyway.

Decides what of memories, events of use, closings and the journal is a line of the log. Nothing is
recorded twice: only what recalls returned has to be asked for (`reinforcement.access_log`), because
nothing else needs it. Refuses to hold a text, and to name what is gone for good: of that, an
erasure leaves no trace and a pruning no uses to learn from.
"""

from collections.abc import Iterable, Iterator, Mapping

from lapse.engine.core import Core
from lapse.engine.paging import pages
from lapse.engine.rewinding import moves_of
from lapse.engine.runtime import BankRuntime
from lapse.model.access_log import Entry, Happening, laid_out
from lapse.model.closing import Closing
from lapse.model.instants import Instant
from lapse.model.record import Record
from lapse.model.retention import Lifecycle, UseEvent, UseSource

HAPPENINGS: Mapping[UseSource, Happening] = {
    UseSource.EXPLICIT: Happening.USED,
    UseSource.CITED: Happening.USED,
    UseSource.RECONFIRMED: Happening.USED,
    UseSource.EVIDENCE: Happening.USED,
    UseSource.RETURNED: Happening.RETURNED,
    UseSource.REJECTED: Happening.REJECTED,
}
"""What an event of use is in a log: whatever is evidence of use is a use."""


def access_log(core: Core, runtime: BankRuntime) -> list[Entry]:
    """What happened to every memory of a bank that is still there, in order of time.

    Reads the whole bank and its whole journal. What recalls returned is in it as far as it was
    written; a drain writes what waits.
    """
    store, ref = core.parts.store, runtime.ref
    entries: list[Entry] = []
    names: dict[int, str] = {}
    told: dict[str, Instant] = {}
    ended: dict[str, str] = {}
    for records in pages(core, runtime):
        for each in records:
            names[each.row] = each.memory.id
            told[each.memory.id] = each.memory.recorded_from
            if each.memory.superseded_by is not None:
                ended[each.memory.id] = each.memory.superseded_by
        entries += _created(records)
        entries += _uses(store.events(ref, [each.memory.id for each in records]))
    closings = store.closings(ref)
    entries += _closed(closings, told)
    entries += _replaced(closings, ended, told)
    entries += _moves(core, runtime, names)
    return laid_out(entries)


def _created(records: Iterable[Record]) -> Iterator[Entry]:
    for each in records:
        yield Entry(at=each.state.created_at, memory=each.memory.id, event=Happening.CREATED)


def _uses(events: Iterable[UseEvent]) -> Iterator[Entry]:
    for each in events:
        yield Entry(at=each.at, memory=each.memory_id, event=HAPPENINGS[each.source])


def _closed(closings: Iterable[Closing], told: Mapping[str, Instant]) -> Iterator[Entry]:
    for each in closings:
        if each.memory_id not in told:
            continue
        yield Entry(at=each.recorded_from, memory=each.memory_id, event=Happening.SUPERSEDED)
        if each.recorded_to is not None:
            yield Entry(at=each.recorded_to, memory=each.memory_id, event=Happening.RESTORED)


def _replaced(
    closings: Iterable[Closing], ended: Mapping[str, str], told: Mapping[str, Instant]
) -> Iterator[Entry]:
    """Claims that a newer one of their key replaced: no closing says so, the newer one does."""
    closed = {each.memory_id for each in closings if each.recorded_to is None}
    for memory_id, by_id in ended.items():
        if memory_id not in closed:
            at = max(told[memory_id], told.get(by_id, told[memory_id]))
            yield Entry(at=at, memory=memory_id, event=Happening.SUPERSEDED)


def _moves(core: Core, runtime: BankRuntime, names: Mapping[int, str]) -> Iterator[Entry]:
    for row, step in moves_of(core, runtime):
        out, was_out = step.now is not Lifecycle.ACTIVE, step.was is not Lifecycle.ACTIVE
        if row in names and out is not was_out:
            event = Happening.SUPPRESSED if out else Happening.RESTORED
            yield Entry(at=step.at, memory=names[row], event=event)
