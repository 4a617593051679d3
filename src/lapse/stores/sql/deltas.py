"""What changed in a bank, in bulk: rows of a driver turned into columns.

Decides how columns are filled quickly. Refuses to make an object for each memory: a bank of a
hundred thousand is opened in about a second.
"""

import sqlite3
from collections.abc import Iterable
from operator import itemgetter
from typing import Any, Final

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
from lapse.stores.sql import statements
from lapse.stores.sql.banks import BankRow
from lapse.stores.sql.rows import KINDS, LIFECYCLES, ROLES, Row, json_object, names

CONTENT_WIDTH: Final = 26
STATE_WIDTH: Final = 17

_NO_TERMS: Final = np.zeros(0, dtype=np.int32)

# One column as the driver gave it: values of the one type its name says.
Column = tuple[Any, ...]


def get_changes(connection: sqlite3.Connection, bank: BankRow, since: int) -> IndexDelta:
    """Read what changed after a revision, at one moment."""
    record = bank.bank
    space = None if record.space is None else record.space.number
    space_changed = bank.space_revision > since
    if since == 0 or space_changed:
        content = connection.execute(statements.ALL_CONTENT, (space, bank.id)).fetchall()
    else:
        content = connection.execute(statements.NEW_CONTENT, (space, bank.id, since)).fetchall()
    states = connection.execute(statements.NEW_STATES, (bank.id, since)).fetchall()
    terms = connection.execute(statements.NEW_TERMS, (bank.id, since)).fetchall()
    removed = connection.execute(statements.REMOVED, (bank.id, since)).fetchall()
    return IndexDelta(
        since=since,
        revision=record.revision,
        content=_content(content),
        states=_states(states),
        removed=_integers(row for (row,) in removed),
        space=record.space,
        space_changed=space_changed,
        terms=dict(terms),
    )


def _content(rows: list[Row]) -> ContentRows:
    columns = _columns(rows, CONTENT_WIDTH)
    return ContentRows(
        rows=_integers(columns[0]),
        ids=list(columns[1]),
        kinds=[KINDS[each] for each in columns[2]],
        keys=list(columns[3]),
        sessions=list(columns[4]),
        subjects=list(columns[5]),
        roles=[ROLES[each] for each in columns[6]],
        tags=[names(each) for each in columns[7]],
        metadata=[None if each is None else json_object(each) for each in columns[8]],
        created_at=_integers(columns[9]),
        occurred_at=_integers(columns[10]),
        recorded_from=_integers(columns[11]),
        recorded_to=_integers(columns[12]),
        valid_from=_integers(columns[13]),
        valid_to=_integers(columns[14]),
        expires_at=_integers(columns[15]),
        is_latest=_truths(columns[16]),
        confidence=_numbers(columns[17]),
        proof_count=_integers(columns[18]),
        entity_count=_integers(columns[19]),
        content_version=_integers(columns[20]),
        word_count=_integers(columns[21]),
        fingerprints=list(columns[22]),
        distinctions=list(columns[23]),
        term_ids=[_terms(each) for each in columns[24]],
        vectors=list(columns[25]),
    )


def _states(rows: list[Row]) -> StateRows:
    columns = _columns(rows, STATE_WIDTH)
    traces = np.frombuffer(b"".join(columns[2]), dtype="<f8").reshape(len(rows), TRACE_COUNT)
    return StateRows(
        rows=_integers(columns[0]),
        importance=_numbers(columns[1]),
        traces=traces.astype(np.float64),
        traces_at=_integers(columns[3]),
        stability_days=_numbers(columns[4]),
        difficulty=_numbers(columns[5]),
        last_counted_at=_integers(columns[6]),
        created_at=_integers(columns[7]),
        access_count=_integers(columns[8]),
        reinforcement_count=_integers(columns[9]),
        pinned=_truths(columns[10]),
        verified=_truths(columns[11]),
        exempt=_truths(columns[12]),
        audit_evidence=_truths(columns[13]),
        lifecycle=[LIFECYCLES[each] for each in columns[14]],
        fades_at=_integers(columns[15]),
        protected_until=_integers(columns[16]),
    )


def _columns(rows: list[Row], width: int) -> list[Column]:
    rows.sort(key=itemgetter(0))
    return list(zip(*rows, strict=True)) if rows else [()] * width


def _integers(values: Iterable[int]) -> IntArray:
    return np.fromiter(values, dtype=np.int64)


def _numbers(values: Column) -> FloatArray:
    return np.array(values, dtype=np.float64)  # None becomes NaN


def _truths(values: Column) -> BoolArray:
    return np.array(values, dtype=np.bool_)


def _terms(data: bytes) -> NDArray[np.int32]:
    return np.frombuffer(data, dtype="<i4") if data else _NO_TERMS
