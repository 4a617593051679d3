"""Change of law without a log: what is kept, and what is said about it."""

from itertools import pairwise, product
from typing import Any  # a law may be anything that has a law's methods

import pytest

from lapse.laws import Held, Law, law_for
from lapse.laws.change import Conversion, LawChange
from lapse.laws.strength import Seed
from lapse.model.memory import Kind
from lapse.model.policy import LawName, LawPolicy
from tests.unit.laws.examples import TOLD_AT, after, columns, told, use

PLAIN = (LawName.EXPONENTIAL, LawName.HALF_LIFE, LawName.NONE)
GROWING = (LawName.EBBINGHAUS, LawName.FSRS)


def law(name: LawName, cooldown_hours: float | None = 24.0) -> Law:
    return law_for(LawPolicy(name=name, cooldown_hours=cooldown_hours))


def convert(held: Held, before: Law, after_law: Law, days: float) -> Conversion:
    first = after_law.initial(
        Seed(created_at=TOLD_AT, kind=Kind.EPISODIC, importance=held.importance)
    )
    return LawChange(before=before, after=after_law, now=after(days)).convert(held, first)


def moved(held: Held, conversion: Conversion) -> Held:
    return Held(
        created_at=held.created_at,
        strength=conversion.strength,
        importance=held.importance,
        decay=held.decay,
    )


@pytest.mark.parametrize("name", LawName)
def test_to_activation_is_exact_because_every_law_keeps_the_traces(name: LawName) -> None:
    before, new = law(name), law(LawName.ACTIVATION)
    uses = [use(2, 0.8), use(9), use(30, 0.5)]
    found = convert(told(before, uses), before, new, 50)
    replayed = told(new, uses)
    assert found.exact
    assert found.strength.traces == replayed.strength.traces
    rows = columns(moved(replayed, found), replayed)
    assert len(set(new.need(rows, after(50)).tolist())) == 1


@pytest.mark.parametrize(
    ("old", "new"), [*product(PLAIN, PLAIN), *((LawName.ACTIVATION, each) for each in PLAIN)]
)
def test_between_laws_of_one_pace_rejections_are_kept_too(old: LawName, new: LawName) -> None:
    before, other = law(old), law(new)
    held = told(before, [use(2)])
    wrong = Held(
        created_at=TOLD_AT,
        strength=before.reject(held.strength, after(3), 0.5),
        importance=0.5,
        decay=0.5,
    )
    found = convert(wrong, before, other, 10)
    replayed = other.reject(told(other, [use(2)]).strength, after(3), 0.5)
    assert found.exact
    assert found.strength == replayed


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (LawName.EBBINGHAUS, LawName.FSRS),
        (LawName.FSRS, LawName.EBBINGHAUS),
        *product(GROWING, (LawName.EXPONENTIAL, LawName.HALF_LIFE)),
    ],
)
def test_otherwise_need_and_rank_are_kept(old: LawName, new: LawName) -> None:
    before, other = law(old), law(new)
    memories = [
        told(before, [use(each) for each in range(7, 7 * count, 7)], importance=importance)
        for count, importance in product((1, 3, 6), (0.0, 0.5, 1.0))
    ]
    needs, kept = [], []
    for held in memories:
        found = convert(held, before, other, 200)
        assert not found.exact
        needs.append(float(before.need(columns(held), after(200))[0]))
        kept.append(float(other.need(columns(moved(held, found)), after(200))[0]))
    assert kept == pytest.approx(needs, rel=1e-9)


def test_no_instant_is_made_up() -> None:
    before, other = law(LawName.FSRS), law(LawName.EBBINGHAUS)
    held = told(before, [use(3), use(8)])
    found = convert(held, before, other, 90).strength
    assert found.last_counted_at == after(8)
    assert found.reinforcement_count == 2
    assert found.traces == held.strength.traces


def test_need_beyond_what_the_new_law_can_show_is_said() -> None:
    before, other = law(LawName.ACTIVATION), law(LawName.EBBINGHAUS)
    found = convert(told(before, importance=1), before, other, 1)
    assert not found.exact
    assert "higher than the new law can show" in found.reason
    assert found.strength.stability_days == 3_650


def test_need_below_what_the_new_law_allows_comes_as_near_as_it_can() -> None:
    before, other = law(LawName.ACTIVATION), law(LawName.FSRS)
    unimportant = told(before, importance=0)
    found = convert(unimportant, before, other, 2_000)
    assert found.strength.stability_days < 1
    lowered = Held(
        created_at=TOLD_AT,
        strength=before.reject(unimportant.strength, after(1), 1e-9),
        importance=0,
        decay=0.5,
    )
    least = convert(lowered, before, other, 2_000)
    assert "as near as" in least.reason
    assert least.strength.stability_days == 0.001


def test_what_was_told_just_now_starts_anew() -> None:
    before, other = law(LawName.ACTIVATION), law(LawName.FSRS)
    found = convert(told(before), before, other, 0)
    assert not found.exact
    assert found.strength.stability_days == pytest.approx(2.3065)


def test_another_cooldown_is_said_because_other_uses_counted() -> None:
    before, new = law(LawName.EBBINGHAUS, None), law(LawName.ACTIVATION, None)
    found = convert(told(before, [use(3)]), before, new, 9)
    assert not found.exact
    assert "another cooldown" in found.reason


def test_rank_is_kept_from_activation_among_what_the_new_law_can_show() -> None:
    before, other = law(LawName.ACTIVATION), law(LawName.FSRS)
    memories = [told(before, importance=each / 10) for each in range(11)]
    kept = [
        float(other.need(columns(moved(held, convert(held, before, other, 400))), after(400))[0])
        for held in memories
    ]
    assert all(first <= second for first, second in pairwise(kept))
    assert len(set(kept)) == 11


def test_a_law_from_elsewhere_starts_its_stability_anew() -> None:
    class Wrapped:
        def __init__(self, inner: Law) -> None:
            self.inner = inner

        def __getattr__(self, name: str) -> object:
            return getattr(self.inner, name)

    before, other = law(LawName.FSRS), law(LawName.EBBINGHAUS)
    held = told(before, [use(3)])
    foreign: Any = Wrapped(other)  # a law by its methods alone
    found = convert(held, before, foreign, 20)
    assert not found.exact
    assert found.strength.stability_days == 30
    assert found.strength.traces == held.strength.traces
