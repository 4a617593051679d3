"""B189: recall grows faster than the store, and past a deadline it returns nothing.

The targets in milliseconds, and banks up to 100,000, are measured by `benchmarks/latency.py`; here
that the cost grows no faster than the bank, on every store. A recall has no deadline: it is exact,
or says that it is `approximate`.
"""

import statistics
import time

import pytest

from lapse import Lapse
from lapse.bank import Bank
from tests.reports.helping import Place
from tests.unit.engine.opening import WordEmbedder

SMALL, LARGE, RATIO = 200, 2_000, 12
WORDS = [f"word{at}" for at in range(40)]
QUERIES = [f"word{7 * at % 40} word{13 * at % 40}" for at in range(9)]


class PlainModel(WordEmbedder):
    """Needs no IDF, so that a bank of any size is embedded once."""

    def __init__(self) -> None:
        super().__init__("plain", dimension=32, vocabulary=0)


def bank_of(mind: Lapse, count: int) -> Bank:
    bank = mind.bank(f"of_{count}")
    bank.remember_many(
        {"text": f"note {at} {WORDS[at % 40]} {WORDS[at * 7 % 40]} {WORDS[at // 40 % 40]}"}
        for at in range(count)
    )
    return bank


def fastest_typical_ms(bank: Bank) -> float:
    """The median over the questions of each one's quickest answer of three."""
    for query in QUERIES:
        assert len(bank.recall(query).hits) == 8
    best = []
    for query in QUERIES:
        taken = []
        for _ in range(3):
            started = time.perf_counter()
            bank.recall(query)
            taken.append(time.perf_counter() - started)
        best.append(1e3 * min(taken))
    return statistics.median(best)


def test_ten_times_the_memories_cost_at_most_twelve_times_the_recall(place: Place) -> None:
    mind = place.open(embedder=PlainModel())
    small, large = bank_of(mind, SMALL), bank_of(mind, LARGE)
    for relevance in ("hybrid", "text", "vector"):
        for bank in (small, large):
            bank.set_policy({"recall.relevance": relevance})
        assert fastest_typical_ms(large) <= RATIO * max(fastest_typical_ms(small), 0.2)


@pytest.mark.parametrize("k", [1, 100])
def test_an_answer_is_whole_and_says_whether_it_is_exact(place: Place, k: int) -> None:
    bank = place.bank({"recall.pool_minimum": 1})
    bank.remember_many({"text": f"harbour note {at}"} for at in range(300))
    recall = bank.recall("harbour", k=k)
    assert (len(recall.hits), recall.approximate) == (k, False)
    assert recall.timings.total_ms > 0
