"""B108: reading an unknown scope creates it; a scope with an underscore cannot be read back."""

from collections.abc import Callable

import pytest

from lapse.bank import Bank
from lapse.errors import NotFoundError
from tests.reports.helping import Place, hit_ids

READS: dict[str, Callable[[Bank], object]] = {
    "recall": lambda bank: bank.recall("harbour"),
    "rank": lambda bank: bank.rank([{"id": "x", "text": "harbour"}], query="harbour"),
    "list": lambda bank: bank.list(),
    "stats": lambda bank: bank.stats(),
    "policy": lambda bank: bank.policy(),
    "doctor": lambda bank: bank.doctor(),
    "drain": lambda bank: bank.drain(),
    "nothing used": lambda bank: bank.used([]),
    "nothing remembered": lambda bank: bank.remember_many([]),
}

NAMES = ("claude_dev", "claude-dev", "a/b", "a/b/c", "a:b", "a.b", "__", "Ünï", "会议", " x")


@pytest.mark.parametrize("read", READS)
def test_looking_into_an_unknown_bank_makes_none(place: Place, read: str) -> None:
    mind = place.open()
    READS[read](mind.bank("ghost"))
    READS[read](mind.bank("ghost", tenant="nobody"))
    assert mind.banks() == []
    assert mind.banks(tenant="nobody") == []
    mind.bank("real").remember("The harbour is quiet")
    assert mind.banks() == ["real"]


def test_an_unknown_id_in_an_unknown_bank_makes_none(place: Place) -> None:
    mind = place.open()
    with pytest.raises(NotFoundError):
        mind.bank("ghost").get("m1")
    with pytest.raises(NotFoundError):
        mind.bank("ghost").update("m1", text="x")
    with pytest.raises(NotFoundError):
        mind.bank("ghost").pin(["m1"])
    with pytest.raises(NotFoundError):
        mind.bank("ghost").used(["m1"])
    assert mind.banks() == []


def test_any_name_is_read_back_as_it_was_given(place: Place) -> None:
    mind = place.open()
    for each in NAMES:
        mind.bank(each, tenant=each).remember("The harbour is quiet", id=f"of {each}")
    again = place.open() if place.lasting else mind
    for each in NAMES:
        assert again.banks(tenant=each) == [each]
        hit = again.bank(each, tenant=each).recall("harbour").hits[0]
        assert (hit.id, hit.memory.bank, hit.memory.tenant) == (f"of {each}", each, each)
    assert hit_ids(again.bank("claude").recall("harbour")) == []
