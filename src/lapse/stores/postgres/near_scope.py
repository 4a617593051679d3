"""What a candidate has to be, as conditions on a large bank's own index.

Decides which conditions a lexeme answers, and that those of time are read off the memory itself,
where they are asked at all. Every condition lets through whatever recall would; recall may take out
more. Refuses to put anything in order.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import starmap
from typing import TypeAlias

from lapse.model.near import Wanted
from lapse.stores.postgres.near_rows import (
    kind_lexeme,
    lifecycle_lexeme,
    metadata_lexeme,
    session_lexeme,
    subject_lexeme,
    tag_lexeme,
)
from lapse.stores.postgres.near_shape import found_name

Query: TypeAlias = tuple[str, tuple[object, ...]]
"""A statement with its values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of a statement.

    Attributes:
        text: Its words.
        values: Its values.
    """

    text: str
    values: tuple[object, ...]


def scoped(wanted: Wanted, bank: int, *also: str) -> Part:
    """Give where the rows of a bank lie that are what is wanted: `FROM … AS near … WHERE …`.

    Args:
        wanted: What they have to be.
        bank: The bank's number.
        also: Further parts of a query of lexemes, each of which has to match.
    """
    lexemes = [*also, *_lexemes(wanted)]
    tests: list[tuple[str, object]] = []
    if lexemes:
        tests.append(("near.terms @@ ?::tsquery", " & ".join(lexemes)))
    dated = list(_dated(wanted))
    source = f"{found_name(bank)} AS near"
    if dated:
        source += " JOIN memory ON memory.row = near.row"
        tests += [("memory.bank = ?", bank), *dated]
    where = " AND ".join(("true", *(text for text, _ in tests)))
    retracted = "" if wanted.present is None else " AND memory.recorded_to IS NULL"
    return Part(
        text=f"FROM {source} WHERE {where}{retracted}",
        values=tuple(value for _, value in tests),
    )


def any_of(lexemes: Iterable[str]) -> str:
    """A query of lexemes that any of these answers."""
    return f"({' | '.join(repr(each) for each in lexemes)})"


def _lexemes(wanted: Wanted) -> Iterator[str]:
    for each in wanted.tags:
        yield any_of([tag_lexeme(each)])
    for each in starmap(metadata_lexeme, wanted.metadata.items()):
        yield any_of([each])
    if wanted.kinds:
        yield any_of(map(kind_lexeme, wanted.kinds))
    if wanted.lifecycles:
        yield any_of(map(lifecycle_lexeme, wanted.lifecycles))
    if wanted.session is not None:
        yield any_of([session_lexeme(wanted.session)])
    if wanted.subject is not None:
        yield any_of([subject_lexeme(wanted.subject)])


def _dated(wanted: Wanted) -> Iterator[tuple[str, int]]:
    if wanted.created_from is not None:
        yield "memory.created_at >= ?", wanted.created_from
    present = wanted.present
    if present is None:
        return
    yield "(memory.expires_at IS NULL OR memory.expires_at > ?)", present.now
    yield "(memory.valid_from IS NULL OR memory.valid_from <= ?)", present.valid
    if present.ended is not None:
        yield "(memory.valid_to IS NULL OR memory.valid_to > ?)", present.ended
