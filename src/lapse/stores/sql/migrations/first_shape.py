"""Tables of the first shape that no memory's row refers to: tombstones, cached answers, notes.

Frozen with the migration that makes them: a later shape is another migration. Decides their
columns. Refuses to be run by itself.
"""

from typing import TypeVar

import sqlalchemy as sa
from alembic import op
from sqlalchemy.schema import SchemaItem

T = TypeVar("T")


def needed(kind: sa.types.TypeEngine[T], *names: str) -> list[SchemaItem]:
    """Columns that every row fills."""
    return [sa.Column(each, kind, nullable=False) for each in names]


def optional(kind: sa.types.TypeEngine[T], *names: str) -> list[SchemaItem]:
    """Columns that a row may leave empty."""
    return [sa.Column(each, kind) for each in names]


def make_tombstones() -> None:
    """Make the table of tombstones."""
    op.create_table(
        "tombstone",
        *needed(sa.Integer(), "number"),
        *needed(sa.Text(), "tenant", "bank", "scope", "id", "key_id"),
        *needed(sa.LargeBinary(), "salt"),
        *needed(sa.BigInteger(), "at"),
        *needed(sa.Text(), "by"),
        *optional(sa.BigInteger(), "lifted_at"),
        *optional(sa.Text(), "lifted_by", "lifted_for"),
        *needed(sa.LargeBinary(), "exact", "sums", "slips"),
        sa.PrimaryKeyConstraint("number"),
        sa.UniqueConstraint("tenant", "id", name="tombstone_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("tombstone_bank", "tombstone", ["tenant", "bank", "number", "lifted_at"])
    op.create_index(
        "tombstone_wide",
        "tombstone",
        ["tenant", "number"],
        sqlite_where=sa.text("scope = 'tenant'"),
    )


def make_answers() -> None:
    """Make the tables of cached answers."""
    op.create_table(
        "answer",
        *needed(sa.Integer(), "number"),
        *needed(sa.BigInteger(), "bank"),
        *needed(sa.Text(), "id", "answer"),
        sa.PrimaryKeyConstraint("number"),
        sa.UniqueConstraint("bank", "id", name="answer_id"),
        sa.ForeignKeyConstraint(["bank"], ["bank.id"]),
        sqlite_autoincrement=True,
    )
    op.create_index("answer_bank", "answer", ["bank", "number"])
    op.create_table(
        "answer_source",
        *needed(sa.BigInteger(), "bank"),
        *needed(sa.Text(), "source"),
        *needed(sa.BigInteger(), "number"),
        sa.PrimaryKeyConstraint("bank", "source", "number"),
        sa.ForeignKeyConstraint(["bank"], ["bank.id"]),
        sqlite_with_rowid=False,
    )
    op.create_index("answer_source_number", "answer_source", ["bank", "number"])


def make_notes() -> None:
    """Make the table of notes."""
    op.create_table(
        "note",
        *needed(sa.Text(), "shelf", "name", "place"),
        *needed(sa.BigInteger(), "version"),
        *needed(sa.LargeBinary(), "body"),
        *optional(sa.BigInteger(), "until"),
        sa.PrimaryKeyConstraint("shelf", "name"),
        sqlite_with_rowid=False,
    )
    op.create_index("note_until", "note", ["until"])
    op.create_index("note_place", "note", ["shelf", "place"])
