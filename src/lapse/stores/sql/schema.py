"""The tables, as SQLAlchemy metadata.

Decides how the values of the model lie in tables and which index answers which question. Refuses to
say how they are read or written (`statements`), and how an older file comes to this shape
(`migrations`): a test holds both against each other.

Instants are integer microseconds. Lists and objects are JSON text, absent when empty. Vectors, term
ids and traces are little-endian BLOBs. Inside, a memory is its `row` and a bank its `id`: both are
never reused. `retention` refers to `memory` by number only, so that nothing done to a memory's row
can take its state along unasked.
"""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
    literal_column,
)

REVISION: Final = "0001"
"""The migration that leads to this shape."""

APPLICATION_ID: Final = 0x4C415053
"""Stands in the header of a SQLite file that is ours: "LAPS" in ASCII."""

metadata = MetaData()

# SQLite numbers rows itself only in a column that is declared INTEGER.
_ROW_NUMBER = BigInteger().with_variant(Integer, "sqlite")
_TRUE: Final[ColumnElement[object]] = literal_column("1")


def _content_columns() -> list[Column[object]]:
    """Give the columns of a memory's content, which each version of it has."""
    return [
        Column("kind", Text, nullable=False),
        Column("role", Text),
        Column("key", Text),
        Column("session", Text),
        Column("subject", Text),
        Column("source", Text),
        Column("tags", Text),
        Column("entities", Text),
        Column("metadata", Text),
        Column("created_at", BigInteger, nullable=False),
        Column("occurred_at", BigInteger),
        Column("recorded_from", BigInteger, nullable=False),
        Column("recorded_to", BigInteger),
        Column("valid_from", BigInteger),
        Column("valid_to", BigInteger),
        Column("stated_to", BigInteger),
        Column("expires_at", BigInteger),
        Column("is_latest", Boolean, nullable=False),
        Column("multi", Boolean, nullable=False),
        Column("confidence", Double, nullable=False),
        Column("proof_count", BigInteger, nullable=False),
        Column("content_version", BigInteger, nullable=False),
        Column("supersedes", Text),
        Column("superseded_by", Text),
        Column("derived_from", Text),
        Column("fingerprint", LargeBinary, nullable=False),
        Column("shared_from", Text),
        Column("value", Text),
        Column("text", Text, nullable=False),
    ]


bank = Table(
    "bank",
    metadata,
    Column("id", _ROW_NUMBER, primary_key=True),
    Column("tenant", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("policy", Text, nullable=False),
    Column("policy_version", BigInteger, nullable=False),
    Column("space", BigInteger),
    Column("building", BigInteger),
    # The revision at which the current space became the current one.
    Column("space_revision", BigInteger, nullable=False),
    Column("overlay", Boolean, nullable=False),
    Column("late_events", BigInteger, nullable=False),
    Column("tokeniser", Text, nullable=False),
    Column("law", Text, nullable=False),
    # Ids of terms are never reused, so that an index may keep those it knows.
    Column("next_term", BigInteger, nullable=False),
    # Counted along: it is asked for after every write.
    Column("memories", BigInteger, nullable=False),
    Column("active", BigInteger, nullable=False),
    Column("redating", Text, nullable=False),
    Column("redated_through", BigInteger, nullable=False),
    # How far rows lie above the numbers that the bank's journal gives.
    Column("shift", BigInteger, nullable=False),
    UniqueConstraint("tenant", "name", name="bank_name"),
    sqlite_autoincrement=True,
)

space = Table(
    "space",
    metadata,
    Column("bank", BigInteger, ForeignKey("bank.id"), primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("revision", BigInteger, nullable=False),
    Column("embedder", Text, nullable=False),
    Column("dimension", BigInteger, nullable=False),
    Column("epoch", BigInteger, nullable=False),
    Column("idf", LargeBinary, nullable=False),
)

# The text stands last: reading the columns before it never touches the pages it overflows to.
memory = Table(
    "memory",
    metadata,
    Column("row", _ROW_NUMBER, primary_key=True),
    Column("bank", BigInteger, ForeignKey("bank.id"), nullable=False),
    Column("id", Text, nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("salt", LargeBinary, nullable=False),
    Column("word_count", BigInteger, nullable=False),
    Column("entity_count", BigInteger, nullable=False),
    Column("distinctions", LargeBinary, nullable=False),
    Column("terms", LargeBinary, nullable=False),
    *_content_columns(),
    UniqueConstraint("bank", "id", name="memory_id"),
    sqlite_autoincrement=True,
)
Index("memory_page", memory.c.bank, memory.c.row)
Index("memory_revision", memory.c.bank, memory.c.revision)
Index("memory_fingerprint", memory.c.bank, memory.c.fingerprint)
Index("memory_key", memory.c.bank, memory.c.key, sqlite_where=memory.c.key.is_not(None))

memory_version = Table(
    "memory_version",
    metadata,
    Column("row", BigInteger, ForeignKey("memory.row"), primary_key=True),
    Column("bank", BigInteger, nullable=False),
    *(
        column
        if column.name != "content_version"
        else Column(column.name, BigInteger, primary_key=True)
        for column in _content_columns()
    ),
)

retention = Table(
    "retention",
    metadata,
    Column("row", _ROW_NUMBER, primary_key=True, autoincrement=False),
    Column("bank", BigInteger, nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("lifecycle", Text, nullable=False),
    Column("fades_at", BigInteger),
    Column("expires_at", BigInteger),
    Column("importance", Double),
    Column("importance_source", Text, nullable=False),
    Column("traces", LargeBinary, nullable=False),
    Column("traces_at", BigInteger, nullable=False),
    Column("stability_days", Double, nullable=False),
    Column("difficulty", Double, nullable=False),
    Column("last_counted_at", BigInteger),
    Column("access_count", BigInteger, nullable=False),
    Column("reinforcement_count", BigInteger, nullable=False),
    # Strength and instant from which the recent events are replayed: never searched, read whole.
    Column("checkpoint", LargeBinary, nullable=False),
    Column("last_recalled_at", BigInteger),
    Column("pinned", Boolean, nullable=False),
    Column("verified", Boolean, nullable=False),
    Column("exempt", Boolean, nullable=False),
    Column("exempt_reason", Text),
    Column("audit_evidence", Boolean, nullable=False),
    Column("transition", Text),
    Column("protected_until", BigInteger),
    Column("policy_version", BigInteger, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    # The instant within the transition of an archived memory: written along, so that what has long
    # been archived is found along an index.
    Column("archived_at", BigInteger),
)
Index("retention_due", retention.c.bank, retention.c.lifecycle, retention.c.fades_at)
Index(
    "retention_expiry",
    retention.c.bank,
    retention.c.lifecycle,
    retention.c.expires_at,
    sqlite_where=retention.c.expires_at.is_not(None),
)
Index(
    "retention_archived",
    retention.c.bank,
    retention.c.lifecycle,
    retention.c.archived_at,
    sqlite_where=retention.c.archived_at.is_not(None),
)
Index("retention_revision", retention.c.bank, retention.c.revision)

vector = Table(
    "vector",
    metadata,
    Column("row", BigInteger, ForeignKey("memory.row"), nullable=False),
    Column("bank", BigInteger, nullable=False),
    Column("space", BigInteger, nullable=False),
    Column("data", LargeBinary, nullable=False),
    UniqueConstraint("row", "space", name="vector_place"),
)

term = Table(
    "term",
    metadata,
    Column("bank", BigInteger, ForeignKey("bank.id"), primary_key=True),
    Column("id", BigInteger, primary_key=True),
    Column("term", Text, nullable=False),
    Column("df", BigInteger, nullable=False),
    Column("revision", BigInteger, nullable=False),
    UniqueConstraint("bank", "term", name="term_name"),
    sqlite_with_rowid=False,
)
Index("term_revision", term.c.bank, term.c.revision)

event = Table(
    "event",
    metadata,
    # In order of arrival.
    Column("number", _ROW_NUMBER, primary_key=True),
    Column("bank", BigInteger, nullable=False),
    Column("row", BigInteger, ForeignKey("memory.row"), nullable=False),
    Column("event_id", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("weight", Double, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("enqueued_at", BigInteger, nullable=False),
    Column("recall_id", Text),
    Column("pending", Boolean, nullable=False),
    UniqueConstraint("row", "event_id", name="event_once"),
)
Index("event_row", event.c.row, event.c.at)
Index("event_pending", event.c.bank, event.c.number, sqlite_where=event.c.pending == _TRUE)
Index("event_pending_row", event.c.row, event.c.at, sqlite_where=event.c.pending == _TRUE)

# Which memory stopped counting, since when that is known, and what took its place. 0 stands for no
# memory, so that the key tells every closing from every other.
closing = Table(
    "closing",
    metadata,
    Column("row", BigInteger, ForeignKey("memory.row"), primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("by_row", BigInteger, primary_key=True),
    Column("recorded_from", BigInteger, primary_key=True),
    Column("bank", BigInteger, ForeignKey("bank.id"), nullable=False),
    Column("recorded_to", BigInteger),
    Column("starts_at", BigInteger),
    Column("rest_row", BigInteger, nullable=False),
    Column("undo", Text, nullable=False),
    sqlite_with_rowid=False,
)
Index("closing_bank", closing.c.bank)
Index("closing_by", closing.c.by_row)
Index("closing_rest", closing.c.rest_row)

proposal = Table(
    "proposal",
    metadata,
    # In the order in which they came up.
    Column("number", _ROW_NUMBER, primary_key=True),
    Column("bank", BigInteger, ForeignKey("bank.id"), nullable=False),
    Column("id", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("by", Text, nullable=False),
    Column("change", Text),
    Column("confidence", Double, nullable=False),
    Column("evidence", Text),
    Column("rest", Text),
    Column("until", BigInteger),
    Column("decided_at", BigInteger),
    Column("decided_by", Text),
    Column("reason", Text),
    UniqueConstraint("bank", "id", name="proposal_id"),
)
Index("proposal_status", proposal.c.bank, proposal.c.status, proposal.c.number)

# The memories that a proposal names, the one it is about in place 0.
proposal_part = Table(
    "proposal_part",
    metadata,
    Column("number", BigInteger, ForeignKey("proposal.number"), primary_key=True),
    Column("place", BigInteger, primary_key=True),
    Column("row", BigInteger, ForeignKey("memory.row"), nullable=False),
    sqlite_with_rowid=False,
)
Index("proposal_part_row", proposal_part.c.row)

removal = Table(
    "removal",
    metadata,
    Column("bank", BigInteger, ForeignKey("bank.id"), primary_key=True),
    Column("revision", BigInteger, primary_key=True),
    Column("row", BigInteger, primary_key=True),
    sqlite_with_rowid=False,
)

# Who cites whom: the other way round than a memory's own list of sources.
citation = Table(
    "citation",
    metadata,
    Column("bank", BigInteger, ForeignKey("bank.id"), primary_key=True),
    Column("cited", Text, primary_key=True),
    Column("row", BigInteger, ForeignKey("memory.row"), primary_key=True),
    sqlite_with_rowid=False,
)
Index("citation_row", citation.c.row)

# What a memory names, in canonical form: asked for by equality, whatever its type.
identifier = Table(
    "identifier",
    metadata,
    Column("bank", BigInteger, ForeignKey("bank.id"), primary_key=True),
    Column("canonical", Text, primary_key=True),
    Column("row", BigInteger, ForeignKey("memory.row"), primary_key=True),
    Column("type", Text, primary_key=True),
    sqlite_with_rowid=False,
)
Index("identifier_row", identifier.c.row)

journal = Table(
    "journal",
    metadata,
    Column("bank", BigInteger, ForeignKey("bank.id"), primary_key=True),
    Column("seq", BigInteger, primary_key=True),
    Column("verb", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("by", Text, nullable=False),
    Column("approved_by", Text, nullable=False),
    Column("via", Text, nullable=False),
    # For each memory: 8 bytes of row, a byte of lifecycle and 32 of digest, before and after.
    Column("items", LargeBinary, nullable=False),
    Column("counts", Text, nullable=False),
    Column("about", Text, nullable=False),
    Column("words_hash", LargeBinary, nullable=False),
    Column("reason", Text),
    Column("reason_salt", LargeBinary, nullable=False),
    Column("previous", LargeBinary, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("redacted_by", Text, nullable=False),
)

# A report is read whole and never searched: one JSON text.
sweep = Table(
    "sweep",
    metadata,
    Column("bank", BigInteger, ForeignKey("bank.id"), primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("report", Text, nullable=False),
)

canary = Table(
    "canary",
    metadata,
    Column("number", _ROW_NUMBER, primary_key=True),
    Column("bank", BigInteger, ForeignKey("bank.id"), nullable=False),
    Column("id", Text, nullable=False),
    Column("canary", Text, nullable=False),
    UniqueConstraint("bank", "id", name="canary_id"),
)

# The latest entry's number and hash, apart from it: so that a journal cut short is noticed.
journal_head = Table(
    "journal_head",
    metadata,
    Column("bank", BigInteger, ForeignKey("bank.id"), primary_key=True, autoincrement=False),
    Column("seq", BigInteger, nullable=False),
    Column("hash", LargeBinary, nullable=False),
)

alembic_version = Table(
    "alembic_version",
    MetaData(),  # Alembic's own table: stamped when a file is made, otherwise left to it
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
