"""How a large bank's own index is asked for candidates: by words, and by vectors.

Decides how each finds its memories. By vectors: the nearest in the bank's graph, at half precision.
By words: BM25 as if each term occurred once in a text, over the memories that hold the rarest terms
of the question, as many terms as `scored_rows` allows. Refuses to have the last word: what is found
is given as whole columns, and whoever asked ranks it exactly.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log1p

from lapse.model.index_delta import Float32Array
from lapse.model.near import Wanted
from lapse.stores.postgres.location import NearOptions
from lapse.stores.postgres.near_feeding import Standing
from lapse.stores.postgres.near_rows import term_lexeme
from lapse.stores.postgres.near_scope import Query, any_of, scoped


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What an index is asked with.

    Attributes:
        options: How it is asked.
        vectors: The schema that pgvector's types lie in.
    """

    options: NearOptions
    vectors: str


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
    terms, values = [], []
    for count, number in rarest:
        idf = log1p((max(found.memories - count, 0) + 0.5) / (count + 0.5))
        terms.append("CASE WHEN near.terms @@ ?::tsquery THEN ?::float8 ELSE 0 END")
        values += [f"'{term_lexeme(number)}'", idf]
    length = "(1 + ?::float8 * (1 - ?::float8 + ?::float8 * near.size / ?::float8))"
    values += [wanted.k1, wanted.b, wanted.b, found.mean_length]
    order = f"({' + '.join(terms)}) / {length} DESC, near.row DESC"
    return (
        f"SELECT near.row {within.text} ORDER BY {order} LIMIT ?",
        (*within.values, *values, wanted.count),
    )


def vectors_query(wanted: Wanted, vector: Float32Array, found: Standing, vectors: str) -> Query:
    """The statement that finds memories by their vectors along the graph, with its values."""
    kind = f"{vectors}.halfvec({found.own_dimension})"
    order = f"vector::{kind} OPERATOR({vectors}.<#>) ?::{kind}"
    within = scoped(wanted, found.bank)
    return f"SELECT near.row {within.text} ORDER BY {order} LIMIT ?", (
        *within.values,
        _told(vector),
        wanted.count,
    )


def exact_vectors_query(
    wanted: Wanted, vector: Float32Array, found: Standing, vectors: str, least: int
) -> Query:
    """The same by looking at every memory that fits, where `graph` gave fewer than `least`."""
    kind = f"{vectors}.halfvec({found.own_dimension})"
    # No index is of this order.
    order = f"(vector::{kind} OPERATOR({vectors}.<#>) ?::{kind}) + 0"
    within = scoped(wanted, found.bank)
    short = "(SELECT count(*) FROM graph) < ?::bigint"
    return (
        f"SELECT near.row {within.text} AND {short} AND vector IS NOT NULL"
        f" ORDER BY {order} LIMIT ?",
        (*within.values, least, _told(vector), wanted.count),
    )


def _told(vector: Float32Array) -> str:
    return f"[{','.join(map(repr, vector.tolist()))}]"


def _within(rarest: Sequence[tuple[int, int]], most: int) -> Iterator[tuple[int, int]]:
    """The rarest terms, as long as not too many memories hold them; one in any case."""
    total = 0
    for at, (count, number) in enumerate(rarest):
        total += count
        if at and total > most:
            return
        yield count, number
