"""The first shape of the tables.

Frozen: a later shape is another migration, so this file names its columns itself, and those of
tables that no memory's row refers to stand beside it.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.schema import SchemaItem

from lapse.stores.sql.migrations.first_shape import (
    make_answers,
    make_notes,
    make_tombstones,
    needed,
    optional,
)

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
    make_tombstones()
    make_answers()
    make_notes()


def _index_where(where: str, name: str, table: str, columns: list[str]) -> None:
    op.create_index(name, table, columns, sqlite_where=sa.text(where))


def _content() -> list[SchemaItem]:
    return [
        *needed(sa.Text(), "kind"),
        *optional(sa.Text(), "role", "key", "session", "subject", "source"),
        *optional(sa.Text(), "tags", "entities", "metadata"),
        *needed(sa.BigInteger(), "created_at"),
        *optional(sa.BigInteger(), "occurred_at"),
        *needed(sa.BigInteger(), "recorded_from"),
        *optional(sa.BigInteger(), "recorded_to", "valid_from", "valid_to"),
        *optional(sa.BigInteger(), "stated_to", "expires_at"),
        *needed(sa.Boolean(), "is_latest", "multi"),
        *needed(sa.Double(), "confidence"),
        *needed(sa.BigInteger(), "proof_count", "content_version"),
        *optional(sa.Text(), "supersedes", "superseded_by", "derived_from"),
        *needed(sa.LargeBinary(), "fingerprint"),
        *optional(sa.Text(), "shared_from", "value"),
        *needed(sa.Text(), "text"),
    ]


def _banks() -> None:
    op.create_table(
        "bank",
        sa.Column("id", _ROW_NUMBER, primary_key=True),
        *needed(sa.Text(), "tenant", "name"),
        *needed(sa.BigInteger(), "created_at", "revision"),
        *needed(sa.Text(), "policy"),
        *needed(sa.BigInteger(), "policy_version"),
        *optional(sa.BigInteger(), "space", "building"),
        *needed(sa.BigInteger(), "space_revision"),
        *needed(sa.Boolean(), "overlay"),
        *needed(sa.BigInteger(), "late_events"),
        *needed(sa.Text(), "tokeniser", "law"),
        *needed(sa.BigInteger(), "next_term", "memories", "active"),
        *needed(sa.Text(), "redating"),
        *needed(sa.BigInteger(), "redated_through", "shift"),
        sa.UniqueConstraint("tenant", "name", name="bank_name"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "space",
        *needed(sa.BigInteger(), "bank", "number", "revision"),
        *needed(sa.Text(), "embedder"),
        *needed(sa.BigInteger(), "dimension", "epoch"),
        *needed(sa.LargeBinary(), "idf"),
        sa.PrimaryKeyConstraint("bank", "number"),
        sa.ForeignKeyConstraint(["bank"], ["bank.id"]),
    )


def _memories() -> None:
    op.create_table(
        "memory",
        sa.Column("row", _ROW_NUMBER, primary_key=True),
        *needed(sa.BigInteger(), "bank"),
        *needed(sa.Text(), "id"),
        *needed(sa.BigInteger(), "revision"),
        *needed(sa.LargeBinary(), "salt"),
        *needed(sa.BigInteger(), "word_count", "entity_count"),
        *needed(sa.LargeBinary(), "distinctions", "terms"),
        *_content(),
        sa.UniqueConstraint("bank", "id", name="memory_id"),
        sa.ForeignKeyConstraint(["bank"], ["bank.id"]),
        sqlite_autoincrement=True,
    )
    op.create_index("memory_page", "memory", ["bank", "row"])
    op.create_index("memory_revision", "memory", ["bank", "revision"])
    op.create_index("memory_fingerprint", "memory", ["bank", "fingerprint"])
    _index_where("key IS NOT NULL", "memory_key", "memory", ["bank", "key"])
    _index_where("shared_from IS NOT NULL", "memory_shared", "memory", ["shared_from"])
    op.create_table(
        "memory_version",
        *needed(sa.BigInteger(), "row", "bank"),
        *_content(),
        sa.PrimaryKeyConstraint("row", "content_version"),
        sa.ForeignKeyConstraint(["row"], ["memory.row"]),
    )


def _states() -> None:
    op.create_table(
        "retention",
        sa.Column("row", _ROW_NUMBER, primary_key=True, autoincrement=False),
        *needed(sa.BigInteger(), "bank", "revision"),
        *needed(sa.Text(), "lifecycle"),
        *optional(sa.BigInteger(), "fades_at", "expires_at"),
        *optional(sa.Double(), "importance"),
        *needed(sa.Text(), "importance_source"),
        *needed(sa.LargeBinary(), "traces"),
        *needed(sa.BigInteger(), "traces_at"),
        *needed(sa.Double(), "stability_days", "difficulty"),
        *optional(sa.BigInteger(), "last_counted_at"),
        *needed(sa.BigInteger(), "access_count", "reinforcement_count"),
        *needed(sa.LargeBinary(), "checkpoint"),
        *optional(sa.BigInteger(), "last_recalled_at"),
        *needed(sa.Boolean(), "pinned", "verified", "exempt"),
        *optional(sa.Text(), "exempt_reason"),
        *needed(sa.Boolean(), "audit_evidence"),
        *optional(sa.Text(), "transition"),
        *optional(sa.BigInteger(), "protected_until"),
        *needed(sa.BigInteger(), "policy_version", "created_at", "updated_at"),
        *optional(sa.BigInteger(), "archived_at"),
    )
    op.create_index("retention_due", "retention", ["bank", "lifecycle", "fades_at"])
    _index_where(
        "expires_at IS NOT NULL",
        "retention_expiry",
        "retention",
        ["bank", "lifecycle", "expires_at"],
    )
    _index_where(
        "archived_at IS NOT NULL",
        "retention_archived",
        "retention",
        ["bank", "lifecycle", "archived_at"],
    )
    op.create_index("retention_revision", "retention", ["bank", "revision"])
    words = "transition IS NOT NULL OR exempt_reason IS NOT NULL"
    _index_where(words, "retention_words", "retention", ["bank", "row"])


def _beside_memories() -> None:
    op.create_table(
        "vector",
        *needed(sa.BigInteger(), "row", "bank", "space"),
        *needed(sa.LargeBinary(), "data"),
        sa.UniqueConstraint("row", "space", name="vector_place"),
        sa.ForeignKeyConstraint(["row"], ["memory.row"]),
    )
    op.create_table(
        "term",
        *needed(sa.BigInteger(), "bank", "id"),
        *needed(sa.Text(), "term"),
        *needed(sa.BigInteger(), "df", "revision"),
        sa.PrimaryKeyConstraint("bank", "id"),
        sa.UniqueConstraint("bank", "term", name="term_name"),
        sa.ForeignKeyConstraint(["bank"], ["bank.id"]),
        sqlite_with_rowid=False,
    )
    op.create_index("term_revision", "term", ["bank", "revision"])
    op.create_table(
        "event",
        sa.Column("number", _ROW_NUMBER, primary_key=True),
        *needed(sa.BigInteger(), "bank", "row"),
        *needed(sa.Text(), "event_id", "source"),
        *needed(sa.Double(), "weight"),
        *needed(sa.BigInteger(), "at", "enqueued_at"),
        *optional(sa.Text(), "recall_id"),
        *needed(sa.Boolean(), "pending"),
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
        *needed(sa.BigInteger(), "bank"),
        *needed(sa.Text(), "cited"),
        *needed(sa.BigInteger(), "row"),
        sa.PrimaryKeyConstraint("bank", "cited", "row"),
        sa.ForeignKeyConstraint(["bank"], ["bank.id"]),
        sa.ForeignKeyConstraint(["row"], ["memory.row"]),
        sqlite_with_rowid=False,
    )
    op.create_index("citation_row", "citation", ["row"])


def _identifiers() -> None:
    op.create_table(
        "identifier",
        *needed(sa.BigInteger(), "bank"),
        *needed(sa.Text(), "canonical"),
        *needed(sa.BigInteger(), "row"),
        *needed(sa.Text(), "type"),
        sa.PrimaryKeyConstraint("bank", "canonical", "row", "type"),
        sa.ForeignKeyConstraint(["bank"], ["bank.id"]),
        sa.ForeignKeyConstraint(["row"], ["memory.row"]),
        sqlite_with_rowid=False,
    )
    op.create_index("identifier_row", "identifier", ["row"])


def _holds() -> None:
    op.create_table(
        "hold",
        *needed(sa.BigInteger(), "bank"),
        *needed(sa.Text(), "name", "scope"),
        *optional(sa.Text(), "targets"),
        *needed(sa.Text(), "holder", "reason"),
        *needed(sa.BigInteger(), "placed_at"),
        *optional(sa.Text(), "attached"),
        sa.PrimaryKeyConstraint("bank", "name"),
        sa.ForeignKeyConstraint(["bank"], ["bank.id"]),
        sqlite_with_rowid=False,
    )


def _truths() -> None:
    op.create_table(
        "closing",
        *needed(sa.BigInteger(), "row"),
        *needed(sa.Text(), "kind"),
        *needed(sa.BigInteger(), "by_row", "recorded_from", "bank"),
        *optional(sa.BigInteger(), "recorded_to", "starts_at"),
        *needed(sa.BigInteger(), "rest_row"),
        *needed(sa.Text(), "undo"),
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
        *needed(sa.BigInteger(), "bank"),
        *needed(sa.Text(), "id", "status", "kind"),
        *needed(sa.BigInteger(), "at"),
        *needed(sa.Text(), "by"),
        *optional(sa.Text(), "change"),
        *needed(sa.Double(), "confidence"),
        *optional(sa.Text(), "evidence", "rest"),
        *optional(sa.BigInteger(), "until", "decided_at"),
        *optional(sa.Text(), "decided_by", "reason"),
        sa.UniqueConstraint("bank", "id", name="proposal_id"),
        sa.ForeignKeyConstraint(["bank"], ["bank.id"]),
    )
    op.create_index("proposal_status", "proposal", ["bank", "status", "number"])
    op.create_table(
        "proposal_part",
        *needed(sa.BigInteger(), "number", "place", "row"),
        sa.PrimaryKeyConstraint("number", "place"),
        sa.ForeignKeyConstraint(["number"], ["proposal.number"]),
        sa.ForeignKeyConstraint(["row"], ["memory.row"]),
        sqlite_with_rowid=False,
    )
    op.create_index("proposal_part_row", "proposal_part", ["row"])


def _plans() -> None:
    op.create_table(
        "plan",
        *needed(sa.BigInteger(), "bank"),
        *needed(sa.Text(), "id"),
        *needed(sa.BigInteger(), "created_at"),
        *needed(sa.Text(), "head", "progress", "items"),
        sa.PrimaryKeyConstraint("bank", "id"),
        sa.ForeignKeyConstraint(["bank"], ["bank.id"]),
    )
    op.create_index("plan_page", "plan", ["bank", "created_at"])


def _logs() -> None:
    op.create_table(
        "removal",
        *needed(sa.BigInteger(), "bank", "revision", "row"),
        sa.PrimaryKeyConstraint("bank", "revision", "row"),
        sa.ForeignKeyConstraint(["bank"], ["bank.id"]),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "journal",
        *needed(sa.BigInteger(), "bank", "seq"),
        *needed(sa.Text(), "verb"),
        *needed(sa.BigInteger(), "at"),
        *needed(sa.Text(), "by", "approved_by", "via"),
        *needed(sa.LargeBinary(), "items"),
        *needed(sa.Text(), "counts", "about"),
        *needed(sa.LargeBinary(), "words_hash"),
        *optional(sa.Text(), "reason"),
        *needed(sa.LargeBinary(), "reason_salt", "previous", "hash"),
        *needed(sa.Text(), "redacted_by"),
        sa.PrimaryKeyConstraint("bank", "seq"),
        sa.ForeignKeyConstraint(["bank"], ["bank.id"]),
    )
    copying = sa.text("verb IN ('export', 'share', 'backup')")
    _index_where("reason IS NOT NULL", "journal_words", "journal", ["bank", "seq"])
    op.create_index("journal_copying", "journal", ["bank", "seq"], sqlite_where=copying)
    op.create_table(
        "journal_head",
        sa.Column("bank", sa.BigInteger(), primary_key=True, autoincrement=False),
        *needed(sa.BigInteger(), "seq"),
        *needed(sa.LargeBinary(), "hash"),
        sa.ForeignKeyConstraint(["bank"], ["bank.id"]),
    )


def _sweeping() -> None:
    op.create_table(
        "sweep",
        *needed(sa.BigInteger(), "bank", "number"),
        *needed(sa.Text(), "report"),
        sa.PrimaryKeyConstraint("bank", "number"),
        sa.ForeignKeyConstraint(["bank"], ["bank.id"]),
    )
    op.create_table(
        "canary",
        sa.Column("number", _ROW_NUMBER, primary_key=True),
        *needed(sa.BigInteger(), "bank"),
        *needed(sa.Text(), "id", "canary"),
        sa.UniqueConstraint("bank", "id", name="canary_id"),
        sa.ForeignKeyConstraint(["bank"], ["bank.id"]),
    )
    op.create_table(
        "lease",
        *needed(sa.BigInteger(), "bank"),
        *needed(sa.Text(), "name", "holder"),
        *needed(sa.BigInteger(), "until"),
        sa.PrimaryKeyConstraint("bank", "name"),
        sa.ForeignKeyConstraint(["bank"], ["bank.id"]),
    )
