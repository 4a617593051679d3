"""Own case of K13: tenant and bank are two names, and joining them must not mix two banks up."""

import pytest

from tests.reports.helping import Place, hit_ids

TWINS = (("a/b", "c"), ("a", "b/c"))
LOOKALIKES = ("Alice", "alice", "ALICE", "alice ", "alicе", "ａlice", "Zoë", "Zoe\u0308")


def test_banks_whose_joined_names_are_equal_stay_apart(place: Place) -> None:
    mind = place.open()
    for tenant, name in TWINS:
        mind.bank(name, tenant=tenant).remember("The harbour is quiet", id=tenant)
        mind.bank(name, tenant=tenant).used([tenant])
    done = mind.drain()
    assert [each.drained for each in done.values()] == [1, 1]
    for tenant, name in TWINS:
        assert hit_ids(mind.bank(name, tenant=tenant).recall("harbour")) == [tenant]
        assert mind.bank(name, tenant=tenant).stats().pending_events == 0


@pytest.mark.parametrize("name", LOOKALIKES)
def test_names_that_look_alike_are_different_names(place: Place, name: str) -> None:
    mind = place.open()
    for each in LOOKALIKES:
        mind.bank("notes", tenant=each).remember("harbour", id=f"tenant {each}")
        mind.bank(each).remember("harbour", id=f"bank {each}")
        mind.bank("shared").remember(f"harbour {each!a}", id=f"subject {each}", subject=each)
    assert hit_ids(mind.bank("notes", tenant=name).recall("harbour")) == [f"tenant {name}"]
    assert hit_ids(mind.bank(name).recall("harbour")) == [f"bank {name}"]
    recall = mind.bank("shared").recall("harbour", subject=name)
    assert hit_ids(recall) == [f"subject {name}"]
