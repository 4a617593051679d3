"""What the in-memory reference reads of one bank.

Decides how a question about a bank's value is answered. Refuses to change the value.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import assert_never

from lapse.model.answer import KeptAnswer
from lapse.model.closing import Closing
from lapse.model.due import Due, DueBy
from lapse.model.hold import Hold
from lapse.model.instants import Instant
from lapse.model.retention import Lifecycle, RetentionState, UseEvent
from lapse.model.view import Reads, View
from lapse.stores.applying import closing_place
from lapse.stores.memory_bank import BankData, Row, Use


def view_of(data: BankData, reads: Reads) -> View:
    """Read what a judge asked to see."""
    same_text = {each: _by_row(data, data.found.of_text(each)) for each in reads.fingerprints}
    same_key = {each: _by_row(data, data.found.of_key(each)) for each in reads.keys}
    waiting = pending_of(data)[: reads.pending] if reads.pending else []
    pending = tuple(dict.fromkeys(each.event.memory_id for each in waiting))
    pending = tuple(each for each in pending if data.rows[each].state is not None)
    found = [*reads.ids, *chain(*same_text.values()), *chain(*same_key.values()), *pending]
    alike = [data.rows[each].memory for each in chain(*same_text.values())]
    found += [each.superseded_by for each in alike if each.superseded_by is not None]
    rows = {each: data.rows[each] for each in found if each in data.rows}
    followed = rows if reads.events else pending
    return View(
        bank=data.record,
        records={name: row.record for name, row in rows.items() if row.record is not None},
        same_text={each: tuple(names) for each, names in same_text.items()},
        same_key={each: tuple(names) for each, names in same_key.items()},
        pending=pending,
        events={each: recent_of(rows[each]) for each in followed},
        stateless={n: (row.row, row.memory) for n, row in rows.items() if row.state is None},
        holds=holds_of(data),
        cited_by=cited_by_of(data, rows) if reads.cited else {},
        closings=tuple(closings_of(data, tuple(rows))) if reads.closings else (),
        proposals={
            each: data.proposals[each] for each in reads.proposals if each in data.proposals
        },
        plans={each: data.plans[each] for each in reads.plans if each in data.plans},
        answers=answers_of(data, reads.answers),
    )


def answers_of(data: BankData, after: int | None) -> tuple[KeptAnswer, ...]:
    """Answers with a higher number, in the order of putting; none for None."""
    if after is None:
        return ()
    return tuple(each for each in data.answers.values() if each.number > after)


def _by_row(data: BankData, names: Sequence[str]) -> list[str]:
    return sorted(names, key=lambda each: data.rows[each].row)


def holds_of(data: BankData) -> tuple[Hold, ...]:
    """The legal holds, by name."""
    return tuple(data.holds[each] for each in sorted(data.holds))


def cited_by_of(data: BankData, cited: Mapping[str, Row]) -> dict[str, tuple[str, ...]]:
    """By cited memory, the active memories that cite it."""
    found: dict[str, list[str]] = {}
    for name, row in data.rows.items():
        if row.standing.lifecycle is Lifecycle.ACTIVE:
            for source in dict.fromkeys(row.memory.derived_from):
                if source in cited and source != name:
                    found.setdefault(source, []).append(name)
    return {source: tuple(names) for source, names in found.items()}


def active_of(data: BankData) -> list[tuple[Row, RetentionState]]:
    """The active memories with their states."""
    states = ((each, each.state) for each in data.rows.values())
    return [
        (row, state)
        for row, state in states
        if state is not None and state.lifecycle is Lifecycle.ACTIVE
    ]


def due_of(data: BankData, by: DueBy) -> Iterator[Due]:
    """Every memory that has the date asked for, whenever that comes."""
    wanted = Lifecycle.ARCHIVED if by is DueBy.ARCHIVED else Lifecycle.ACTIVE
    for row in data.rows.values():
        state = row.state
        at = None if state is None or state.lifecycle is not wanted else _date_of(state, by)
        if at is not None:
            yield Due(memory_id=row.memory.id, at=at, row=row.row)


def _date_of(state: RetentionState, by: DueBy) -> Instant | None:
    match by:
        case DueBy.EXPIRY:
            return state.expires_at
        case DueBy.FADING:
            return state.fades_at
        case DueBy.ARCHIVED:
            return None if state.transition is None else state.transition.at
        case _:
            assert_never(by)


def closings_of(data: BankData, ids: Sequence[str] | None) -> list[Closing]:
    """Closings of or by these memories, or all of them, in order."""
    found = [
        each
        for each in data.closings.values()
        if ids is None or each.memory_id in ids or each.by_id in ids
    ]
    return sorted(found, key=closing_place)


def pending_of(data: BankData) -> list[Use]:
    """The events that wait to be folded in, in order of arrival."""
    uses = [use for row in data.rows.values() for use in row.uses if use.pending]
    return sorted(uses, key=lambda use: use.number)


def recent_of(row: Row) -> tuple[UseEvent, ...]:
    """Events of a memory from its checkpoint on, and older ones that are still pending."""
    found = [
        use.event
        for use in row.uses
        if use.pending or row.state is None or use.event.at >= row.state.checkpoint.through
    ]
    return tuple(sorted(found, key=lambda each: (each.at, each.event_id)))
