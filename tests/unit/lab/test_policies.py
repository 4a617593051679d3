"""The policies to try out are named in a few words, and every wrong word is told."""

import pytest

from lapse.errors import PolicyError, ValidationError
from lapse.lab.policies import deployed, own_settings, policy_of, put_in_force, read_policies
from lapse.model.policy import LawName
from lapse.stores.memory import MemoryStore
from tests.unit.engine.opening import Opened, opened


def test_a_preset_may_have_settings_laid_over_it() -> None:
    found = read_policies(["support", "support, law.decay=0.6,recall.k=3"], {})
    assert policy_of(found["support"]).law.decay == 0.7
    changed = policy_of(found["support, law.decay=0.6,recall.k=3"])
    assert (changed.law.decay, changed.recall.k) == (0.6, 3)


def test_current_means_what_the_bank_has_of_its_own(lapse: Opened) -> None:
    lapse.alice.set_policy({"law.name": "fsrs", "recall.k": 4})
    own = own_settings(lapse.alice)
    assert own == {"law.name": "fsrs", "recall.k": 4}
    assert policy_of(read_policies(["current"], own)["current"]).law.name is LawName.FSRS


def test_putting_settings_in_force_takes_the_place_of_a_banks_own(lapse: Opened) -> None:
    lapse.alice.set_policy({"law.name": "fsrs", "recall.k": 4})
    put_in_force(lapse.alice, {"law.decay": 0.7}, "lab")
    assert own_settings(lapse.alice) == {"law.decay": 0.7}


def test_what_a_deployment_sets_is_beneath_every_policy_that_is_tried() -> None:
    lapse = opened(MemoryStore(), policy={"law.decay": 0.7, "law.use_gain": 3.0})
    lapse.alice.set_policy({"law.decay": 0.5})
    found = read_policies(["current", "support"], own_settings(lapse.alice))
    base = deployed(lapse.alice)
    current, support = (policy_of(found[each], base).law for each in found)
    assert current == lapse.alice.policy().policy.law
    assert (current.decay, current.use_gain) == (0.5, 3.0)
    assert support.use_gain == 3.0


def test_names_that_mean_nothing_are_told_at_once() -> None:
    with pytest.raises(ValidationError) as caught:
        read_policies(["nobody", "support,law.decay"], {})
    assert [each.value for each in caught.value.faults] == ["'nobody'", "'law.decay'"]
    with pytest.raises(ValidationError, match="at least one"):
        read_policies([], {})
    with pytest.raises(PolicyError, match=r"law\.decay"):
        read_policies(["support,law.decay=7"], {})
