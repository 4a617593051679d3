"""What the tests of field reports share: an instant, vectors that a test chooses, a store to open.

Decides how the words of the reports become calls of Lapse. Imitates nothing of Lapse: the embedder
implements its port in full.
"""

import math
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from lapse import Lapse
from lapse.bank import Bank
from lapse.model.instants import DAY, HOUR, MINUTE, SECOND, Instant, parse_instant
from lapse.model.paging import Listing
from lapse.model.policy import Policy
from lapse.model.policy_layers import DEFAULT, apply
from lapse.model.policy_sources import from_diff
from lapse.model.query import Recall
from lapse.model.record import Record
from lapse.ports import Embedder, Reranker, TokenCounter
from lapse.testing.fakes import FakeClock, SeededEntropy, SequentialIds

T0 = parse_instant("2026-06-01T12:00:00Z", "T0")
"""The instant at which every report is judged."""

EXPONENTIAL: Mapping[str, object] = {"law.name": "exponential", "law.cooldown_hours": 0}
"""0.995 per hour, each use counted: the reports' own recency."""

WEIGHTED: Mapping[str, object] = {**EXPONENTIAL, "scoring.scorer": "weighted"}
"""Recency, importance and relevance, min-max over the candidates, weights 1, 1, 1."""

VECTORS: Mapping[str, object] = {"recall.relevance": "vector"}
"""Only vectors find and measure relevance."""


def ago(
    *, days: float = 0.0, hours: float = 0.0, minutes: float = 0.0, seconds: float = 0.0
) -> Instant:
    """The instant that much before T0; negative numbers are after it."""
    return Instant(T0 - round(days * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND))


class ChosenVectors:
    """Gives each text the vector that the test chose for it, and zeros to any other.

    Attributes:
        calls: How many times vectors were asked for.
    """

    def __init__(self, vectors: Mapping[str, Sequence[float]], name: str = "chosen") -> None:
        self._vectors = {
            text: np.asarray(given, dtype=np.float64) for text, given in vectors.items()
        }
        self._dimension = max(len(each) for each in self._vectors.values())
        self._name = name
        self.calls = 0

    @property
    def id(self) -> str:
        return f"{self._name}-{self._dimension}"

    @property
    def dimension(self) -> int:
        return self._dimension

    @property
    def vocabulary(self) -> int:
        return 0

    def tokens(self, texts: Sequence[str]) -> list[NDArray[np.int64]]:
        return [np.zeros(0, dtype=np.int64) for _ in texts]

    def embed(
        self,
        texts: Sequence[str],
        idf: NDArray[np.float32] | None,  # noqa: ARG002 - of the port; no vocabulary, no IDF
    ) -> NDArray[np.float32]:
        self.calls += 1
        rows = np.zeros((len(texts), self._dimension), dtype=np.float32)
        for at, text in enumerate(texts):
            given = self._vectors.get(text)
            if given is not None:
                rows[at, : len(given)] = given / (float(np.linalg.norm(given)) or 1.0)
        return rows


def turned(cosines: Mapping[str, float], query: str) -> ChosenVectors:
    """An embedder under which each text has a chosen cosine with the query.

    What is left of each vector lies on an axis of its own, so that texts are as unlike each other
    as their cosines allow.
    """
    size = len(cosines) + 1
    vectors: dict[str, Sequence[float]] = {query: _on_axis(1.0, 0, size)}
    for axis, (text, cosine) in enumerate(cosines.items(), start=1):
        vectors[text] = _on_axis(cosine, axis, size)
    return ChosenVectors(vectors)


def _on_axis(cosine: float, axis: int, size: int) -> list[float]:
    vector = [0.0] * size
    vector[axis] = math.sqrt(1 - cosine * cosine)
    vector[0] = cosine
    return vector


def policy_of(settings: Mapping[str, object], base: Policy = DEFAULT) -> Policy:
    """A policy with some settings changed, by dotted path."""
    return apply(base, from_diff(settings, over=base))


@dataclass(kw_only=True)
class Place:
    """Somewhere to keep memories: RAM or a file. A file may be opened again and again.

    Attributes:
        target: What `Lapse.open` is given.
        clock: The clock of everything opened here; stands at T0.
    """

    target: str
    clock: FakeClock
    opened: ExitStack = field(default_factory=ExitStack)
    ids: SequentialIds = field(default_factory=SequentialIds)

    @property
    def lasting(self) -> bool:
        """Whether what was stored is there when it is opened again."""
        return self.target != "memory://"

    def open(
        self,
        settings: Mapping[str, object] | None = None,
        *,
        base: Policy = DEFAULT,
        embedder: Embedder | None = None,
        count_tokens: TokenCounter | None = None,
        rerank: Reranker | None = None,
    ) -> Lapse:
        """Open it with some settings changed; no thread of its own, and text search by default."""
        mind = Lapse.open(
            self.target,
            policy=policy_of(settings or {}, base),
            embedder=embedder,
            clock=self.clock,
            new_id=self.ids,
            entropy=SeededEntropy(),
            count_tokens=count_tokens,
            rerank=rerank,
            background=False,
        )
        return self.opened.enter_context(mind)

    def bank(
        self,
        settings: Mapping[str, object] | None = None,
        *,
        base: Policy = DEFAULT,
        embedder: Embedder | None = None,
    ) -> Bank:
        """The bank that most reports need."""
        return self.open(settings, base=base, embedder=embedder).bank("alice")


def hit_ids(recall: Recall) -> list[str]:
    """Ids of the hits, best first."""
    return [each.id for each in recall.hits]


def retrievability(bank: Bank, query: str, memory_id: str) -> float:
    """R of a memory as a recall shows it, hit or not."""
    why = bank.why(query, memory_id).explanation
    assert why is not None
    return why.retrievability


def everything(bank: Bank, listing: Listing | None = None) -> list[Record]:
    """Every memory that a listing names, page by page."""
    asked = listing or Listing(limit=1000)
    found: list[Record] = []
    after: int | None = asked.after
    while after is not None:
        page = bank.list(replace(asked, after=after))
        found.extend(page.records)
        after = page.next_after
    return found


def words(count: int, name: str) -> str:
    """A text of so many words, unlike that of any other name."""
    return " ".join(f"{name}{at}" for at in range(count))
