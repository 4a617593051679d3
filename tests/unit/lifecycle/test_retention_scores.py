"""The seven retention scores, each against its formula written out for one memory at a time."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from lapse.engine.runtime import Rule
from lapse.index.snapshot import Snapshot
from lapse.lifecycle.retention_scores import rows_of, scores_of, usage
from lapse.model.index_delta import FloatArray, IntArray
from lapse.model.instants import DAY, HOUR, Instant
from lapse.model.memory import BankRef
from lapse.model.policy import RetentionScore
from lapse.stores.memory import MemoryStore
from lapse.testing.fakes import START
from tests.unit.engine.opening import Opened, opened

TEXTS = [
    ("plain", "we met and we talked", 0.2),
    ("rare", "quokkas graze on Rottnest near Perth", 0.5),
    ("used", "we met and we talked again", 0.5),
    ("dear", "we met", 0.8),
]


def _bank(**policy: object) -> Opened:
    lapse = opened(MemoryStore(), policy=policy)
    for name, text, importance in TEXTS:
        lapse.alice.remember(text, id=name, importance=importance)
    lapse.clock.advance(days=2)
    lapse.alice.used(["used"], source="explicit")
    lapse.clock.advance(days=3)
    lapse.alice.used(["used"], source="explicit")
    lapse.alice.drain()
    lapse.clock.advance(days=20)
    return lapse


def _seen(lapse: Opened) -> tuple[Snapshot, Rule, IntArray]:
    runtime = lapse.core.runtime(BankRef(name="alice"))
    snapshot = runtime.refresh()
    slots = np.array([snapshot.live.find(name) for name, _, _ in TEXTS], dtype=np.int64)
    return snapshot, runtime.rule, slots


def _scores(lapse: Opened, score: RetentionScore, names: Sequence[str] = ()) -> dict[str, float]:
    snapshot, rule, slots = _seen(lapse)
    wanted = [at for at, (name, _, _) in enumerate(TEXTS) if not names or name in names]
    rows = rows_of(snapshot, slots[wanted], rule.policy)
    found = scores_of(rows, score, rule.policy, rule.law, lapse.clock.now())
    return {TEXTS[at][0]: each for at, each in zip(wanted, found.tolist(), strict=True)}


def test_need_weighted_r_and_activation_are_the_laws_own() -> None:
    lapse = _bank()
    snapshot, rule, slots = _seen(lapse)
    strengths = rows_of(snapshot, slots, rule.policy).strengths
    now = lapse.clock.now()
    recall: FloatArray = rule.law.retrievability(strengths, now)

    assert list(_scores(lapse, RetentionScore.NEED).values()) == pytest.approx(
        rule.law.need(strengths, now).tolist(), abs=1e-9
    )
    assert list(_scores(lapse, RetentionScore.ACTIVATION).values()) == pytest.approx(
        rule.law.base_level_activation(strengths, now).tolist(), abs=1e-9
    )
    assert list(_scores(lapse, RetentionScore.WEIGHTED_R).values()) == pytest.approx(
        (recall * (0.5 + 0.5 * np.array([0.2, 0.5, 0.5, 0.8]))).tolist(), abs=1e-9
    )


def test_mean_is_of_importance_usage_and_use_recency() -> None:
    lapse = _bank(law={"cooldown_hours": 0.0})
    found = _scores(lapse, RetentionScore.MEAN)
    told, used = 0.995 ** (25 * 24), 0.995 ** (20 * 24)

    assert found["plain"] == pytest.approx((0.2 + 0 + told) / 3, abs=1e-8)
    assert found["used"] == pytest.approx((0.5 + 1 + used) / 3, abs=1e-8)


def test_usage_is_zero_for_all_where_nothing_was_used_and_grows_with_the_logarithm() -> None:
    assert usage(np.zeros(10, np.int64)).tolist() == [0.0] * 10
    assert usage(np.array([3, 15])).tolist() == pytest.approx([0.5, 1.0])
    assert usage(np.zeros(0, np.int64)).shape == (0,)


def test_informative_keeps_the_used_before_all_others_and_then_the_rare() -> None:
    found = _scores(_bank(), RetentionScore.INFORMATIVE)

    assert found["used"] > 0.5 > found["rare"] > found["plain"] > found["dear"] > 0


def test_worth_weighs_uses_beyond_the_telling_and_information() -> None:
    lapse = _bank()
    found = _scores(lapse, RetentionScore.WORTH)
    snapshot, rule, slots = _seen(lapse)
    shares = rows_of(snapshot, slots, rule.policy).informativeness
    told = (25 * 86_400) ** -0.5
    uses = (23 * 86_400) ** -0.5 + (20 * 86_400) ** -0.5

    assert found["plain"] == pytest.approx(math.log(told) + 8 * (shares[0] - 0.5), abs=0.02)
    assert found["used"] == pytest.approx(
        math.log(told + 5 * uses) + 8 * (shares[2] - 0.5), abs=0.02
    )


def test_promise_weighs_uses_more_and_what_it_learned_from_them() -> None:
    lapse = _bank()
    found = _scores(lapse, RetentionScore.PROMISE)
    snapshot, rule, slots = _seen(lapse)
    shares = rows_of(snapshot, slots, rule.policy).promise
    told = (25 * 86_400) ** -0.5
    uses = (23 * 86_400) ** -0.5 + (20 * 86_400) ** -0.5

    assert found["plain"] == pytest.approx(math.log(told) - 0.7 / shares[0] ** 3, abs=0.02)
    assert found["used"] == pytest.approx(
        math.log(told + 20 * uses) - 0.7 / shares[2] ** 3, abs=0.02
    )


def test_promise_is_a_place_among_all_that_was_told_whatever_a_plan_looks_at() -> None:
    lapse = _bank()
    together, alone = _scores(lapse, RetentionScore.PROMISE), {}
    for name, _, _ in TEXTS:
        alone.update(_scores(lapse, RetentionScore.PROMISE, [name]))

    assert alone == together


def test_what_stays_does_not_sink_in_promise_because_filler_was_suppressed() -> None:
    lapse = _bank()
    before = _scores(lapse, RetentionScore.PROMISE)
    lapse.alice.suppress(["plain"], by="ann", reason="filler")

    assert _scores(lapse, RetentionScore.PROMISE, ["rare"])["rare"] == before["rare"]


def test_what_is_erased_takes_no_place_in_promise() -> None:
    lapse = _bank()
    lapse.alice.erase(["dear"], by="ann", reason="asked to")
    snapshot = lapse.core.runtime(BankRef(name="alice")).refresh()
    left = [snapshot.live.find(name) for name in ("plain", "rare", "used")]
    rows = rows_of(
        snapshot,
        np.array(left, dtype=np.int64),
        lapse.core.runtime(BankRef(name="alice")).rule.policy,
    )

    assert sorted(rows.promise.tolist()) == pytest.approx([1 / 6, 3 / 6, 5 / 6])


def test_importance_enters_worth_not_at_all() -> None:
    alone = {
        name: _scores(_bank(), RetentionScore.WORTH, [name])[name] for name in ("plain", "dear")
    }

    assert alone["plain"] == alone["dear"]


@pytest.mark.parametrize("score", list(RetentionScore))
@pytest.mark.parametrize("at", [START - 3650 * DAY, START, START + HOUR, START + 36_500 * DAY])
def test_every_score_is_finite_whatever_the_clock_says(score: RetentionScore, at: int) -> None:
    lapse = _bank()
    lapse.clock.set(Instant(at))

    assert all(math.isfinite(each) for each in _scores(lapse, score).values())


@pytest.mark.parametrize(
    "law", ["activation", "exponential", "half_life", "ebbinghaus", "fsrs", "none"]
)
@pytest.mark.parametrize("score", list(RetentionScore))
def test_every_score_exists_under_every_law(law: str, score: RetentionScore) -> None:
    found = _scores(_bank(law={"name": law}), score)

    assert found["used"] >= found["plain"]
