"""Closings and proposals in their tables: what ended which memory, and what waits for a decision.

Decides their statements and how a row becomes a value. Refuses to know a transaction: whoever calls
is inside one.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final  # a row of a driver holds columns of many types

from sqlalchemy import (
    Column,
    ColumnElement,
    FromClause,
    Select,
    and_,
    bindparam,
    delete,
    or_,
    select,
    update,
)
from sqlalchemy.dialects.sqlite import insert as upsert

from lapse.model.closing import Closing, ClosingKind, Undo
from lapse.model.finding import ChangeKind
from lapse.model.memory import can_be_kept
from lapse.model.proposal import Proposal, ProposalKind, ProposalStatus
from lapse.stores.applying import closing_place, unknown_proposal
from lapse.stores.sql.driver import Connection
from lapse.stores.sql.portions import portions
from lapse.stores.sql.schema import closing, memory, proposal, proposal_part
from lapse.stores.sql.statements import EVERYTHING, limited, sql

NOBODY: Final = 0
"""Stands for no memory: internal numbers start at 1."""

_KINDS: Final = {each.value: each for each in ClosingKind}
_UNDOS: Final = {each.value: each for each in Undo}
_CHANGES: Final = {each.value: each for each in ChangeKind} | {None: None}


def _is_of(found: FromClause, number: Column[int]) -> ColumnElement[bool]:
    return and_(found.c.row == number, found.c.bank == closing.c.bank)


_successor = memory.alias("successor")
_rest = memory.alias("rest")

_CLOSINGS: Final = (
    select(
        memory.c.id,
        closing.c.kind,
        closing.c.recorded_from,
        closing.c.recorded_to,
        _successor.c.id,
        closing.c.starts_at,
        _rest.c.id,
        closing.c.undo,
    )
    .select_from(
        closing.join(memory, _is_of(memory, closing.c.row))
        .outerjoin(_successor, _is_of(_successor, closing.c.by_row))
        .outerjoin(_rest, _is_of(_rest, closing.c.rest_row))
    )
)  # fmt: skip
_ALL_CLOSINGS: Final = sql(_CLOSINGS.where(closing.c.bank == bindparam(None)))

_PUT_CLOSING: Final = sql(
    upsert(closing)
    .values({each.name: bindparam(each.name) for each in closing.columns})
    .on_conflict_do_update(
        index_elements=["row", "kind", "by_row", "recorded_from"],
        set_={
            name: upsert(closing).excluded[name]
            for name in ("recorded_to", "starts_at", "rest_row", "undo")
        },
    )
)
_REMOVE_CLOSINGS: Final = tuple(
    sql(delete(closing).where(each == bindparam(None)))
    for each in (closing.c.row, closing.c.by_row, closing.c.rest_row)
)

_PROPOSED: Final = tuple(each for each in proposal.columns if each.name not in ("number", "bank"))
_INSERT_PROPOSAL: Final = sql(
    upsert(proposal)
    .values({"bank": bindparam("bank"), **{each.name: bindparam(each.name) for each in _PROPOSED}})
    .on_conflict_do_nothing(index_elements=["bank", "id"])
    .returning(proposal.c.number)
)
_INSERT_PART: Final = sql(
    upsert(proposal_part).values(
        {each.name: bindparam(each.name) for each in proposal_part.columns}
    )
)
_DECIDE: Final = sql(
    update(proposal)
    .where(proposal.c.bank == bindparam("in_bank"), proposal.c.id == bindparam("named"))
    .values(
        status=bindparam("status"),
        decided_at=bindparam("decided_at"),
        decided_by=bindparam("decided_by"),
        reason=bindparam("reason"),
    )
)
_NAMING: Final = sql(
    select(proposal_part.c.number).where(proposal_part.c.row == bindparam(None)).distinct()
)
_REMOVE_PARTS: Final = sql(delete(proposal_part).where(proposal_part.c.number == bindparam(None)))
_REMOVE_PROPOSAL: Final = sql(delete(proposal).where(proposal.c.number == bindparam(None)))
_PARTS: Final = sql(
    select(memory.c.id)
    .select_from(
        proposal_part.join(proposal, proposal.c.number == proposal_part.c.number).join(
            memory, and_(memory.c.row == proposal_part.c.row, memory.c.bank == proposal.c.bank)
        )
    )
    .where(proposal_part.c.number == bindparam(None))
    .order_by(proposal_part.c.place)
)


def _proposals(*tests: ColumnElement[bool]) -> Select[*tuple[object, ...]]:
    found = select(proposal.c.number, *_PROPOSED).where(proposal.c.bank == bindparam(None), *tests)
    return found.order_by(proposal.c.number)


_ALL_PROPOSALS: Final = limited(_proposals())
_PROPOSALS_OF_STATUS: Final = limited(_proposals(proposal.c.status == bindparam(None)))
_PROPOSAL: Final = sql(_proposals(proposal.c.id == bindparam(None)))


@cache
def _closings_of(count: int) -> str:
    rows: list[ColumnElement[object]] = [bindparam(None) for _ in range(count)]
    again: list[ColumnElement[object]] = [bindparam(None) for _ in range(count)]
    return sql(_CLOSINGS.where(or_(closing.c.row.in_(rows), closing.c.by_row.in_(again))))


@cache
def _naming(count: int) -> str:
    rows: list[ColumnElement[object]] = [bindparam(None) for _ in range(count)]
    named = select(proposal_part.c.number).where(proposal_part.c.row.in_(rows))
    tests = (proposal.c.status == bindparam(None), proposal.c.number.in_(named))
    return sql(_proposals(*tests))


def read_closings(
    connection: Connection, bank: int | None, rows: Sequence[int] | None
) -> list[Closing]:
    """Read the closings of or by the memories of these numbers, or all of a bank."""
    if rows is None:
        found = connection.execute(_ALL_CLOSINGS, (bank,)).fetchall()
    else:
        found = [
            each
            for part, statement in portions(list(dict.fromkeys(rows)), _closings_of)
            for each in connection.execute(statement, (*part, *part))
        ]
    closings = {each.name: each for each in map(_closing, found)}
    return sorted(closings.values(), key=closing_place)


def read_proposals(
    connection: Connection,
    bank: int | None,
    status: ProposalStatus | None,
    limit: int | None,
) -> list[Proposal]:
    """Read the proposals of one status, or all."""
    most = EVERYTHING if limit is None else limit
    if status is None:
        found = connection.execute(_ALL_PROPOSALS, (bank, most))
    else:
        found = connection.execute(_PROPOSALS_OF_STATUS, (bank, status.value, most))
    return [_proposal(connection, each) for each in found.fetchall()]


def read_proposals_naming(
    connection: Connection, bank: int | None, rows: Sequence[int]
) -> list[Proposal]:
    """Read the open proposals that name any of the memories of these numbers."""
    found = {
        each[0]: each
        for part, statement in portions(list(dict.fromkeys(rows)), _naming)
        for each in connection.execute(statement, (bank, ProposalStatus.OPEN.value, *part))
    }
    return [_proposal(connection, found[number]) for number in sorted(found)]


def read_named_proposals(
    connection: Connection, bank: int | None, ids: Iterable[str]
) -> dict[str, Proposal]:
    """Read proposals by id; those that do not exist are left out."""
    found = {}
    for each in filter(can_be_kept, dict.fromkeys(ids)):
        row = connection.execute(_PROPOSAL, (bank, each)).fetchone()
        if row is not None:
            found[each] = _proposal(connection, row)
    return found


def write_closings(
    connection: Connection, bank: int, closings: Iterable[Closing], rows: Mapping[str, int]
) -> None:
    """Write closings, new and changed ones."""
    connection.executemany(
        _PUT_CLOSING,
        [
            (
                rows[each.memory_id],
                each.kind.value,
                NOBODY if each.by_id is None else rows[each.by_id],
                each.recorded_from,
                bank,
                each.recorded_to,
                each.starts_at,
                NOBODY if each.rest_id is None else rows[each.rest_id],
                each.undo.value,
            )
            for each in closings
        ],
    )


def write_proposals(
    connection: Connection,
    bank: int,
    proposals: Iterable[Proposal],
    rows: Mapping[str, int],
) -> None:
    """Write new proposals; those whose id exists stay as they are."""
    for each in proposals:
        inserted = connection.execute(_INSERT_PROPOSAL, (bank, *_values(each))).fetchone()
        if inserted is not None:
            connection.executemany(
                _INSERT_PART,
                [
                    (inserted[0], place, rows[memory_id])
                    for place, memory_id in enumerate((each.memory_id, *each.other_ids))
                ],
            )


def write_decisions(connection: Connection, bank: int, decided: Iterable[Proposal]) -> None:
    """Write what became of stored proposals.

    Raises:
        ConflictError: One of them is not stored.
    """
    for each in decided:
        values = (each.status.value, each.decided_at, each.decided_by, each.reason, bank, each.id)
        if not connection.execute(_DECIDE, values).rowcount:
            raise unknown_proposal(each.id)


def remove_truths(connection: Connection, row: int) -> None:
    """Remove the closings and proposals that name a memory."""
    for statement in _REMOVE_CLOSINGS:
        connection.execute(statement, (row,))
    for (number,) in connection.execute(_NAMING, (row,)).fetchall():
        connection.execute(_REMOVE_PARTS, (number,))
        connection.execute(_REMOVE_PROPOSAL, (number,))


def _values(each: Proposal) -> tuple[object, ...]:
    return (
        each.id,
        each.status.value,
        each.kind.value,
        each.at,
        each.by,
        None if each.change is None else each.change.value,
        each.confidence,
        json.dumps(each.evidence) if each.evidence else None,
        each.rest,
        each.until,
        each.decided_at,
        each.decided_by,
        each.reason,
    )


def _closing(row: tuple[Any, ...]) -> Closing:
    return Closing(
        memory_id=row[0],
        kind=_KINDS[row[1]],
        recorded_from=row[2],
        recorded_to=row[3],
        by_id=row[4],
        starts_at=row[5],
        rest_id=row[6],
        undo=_UNDOS[row[7]],
    )


def _proposal(connection: Connection, row: tuple[Any, ...]) -> Proposal:
    memory_id, *others = (each for (each,) in connection.execute(_PARTS, (row[0],)))
    return Proposal(
        memory_id=memory_id,
        other_ids=tuple(others),
        status=ProposalStatus(row[2]),
        kind=ProposalKind(row[3]),
        at=row[4],
        by=row[5],
        change=_CHANGES[row[6]],
        confidence=row[7],
        evidence=() if row[8] is None else tuple(json.loads(row[8])),
        rest=row[9],
        until=row[10],
        decided_at=row[11],
        decided_by=row[12],
        reason=row[13],
    )
