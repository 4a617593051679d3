"""The statements that feed an index: what of a bank changed since a revision.

Decides their columns and the order of their parameters. Refuses to run them.
"""

from typing import Final

from sqlalchemy import Column, ColumnElement, and_, bindparam, func, literal_column, select

from lapse.model.index_delta import MISSING
from lapse.stores.sql.schema import memory, removal, retention, term, vector
from lapse.stores.sql.statements import VECTOR_OF_MEMORY, eq, sql

_ABSENT: Final[ColumnElement[object]] = literal_column(str(MISSING))


def _filled(column: Column[object]) -> ColumnElement[object]:
    return func.coalesce(column, _ABSENT)


CONTENT_COLUMNS: Final[tuple[ColumnElement[object], ...]] = (
    memory.c.row, memory.c.id, memory.c.kind, memory.c.key, memory.c.session, memory.c.subject,
    memory.c.role, memory.c.tags, memory.c.metadata, memory.c.created_at,
    _filled(memory.c.occurred_at), memory.c.recorded_from, _filled(memory.c.recorded_to),
    _filled(memory.c.valid_from), _filled(memory.c.valid_to), _filled(memory.c.stated_to),
    _filled(memory.c.expires_at), memory.c.is_latest, memory.c.multi, memory.c.confidence,
    memory.c.proof_count, memory.c.entity_count,
    memory.c.content_version, memory.c.word_count, memory.c.fingerprint, memory.c.distinctions,
    memory.c.terms, vector.c.data,
)  # fmt: skip
"""What an index holds of a content, in the order in which `deltas` reads it."""

_CONTENT = (
    select(*CONTENT_COLUMNS)
    .select_from(memory.outerjoin(vector, and_(VECTOR_OF_MEMORY, eq(vector.c.space))))
    .where(eq(memory.c.bank))
)
ALL_CONTENT: Final = sql(_CONTENT.order_by(memory.c.row))
NEW_CONTENT: Final = sql(_CONTENT.where(memory.c.revision > bindparam(None)).order_by(memory.c.row))

STATE_COLUMNS: Final[tuple[ColumnElement[object], ...]] = (
    retention.c.row, retention.c.importance, retention.c.traces, retention.c.traces_at,
    retention.c.stability_days, retention.c.difficulty, _filled(retention.c.last_counted_at),
    retention.c.created_at, retention.c.access_count, retention.c.reinforcement_count,
    retention.c.pinned, retention.c.verified, retention.c.exempt, retention.c.audit_evidence,
    retention.c.lifecycle, _filled(retention.c.fades_at), _filled(retention.c.protected_until),
)  # fmt: skip
"""What it holds of a state, likewise."""

# All states may be many: they are put in order where they arrive, as columns.
NEW_STATES: Final = sql(
    select(*STATE_COLUMNS).where(eq(retention.c.bank), retention.c.revision > bindparam(None))
)
NEW_TERMS: Final = sql(
    select(term.c.term, term.c.id).where(eq(term.c.bank), term.c.revision > bindparam(None))
)
REMOVED: Final = sql(
    select(removal.c.row)
    .where(eq(removal.c.bank), removal.c.revision > bindparam(None))
    .order_by(removal.c.row)
)
