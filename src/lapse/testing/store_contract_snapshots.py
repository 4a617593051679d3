"""Everything that can be read of one bank, as plain values that can be compared.

Decides what it means that two stores, or one store at two moments, hold the same. Internal numbers
differ between stores, so each is replaced by the memory's id. Refuses to judge: cases and state
machines compare.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np

from lapse.model.answer import CachedAnswer
from lapse.model.bank import Bank, Space
from lapse.model.canary import Canary
from lapse.model.closing import Closing
from lapse.model.hold import Hold
from lapse.model.index_delta import ContentRows, IndexDelta, StateRows
from lapse.model.journal import JournalEntry
from lapse.model.memory import BankRef, Memory
from lapse.model.paging import PAGE_LIMIT, Listing
from lapse.model.proposal import Proposal
from lapse.model.record import Record
from lapse.model.retention import RetentionState, UseEvent
from lapse.model.sweep import SweepReport
from lapse.ports import Store

Plain = tuple[object, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainDelta:
    """An index delta by memory id.

    Attributes:
        content: By id, the values of `ContentRows` in its own order, terms spelled out.
        states: By id, the values of `StateRows` in its own order.
    """

    revision: int
    content: Mapping[str, Plain]
    states: Mapping[str, Plain]
    space: Space | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """What a bank holds; equal snapshots cannot be told apart by reading."""

    bank: Bank | None
    memories: tuple[Memory, ...]
    states: tuple[RetentionState, ...]
    versions: Mapping[str, tuple[Memory, ...]]
    events: tuple[UseEvent, ...]
    pending: int
    journal: tuple[Plain, ...]
    latest_entry: int
    holds: tuple[Hold, ...]
    active: int
    sweeps: tuple[SweepReport, ...]
    canaries: tuple[Canary, ...]
    terms: tuple[str, ...]
    closings: tuple[Closing, ...]
    proposals: tuple[Proposal, ...]
    answers: tuple[CachedAnswer, ...]
    delta: PlainDelta


def snapshot(store: Store, ref: BankRef) -> Snapshot:
    """Read everything of a bank, page by page."""
    records = all_records(store, ref)
    ids = [each.memory.id for each in records]
    delta = store.changes(ref, 0)
    names = {each.row: each.memory.id for each in records}
    return Snapshot(
        bank=store.bank(ref),
        memories=tuple(each.memory for each in records),
        states=tuple(each.state for each in records),
        versions={each: tuple(store.versions(ref, each)) for each in ids},
        events=tuple(store.events(ref, ids)),
        pending=store.pending_count(ref),
        latest_entry=store.journal_head(ref)[0],
        journal=tuple(_entry(each, names) for each in whole_journal(store, ref)),
        holds=tuple(store.holds(ref)),
        active=store.active(ref),
        sweeps=tuple(store.sweeps(ref, 1_000_000)),
        canaries=tuple(store.canaries(ref)),
        terms=tuple(sorted(delta.terms)),
        closings=tuple(store.closings(ref)),
        proposals=tuple(store.proposals(ref)),
        answers=tuple(each.answer for each in store.answers(ref)),
        delta=plain_delta(delta, {}, names),
    )


def all_records(store: Store, ref: BankRef) -> list[Record]:
    """List every memory of a bank in order of internal number."""
    records: list[Record] = []
    after: int | None = 0
    while after is not None:
        page = store.page(ref, Listing(after=after, limit=PAGE_LIMIT))
        records += page.records
        after = page.next_after
    return records


def whole_journal(store: Store, ref: BankRef) -> list[JournalEntry]:
    """List every journal entry of a bank."""
    return store.journal(ref, 0, 1_000_000)


def plain_delta(
    delta: IndexDelta, terms: Mapping[str, int], names: Mapping[int, str]
) -> PlainDelta:
    """Give a delta by memory id.

    Args:
        delta: What the store gave.
        terms: The dictionary as it was before the delta.
        names: Ids by internal number.
    """
    spelled = {number: name for name, number in {**terms, **delta.terms}.items()}
    return PlainDelta(
        revision=delta.revision,
        content=_content(delta.content, spelled),
        states={names[row]: values for row, values in _states(delta.states).items()},
        space=delta.space,
    )


def _content(rows: ContentRows, spelled: Mapping[int, str]) -> dict[str, Plain]:
    columns = [
        getattr(rows, each.name)
        for each in fields(rows)
        if each.name not in ("rows", "ids", "term_ids")
    ]
    words = [tuple(spelled[int(each)] for each in ids) for ids in rows.term_ids]
    return {
        memory_id: (*(_plain(column[at]) for column in columns), words[at])
        for at, memory_id in enumerate(rows.ids)
    }


def _states(rows: StateRows) -> dict[int, Plain]:
    columns = [getattr(rows, each.name) for each in fields(rows) if each.name != "rows"]
    return {
        int(row): tuple(_plain(column[at]) for column in columns)
        for at, row in enumerate(rows.rows)
    }


def _plain(value: object) -> object:
    if isinstance(value, np.ndarray):
        return tuple(value.tolist())
    if isinstance(value, np.generic):
        number = value.item()
        absent = isinstance(number, float) and math.isnan(number)
        return None if absent else number
    return value


def _entry(entry: JournalEntry, names: Mapping[int, str]) -> Plain:
    items = tuple(
        (names.get(each.row, "gone"), each.was, each.now, each.before, each.after)
        for each in entry.items
    )
    who = (entry.by, entry.approved_by)
    told = (entry.seq, entry.verb, entry.at, *who, entry.counts, entry.about, entry.reason)
    return (*told, items)
