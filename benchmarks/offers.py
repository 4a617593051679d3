"""What another store offers to `rank`: a thousand candidates with scores, vectors and repeats.

Decides how the candidates of the benchmark look. Refuses to time anything.
"""

from dataclasses import dataclass
from datetime import timedelta
from random import Random

import numpy as np
from numpy.typing import NDArray

from benchmarks.latency import NOW, SPAN_DAYS, Source, recombined

COUNT = 1000
DIMENSION = 256
REPEATED = 0.1
"""Share of the candidates that repeat another's text, and share that nearly does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What was found for one query.

    Attributes:
        query: The question.
        vector: Its vector, shape (256,).
        candidates: Mappings as `rank` takes them, in no order.
    """

    query: str
    vector: NDArray[np.float32]
    candidates: list[dict[str, object]]


class Offers:
    """Makes offers; no two of them share a text."""

    def __init__(self, source: Source, seed: int) -> None:
        """Draw texts from a source; the same seed gives the same offers."""
        self._source = source
        self._random = Random(seed)  # noqa: S311 - the same candidates on every run
        self._dice = np.random.default_rng(seed)
        self._made = 0

    def make(self, count: int = COUNT) -> Offer:
        """Make one: a tenth of it repeats a text, a tenth says nearly what another says."""
        self._made += 1
        query = self._unit(np.zeros(DIMENSION), 1.0)
        rows: list[tuple[str, NDArray[np.float32]]] = []
        for number in range(count):
            chance = self._random.random()
            if not rows or chance >= 2 * REPEATED:
                text = recombined(self._source.remarks, self._random)
                row = (f"{text} ({self._made}/{number})", self._unit(query, 0.1))
            else:
                text, vector = self._random.choice(rows)
                near = chance < REPEATED
                row = (f"{text} really", self._unit(vector, 0.005)) if near else (text, vector)
            rows.append(row)
        return Offer(
            query=self._random.choice(self._source.questions),
            vector=query,
            candidates=[
                self._candidate(number, text, vector, float(vector @ query))
                for number, (text, vector) in enumerate(rows)
            ],
        )

    def _candidate(
        self, number: int, text: str, vector: NDArray[np.float32], cosine: float
    ) -> dict[str, object]:
        return {
            "id": f"o{self._made}-{number}",
            "text": text,
            "created_at": NOW - timedelta(days=SPAN_DAYS * self._random.random()),
            "score": min(max(cosine, 0.0), 1.0),
            "importance": self._random.random(),
            "vector": vector,
        }

    def _unit(self, around: NDArray[np.floating], spread: float) -> NDArray[np.float32]:
        drawn = around + spread * self._dice.normal(size=DIMENSION)
        return (drawn / np.linalg.norm(drawn)).astype(np.float32)
