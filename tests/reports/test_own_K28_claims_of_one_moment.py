"""Own case of K28: rows and index agree on which of two claims told at one moment is the newer."""

import pytest

from lapse.model.paging import Listing
from tests.reports.helping import Place, everything, hit_ids

IDS = [("a", "b"), ("b", "a")]


@pytest.mark.parametrize("ids", IDS)
@pytest.mark.parametrize("at_once", [True, False])
def test_of_two_values_told_at_one_moment_the_second_holds(
    place: Place, ids: tuple[str, str], at_once: bool
) -> None:
    bank = place.bank()
    drafts = [
        {"text": f"I drink {drink}", "id": each, "key": "user/drink", "value": drink}
        for each, drink in zip(ids, ("tea", "milk"), strict=True)
    ]
    for each in [drafts] if at_once else [drafts[:1], drafts[1:]]:
        told = bank.remember_many(each)
    assert told[-1].superseded == (ids[0],)
    assert hit_ids(bank.recall("drink")) == [ids[1]]
    listed = [each.memory.id for each in everything(bank, Listing(latest_only=True))]
    assert listed == [ids[1]]
    assert bank.get(ids[0]).memory.superseded_by == ids[1]


@pytest.mark.parametrize("ids", IDS)
def test_a_claim_that_is_reworded_at_that_moment_keeps_its_place(
    place: Place, ids: tuple[str, str]
) -> None:
    bank = place.bank()
    for each, drink in zip(ids, ("tea", "milk"), strict=True):
        bank.remember(f"I drink {drink}", id=each, key="user/drink", value=drink)
    bank.update(ids[0], text="I drink black tea", value="black tea")
    assert hit_ids(bank.recall("drink")) == [ids[1]]
    bank.update(ids[1], text="I drink cold milk", value="cold milk")
    assert hit_ids(bank.recall("drink")) == [ids[1]]
    assert [each.memory.id for each in everything(bank, Listing(latest_only=True))] == [ids[1]]
