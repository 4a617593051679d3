"""Asking the own index of a large bank: pgvector for vectors, tsvector for words.

Decides how each finds its memories. By vectors: the nearest in the bank's graph, at half precision.
By words: BM25 as if each term occurred once in a text, over the memories that hold the rarest terms
of the question, as many terms as `scored_rows` allows. Refuses to have the last word: what is found
is given as whole columns, and whoever asked ranks it exactly.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log1p
from typing import Final

import numpy as np

from lapse.model.index_delta import Float32Array, IndexDelta
from lapse.model.near import Near, Wanted
from lapse.stores.postgres.link import Link
from lapse.stores.postgres.location import NearOptions
from lapse.stores.postgres.near_feeding import Standing
from lapse.stores.postgres.near_rows import (
    kind_lexeme,
    session_lexeme,
    tag_lexeme,
    term_lexeme,
)
from lapse.stores.sql import feeding
from lapse.stores.sql.banks import BankRow
from lapse.stores.sql.deltas import content_rows, state_rows

_MOST_SEARCHED: Final = 1000
_TERMS: Final = (
    "SELECT term.term, term.id, (term.df + coalesce((SELECT sum(more) FROM term_delta"
    " WHERE term_delta.bank = term.bank AND term_delta.term = term.id), 0))::bigint"
    " FROM term WHERE term.bank = ? AND term.term = ANY(?)"
)
_SETTINGS: Final = (
    "SELECT set_config('hnsw.ef_search', ?, true), set_config('hnsw.iterative_scan', ?, true)"
)
_KNOWN: Final = "SELECT row FROM memory WHERE bank = ? AND id = ANY(?)"
_MATES: Final = (
    "SELECT DISTINCT other.row FROM memory AS found JOIN memory AS other"
    " ON other.bank = found.bank AND other.key = found.key"
    " WHERE found.bank = ? AND found.row = ANY(?) AND found.key IS NOT NULL"
)
_ORDERED: Final = 'ORDER BY memory."row"'
_CONTENT: Final = str(feeding.ALL_CONTENT).replace(_ORDERED, f"AND memory.row = ANY(?) {_ORDERED}")
_STATES: Final = f"{feeding.NEW_STATES} AND retention.row = ANY(?)"
_ANY_REVISION: Final = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What an index is asked with.

    Attributes:
        options: How it is asked.
        vectors: The schema that pgvector's types lie in.
    """

    options: NearOptions
    vectors: str


def ask(link: Link, bank: BankRow, found: Standing, wanted: Wanted, tools: Tools) -> Near:
    """Find candidates, and read them with all that a claim of them is held against."""
    known = link.execute(_TERMS, (found.bank, list(dict.fromkeys(wanted.terms)))).fetchall()
    frequency = {number: count for _, number, count in known}
    arms = [
        _by_words(link, found, wanted, frequency, tools.options),
        _by_vectors(link, found, wanted, tools),
    ]
    rows = {row for arm in arms for row in arm}
    rows.update(row for (row,) in link.execute(_KNOWN, (found.bank, list(wanted.ids))))
    rows.update(row for (row,) in link.execute(_MATES, (found.bank, sorted(rows))))
    return Near(
        delta=_delta(link, bank, sorted(rows), {term: number for term, number, _ in known}),
        frequency=frequency,
        memory_count=found.memories,
        mean_length=found.lengths / found.memories if found.memories and found.lengths else 1.0,
        cut=any(len(arm) >= wanted.count for arm in arms),
    )


def words_query(
    wanted: Wanted, frequency: Mapping[int, int], found: Standing, scored_rows: int
) -> tuple[str, tuple[object, ...]] | None:
    """The statement that finds memories by words, with its values; None where none can match.

    Args:
        wanted: What is looked for.
        frequency: In how many memories each known term occurs, by id.
        found: The bank's index.
        scored_rows: See `NearOptions`.
    """
    rarest = sorted((count, number) for number, count in frequency.items() if count > 0)
    if not rarest:
        return None
    driving = [number for _, number in _within(rarest, scored_rows)]
    asked = _all_of([_any_of(map(term_lexeme, driving)), *_scope(wanted)])
    mean = found.lengths / found.memories if found.memories and found.lengths else 1.0
    terms, values = [], []
    for count, number in rarest:
        idf = log1p((max(found.memories - count, 0) + 0.5) / (count + 0.5))
        terms.append("CASE WHEN terms @@ ?::tsquery THEN ?::float8 ELSE 0 END")
        values += [f"'{term_lexeme(number)}'", idf]
    length = "(1 + ?::float8 * (1 - ?::float8 + ?::float8 * size / ?::float8))"
    values += [wanted.k1, wanted.b, wanted.b, mean]
    statement = (
        f"SELECT row FROM near WHERE bank = ? AND terms @@ ?::tsquery"  # noqa: S608 - parts of ours
        f" ORDER BY ({' + '.join(terms)}) / {length} DESC, row DESC LIMIT ?"
    )
    return statement, (found.bank, asked, *values, wanted.count)


def vectors_query(
    wanted: Wanted, vector: Float32Array, found: Standing, vectors: str
) -> tuple[str, tuple[object, ...]]:
    """The statement that finds memories by their vectors, with its values."""
    scope = _scope(wanted)
    scoped = " AND terms @@ ?::tsquery" if scope else ""
    kind = f"{vectors}.halfvec({found.own_dimension})"
    statement = (
        f"SELECT row FROM near WHERE bank = ?{scoped}"  # noqa: S608 - parts of ours
        f" ORDER BY vector::{kind} OPERATOR({vectors}.<#>) ?::{kind} LIMIT ?"
    )
    told = f"[{','.join(map(repr, vector.tolist()))}]"
    return statement, (found.bank, *([_all_of(scope)] if scope else []), told, wanted.count)


def _by_words(
    link: Link,
    found: Standing,
    wanted: Wanted,
    frequency: Mapping[int, int],
    options: NearOptions,
) -> list[int]:
    asked = words_query(wanted, frequency, found, options.scored_rows)
    return [] if asked is None else [row for (row,) in link.execute(*asked)]


def _by_vectors(link: Link, found: Standing, wanted: Wanted, tools: Tools) -> list[int]:
    vector = wanted.vector
    comparable = wanted.space is not None and wanted.space == found.own_space
    if vector is None or not comparable or len(vector) != found.own_dimension:
        return []
    searched = min(max(tools.options.ef_search, wanted.count), _MOST_SEARCHED)
    # What a scope takes out, and what lies beyond the graph's first answer, is looked for further.
    link.execute(_SETTINGS, (str(searched), "strict_order"))
    statement, values = vectors_query(wanted, vector, found, tools.vectors)
    return [row for (row,) in link.execute(statement, values)]


def _delta(link: Link, bank: BankRow, rows: list[int], terms: Mapping[str, int]) -> IndexDelta:
    record = bank.bank
    space = None if record.space is None else record.space.number
    return IndexDelta(
        since=0,
        revision=record.revision,
        content=content_rows(link.execute(_CONTENT, (space, bank.id, rows))),
        states=state_rows(link.execute(_STATES, (bank.id, _ANY_REVISION, rows))),
        removed=np.zeros(0, np.int64),
        space=record.space,
        space_changed=False,
        terms=terms,
    )


def _within(rarest: Sequence[tuple[int, int]], most: int) -> Iterator[tuple[int, int]]:
    """The rarest terms, as long as not too many memories hold them; one in any case."""
    total = 0
    for at, (count, number) in enumerate(rarest):
        total += count
        if at and total > most:
            return
        yield count, number


def _scope(wanted: Wanted) -> list[str]:
    found = [_any_of([tag_lexeme(each)]) for each in wanted.tags]
    if wanted.kinds:
        found.append(_any_of(map(kind_lexeme, wanted.kinds)))
    if wanted.session is not None:
        found.append(_any_of([session_lexeme(wanted.session)]))
    return found


def _any_of(lexemes: Iterable[str]) -> str:
    return f"({' | '.join(repr(each) for each in lexemes)})"


def _all_of(parts: Iterable[str]) -> str:
    return " & ".join(parts)
