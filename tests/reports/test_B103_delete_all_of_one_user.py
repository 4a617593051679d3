"""B103: delete all for one user drops the whole collection.

Waits: destroying them for good, for `erase`.
"""

import pytest

from lapse.errors import ValidationError
from lapse.model.retention import Lifecycle
from tests.reports.helping import Place, everything, hit_ids

OTHERS = ("b0", "b1", "b2", "g0", "g1")


@pytest.mark.parametrize("marks", [{"subject": "alice"}, {"entity": "Alice"}, {"tag": "of alice"}])
def test_only_what_is_one_persons_goes(place: Place, marks: dict[str, str]) -> None:
    bank = place.bank()
    for at in range(3):
        bank.remember(f"Alice berths boat {at}", id=f"a{at}", subject="alice", tags=["of alice"])
        bank.remember(f"Bob berths boat {at}", id=f"b{at}", subject="bob", tags=["of bob"])
    for at in range(2):
        bank.remember(f"The agent logs boat {at}", id=f"g{at}")
    moved = bank.suppress(by="host", reason="she asked", **marks)
    assert moved.ids == ("a0", "a1", "a2")
    standing = {each.memory.id: each.state.lifecycle for each in everything(bank)}
    assert {each for each, at in standing.items() if at is Lifecycle.ACTIVE} == set(OTHERS)
    assert set(hit_ids(bank.recall("boat", k=10))) == set(OTHERS)


@pytest.mark.parametrize("marks", [{}, {"subject": None}, {"subject": ""}, {"query": " "}])
def test_leaving_the_person_out_means_nobody_and_never_everybody(
    place: Place, marks: dict[str, str]
) -> None:
    bank = place.bank()
    bank.remember("Alice berths a boat", id="a", subject="alice")
    with pytest.raises(ValidationError):
        bank.suppress(by="host", reason="she asked", **marks)
    assert bank.get("a").state.lifecycle is Lifecycle.ACTIVE
