"""B081: the preview leaves pinned records out; the delete does not.

Given P pinned and Q not, both 400 days old and never used. Both the plan and its application name Q
only, and so do a look ahead and the act by name.
"""

from lapse.bank import Bank
from lapse.model.guards import Guard, Spared
from lapse.model.retention import Lifecycle
from tests.reports.helping import Place, ago

WHO = {"by": "anna", "reason": "old"}


def told(place: Place) -> Bank:
    bank = place.bank()
    bank.remember("The parrot is pinned", id="P", pinned=True, created_at=ago(days=400))
    bank.remember("The quail is quiet", id="Q", created_at=ago(days=400))
    return bank


def test_a_plan_and_its_application_name_the_same(place: Place) -> None:
    bank = told(place)
    plan = bank.plan()
    assert [each.memory_id for each in plan.items] == ["Q"]
    bank.approve(plan.id, **WHO)
    done = bank.apply(plan.id)
    assert done.application is not None
    assert done.application.applied == ("Q",)
    assert done.application.skipped == ()
    assert bank.get("P").state.lifecycle is Lifecycle.ACTIVE


def test_a_pin_that_comes_between_is_seen(place: Place) -> None:
    bank = told(place)
    plan = bank.plan()
    bank.approve(plan.id, **WHO)
    bank.pin(["Q"])
    done = bank.apply(plan.id)
    assert done.application is not None
    assert done.application.applied == ()
    assert done.application.skipped == (Spared(memory_id="Q", guard=Guard.PINNED),)


def test_a_look_ahead_and_the_act_name_the_same(place: Place) -> None:
    bank = told(place)
    for verb in ("suppress", "archive"):
        ahead = bank.forget(["P", "Q"], mode=verb)
        done = getattr(bank, verb)(["P", "Q"], **WHO)
        assert (ahead.ids, ahead.spared) == (done.ids, done.spared)
        assert done.ids == ("Q",)
        assert done.spared == (Spared(memory_id="P", guard=Guard.PINNED),)
