"""What changed in a bank, in bulk: rows of a driver turned into columns.

Decides how columns are filled quickly. Refuses to make an object for each memory: a bank of a
hundred thousand is opened in about a second.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeAlias  # a column of a driver holds whatever type its name says

import numpy as np
from numpy.typing import NDArray

from lapse.model.index_delta import (
    BoolArray,
    ContentRows,
    FloatArray,
    IndexDelta,
    IntArray,
    StateRows,
)
from lapse.model.retention import TRACE_COUNT
from lapse.stores.sql import feeding
from lapse.stores.sql.banks import BankRow
from lapse.stores.sql.driver import Connection, Cursor
from lapse.stores.sql.rows import KINDS, LIFECYCLES, ROLES, json_object, names

CONTENT_WIDTH: Final = 28
STATE_WIDTH: Final = 17

_ROWS_AT_ONCE: Final = 256
_NO_TERMS: Final = np.zeros(0, dtype=np.int32)

# One column as the driver gave it: values of the one type its name says.
Column: TypeAlias = list[Any]


def get_changes(connection: Connection, bank: BankRow, since: int) -> IndexDelta:
    """Read what changed after a revision, at one moment."""
    record = bank.bank
    space = None if record.space is None else record.space.number
    space_changed = bank.space_revision > since
    if since == 0 or space_changed:
        content = connection.execute(feeding.ALL_CONTENT, (space, bank.id))
    else:
        content = connection.execute(feeding.NEW_CONTENT, (space, bank.id, since))
    contents = content_rows(content)
    states = connection.execute(feeding.NEW_STATES, (bank.id, since))
    terms = connection.execute(feeding.NEW_TERMS, (bank.id, since)).fetchall()
    removed = connection.execute(feeding.REMOVED, (bank.id, since)).fetchall()
    return IndexDelta(
        since=since,
        revision=record.revision,
        content=contents,
        states=state_rows(states),
        removed=_integers(row for (row,) in removed),
        space=record.space,
        space_changed=space_changed,
        terms=dict(terms),
    )


def content_rows(cursor: Cursor) -> ContentRows:
    """Read contents in the columns of `feeding`."""
    return contents_of(_columns(cursor, CONTENT_WIDTH))


def contents_of(columns: Sequence[Column]) -> ContentRows:
    """Give contents that were read in the columns of `feeding`."""
    return ContentRows(
        rows=_integers(columns[0]),
        ids=columns[1],
        kinds=[KINDS[each] for each in columns[2]],
        keys=columns[3],
        sessions=columns[4],
        subjects=columns[5],
        roles=[ROLES[each] for each in columns[6]],
        tags=[names(each) for each in columns[7]],
        metadata=[None if each is None else json_object(each) for each in columns[8]],
        created_at=_integers(columns[9]),
        occurred_at=_integers(columns[10]),
        recorded_from=_integers(columns[11]),
        recorded_to=_integers(columns[12]),
        valid_from=_integers(columns[13]),
        valid_to=_integers(columns[14]),
        stated_to=_integers(columns[15]),
        expires_at=_integers(columns[16]),
        is_latest=_truths(columns[17]),
        multi=_truths(columns[18]),
        confidence=_numbers(columns[19]),
        proof_count=_integers(columns[20]),
        entity_count=_integers(columns[21]),
        content_version=_integers(columns[22]),
        word_count=_integers(columns[23]),
        fingerprints=columns[24],
        distinctions=columns[25],
        term_ids=[_terms(each) for each in columns[26]],
        vectors=columns[27],
    )


def state_rows(cursor: Cursor) -> StateRows:
    """Read states in the columns of `feeding`."""
    return states_of(_columns(cursor, STATE_WIDTH))


def states_of(columns: Sequence[Column]) -> StateRows:
    """Give states that were read in the columns of `feeding`, in the order of their numbers."""
    rows = _integers(columns[0])
    order = np.argsort(rows)
    traces = np.frombuffer(b"".join(columns[2]), dtype="<f8").reshape(len(rows), TRACE_COUNT)
    return StateRows(
        rows=rows[order],
        importance=_numbers(columns[1])[order],
        traces=traces[order],
        traces_at=_integers(columns[3])[order],
        stability_days=_numbers(columns[4])[order],
        difficulty=_numbers(columns[5])[order],
        last_counted_at=_integers(columns[6])[order],
        created_at=_integers(columns[7])[order],
        access_count=_integers(columns[8])[order],
        reinforcement_count=_integers(columns[9])[order],
        pinned=_truths(columns[10])[order],
        verified=_truths(columns[11])[order],
        exempt=_truths(columns[12])[order],
        audit_evidence=_truths(columns[13])[order],
        lifecycle=[LIFECYCLES[columns[14][each]] for each in order],
        fades_at=_integers(columns[15])[order],
        protected_until=_integers(columns[16])[order],
    )


def _columns(cursor: Cursor, width: int) -> list[Column]:
    columns: list[Column] = [[] for _ in range(width)]
    # A few rows at a time stay in the processor's cache while they are taken apart.
    while rows := cursor.fetchmany(_ROWS_AT_ONCE):
        for column, values in zip(columns, zip(*rows, strict=True), strict=True):
            column.extend(values)
    return columns


def _integers(values: Iterable[int]) -> IntArray:
    return np.fromiter(values, dtype=np.int64)


def _numbers(values: Column) -> FloatArray:
    return np.array(values, dtype=np.float64)  # None becomes NaN


def _truths(values: Column) -> BoolArray:
    return np.array(values, dtype=np.bool_)


def _terms(data: bytes) -> NDArray[np.int32]:
    return np.frombuffer(data, dtype="<i4") if data else _NO_TERMS
