"""The slice: who is in it, who keeps it, and that a plan which was approved does not care."""

import numpy as np
import pytest

from lapse.lab.fitting import Window, fit_activation
from lapse.lab.judging import log_loss
from lapse.lab.log import Entry, Happening, in_order
from lapse.lab.logistic import fit_logistic
from lapse.lab.replaying import moments
from lapse.laws import law_for
from lapse.lifecycle.slicing import in_slice
from lapse.model.guards import Guard
from lapse.model.instants import DAY, Instant
from lapse.model.policy import LawName, LawPolicy
from lapse.model.retention import Lifecycle
from lapse.stores.memory import MemoryStore
from tests.unit.engine.opening import Opened, opened
from tests.unit.engine.sweeping import AUTO, active, spared, standing, swept, tell

IDS = [f"m{at:04}" for at in range(200)]


def test_a_share_of_the_ids_is_in_it_and_a_larger_share_holds_a_smaller_one() -> None:
    some, more = ({each for each in IDS if in_slice(each, share)} for share in (0.1, 0.3))
    assert some < more
    assert 10 <= len(some) <= 35
    assert 40 <= len(more) <= 80
    assert not any(in_slice(each, 0.0) for each in IDS)
    assert all(in_slice(each, 1.0) for each in IDS)


@pytest.fixture
def lapse() -> Opened:
    """Two hundred faded trivia (the first hundred are listed) in a bank with a slice of a tenth."""
    lapse = opened(MemoryStore(), policy=AUTO | {"retention.slice_share": 0.1})
    tell(lapse.alice, len(IDS))
    lapse.clock.advance(days=200)
    return lapse


def test_a_sweep_leaves_the_slice_and_takes_the_rest(lapse: Opened) -> None:
    report = swept(lapse.alice)
    kept = [each for each in IDS if in_slice(each, 0.1)]
    assert active(lapse.alice) == [each for each in kept if each < "m0100"]
    assert spared(report) == {Guard.SLICED: len(kept)}
    assert report.applied == len(IDS) - len(kept)


@pytest.mark.parametrize("how", [{}, {"percentile": 100.0}])
def test_no_score_proposes_it_and_what_a_person_names_goes(
    lapse: Opened, how: dict[str, float]
) -> None:
    kept = [each for each in IDS if in_slice(each, 0.1)]
    plan = lapse.alice.plan(**how)  # type: ignore[arg-type]  # one of its numbers
    assert {each.guard: each.count for each in plan.spared} == {Guard.SLICED: len(kept)}
    assert not {each.memory_id for each in plan.items} & set(kept)
    lapse.alice.suppress([kept[0]], by="ann", reason="noise")
    assert standing(lapse.alice).get(kept[0], Lifecycle.SUPPRESSED) is Lifecycle.SUPPRESSED


def test_a_plan_that_was_approved_takes_it_all_the_same() -> None:
    lapse = opened(MemoryStore(), policy={"retention.grace_days": 0})
    tell(lapse.alice, len(IDS))
    lapse.clock.advance(days=200)
    plan = lapse.alice.plan(by="ann")
    lapse.alice.approve(plan.id, by="ben", reason="noise")
    # Neither settings that dates hang on, nor the plan: what was approved holds.
    lapse.alice.set_policy({"retention.slice_share": 0.5})
    applied = lapse.alice.apply(plan.id).application
    assert applied is not None
    assert len(applied.applied) == len(IDS)


def test_what_has_faded_and_is_still_there_stands_for_its_like() -> None:
    names = [f"m{at}" for at in range(60)]
    log = [Entry(at=Instant(0), memory=each, event=Happening.CREATED) for each in names]
    log.append(Entry(at=Instant(60 * DAY), memory="m0", event=Happening.USED))
    policy = LawPolicy(name=LawName.HALF_LIFE)
    found = list(moments(log, law_for(policy), policy.decay, 10.0, 10.0, 0.25))
    expected = [4.0 if in_slice(each, 0.25) else 1.0 for each in names]
    assert found[0].weights.tolist() == expected
    (plain, *_) = moments(log, law_for(policy), policy.decay, 10.0, 10.0)
    assert set(plain.weights.tolist()) == {1.0}


def test_weighing_rows_is_repeating_them() -> None:
    dice = np.random.default_rng(1)
    columns = np.column_stack([dice.normal(size=40), np.ones(40)])
    wanted = dice.random(40) < 0.4
    counts = dice.integers(1, 4, 40)
    weighted = fit_logistic(columns, wanted, weights_of_rows=counts.astype(np.float64))
    repeated = fit_logistic(np.repeat(columns, counts, axis=0), np.repeat(wanted, counts))
    assert weighted == pytest.approx(repeated, rel=1e-6)
    foreseen = dice.random(40)
    assert log_loss(foreseen, wanted, counts.astype(np.float64)) == pytest.approx(
        log_loss(np.repeat(foreseen, counts), np.repeat(wanted, counts))
    )


def test_a_slice_changes_what_a_fit_finds() -> None:
    dice = np.random.default_rng(1)
    log = [
        Entry(at=Instant(at * DAY // 4), memory=f"m{at}", event=Happening.CREATED)
        for at in range(120)
    ]
    for day in range(31, 400):
        for _ in range(2):
            name = f"m{int(120 * dice.beta(1, 3))}"
            log.append(Entry(at=Instant(day * DAY), memory=name, event=Happening.USED))
    policy = LawPolicy(archive_level=0.3)
    cut = Window(horizon_days=10, warm_up_days=40)
    plain = fit_activation(in_order(log), policy, cut)
    sliced = fit_activation(
        in_order(log), policy, Window(horizon_days=10, warm_up_days=40, slice_share=0.2)
    )
    assert plain.verdicts["fitted"].log_loss != sliced.verdicts["fitted"].log_loss
