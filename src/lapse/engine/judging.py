"""Judging a question: recall's own judgement, with what it may use of the outside.

Decides that threads judge in turns, and that a thread gives its turn on while texts, a counter of
tokens or a reranker are waited for. Refuses to judge itself (`lapse.recall`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from lapse.engine.core import Core
from lapse.engine.rewinding import contents_then
from lapse.engine.runtime import BankRuntime, Rule
from lapse.index.snapshot import Snapshot
from lapse.index.states import GONE
from lapse.model.instants import Instant
from lapse.model.query import AsOf, Scope
from lapse.recall import pipeline
from lapse.recall.question import Answer, Instruments, Question
from lapse.text.distinctions import distinctions_of, same_distinctions


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question as the caller asked it.

    Attributes:
        query: The text of the question.
        scope: Hard filters.
        as_of: The two times it is asked at.
        overrides: What the request lays over the policy, by dotted path.
        vector: The query's vector in another store's space, for `rank` only.
    """

    query: str
    scope: Scope = field(default_factory=Scope)
    as_of: AsOf = field(default_factory=AsOf)
    overrides: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    vector: NDArray[np.float32] | None = None


def judge(
    core: Core,
    runtime: BankRuntime,
    snapshot: Snapshot,
    rule: Rule,
    asked: Asked,
    question: Question,
) -> Answer:
    """What recall makes of a snapshot, once it is this thread's turn."""
    instruments = _instruments(core, runtime, snapshot, asked)
    watch = core.parts.stopwatch
    came = watch()
    with core.parts.turns.taken():
        wait_ms = 1e3 * (watch() - came)
        judged = pipeline.recall(snapshot, question, rule.policy, rule.law, instruments)
    return replace(judged, wait_ms=wait_ms)


def _instruments(core: Core, runtime: BankRuntime, snapshot: Snapshot, asked: Asked) -> Instruments:
    """What recall may use of the outside: texts are loaded only if something must read them."""
    parts = core.parts
    count_tokens, rerank, elsewhere = parts.count_tokens, parts.rerank, parts.turns.left
    texts = partial(_texts, core, runtime, snapshot, asked.as_of.recorded)

    def counted(rows: Sequence[int]) -> Sequence[int]:
        if count_tokens is None:
            return []
        with elsewhere():
            return [count_tokens(each) for each in texts(rows)]

    def reranked(rows: Sequence[int]) -> Sequence[float]:
        if rerank is None:
            return []
        with elsewhere():
            return rerank(asked.query, texts(rows))

    def same(row: int, other: int) -> bool:
        with elsewhere():
            return says_the_same(*texts([row, other]))

    return Instruments(
        stopwatch=parts.stopwatch,
        token_counts=None if count_tokens is None else counted,
        rerank=None if rerank is None else reranked,
        same=same,
        product=parts.product,
    )


def says_the_same(text: str, other: str) -> bool:
    """Whether two texts that are nearly equal to a vector say the same of the same things."""
    return same_distinctions(distinctions_of(text), distinctions_of(other))


def _texts(
    core: Core,
    runtime: BankRuntime,
    snapshot: Snapshot,
    recorded: Instant | None,
    rows: Sequence[int],
) -> list[str]:
    """Texts by internal number, in order; empty for a memory that is gone since the snapshot."""
    live = snapshot.live
    slots = np.flatnonzero(np.isin(live.rows, rows) & (live.status != GONE))
    by_row = {int(live.rows[slot]): live.ids[int(slot)] for slot in slots}
    ids = [by_row[each] for each in rows]
    found = contents_then(core, runtime, ids, recorded)
    texts = {each.id: each.text for each in found}
    return [texts.get(each, "") for each in ids]
