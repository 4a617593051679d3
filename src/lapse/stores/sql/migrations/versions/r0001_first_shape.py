"""The first shape of the tables.

Frozen: a later shape is another migration, so this file names its columns itself.
"""

from typing import TypeVar

import sqlalchemy as sa
from alembic import op
from sqlalchemy.schema import SchemaItem

T = TypeVar("T")

revision = "0001"
down_revision = None

_ROW_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make every table."""
    _banks()
    _memories()
    _states()
    _beside_memories()
    _citations()
    _identifiers()
    _holds()
    _truths()
    _plans()
    _logs()
    _sweeping()
    _tombstones()
    _notes()


def _needed(kind: sa.types.TypeEngine[T], *names: str) -> list[SchemaItem]:
    return [sa.Column(each, kind, nullable=False) for each in names]


def _optional(kind: sa.types.TypeEngine[T], *names: str) -> list[SchemaItem]:
    return [sa.Column(each, kind) for each in names]


def _content() -> list[SchemaItem]:
    return [
        *_needed(sa.Text(), "kind"),
        *_optional(sa.Text(), "role", "key", "session", "subject", "source"),
        *_optional(sa.Text(), "tags", "entities", "metadata"),
        *_needed(sa.BigInteger(), "created_at"),
        *_optional(sa.BigInteger(), "occurred_at"),
        *_needed(sa.BigInteger(), "recorded_from"),
        *_optional(sa.BigInteger(), "recorded_to", "valid_from", "valid_to"),
        *_optional(sa.BigInteger(), "stated_to", "expires_at"),
        *_needed(sa.Boolean(), "is_latest", "multi"),
        *_needed(sa.Double(), "confidence"),
        *_needed(sa.BigInteger(), "proof_count", "content_version"),
        *_optional(sa.Text(), "supersedes", "superseded_by", "derived_from"),
        *_needed(sa.LargeBinary(), "fingerprint"),
        *_optional(sa.Text(), "shared_from", "value"),
        *_needed(sa.Text(), "text"),
    ]


def _banks() -> None:
    op.create_table(
        "bank",
        sa.Column("id", _ROW_NUMBER, primary_key=True),
        *_needed(sa.Text(), "tenant", "name"),
        *_needed(sa.BigInteger(), "created_at", "revision"),
        *_needed(sa.Text(), "policy"),
        *_needed(sa.BigInteger(), "policy_version"),
        *_optional(sa.BigInteger(), "space", "building"),
        *_needed(sa.BigInteger(), "space_revision"),
        *_needed(sa.Boolean(), "overlay"),
        *_needed(sa.BigInteger(), "late_events"),
        *_needed(sa.Text(), "tokeniser", "law"),
        *_needed(sa.BigInteger(), "next_term", "memories", "active"),
        *_needed(sa.Text(), "redating"),
        *_needed(sa.BigInteger(), "redated_through", "shift"),
        sa.UniqueConstraint("tenant", "name", name="bank_name"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "space",
        *_needed(sa.BigInteger(), "bank", "number", "revision"),
        *_needed(sa.Text(), "embedder"),
        *_needed(sa.BigInteger(), "dimension", "epoch"),
        *_needed(sa.LargeBinary(), "idf"),
        sa.PrimaryKeyConstraint("bank", "number"),
        sa.ForeignKeyConstraint(["bank"], ["bank.id"]),
    )


def _memories() -> None:
    op.create_table(
        "memory",
        sa.Column("row", _ROW_NUMBER, primary_key=True),
        *_needed(sa.BigInteger(), "bank"),
        *_needed(sa.Text(), "id"),
        *_needed(sa.BigInteger(), "revision"),
        *_needed(sa.LargeBinary(), "salt"),
        *_needed(sa.BigInteger(), "word_count", "entity_count"),
        *_needed(sa.LargeBinary(), "distinctions", "terms"),
        *_content(),
        sa.UniqueConstraint("bank", "id", name="memory_id"),
        sa.ForeignKeyConstraint(["bank"], ["bank.id"]),
        sqlite_autoincrement=True,
    )
    op.create_index("memory_page", "memory", ["bank", "row"])
    op.create_index("memory_revision", "memory", ["bank", "revision"])
    op.create_index("memory_fingerprint", "memory", ["bank", "fingerprint"])
    op.create_index(
        "memory_key", "memory", ["bank", "key"], sqlite_where=sa.text("key IS NOT NULL")
    )
    shared = sa.text("shared_from IS NOT NULL")
    op.create_index("memory_shared", "memory", ["shared_from"], sqlite_where=shared)
    op.create_table(
        "memory_version",
        *_needed(sa.BigInteger(), "row", "bank"),
        *_content(),
        sa.PrimaryKeyConstraint("row", "content_version"),
        sa.ForeignKeyConstraint(["row"], ["memory.row"]),
    )


def _states() -> None:
    op.create_table(
        "retention",
        sa.Column("row", _ROW_NUMBER, primary_key=True, autoincrement=False),
        *_needed(sa.BigInteger(), "bank", "revision"),
        *_needed(sa.Text(), "lifecycle"),
        *_optional(sa.BigInteger(), "fades_at", "expires_at"),
        *_optional(sa.Double(), "importance"),
        *_needed(sa.Text(), "importance_source"),
        *_needed(sa.LargeBinary(), "traces"),
        *_needed(sa.BigInteger(), "traces_at"),
        *_needed(sa.Double(), "stability_days", "difficulty"),
        *_optional(sa.BigInteger(), "last_counted_at"),
        *_needed(sa.BigInteger(), "access_count", "reinforcement_count"),
        *_needed(sa.LargeBinary(), "checkpoint"),
        *_optional(sa.BigInteger(), "last_recalled_at"),
        *_needed(sa.Boolean(), "pinned", "verified", "exempt"),
        *_optional(sa.Text(), "exempt_reason"),
        *_needed(sa.Boolean(), "audit_evidence"),
        *_optional(sa.Text(), "transition"),
        *_optional(sa.BigInteger(), "protected_until"),
        *_needed(sa.BigInteger(), "policy_version", "created_at", "updated_at"),
        *_optional(sa.BigInteger(), "archived_at"),
    )
    op.create_index("retention_due", "retention", ["bank", "lifecycle", "fades_at"])
    op.create_index(
        "retention_expiry",
        "retention",
        ["bank", "lifecycle", "expires_at"],
        sqlite_where=sa.text("expires_at IS NOT NULL"),
    )
    op.create_index(
        "retention_archived",
        "retention",
        ["bank", "lifecycle", "archived_at"],
        sqlite_where=sa.text("archived_at IS NOT NULL"),
    )
    op.create_index("retention_revision", "retention", ["bank", "revision"])
    words = sa.text("transition IS NOT NULL OR exempt_reason IS NOT NULL")
    op.create_index("retention_words", "retention", ["bank", "row"], sqlite_where=words)


def _beside_memories() -> None:
    op.create_table(
        "vector",
        *_needed(sa.BigInteger(), "row", "bank", "space"),
        *_needed(sa.LargeBinary(), "data"),
        sa.UniqueConstraint("row", "space", name="vector_place"),
        sa.ForeignKeyConstraint(["row"], ["memory.row"]),
    )
    op.create_table(
        "term",
        *_needed(sa.BigInteger(), "bank", "id"),
        *_needed(sa.Text(), "term"),
        *_needed(sa.BigInteger(), "df", "revision"),
        sa.PrimaryKeyConstraint("bank", "id"),
        sa.UniqueConstraint("bank", "term", name="term_name"),
        sa.ForeignKeyConstraint(["bank"], ["bank.id"]),
        sqlite_with_rowid=False,
    )
    op.create_index("term_revision", "term", ["bank", "revision"])
    op.create_table(
        "event",
        sa.Column("number", _ROW_NUMBER, primary_key=True),
        *_needed(sa.BigInteger(), "bank", "row"),
        *_needed(sa.Text(), "event_id", "source"),
        *_needed(sa.Double(), "weight"),
        *_needed(sa.BigInteger(), "at", "enqueued_at"),
        *_optional(sa.Text(), "recall_id"),
        *_needed(sa.Boolean(), "pending"),
        sa.UniqueConstraint("row", "event_id", name="event_once"),
        sa.ForeignKeyConstraint(["row"], ["memory.row"]),
    )
    pending = sa.text("pending = 1")
    op.create_index("event_row", "event", ["row", "at"])
    op.create_index("event_pending", "event", ["bank", "number"], sqlite_where=pending)
    op.create_index("event_pending_row", "event", ["row", "at"], sqlite_where=pending)


def _citations() -> None:
    op.create_table(
        "citation",
        *_needed(sa.BigInteger(), "bank"),
        *_needed(sa.Text(), "cited"),
        *_needed(sa.BigInteger(), "row"),
        sa.PrimaryKeyConstraint("bank", "cited", "row"),
        sa.ForeignKeyConstraint(["bank"], ["bank.id"]),
        sa.ForeignKeyConstraint(["row"], ["memory.row"]),
        sqlite_with_rowid=False,
    )
    op.create_index("citation_row", "citation", ["row"])


def _identifiers() -> None:
    op.create_table(
        "identifier",
        *_needed(sa.BigInteger(), "bank"),
        *_needed(sa.Text(), "canonical"),
        *_needed(sa.BigInteger(), "row"),
        *_needed(sa.Text(), "type"),
        sa.PrimaryKeyConstraint("bank", "canonical", "row", "type"),
        sa.ForeignKeyConstraint(["bank"], ["bank.id"]),
        sa.ForeignKeyConstraint(["row"], ["memory.row"]),
        sqlite_with_rowid=False,
    )
    op.create_index("identifier_row", "identifier", ["row"])


def _holds() -> None:
    op.create_table(
        "hold",
        *_needed(sa.BigInteger(), "bank"),
        *_needed(sa.Text(), "name", "scope"),
        *_optional(sa.Text(), "targets"),
        *_needed(sa.Text(), "holder", "reason"),
        *_needed(sa.BigInteger(), "placed_at"),
        *_optional(sa.Text(), "attached"),
        sa.PrimaryKeyConstraint("bank", "name"),
        sa.ForeignKeyConstraint(["bank"], ["bank.id"]),
        sqlite_with_rowid=False,
    )


def _truths() -> None:
    op.create_table(
        "closing",
        *_needed(sa.BigInteger(), "row"),
        *_needed(sa.Text(), "kind"),
        *_needed(sa.BigInteger(), "by_row", "recorded_from", "bank"),
        *_optional(sa.BigInteger(), "recorded_to", "starts_at"),
        *_needed(sa.BigInteger(), "rest_row"),
        *_needed(sa.Text(), "undo"),
        sa.PrimaryKeyConstraint("row", "kind", "by_row", "recorded_from"),
        sa.ForeignKeyConstraint(["row"], ["memory.row"]),
        sa.ForeignKeyConstraint(["bank"], ["bank.id"]),
        sqlite_with_rowid=False,
    )
    op.create_index("closing_bank", "closing", ["bank"])
    op.create_index("closing_by", "closing", ["by_row"])
    op.create_index("closing_rest", "closing", ["rest_row"])
    op.create_table(
        "proposal",
        sa.Column("number", _ROW_NUMBER, primary_key=True),
        *_needed(sa.BigInteger(), "bank"),
        *_needed(sa.Text(), "id", "status", "kind"),
        *_needed(sa.BigInteger(), "at"),
        *_needed(sa.Text(), "by"),
        *_optional(sa.Text(), "change"),
        *_needed(sa.Double(), "confidence"),
        *_optional(sa.Text(), "evidence", "rest"),
        *_optional(sa.BigInteger(), "until", "decided_at"),
        *_optional(sa.Text(), "decided_by", "reason"),
        sa.UniqueConstraint("bank", "id", name="proposal_id"),
        sa.ForeignKeyConstraint(["bank"], ["bank.id"]),
    )
    op.create_index("proposal_status", "proposal", ["bank", "status", "number"])
    op.create_table(
        "proposal_part",
        *_needed(sa.BigInteger(), "number", "place", "row"),
        sa.PrimaryKeyConstraint("number", "place"),
        sa.ForeignKeyConstraint(["number"], ["proposal.number"]),
        sa.ForeignKeyConstraint(["row"], ["memory.row"]),
        sqlite_with_rowid=False,
    )
    op.create_index("proposal_part_row", "proposal_part", ["row"])


def _plans() -> None:
    op.create_table(
        "plan",
        *_needed(sa.BigInteger(), "bank"),
        *_needed(sa.Text(), "id"),
        *_needed(sa.BigInteger(), "created_at"),
        *_needed(sa.Text(), "head", "progress", "items"),
        sa.PrimaryKeyConstraint("bank", "id"),
        sa.ForeignKeyConstraint(["bank"], ["bank.id"]),
    )
    op.create_index("plan_page", "plan", ["bank", "created_at"])


def _logs() -> None:
    op.create_table(
        "removal",
        *_needed(sa.BigInteger(), "bank", "revision", "row"),
        sa.PrimaryKeyConstraint("bank", "revision", "row"),
        sa.ForeignKeyConstraint(["bank"], ["bank.id"]),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "journal",
        *_needed(sa.BigInteger(), "bank", "seq"),
        *_needed(sa.Text(), "verb"),
        *_needed(sa.BigInteger(), "at"),
        *_needed(sa.Text(), "by", "approved_by", "via"),
        *_needed(sa.LargeBinary(), "items"),
        *_needed(sa.Text(), "counts", "about"),
        *_needed(sa.LargeBinary(), "words_hash"),
        *_optional(sa.Text(), "reason"),
        *_needed(sa.LargeBinary(), "reason_salt", "previous", "hash"),
        *_needed(sa.Text(), "redacted_by"),
        sa.PrimaryKeyConstraint("bank", "seq"),
        sa.ForeignKeyConstraint(["bank"], ["bank.id"]),
    )
    copying = sa.text("verb IN ('export', 'share', 'backup')")
    words = sa.text("reason IS NOT NULL")
    op.create_index("journal_words", "journal", ["bank", "seq"], sqlite_where=words)
    op.create_index("journal_copying", "journal", ["bank", "seq"], sqlite_where=copying)
    op.create_table(
        "journal_head",
        sa.Column("bank", sa.BigInteger(), primary_key=True, autoincrement=False),
        *_needed(sa.BigInteger(), "seq"),
        *_needed(sa.LargeBinary(), "hash"),
        sa.ForeignKeyConstraint(["bank"], ["bank.id"]),
    )


def _sweeping() -> None:
    op.create_table(
        "sweep",
        *_needed(sa.BigInteger(), "bank", "number"),
        *_needed(sa.Text(), "report"),
        sa.PrimaryKeyConstraint("bank", "number"),
        sa.ForeignKeyConstraint(["bank"], ["bank.id"]),
    )
    op.create_table(
        "canary",
        sa.Column("number", _ROW_NUMBER, primary_key=True),
        *_needed(sa.BigInteger(), "bank"),
        *_needed(sa.Text(), "id", "canary"),
        sa.UniqueConstraint("bank", "id", name="canary_id"),
        sa.ForeignKeyConstraint(["bank"], ["bank.id"]),
    )
    op.create_table(
        "lease",
        *_needed(sa.BigInteger(), "bank"),
        *_needed(sa.Text(), "name", "holder"),
        *_needed(sa.BigInteger(), "until"),
        sa.PrimaryKeyConstraint("bank", "name"),
        sa.ForeignKeyConstraint(["bank"], ["bank.id"]),
    )


def _tombstones() -> None:
    op.create_table(
        "tombstone",
        *_needed(sa.Integer(), "number"),
        *_needed(sa.Text(), "tenant", "bank", "scope", "id", "key_id"),
        *_needed(sa.LargeBinary(), "salt"),
        *_needed(sa.BigInteger(), "at"),
        *_needed(sa.Text(), "by"),
        *_optional(sa.BigInteger(), "lifted_at"),
        *_optional(sa.Text(), "lifted_by", "lifted_for"),
        *_needed(sa.LargeBinary(), "exact", "sums", "slips"),
        sa.PrimaryKeyConstraint("number"),
        sa.UniqueConstraint("id", name="tombstone_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("tombstone_bank", "tombstone", ["tenant", "bank", "number"])
    op.create_index(
        "tombstone_wide",
        "tombstone",
        ["tenant", "number"],
        sqlite_where=sa.text("scope = 'tenant'"),
    )


def _notes() -> None:
    op.create_table(
        "note",
        *_needed(sa.Text(), "shelf", "name", "place"),
        *_needed(sa.BigInteger(), "version"),
        *_needed(sa.LargeBinary(), "body"),
        *_optional(sa.BigInteger(), "until"),
        sa.PrimaryKeyConstraint("shelf", "name"),
        sqlite_with_rowid=False,
    )
    op.create_index("note_until", "note", ["until"])
    op.create_index("note_place", "note", ["shelf", "place"])
