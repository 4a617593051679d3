"""B098: what governs a scope is gone; reads say that nothing does, every write is refused.

A bank is governed by its own policy. When the deployment's comes to contradict it, the bank's
cannot be in force: reading says so in words, writing is refused for the same faults, and both
agree again once it is mended.
"""

import pytest

from lapse.errors import PolicyError
from lapse.model.memory import JsonValue
from tests.reports.helping import Place, hit_ids

TWO_PERSON = {"retention.two_person": True}
AUTO: dict[str, JsonValue] = {"forgetting.mode": "lifecycle", "forgetting.auto_apply": True}


def test_reads_and_writes_agree_on_what_governs_the_bank(in_file: Place) -> None:
    bank = in_file.bank()
    bank.remember("The ship docked", id="m")
    bank.set_policy(AUTO, by="owner")

    bank = in_file.bank(TWO_PERSON)
    recall = bank.recall("ship")
    assert hit_ids(recall) == ["m"]
    (warning,) = recall.warnings
    assert "two_person" in warning
    with pytest.raises(PolicyError, match="two_person"):
        bank.remember("Another ship docked")

    bank.set_policy({"forgetting.auto_apply": ""}, by="owner")
    assert bank.recall("ship").warnings == ()
    assert bank.remember("Another ship docked").action == "created"


def test_a_bank_without_a_policy_of_its_own_is_governed_by_the_deployment(place: Place) -> None:
    bank = place.bank({"recall.k": 3})
    bank.set_policy({"recall.k": 2}, by="owner")
    bank.set_policy({"recall.k": ""}, by="owner")
    for at in range(5):
        bank.remember(f"The ship {at} docked")
    assert bank.policy().policy.recall.k == 3
    assert len(bank.recall("ship").hits) == 3
