"""B044: a correction is only added; the old and the new value may both be served."""

from lapse.model.instants import parse_instant
from tests.reports.helping import Place, hit_ids


def test_only_the_newer_value_of_a_key_is_told_and_history_holds_both(place: Place) -> None:
    bank = place.bank()
    bank.remember("works at Alder Ltd", id="alder", key="employer", valid_from="2026-02-01")
    bank.remember("works at Birch Ltd", id="birch", key="employer", valid_from="2026-05-01")
    assert hit_ids(bank.recall("where do they work")) == ["birch"]
    alder, birch = (bank.get(each).memory for each in ("alder", "birch"))
    assert alder.valid_to == birch.valid_from == parse_instant("2026-05-01", "closed")
    assert (alder.superseded_by, birch.supersedes) == ("birch", "alder")


def test_a_value_of_another_key_stays(place: Place) -> None:
    bank = place.bank()
    bank.remember("works at Alder Ltd", id="alder", key="employer")
    bank.remember("works out at Birch Gym", id="gym", key="sport")
    assert set(hit_ids(bank.recall("works at"))) == {"alder", "gym"}
