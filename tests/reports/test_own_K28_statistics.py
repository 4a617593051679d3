"""Own case of K28: what is counted beside the rows says after any history what the rows say."""

from lapse.errors import LapseError
from lapse.model.paging import Listing
from tests.reports.helping import Place, everything


def test_counts_agree_with_the_rows_after_writes_that_worked_and_writes_that_failed(
    place: Place,
) -> None:
    bank = place.bank()
    refused = 0
    for at in range(60):
        try:
            match at % 6:
                case 0 | 1:
                    bank.remember(f"harbour note {at}", id=f"m{at}", tags=["note"])
                case 2:
                    bank.remember(f"value {at}", key=f"key{at % 4}", value=str(at))
                case 3:
                    bank.update(f"m{at - 3}", text=f"market note {at}")
                case 4:
                    bank.remember("another text", id=f"m{at - 4}")
                case _:
                    bank.pin([f"m{at - 5}", "no-such-id"])
        except LapseError:
            refused += 1
    stats, rows = bank.stats(), everything(bank)
    assert refused == 20
    assert stats.memories == len(rows) == 30
    assert stats.current == len(everything(bank, Listing(latest_only=True, limit=1000)))
    assert stats.pinned == sum(each.state.pinned for each in rows) == 0
    assert sum(stats.by_kind.values()) == stats.memories
    market = [each.memory.id for each in rows if each.memory.text.startswith("market")]
    assert len(bank.recall("market", k=100).hits) == len(market) == 10
    assert bank.doctor() == []
