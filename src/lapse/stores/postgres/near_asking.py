"""Asking the own index of a large bank: pgvector for vectors, tsvector for words.

Decides how each finds its memories. By vectors: the nearest in the bank's graph, at half precision.
By words: BM25 as if each term occurred once in a text, over the memories that hold the rarest terms
of the question, as many terms as `scored_rows` allows. Refuses to have the last word: what is found
is given as whole columns, and whoever asked ranks it exactly.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log1p
from typing import Final

import numpy as np

from lapse.model.index_delta import Float32Array, IndexDelta
from lapse.model.near import Near, Wanted
from lapse.stores.postgres.link import Link
from lapse.stores.postgres.location import NearOptions
from lapse.stores.postgres.near_feeding import Standing
from lapse.stores.postgres.near_rows import term_lexeme
from lapse.stores.postgres.near_scope import Query, any_of, scoped
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
    frequency = {number: _among(count, found, bank) for _, number, count in known}
    arms = [
        _by_words(link, found, wanted, frequency, tools.options),
        _by_vectors(link, found, wanted, tools),
    ]
    rows = {row for arm in arms for row in arm}
    if wanted.ids:
        rows.update(row for (row,) in link.execute(_KNOWN, (found.bank, list(wanted.ids))))
    rows.update(row for (row,) in link.execute(_MATES, (found.bank, sorted(rows))))
    return Near(
        delta=_delta(link, bank, sorted(rows), {term: number for term, number, _ in known}),
        frequency=frequency,
        memory_count=found.memories,
        mean_length=found.lengths / found.memories if found.memories and found.lengths else 1.0,
        cut=any(len(arm) >= wanted.count for arm in arms),
    )


def _among(count: int, found: Standing, bank: BankRow) -> int:
    """In how many of the memories that are searched a term occurs.

    The bank counts those that are put away, too: where there are any, they are taken to hold a term
    as often as the others.
    """
    if count <= 0 or not bank.memories:
        return 0
    return min(max(round(count * found.memories / bank.memories), 1), found.memories)


def words_query(
    wanted: Wanted, frequency: Mapping[int, int], found: Standing, scored_rows: int
) -> Query | None:
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
    within = scoped(wanted, found.bank, any_of(map(term_lexeme, driving)))
    mean = found.lengths / found.memories if found.memories and found.lengths else 1.0
    terms, values = [], []
    for count, number in rarest:
        idf = log1p((max(found.memories - count, 0) + 0.5) / (count + 0.5))
        terms.append("CASE WHEN near.terms @@ ?::tsquery THEN ?::float8 ELSE 0 END")
        values += [f"'{term_lexeme(number)}'", idf]
    length = "(1 + ?::float8 * (1 - ?::float8 + ?::float8 * size / ?::float8))"
    values += [wanted.k1, wanted.b, wanted.b, mean]
    order = f"({' + '.join(terms)}) / {length} DESC, near.row DESC"
    return f"{within.text} ORDER BY {order} LIMIT ?", (*within.values, *values, wanted.count)


def vectors_query(wanted: Wanted, vector: Float32Array, found: Standing, vectors: str) -> Query:
    """The statement that finds memories by their vectors along the graph, with its values."""
    kind = f"{vectors}.halfvec({found.own_dimension})"
    order = f"vector::{kind} OPERATOR({vectors}.<#>) ?::{kind}"
    within = scoped(wanted, found.bank)
    return f"{within.text} ORDER BY {order} LIMIT ?", (*within.values, _told(vector), wanted.count)


def exact_vectors_query(
    wanted: Wanted, vector: Float32Array, found: Standing, vectors: str
) -> Query:
    """The same by looking at every memory that fits: no index is of this order."""
    kind = f"{vectors}.halfvec({found.own_dimension})"
    order = f"(vector::{kind} OPERATOR({vectors}.<#>) ?::{kind}) + 0"
    within = scoped(wanted, found.bank)
    statement = f"{within.text} AND vector IS NOT NULL ORDER BY {order} LIMIT ?"
    return statement, (*within.values, _told(vector), wanted.count)


def _told(vector: Float32Array) -> str:
    return f"[{','.join(map(repr, vector.tolist()))}]"


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
    rows = [row for (row,) in link.execute(*vectors_query(wanted, vector, found, tools.vectors))]
    if len(rows) >= min(wanted.count, found.memories):
        return rows
    # The graph gives up after so many steps: what a filter leaves is then few enough to look at.
    exact = exact_vectors_query(wanted, vector, found, tools.vectors)
    return [row for (row,) in link.execute(*exact)]


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
