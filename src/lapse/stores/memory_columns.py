"""Rows of the in-memory reference as the columns of an index delta.

Decides how absent values are written in columns, and nothing else.
"""

import numpy as np

from lapse.model.bank import Space
from lapse.model.index_delta import (
    MISSING,
    BoolArray,
    ContentRows,
    FloatArray,
    IntArray,
    StateRows,
)
from lapse.model.instants import Instant
from lapse.model.retention import TRACE_COUNT, RetentionState
from lapse.stores.memory_bank import Row


def content_rows(rows: list[Row], space: Space | None) -> ContentRows:
    """Give the content of the rows, with their vectors in `space`."""
    memories = [each.memory for each in rows]
    return ContentRows(
        rows=_integers([each.row for each in rows]),
        ids=[each.id for each in memories],
        kinds=[each.kind for each in memories],
        keys=[each.key for each in memories],
        sessions=[each.session for each in memories],
        subjects=[each.subject for each in memories],
        roles=[each.role for each in memories],
        tags=[each.tags for each in memories],
        metadata=[each.metadata or None for each in memories],
        created_at=_instants([each.created_at for each in memories]),
        occurred_at=_instants([each.occurred_at for each in memories]),
        recorded_from=_instants([each.recorded_from for each in memories]),
        recorded_to=_instants([each.recorded_to for each in memories]),
        valid_from=_instants([each.valid_from for each in memories]),
        valid_to=_instants([each.valid_to for each in memories]),
        stated_to=_instants([each.stated_to for each in memories]),
        expires_at=_instants([each.expires_at for each in memories]),
        is_latest=_truths([each.is_latest for each in memories]),
        multi=_truths([each.multi for each in memories]),
        confidence=_numbers([each.confidence for each in memories]),
        proof_count=_integers([each.proof_count for each in memories]),
        entity_count=_integers([len(each.entities) for each in memories]),
        content_version=_integers([each.content_version for each in memories]),
        word_count=_integers([each.facets.word_count for each in rows]),
        fingerprints=[each.fingerprint for each in memories],
        distinctions=[each.facets.distinctions for each in rows],
        term_ids=[np.array(each.term_ids, dtype=np.int32) for each in rows],
        vectors=[None if space is None else each.vectors.get(space.number) for each in rows],
    )


def state_rows(rows: list[Row]) -> StateRows:
    """Give the states of the rows that have one."""
    found = [(each.row, each.state) for each in rows if each.state is not None]
    states: list[RetentionState] = [state for _, state in found]
    strengths = [each.strength for each in states]
    traces = [each.traces for each in strengths]
    return StateRows(
        rows=_integers([row for row, _ in found]),
        importance=_numbers([np.nan if x.importance is None else x.importance for x in states]),
        traces=np.array(traces, dtype=np.float64).reshape(len(states), TRACE_COUNT),
        traces_at=_instants([each.traces_at for each in strengths]),
        stability_days=_numbers([each.stability_days for each in strengths]),
        difficulty=_numbers([each.difficulty for each in strengths]),
        last_counted_at=_instants([each.last_counted_at for each in strengths]),
        created_at=_instants([each.created_at for each in states]),
        access_count=_integers([each.access_count for each in strengths]),
        reinforcement_count=_integers([each.reinforcement_count for each in strengths]),
        pinned=_truths([each.pinned for each in states]),
        verified=_truths([each.verified for each in states]),
        exempt=_truths([each.exempt for each in states]),
        audit_evidence=_truths([each.audit_evidence for each in states]),
        lifecycle=[each.lifecycle for each in states],
        fades_at=_instants([each.fades_at for each in states]),
        protected_until=_instants([each.protected_until for each in states]),
    )


def _integers(values: list[int]) -> IntArray:
    return np.array(values, dtype=np.int64)


def _instants(values: list[Instant] | list[Instant | None]) -> IntArray:
    return np.array([MISSING if each is None else each for each in values], dtype=np.int64)


def _numbers(values: list[float]) -> FloatArray:
    return np.array(values, dtype=np.float64)


def _truths(values: list[bool]) -> BoolArray:
    return np.array(values, dtype=np.bool_)
