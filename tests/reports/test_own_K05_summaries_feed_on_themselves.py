"""K05, not reported: using a summary uses its sources, and the next one finds them first."""

from lapse.bank import Bank
from tests.reports.helping import Place, ago, hit_ids


def told(place: Place) -> Bank:
    bank = place.bank()
    bank.remember("the harbour opens at six", id="source", created_at=ago(days=20))
    bank.remember("the harbour closes at ten", id="other", created_at=ago(days=20))
    bank.remember(
        "opening times of the harbour",
        id="summary",
        derived_from=["source"],
        created_at=ago(days=20),
    )
    return bank


def test_the_use_of_a_summary_is_no_use_of_its_sources(place: Place) -> None:
    bank = told(place)
    for days in (15, 10, 5):
        bank.used(["summary"], at=ago(days=days))
    bank.drain()
    source, other = (bank.get(each).state.strength for each in ("source", "other"))
    assert bank.get("summary").state.strength.reinforcement_count == 3
    assert source == other
    assert source.access_count == 0


def test_making_a_summary_is_no_use_of_its_sources(place: Place) -> None:
    bank = told(place)
    before = bank.get("source").state
    bank.remember("about the harbour", id="second", derived_from=["source", "summary"])
    bank.drain()
    assert bank.get("source").state == before


def test_what_a_model_repeats_all_day_counts_once_and_lifts_no_rating(place: Place) -> None:
    bank = told(place)
    before = bank.get("source").state
    for minutes in range(50, 0, -1):
        place.clock.set(ago(minutes=minutes))
        said = bank.remember("The harbour opens at six", role="assistant", by="model")
        assert said.id == "source"
    bank.drain()
    after = bank.get("source").state
    assert after.strength.reinforcement_count == 1
    assert after.importance == before.importance
    assert bank.get("source").memory.proof_count == 1
    assert len(hit_ids(bank.recall("harbour opens"))) == 3
