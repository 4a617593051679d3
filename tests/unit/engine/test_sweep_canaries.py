"""Canary queries around a sweep: asked before and after, and what a drop does."""

from lapse.model.sweep import Advice
from lapse.ports import Store
from lapse.testing.fakes import ALICE
from tests.unit.engine.opening import Opened, opened
from tests.unit.engine.sweeping import AUTO, swept, tell


def _canary_bank(store: Store, drop: float) -> Opened:
    lapse = opened(store, policy=AUTO | {"retention.max_canary_drop": drop})
    tell(lapse.alice, 3)
    lapse.alice.remember("The lantern is in the cellar", id="lantern", importance=0.0)
    lapse.alice.remember("The harbour closes at ten", id="harbour", importance=0.8)
    lapse.alice.canaries.add("lantern cellar", ["lantern"])
    lapse.alice.canaries.add("harbour closes", ["harbour"])
    lapse.clock.advance(days=90)
    return lapse


def test_canaries_are_asked_before_and_after(store: Store) -> None:
    report = swept(_canary_bank(store, 1.0).alice)
    assert (report.canaries, report.recall_before, report.recall_after) == (2, 1.0, 0.5)
    assert report.advice == (Advice.LOWER_DECAY_OR_PROTECT_MORE,)


def test_a_drop_beyond_the_bound_stops_auto_apply_for_the_bank_and_says_so(store: Store) -> None:
    lapse = _canary_bank(store, 0.05)
    report = swept(lapse.alice)
    assert Advice.AUTO_APPLY_STOPPED in report.advice
    assert lapse.alice.policy().policy.forgetting.auto_apply is False

    tell(lapse.alice, 3, start=20)
    lapse.clock.advance(days=90)
    asked = swept(lapse.alice)
    assert (asked.planned, asked.applied) == (3, 0)
    other = lapse.mind.bank("bob")
    assert other.policy().policy.forgetting.auto_apply is True

    lapse.alice.set_policy({"forgetting.auto_apply": True})
    assert swept(lapse.alice).applied == 3


def test_asking_canaries_counts_as_nothing(store: Store) -> None:
    counting = {"reinforcement.weight_returned": 1.0, "reinforcement.access_log": True}
    lapse = opened(store, policy=AUTO | counting)
    tell(lapse.alice, 2, importance=0.5)
    lapse.alice.canaries.add("Which ship docked?", ["m0000"])
    revision = store.revision(ALICE)
    check = lapse.alice.canaries.check()
    assert check.recall == 1.0
    lapse.alice.drain()
    assert store.revision(ALICE) == revision
    assert store.events(ALICE, ["m0000", "m0001"]) == []
