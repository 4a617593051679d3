"""The least that a hybrid search can be: cosine, BM25 and fusion over arrays in RAM.

Decides the yardstick that a recall's time is laid against, on the same machine in the same minute.
Refuses everything that makes a recall of it: no embedding, no filter, no strength, no explanation,
no budget, no text, and ties as they fall.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

DIMENSION = 256
POOL = 100
RRF_K = 60
K1, B = 1.2, 0.75


class Bare:
    """Texts with a vector each, searched with nothing around it."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Index the texts; their vectors are random, which takes a product as long as any other."""
        chance = np.random.default_rng(len(texts))
        vectors = chance.standard_normal((len(texts), DIMENSION), dtype=np.float32)
        self._vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        self._terms = _weights(texts)

    def search(self, question: str, k: int) -> list[int]:
        """Places of the k best texts, by the question's words and a vector of its own."""
        scores = np.zeros(len(self._vectors))
        for word in set(question.lower().split()):
            if word in self._terms:
                places, weights = self._terms[word]
                scores[places] += weights
        fused: dict[int, float] = defaultdict(float)
        for values in (scores, self._vectors @ self._vectors[0]):
            for rank, place in enumerate(_best(values), start=1):
                fused[place] += 1 / (RRF_K + rank)
        return sorted(fused, key=fused.__getitem__, reverse=True)[:k]


def _best(values: NDArray[np.floating]) -> list[int]:
    size = min(POOL, len(values))
    places = np.argpartition(values, -size)[-size:]
    best: list[int] = places[np.argsort(-values[places])].tolist()
    return best


def _weights(texts: Sequence[str]) -> dict[str, tuple[NDArray[np.int64], NDArray[np.float64]]]:
    """What each word adds to the BM25 of the texts that hold it."""
    counted = [Counter(text.lower().split()) for text in texts]
    lengths = np.array([count.total() for count in counted], dtype=np.float64)
    norms = K1 * (1 - B + B * lengths / lengths.mean())
    held: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for place, count in enumerate(counted):
        for word, times in count.items():
            held[word].append((place, times))
    weights = {}
    for word, found in held.items():
        places = np.array([place for place, _ in found], dtype=np.int64)
        frequency = np.array([times for _, times in found], dtype=np.float64)
        idf = np.log(1 + (len(texts) - len(found) + 0.5) / (len(found) + 0.5))
        weights[word] = (places, idf * frequency * (K1 + 1) / (frequency + norms[places]))
    return weights
