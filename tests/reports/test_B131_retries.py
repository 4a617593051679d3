"""B131: retries after time-outs double what is stored.

The caller's `id` is what a retry repeats, and the `event_id` of a use.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from lapse.bank import Bank
from lapse.engine.results import Remembered
from lapse.errors import StoreError
from tests.reports.helping import Place, ago, everything
from tests.reports.helping_b import store_of, with_faults

TELLINGS: dict[str, Callable[[Bank], object]] = {
    "remember": lambda bank: bank.remember("Lunch was soup", id="k"),
    "remember_many": lambda bank: bank.remember_many([{"text": "Lunch was soup", "id": "k"}]),
    "ingest": lambda bank: bank.ingest([{"role": "user", "content": "Lunch was soup", "id": "k"}]),
}


@pytest.mark.parametrize("verb", TELLINGS)
def test_what_is_told_three_times_because_replies_got_lost_is_one_row(
    place: Place, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    mind = place.open()
    bank, faults = mind.bank("alice"), with_faults(store_of(mind), monkeypatch)
    faults.lost_replies = 2
    for _ in range(2):
        with pytest.raises(StoreError, match="connection was lost"):
            TELLINGS[verb](bank)
        # Time passes before the caller gives up waiting.
        place.clock.advance(hours=30)
    TELLINGS[verb](bank)
    bank.drain()
    (kept,) = everything(bank)
    assert (kept.memory.id, kept.state.strength.access_count) == ("k", 0)


def test_a_use_whose_reply_got_lost_counts_once(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    mind = place.open()
    bank, faults = mind.bank("alice"), with_faults(store_of(mind), monkeypatch)
    bank.remember("Lunch was soup", id="k", created_at=ago(days=9))
    faults.lost_replies = 1
    with pytest.raises(StoreError, match="connection was lost"):
        bank.used(["k"], event_id="answer 1")
    place.clock.advance(hours=30)
    assert bank.used(["k"], event_id="answer 1").repeated == 1
    bank.used(["k"], event_id="answer 2")
    bank.drain()
    assert bank.get("k").state.strength.reinforcement_count == 2


def test_two_deliberate_tellings_at_one_moment_are_a_memory_told_twice(place: Place) -> None:
    bank = place.bank()
    together = Barrier(2)

    def tell(name: str) -> Remembered:
        together.wait()
        return bank.remember("Lunch was soup", id=name)

    with ThreadPoolExecutor(2) as pool:
        told = list(pool.map(tell, ["first", "second"]))

    assert sorted(each.action for each in told) == ["created", "reconfirmed"]
    assert len({each.id for each in told}) == 1
    assert len(everything(bank)) == 1
    # Told again, unlike a retry, is an event: of the same day as the first, so it counts as one.
    assert bank.stats().pending_events == 1
