"""Finding candidates in a large bank, with all that recall holds them against, in one statement.

Decides that both arms, the memories asked for by name, all claims of the same keys, and the columns
of every one of them come of one statement: it reads one moment, and nothing is waited for between.
Refuses to rank.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final  # a row of a driver holds columns of many types

import numpy as np
from sqlalchemy import select

from lapse.model.bank import Space
from lapse.model.index_delta import IndexDelta
from lapse.model.near import Near, Wanted
from lapse.stores.postgres.near_asking import Tools, exact_vectors_query, vectors_query, words_query
from lapse.stores.postgres.near_feeding import Standing
from lapse.stores.postgres.near_scope import Query
from lapse.stores.sql.deltas import CONTENT_WIDTH, STATE_WIDTH, contents_of, states_of
from lapse.stores.sql.feeding import CONTENT_COLUMNS, STATE_COLUMNS
from lapse.stores.sql.statements import sql

TERMS: Final = (
    "SELECT term.term, term.id, (term.df + coalesce((SELECT sum(more) FROM term_delta"
    " WHERE term_delta.bank = term.bank AND term_delta.term = term.id), 0))::bigint"
    " FROM term WHERE term.bank = ? AND term.term = ANY(?)"
)
"""The bank's own numbers of terms, and in how many of its memories each occurs: bank, terms."""

SETTINGS: Final = (
    "SELECT set_config('hnsw.ef_search', ?, true), set_config('hnsw.iterative_scan', ?, true),"
    # Without sorting it takes an index that has the order which a look-up asks for.
    " set_config('enable_sort', 'off', true),"
    # The server thinks that a lexeme is matched at the cost of a comparison, and that there is
    # time to compile a statement and to wake other processes for it.
    " set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true),"
    " set_config('max_parallel_workers_per_gather', '0', true)"
)
"""What a search sets for its transaction alone."""

_MOST_SEARCHED: Final = 1000
_COLUMNS: Final = str(sql(select(*CONTENT_COLUMNS, *STATE_COLUMNS))).partition("\nFROM")[0]
_NO_QUERY: Final[Query] = ("SELECT NULL::bigint AS row WHERE false", ())
# A memory and what lies beside it come by look-ups of one row, and those of one key by the key.
# That of a memory is written as the first from its number or name on, to be read in that order: of
# the one alone, a server that thinks a bank is empty takes any index of banks, and each time reads
# along the whole of it.
_FOUND: Final = (
    "{arms}, sought AS MATERIALIZED (SELECT row FROM words UNION SELECT row FROM graph"
    " UNION SELECT row FROM every), found AS MATERIALIZED (SELECT row FROM sought"
    " UNION SELECT named.row FROM unnest(?::text[]) AS name CROSS JOIN LATERAL"
    " (SELECT row, id FROM memory WHERE memory.bank = ? AND memory.id >= name"
    " ORDER BY memory.id LIMIT 1) AS named WHERE named.id = name),"
    " keys AS (SELECT DISTINCT told.key FROM found CROSS JOIN LATERAL"
    " (SELECT row, key FROM memory WHERE memory.bank = ? AND memory.row >= found.row"
    " ORDER BY memory.row LIMIT 1) AS told WHERE told.row = found.row AND told.key IS NOT NULL),"
    " mates AS (SELECT other.row FROM keys CROSS JOIN LATERAL (SELECT row FROM memory"
    " WHERE memory.bank = ? AND memory.key = keys.key OFFSET 0) AS other)"
    " {columns}, (SELECT count(*) FROM words),"
    " greatest((SELECT count(*) FROM graph), (SELECT count(*) FROM every)),"
    " memory.row IN (SELECT row FROM sought)"
    " FROM (SELECT row FROM found UNION SELECT row FROM mates) AS wanted"
    " CROSS JOIN LATERAL (SELECT * FROM memory WHERE memory.bank = ? AND memory.row >= wanted.row"
    " ORDER BY memory.row LIMIT 1) AS memory"
    " LEFT JOIN LATERAL (SELECT data FROM vector WHERE vector.bank = ?"
    " AND vector.row = memory.row AND vector.space = ? LIMIT 1) AS vector ON true"
    " LEFT JOIN LATERAL (SELECT * FROM retention WHERE retention.bank = ?"
    " AND retention.row = memory.row LIMIT 1) AS retention ON true"
    " WHERE memory.row = wanted.row ORDER BY memory.row"
)


def settings(wanted: Wanted, tools: Tools) -> Query:
    """Give the statement that sets how far the graph of vectors is searched."""
    searched = min(max(tools.options.ef_search, wanted.count), _MOST_SEARCHED)
    # What a scope takes out, and what lies beyond the graph's first answer, is looked for further.
    return SETTINGS, (str(searched), "strict_order")


def search(wanted: Wanted, frequency: Mapping[int, int], found: Standing, tools: Tools) -> Query:
    """Give the statement that finds candidates, and reads them.

    Args:
        wanted: What is looked for.
        frequency: In how many memories each known term occurs, by id.
        found: The bank's index.
        tools: What it is asked with.
    """
    words = words_query(wanted, frequency, found, tools.options.scored_rows) or _NO_QUERY
    graph, every = _by_vectors(wanted, found, tools)
    arms = ", ".join(
        f"{name} AS MATERIALIZED ({text})"
        for name, (text, _) in (("words", words), ("graph", graph), ("every", every))
    )
    bank = found.bank
    return (
        _FOUND.format(arms=f"WITH {arms}", columns=_COLUMNS),
        (
            *(value for _, values in (words, graph, every) for value in values),
            *(list(wanted.ids), bank, bank, bank),
            *(bank, bank, found.space, bank),
        ),
    )


def _by_vectors(wanted: Wanted, found: Standing, tools: Tools) -> tuple[Query, Query]:
    """Along the graph; and by looking at all, where the graph gave too few."""
    vector = wanted.vector
    comparable = wanted.space is not None and wanted.space == found.own_space
    if vector is None or not comparable or len(vector) != found.own_dimension:
        return _NO_QUERY, _NO_QUERY
    least = min(wanted.count, found.memories)
    return (
        vectors_query(wanted, vector, found, tools.vectors),
        # The graph gives up after so many steps: few enough are left then to look at each.
        exact_vectors_query(wanted, vector, found, tools.vectors, least),
    )


def near_of(
    rows: Sequence[Sequence[Any]],
    wanted: Wanted,
    terms: Mapping[str, int],
    frequency: Mapping[int, int],
    found: Standing,
    space: Space | None,
) -> Near:
    """Read what `search` gave.

    Args:
        rows: Its rows.
        wanted: What was looked for.
        terms: Numbers of the terms that the bank knows.
        frequency: In how many memories each occurs, by number.
        found: The bank's index.
        space: The bank's present space.
    """
    columns = _columns(rows, CONTENT_WIDTH + STATE_WIDTH + 3)
    # A memory whose state was lost has none.
    stated = [each for each in rows if each[CONTENT_WIDTH] is not None]
    states = columns if len(stated) == len(rows) else _columns(stated, CONTENT_WIDTH + STATE_WIDTH)
    return Near(
        delta=IndexDelta(
            since=0,
            revision=found.revision,
            content=contents_of(columns[:CONTENT_WIDTH]),
            states=states_of(states[CONTENT_WIDTH : CONTENT_WIDTH + STATE_WIDTH]),
            removed=np.zeros(0, np.int64),
            space=space,
            space_changed=False,
            terms=terms,
        ),
        frequency=frequency,
        memory_count=found.memories,
        mean_length=found.mean_length,
        found=np.array([row[0] for row in rows if row[-1]], np.int64),
        cut=any(count >= wanted.count for arm in columns[-3:-1] for count in arm[:1]),
    )


def among(count: int, found: Standing) -> int:
    """In how many of the memories that are searched a term occurs.

    The bank counts those that are put away, too: where there are any, they are taken to hold a term
    as often as the others.
    """
    if count <= 0 or not found.held:
        return 0
    return min(max(round(count * found.memories / found.held), 1), found.memories)


def _columns(rows: Sequence[Sequence[Any]], width: int) -> list[list[Any]]:
    if not rows:
        return [[] for _ in range(width)]
    return [list(each) for each in zip(*rows, strict=True)]
