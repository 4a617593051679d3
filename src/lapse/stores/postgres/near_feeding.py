"""Keeping the own index of a large bank at its bank's revision.

Decides what is put in (active and suppressed memories), that a later write is followed when the
index is next asked, and that an index of other vectors is made anew beside the old one, which goes
on answering until then. Refuses to search.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final  # a row of a driver holds columns of many types

from lapse.model.memory import BankRef
from lapse.model.retention import Lifecycle
from lapse.stores.postgres.connections import Connections
from lapse.stores.postgres.link import Link
from lapse.stores.postgres.near_rows import HEADER, TRAILER, NearRow, encoded
from lapse.stores.postgres.near_shape import indexes, new_part, part_name, placing

_SEARCHED: Final = (Lifecycle.ACTIVE.value, Lifecycle.SUPPRESSED.value)
_LIFECYCLE: Final = 7

AT_ONCE: Final = 5000
"""Memories read and put in by one statement."""

STANDING: Final = (
    "SELECT bank.id, bank.revision, bank.memories, bank.space, space.dimension, space.revision,"
    " own.revision, own.space, own.dimension, coalesce(own.memories, 0), coalesce(own.lengths, 0)"
    " FROM bank"
    " LEFT JOIN space ON space.bank = bank.id AND space.number = bank.space"
    " LEFT JOIN near_bank AS own ON own.bank = bank.id WHERE bank.tenant = ? AND bank.name = ?"
)
"""How far an index is, and its bank: tenant, name."""

OWN: Final = "SELECT space, dimension FROM near_bank WHERE bank = ?"
"""Which vectors lie in an index: bank."""

_ROWS: Final = (
    "SELECT memory.row, memory.terms, memory.kind, memory.session, memory.tags,"
    " memory.subject, memory.metadata, coalesce(retention.lifecycle, 'active'), vector.data"
    " FROM memory"
    " LEFT JOIN vector ON vector.bank = memory.bank AND vector.row = memory.row"
    " AND vector.space = ?"
    " LEFT JOIN retention ON retention.bank = memory.bank AND retention.row = memory.row"
    " WHERE memory.bank = ?"
)
_PAGE: Final = f"{_ROWS} AND memory.row > ? ORDER BY memory.row LIMIT {AT_ONCE}"
_CHANGED: Final = (
    f"{_ROWS} AND memory.row IN (SELECT row FROM memory WHERE bank = ? AND revision > ?"  # noqa: S608 - parts of ours
    " UNION SELECT row FROM retention WHERE bank = ? AND revision > ?) ORDER BY memory.row"
)
_COPY: Final = b"COPY near_load FROM STDIN (FORMAT BINARY)"
_TOTALS: Final = (
    "SELECT count(*), coalesce(sum(size), 0)::bigint FROM near WHERE bank = ? AND row = ANY(?)"
)
_ALL_TOTALS: Final = "SELECT count(*), coalesce(sum(size), 0)::bigint FROM near WHERE bank = ?"
_TOLD: Final = (
    "INSERT INTO near_bank (bank, revision, space, dimension, memories, lengths)"
    " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (bank) DO UPDATE SET revision = excluded.revision,"
    " space = excluded.space, dimension = excluded.dimension, memories = excluded.memories,"
    " lengths = excluded.lengths"
)
_DROP: Final = "DELETE FROM near WHERE bank = ? AND row = ANY(?)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How far an index is, and its bank.

    Attributes:
        bank: The bank's number.
        revision, space, dimension: The bank's present ones.
        held: How many memories the bank holds, those that were put away among them.
        space_revision: Revision at which its space was written.
        seen: The revision that the index is at; None where there is no index.
        own_space, own_dimension: Which vectors lie in it.
        memories, lengths: How many memories it holds, and how many terms they have together.
    """

    bank: int
    revision: int
    space: int | None
    dimension: int | None
    held: int = 0
    space_revision: int = 0
    seen: int | None = None
    own_space: int | None = None
    own_dimension: int | None = None
    memories: int = 0
    lengths: int = 0

    @property
    def mean_length(self) -> float:
        """How many terms a memory has, above 0."""
        return self.lengths / self.memories if self.memories and self.lengths else 1.0


def standing(link: Link, ref: BankRef) -> Standing | None:
    """Read how far a bank's index is; None for a bank that is not there."""
    return read_standing(link.execute(STANDING, (ref.tenant, ref.name)).fetchone())


def read_standing(found: Sequence[Any] | None) -> Standing | None:
    """Read a row of `STANDING`."""
    if found is None:
        return None
    bank, revision, held, space, dimension, space_revision, *own = found
    seen, own_space, own_dimension, memories, lengths = own
    return Standing(
        bank=bank,
        revision=revision,
        held=held,
        space=space,
        dimension=dimension,
        space_revision=space_revision or 0,
        seen=seen,
        own_space=own_space,
        own_dimension=own_dimension,
        memories=memories,
        lengths=lengths,
    )


def catch_up(connections: Connections, ref: BankRef, vectors: str) -> None:
    """Put in what was written since; nothing where there is no index."""
    with connections.working(ref.tenant) as link:
        connections.take_near(link, ref)
        found = standing(link, ref)
        if found is not None and found.seen is not None and found.seen < found.revision:
            _catch_up(link, found, vectors)
        link.execute("COMMIT")


def build(connections: Connections, ref: BankRef, vectors: str) -> None:
    """Make the index of a bank, or make it anew of the bank's present vectors."""
    place = connections.location
    with connections.owning(ref.tenant) as link:
        connections.take_near(link, ref)
        found = standing(link, ref)
        if found is None or (found.seen is not None and found.own_space == found.space):
            return  # another process did it while this one waited
        for each in new_part(found.bank):
            link.execute(each)
        _make_load(link, vectors)
        for page in _pages(link, found):
            _put(link, found.bank, f"{part_name(found.bank)}_new", page)
        for each in indexes(found.bank, found.dimension, place, vectors):
            link.execute(each)
        # From here on nobody writes to the bank: what was erased meanwhile must not come in.
        connections.take_bank(link, ref)
        link.execute(
            f"DELETE FROM {part_name(found.bank)}_new AS part WHERE NOT EXISTS (SELECT FROM memory"  # noqa: S608 - names of our tables
            " WHERE memory.bank = part.bank AND memory.row = part.row)"
        )
        for each in placing(found.bank, place.role):
            link.execute(each)
        memories, lengths = link.execute(_ALL_TOTALS, (found.bank,)).fetchone()
        filled = replace(
            found,
            own_space=found.space,
            own_dimension=found.dimension,
            memories=memories,
            lengths=lengths,
        )
        _tell(link, filled)
        made = standing(link, ref)
        assert made is not None  # noqa: S101 - it was there, and nobody else writes to it
        _catch_up(link, made, vectors)
        link.execute("COMMIT")


def _catch_up(link: Link, found: Standing, vectors: str) -> None:
    _make_load(link, vectors)
    asked = (found.own_space, found.bank, found.bank, found.seen, found.bank, found.seen)
    rows = link.execute(_CHANGED, asked).fetchall()
    numbers = [each[0] for each in rows]
    before = link.execute(_TOTALS, (found.bank, numbers)).fetchone()
    for start in range(0, len(rows), AT_ONCE):
        _replace(link, found.bank, rows[start : start + AT_ONCE], vectors)
    after = link.execute(_TOTALS, (found.bank, numbers)).fetchone()
    _tell(
        link,
        replace(
            found,
            memories=found.memories + after[0] - before[0],
            lengths=found.lengths + after[1] - before[1],
        ),
    )


def _tell(link: Link, found: Standing) -> None:
    link.execute(
        _TOLD,
        (
            found.bank,
            found.revision,
            found.own_space,
            found.own_dimension,
            found.memories,
            found.lengths,
        ),
    )


def _pages(link: Link, found: Standing) -> Iterator[list[Any]]:
    after = 0
    while page := link.execute(_PAGE, (found.space, found.bank, after)).fetchall():
        after = page[-1][0]
        yield page


def _make_load(link: Link, vectors: str) -> None:
    link.execute(
        "CREATE TEMP TABLE IF NOT EXISTS near_load (row bigint, size integer, terms tsvector,"
        f" vector {vectors}.halfvec) ON COMMIT DROP"
    )


def _put(link: Link, bank: int, table: str, page: Iterable[Sequence[Any]]) -> None:
    """Put the living memories of a page into a table that has none of them."""
    _load(link, page)
    link.execute(
        f"INSERT INTO {table} (bank, row, size, terms, vector)"  # noqa: S608 - names of our tables
        " SELECT ?, row, size, terms, vector FROM near_load",
        (bank,),
    )


def _replace(link: Link, bank: int, page: Sequence[Sequence[Any]], vectors: str) -> None:
    """Put the living memories of a page in, in place of what is there; take the others out."""
    link.execute(_DROP, (bank, [each[0] for each in page if each[_LIFECYCLE] not in _SEARCHED]))
    _load(link, page)
    link.execute(
        "INSERT INTO near (bank, row, size, terms, vector)"  # noqa: S608 - names of our tables
        " SELECT memory.bank, memory.row, come.size, come.terms, come.vector FROM near_load AS come"
        # What was erased since it was read is not put in.
        " JOIN memory ON memory.bank = ? AND memory.row = come.row FOR KEY SHARE OF memory"
        " ON CONFLICT (bank, row) DO UPDATE"
        " SET size = excluded.size, terms = excluded.terms, vector = excluded.vector"
        # A use changes a state and nothing here: the indexes are spared then.
        " WHERE near.terms <> excluded.terms OR NOT coalesce("
        f"near.vector OPERATOR({vectors}.=) excluded.vector,"
        " near.vector IS NULL AND excluded.vector IS NULL)",
        (bank,),
    )


def _load(link: Link, page: Iterable[Sequence[Any]]) -> None:
    living = (_row(each) for each in page if each[_LIFECYCLE] in _SEARCHED)
    link.execute("TRUNCATE near_load")
    link.copy_in(_COPY, (HEADER, *encoded(living), TRAILER))


def _row(found: Sequence[Any]) -> NearRow:
    row, terms, kind, session, tags, subject, metadata, lifecycle, vector = found
    return NearRow(
        row=row,
        terms=terms,
        kind=kind,
        session=session,
        tags=tags,
        subject=subject,
        metadata=metadata,
        lifecycle=lifecycle,
        vector=vector,
    )
