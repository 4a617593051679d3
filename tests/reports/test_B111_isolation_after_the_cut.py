"""B111: tenants are kept apart by filtering what was fetched, so a busy one starves a small one."""

import pytest

from lapse import Lapse
from lapse.errors import ValidationError
from lapse.model.memory import BankRef
from tests.reports.helping import Place, hit_ids


def crowded(place: Place) -> Lapse:
    mind = place.open({"recall.pool_minimum": 1, "recall.pool_factor": 1})
    busy, small = mind.bank("bank", tenant="a"), mind.bank("bank", tenant="b")
    busy.remember_many({"text": f"tides tides tides {at}", "id": f"a{at}"} for at in range(400))
    small.remember_many({"text": f"something about tides, {at}", "id": f"b{at}"} for at in range(5))
    return mind


def test_a_small_tenant_gets_all_that_is_its_own_beside_a_busy_one(place: Place) -> None:
    mind = crowded(place)
    recall = mind.bank("bank", tenant="b").recall("tides", k=5)
    assert sorted(hit_ids(recall)) == [f"b{at}" for at in range(5)]
    assert len(recall.exclusions) == 0
    assert len(mind.bank("bank", tenant="a").recall("tides", k=5).hits) == 5


def test_a_bank_beside_a_busy_one_gets_all_that_is_its_own(place: Place) -> None:
    mind = crowded(place)
    other = mind.bank("other bank", tenant="a")
    other.remember("something about tides", id="mine")
    recall = other.recall("tides", k=5)
    assert hit_ids(recall) == ["mine"]
    assert len(recall.exclusions) == 0


@pytest.mark.parametrize("tenant", ["", " ", "a\x00"])
def test_a_tenant_that_is_none_is_refused_at_every_layer(place: Place, tenant: str) -> None:
    with pytest.raises(ValidationError, match="tenant"):
        place.open().bank("bank", tenant=tenant)
    with pytest.raises(ValidationError, match="tenant"):
        BankRef(tenant=tenant, name="bank")
