"""RE4: a memory is recalled ten thousand times and nobody uses it; its strength is as if never.

Control: one cited use raises it.
"""

from pathlib import Path

import pytest

from lapse.bank import Bank
from tests.journeys.acceptance import on_every_store, place_on
from tests.reports.helping import ago

RECALLS = {"memory": 10_000, "file": 500}
"""In a file fewer, for time; recall does not know where the rows are."""


def tell(bank: Bank) -> None:
    bank.remember("The harbour is quiet", id="shown", created_at=ago(days=30))
    bank.remember("The market is loud", id="hidden", created_at=ago(days=30))


def strength(bank: Bank, memory_id: str) -> float:
    why = bank.why("harbour market", memory_id).explanation
    assert why is not None
    return why.retrievability


@on_every_store
def test_being_shown_ten_thousand_times_is_not_being_used(kind: str, tmp_path: Path) -> None:
    with place_on(kind, tmp_path) as place:
        bank = place.bank({"recall.explain": False})
        tell(bank)
        before, part = bank.get("shown"), RECALLS[kind] // 10
        for _ in range(10):
            place.clock.advance(hours=30)
            for _ in range(part):
                assert bank.recall("harbour", k=1).hits[0].id == "shown"
            bank.drain()
        assert bank.get("shown") == before
        assert strength(bank, "shown") == strength(bank, "hidden")

        bank.used(["shown"])
        bank.drain()

        assert strength(bank, "shown") > strength(bank, "hidden") + 0.05
        used, hidden = bank.get("shown").state, bank.get("hidden").state
        assert used.strength.reinforcement_count == 1
        assert used.fades_at is not None
        assert hidden.fades_at is not None
        assert used.fades_at > hidden.fades_at


@on_every_store
def test_that_it_was_shown_is_noted_where_that_is_asked_for_and_counts_for_nothing(
    kind: str, tmp_path: Path
) -> None:
    with place_on(kind, tmp_path) as place:
        bank = place.bank({"reinforcement.access_log": True})
        tell(bank)
        before = bank.get("shown").state
        for _ in range(100):
            place.clock.advance(hours=6)
            bank.recall("harbour")
        bank.drain()
        shown, hidden = bank.get("shown").state, bank.get("hidden").state
        assert shown.last_recalled_at == place.clock.now()
        assert hidden.last_recalled_at is None
        assert shown.strength.reinforcement_count == 0
        assert shown.strength.traces == before.strength.traces == hidden.strength.traces
        assert shown.fades_at == before.fades_at == hidden.fades_at
        assert strength(bank, "shown") == strength(bank, "hidden")


@on_every_store
@pytest.mark.parametrize("law", ["activation", "ebbinghaus", "fsrs", "exponential", "half_life"])
def test_under_every_law_only_use_counts(kind: str, law: str, tmp_path: Path) -> None:
    with place_on(kind, tmp_path) as place:
        bank = place.bank({"law.name": law})
        tell(bank)
        for _ in range(20):
            bank.recall("harbour market")
            place.clock.advance(hours=30)
        bank.drain()
        assert strength(bank, "shown") == strength(bank, "hidden")
        bank.used(["shown"])
        bank.drain()
        assert strength(bank, "shown") > strength(bank, "hidden")
