"""B070: a tombstone for one owner bars another owner's identical fact."""

import pytest

from lapse.errors import TombstonedError
from lapse.model.outcome import Action
from tests.reports.helping import Place, hit_ids

WHO = {"by": "anna", "reason": "asked for"}
FACT = "The shared sentence is about nine hens."


@pytest.mark.parametrize("by_subject", [False, True])
def test_the_other_tenant_keeps_and_may_tell_it(place: Place, by_subject: bool) -> None:
    mind = place.open()
    one, two = mind.bank("alice", tenant="t1"), mind.bank("alice", tenant="t2")
    for each in (one, two):
        each.remember(FACT, id="hens", subject="hens")
    if by_subject:
        one.erase(subject="hens", **WHO)
    else:
        one.erase(["hens"], **WHO)
    assert hit_ids(two.recall("nine hens")) == ["hens"]
    assert two.remember(FACT, subject="hens").action is Action.RECONFIRMED
    assert two.remember(f"{FACT} And a cock.").action is Action.CREATED
    with pytest.raises(TombstonedError):
        one.remember(FACT)
