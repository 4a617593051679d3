"""What is ranked and what grows, on a small scale."""

from collections import Counter

import numpy as np
import pytest

from benchmarks.common import at_least, sizes
from benchmarks.growth import Costs, Effort, costs
from benchmarks.latency import Source
from benchmarks.offers import Offers
from benchmarks.rank import Ranked, ranked, results
from lapse import Lapse
from lapse.engine.candidates import read_candidates
from lapse.model.query import Reason

SOURCE = Source(
    remarks=tuple(f"remark {number} about tea and the cat of Ines" for number in range(9)),
    questions=("What about the cat?",),
)
RANKED = Ranked(ms=1.0, cold_ms=2.0, mapping_ms=3.0, cold_mapping_ms=4.0)


def _costs(size: int) -> Costs:
    return Costs(
        rank_ms=5,
        remember_ms=size,
        remember_many_per_s=size + 0.123456,
        used_per_s=1,
        drain_per_s=size * 2,
        transactions_per_100_events=0.1,
        cold_open_ms=size * 3,
        disk_bytes_per_memory=2000,
        ram_bytes_per_memory=None,
    )


def test_an_offer_has_repeats_near_repeats_scores_and_unit_vectors() -> None:
    offer = Offers(SOURCE, seed=1).make(500)
    read = read_candidates(offer.candidates)
    texts = Counter(each.text for each in read)
    assert 25 < sum(count - 1 for count in texts.values()) < 75
    assert 25 < sum(each.text.endswith("really") for each in read) < 100
    assert all(each.score is not None and 0 <= each.score <= 1 for each in read)
    vectors = np.array([each.vector for each in read])
    assert vectors.shape == (500, 256)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)


def test_no_two_offers_share_a_text_and_the_same_seed_repeats_them() -> None:
    offers, again = Offers(SOURCE, seed=2), Offers(SOURCE, seed=2)
    first, second = offers.make(50), offers.make(50)
    texts = [{each["text"] for each in offer.candidates} for offer in (first, second)]
    assert not texts[0] & texts[1]
    assert [each["text"] for each in again.make(50).candidates] == [
        each["text"] for each in first.candidates
    ]


def test_what_is_timed_ranks_and_finds_the_duplicates() -> None:
    offer = Offers(SOURCE, seed=3).make(200)
    with Lapse.open("memory://", background=False, embedder=None) as mind:
        bank = mind.bank("beside")
        bank.set_policy({"forgetting.mode": "rank", "recall.diversity": "mmr"})
        assert ranked(bank, offer, offer.candidates) > 0
        found = bank.rank(offer.candidates, query=offer.query, query_vector=offer.vector, k=20)
    left = Counter(each.reason for each in found.exclusions)
    assert left[Reason.DUPLICATE] > 20
    assert left[Reason.NOT_DIVERSE] > 0


def test_the_figures_are_quoted_from_the_usual_and_the_largest_size() -> None:
    found = results(RANKED, {1000: _costs(1000), 10_000: _costs(10_000), 100_000: _costs(100_000)})
    assert found["ms"] == 1.0
    assert found["rank"] == {"ms": 1.0, "cold_ms": 2.0, "mapping_ms": 3.0, "cold_mapping_ms": 4.0}
    assert found["remember"] == {"ms": 10_000}
    assert found["remember_many"] == {"per_s": 10_000}
    assert found["drain"] == {"per_s": 200_000, "transactions_per_100_events": 0.1}
    assert found["cold_open"] == {"ms": 300_000}
    assert found["bytes_per_memory"] == {"disk": 2000, "ram": None}
    assert isinstance(found["growth"], dict)
    assert list(found["growth"]) == ["1000", "10000", "100000"]


def test_without_the_usual_size_the_largest_is_quoted() -> None:
    found = results(RANKED, {10: _costs(10), 20: _costs(20)})
    assert found["remember"] == {"ms": 20}


def test_sizes_are_whole_numbers_from_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert sizes("1000,10") == (1000, 10)
    for wrong in ("", "0", "a", "1,,2", "1.5", "-1"):
        with pytest.raises(Exception, match="whole number"):
            sizes(wrong)
    with pytest.raises(Exception, match="from 5"):
        at_least(5)("4")


def test_a_bank_is_filled_written_to_and_opened_again() -> None:
    effort = Effort(rankings=1, singles=10, events=1000, openings=1)
    found = costs(SOURCE, 500, effort)
    assert 0 < found.transactions_per_100_events <= 1
    assert 1000 < found.disk_bytes_per_memory < 10_000
    per_second = (found.remember_many_per_s, found.used_per_s, found.drain_per_s)
    assert min(*per_second, found.rank_ms, found.remember_ms, found.cold_open_ms) > 0
