"""The slice: who is in it, who keeps it, and that a plan which was approved does not care."""

import numpy as np
import pytest

from lapse.lab.comparing import compare
from lapse.lab.fitting import Window, fit_activation
from lapse.lab.judging import Needed, auc, binned_error, calibration_error, kept_uses, log_loss
from lapse.lab.log import Entry, Happening, in_order
from lapse.lab.logistic import fit_logistic
from lapse.lab.replaying import Slice, moments
from lapse.laws import FloatArray, IntArray, law_for
from lapse.model.guards import Guard
from lapse.model.instants import DAY, Instant
from lapse.model.policy import LawName, LawPolicy
from lapse.model.query import Reason
from lapse.model.retention import Lifecycle
from lapse.model.slicing import in_slice
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


def test_what_has_faded_and_is_in_it_is_left_in_an_answer_and_the_rest_is_not() -> None:
    settings: dict[str, object] = {
        "forgetting.mode": "filter",
        "retention.slice_share": 0.3,
        "recall.k": 50,
    }
    lapse = opened(MemoryStore(), policy=settings)
    ids = IDS[:40]
    drafts = [{"id": each, "text": f"rain over harbour {each}", "importance": 0.0} for each in ids]
    lapse.alice.remember_many(drafts)
    lapse.clock.advance(days=400)
    recall = lapse.alice.recall("what of the weather over a harbour in rain or snow")
    kept = [each for each in ids if in_slice(each, 0.3)]
    assert sorted(each.id for each in recall.hits) == kept
    left = {each.id for each in recall.exclusions if each.reason is Reason.FADED}
    assert left == set(ids) - set(kept)


def test_what_has_faded_of_it_stands_for_its_like_and_the_like_for_none() -> None:
    names = [f"m{at}" for at in range(60)]
    log = [Entry(at=Instant(0), memory=each, event=Happening.CREATED) for each in names]
    log.append(Entry(at=Instant(60 * DAY), memory="m0", event=Happening.USED))
    in_force = LawPolicy(name=LawName.HALF_LIFE)
    judged = LawPolicy()
    kept = Slice(share=0.25, policy=in_force)
    found = list(moments(log, law_for(judged), judged.decay, 10.0, 10.0, kept))
    expected = [4.0 if in_slice(each, 0.25) else 0.0 for each in names]
    assert found[0].weights.tolist() == expected
    never = Slice(share=0.25, policy=LawPolicy(name=LawName.NONE))
    (plain, *_) = moments(log, law_for(judged), judged.decay, 10.0, 10.0, never)
    assert set(plain.weights.tolist()) == {1.0}


def test_figures_of_what_stands_for_others_are_those_of_all_it_stands_for() -> None:
    dice = np.random.default_rng(2)
    scores: FloatArray = dice.integers(0, 6, 40) / 10.0
    needed: Needed = dice.random(40) < 0.4
    ages: FloatArray = dice.random(40) * 50
    counts: IntArray = dice.integers(1, 9, 40)
    times = dice.integers(0, 4, 40)
    weights: FloatArray = times.astype(np.float64)
    all_scores, all_needed = np.repeat(scores, times), np.repeat(needed, times)
    assert auc(scores, needed, weights) == pytest.approx(auc(all_scores, all_needed))
    assert calibration_error(scores, needed, 1, weights=weights) == pytest.approx(
        calibration_error(all_scores, all_needed, 1)
    )
    repeated = binned_error(
        all_scores, all_needed, np.repeat(ages, times), np.repeat(counts, times)
    )
    assert binned_error(scores, needed, ages, counts, weights) == pytest.approx(repeated)
    for share in (0.1, 0.5, 1.0):
        assert kept_uses(scores, counts, share, weights) == pytest.approx(
            kept_uses(all_scores, np.repeat(counts, times), share)
        )


def test_a_comparison_finds_what_would_have_been_needed_of_all_that_the_slice_stands_for() -> None:
    law = LawPolicy(name=LawName.HALF_LIFE)
    names = [f"m{at}" for at in range(400)]
    log = [Entry(at=Instant(0), memory=each, event=Happening.CREATED) for each in names]
    within = [each for each in names if in_slice(each, 0.25)]
    # In the answers of a bank that filters only the slice can be used once it has faded.
    for day in range(45, 400, 30):
        log += [Entry(at=Instant(day * DAY), memory=each, event=Happening.USED) for each in within]
    log += [
        Entry(at=Instant(day * DAY), memory="fresh", event=Happening.USED) for day in range(400)
    ]
    kept = Slice(share=0.25, policy=law)
    found = compare(in_order(log), {"law": law}, warm_up_days=40, kept=kept)["law"]
    plain = compare(in_order(log), {"law": law}, warm_up_days=40)["law"]
    # 30 uses of the fresh one beside one of each that stands for four.
    share = 4 * len(within) / (4 * len(within) + 30)
    assert found.needed_after_forgotten == pytest.approx(1000 * share, abs=5)
    assert found.needed_after_forgotten is not None
    assert plain.needed_after_forgotten is not None
    assert plain.needed_after_forgotten < found.needed_after_forgotten - 50
    assert found.active_shares[0] == pytest.approx(1 / (1 + 4 * len(within)), rel=1e-6)


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
