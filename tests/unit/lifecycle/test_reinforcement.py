"""Counting uses: buckets, rejections, and independence of delivery."""

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.laws import Law, Seed, law_for
from lapse.lifecycle.reinforcement import (
    advance,
    bucket_of,
    checkpoint_horizon,
    first_checkpoint,
    fold,
    refuse_late,
)
from lapse.model.instants import DAY, EARLIEST, HOUR, SECOND, Instant, parse_instant
from lapse.model.policy import LawName, LawPolicy, Policy, ReinforcementPolicy
from lapse.model.retention import Checkpoint, Strength, UseEvent, UseSource

TOLD_AT: Instant = parse_instant("2026-03-01T09:00:00Z", "told_at")
HORIZON_DAYS = 30.0


def event(
    name: str, hours: float, source: UseSource = UseSource.CITED, weight: float = 0.8
) -> UseEvent:
    """An event so many hours after the telling, enqueued at once."""
    at = Instant(TOLD_AT + round(hours * HOUR))
    return UseEvent(
        event_id=name, memory_id="m", source=source, weight=weight, at=at, enqueued_at=at
    )


def law_of(name: LawName = LawName.ACTIVATION, cooldown_hours: float | None = None) -> Law:
    return law_for(LawPolicy(name=name, cooldown_hours=cooldown_hours))


def told(law: Law) -> Checkpoint:
    return first_checkpoint(law, Seed(created_at=TOLD_AT))


def folded(
    events: Sequence[UseEvent], law: Law | None = None, policy: Policy | None = None
) -> Strength:
    law = law_of() if law is None else law
    return fold(law, Policy() if policy is None else policy, told(law), events, TOLD_AT)


@pytest.mark.parametrize(
    ("hours", "bucket"), [(-500, 0), (0, 0), (23.99, 0), (24, 1), (47.99, 1), (48, 2), (240, 10)]
)
def test_buckets_start_with_the_telling(hours: float, bucket: int) -> None:
    assert bucket_of(event("e", hours).at, TOLD_AT, 24) == bucket


def test_uses_on_the_day_of_the_telling_are_seen_and_not_counted() -> None:
    strength = folded([event("a", 0), event("b", 23), event("c", -40)])
    assert (strength.access_count, strength.reinforcement_count) == (3, 0)
    assert strength.last_counted_at is None


def test_ten_uses_in_one_minute_count_as_one() -> None:
    massed = [event(f"m{n}", 30 + n / 600) for n in range(10)]
    strength = folded(massed)
    assert (strength.access_count, strength.reinforcement_count) == (10, 1)
    assert strength == replace(folded(massed[:1]), access_count=10)


def test_a_bucket_counts_at_its_earliest_instant_with_its_largest_weight() -> None:
    mixed = [
        event("late", 40, UseSource.EXPLICIT, 1.0),
        event("early", 26, UseSource.EVIDENCE, 0.5),
    ]
    expected = folded([event("early", 26, UseSource.EXPLICIT, 1.0)])
    assert folded(mixed) == replace(expected, access_count=2)


def test_the_heaviest_event_says_what_a_bucket_is_evidence_of() -> None:
    law = law_of(LawName.FSRS)
    hard = [event("a", 26, UseSource.RECONFIRMED, 0.6)]
    easy = [*hard, event("b", 30, UseSource.EXPLICIT, 1.0)]
    assert folded(easy, law).stability_days > folded(hard, law).stability_days
    tied = [event("a", 26, UseSource.CITED, 0.6), *[event("b", 27, UseSource.RECONFIRMED, 0.6)]]
    assert folded(tied, law).stability_days == folded(tied[:1], law).stability_days


def test_being_shown_is_seen_and_nothing_else() -> None:
    shown = [event("s", 26, UseSource.RETURNED, 0.0)]
    used = [event("u", 40)]
    assert folded(shown) == replace(folded([]), access_count=1)
    assert folded([*shown, *used]) == replace(folded(used), access_count=2)


def test_being_shown_counts_where_a_policy_weighs_it() -> None:
    strength = folded([event("s", 26, UseSource.RETURNED, 0.3)])
    assert strength.reinforcement_count == 1
    assert strength.last_counted_at == event("s", 26).at


def test_each_rejection_applies_once_and_needs_no_bucket() -> None:
    one = folded([event("r", 1, UseSource.REJECTED)])
    twice = folded([event("r", 1, UseSource.REJECTED), event("q", 2, UseSource.REJECTED)])
    repeated = folded([event("r", 1, UseSource.REJECTED)] * 3)
    assert one.traces == (0.5,) * 10
    assert twice.traces == (0.25,) * 10
    assert repeated == one
    assert (one.access_count, one.last_counted_at, one.traces_at) == (0, None, TOLD_AT)


def test_a_rejection_has_its_place_in_time() -> None:
    use, rejection = event("u", 30), event("r", 50, UseSource.REJECTED)
    after, before = folded([use, rejection]), folded([use, replace(rejection, at=TOLD_AT)])
    assert sum(after.traces) < sum(before.traces)


def test_the_policy_says_what_a_rejection_leaves() -> None:
    policy = Policy(reinforcement=ReinforcementPolicy(rejected_factor=0.25))
    assert folded([event("r", 1, UseSource.REJECTED)], policy=policy).traces == (0.25,) * 10


def test_marked_wrong_and_then_fetched_is_weaker_than_before() -> None:
    law = law_of()
    wrong = [event("r", 30, UseSource.REJECTED), event("f", 60, UseSource.RETURNED, 0.1)]
    assert sum(folded(wrong, law).traces) < sum(folded([], law).traces)


def test_without_a_cooldown_each_event_counts_wherever_it_falls() -> None:
    law = law_of(cooldown_hours=0)
    strength = folded([event("a", -5), event("b", 0), event("c", 0), event("d", 0.01)], law)
    assert (strength.access_count, strength.reinforcement_count) == (4, 4)
    assert strength.last_counted_at == event("d", 0.01).at


def test_without_a_cooldown_a_use_before_the_telling_is_as_old_as_it_is() -> None:
    strength = folded([event("a", -240)], law_of(cooldown_hours=0))
    assert strength.traces_at == TOLD_AT
    assert 1.0 < strength.traces[4] < strength.traces[9] < 2


def test_an_event_id_counts_once_and_its_earliest_form_holds() -> None:
    again = [event("e", 80), event("e", 30), event("e", 30)]
    assert folded(again) == folded([event("e", 30)])


def test_ebbinghaus_counts_four_uses_a_day() -> None:
    law = law_of(LawName.EBBINGHAUS)
    strength = folded([event(f"e{n}", 6 * n + 1) for n in range(9)], law)
    assert strength.reinforcement_count == 8


def test_a_new_memory_has_nothing_before_its_checkpoint() -> None:
    checkpoint = told(law_of())
    assert checkpoint.through == EARLIEST
    assert checkpoint.strength.reinforcement_count == 0


def test_a_checkpoint_moves_by_whole_buckets_only() -> None:
    law = law_of()
    events = [event("a", 30), event("b", 100)]
    until = Instant(TOLD_AT + 75 * HOUR)
    moved = advance(law, Policy(), told(law), events, TOLD_AT, until)
    assert moved.through == TOLD_AT + 72 * HOUR
    assert moved.strength == folded([event("a", 30)], law)


def test_a_checkpoint_never_moves_back_nor_into_the_first_bucket() -> None:
    law = law_of()
    events = [event("a", 30)]
    moved = advance(law, Policy(), told(law), events, TOLD_AT, Instant(TOLD_AT + 75 * HOUR))
    assert advance(law, Policy(), moved, events, TOLD_AT, TOLD_AT) == moved
    at_first = advance(law, Policy(), told(law), events, TOLD_AT, Instant(TOLD_AT + 23 * HOUR))
    assert at_first == told(law)


@pytest.mark.parametrize(("days", "refused"), [(29.9, False), (30, False), (30.1, True)])
def test_events_are_refused_when_too_old_as_they_are_enqueued(days: float, refused: bool) -> None:
    now = Instant(TOLD_AT + 100 * DAY)
    old = replace(event("e", 0), at=Instant(now - round(days * DAY)))
    assert refuse_late(old, now, HORIZON_DAYS) is refused


def test_the_checkpoint_stays_a_day_behind_and_waits_for_what_is_pending() -> None:
    now = Instant(TOLD_AT + 100 * DAY)
    assert checkpoint_horizon(now, HORIZON_DAYS) == now - 31 * DAY
    waiting = Instant(now - 9 * DAY)
    assert checkpoint_horizon(now, HORIZON_DAYS, waiting) == now - 40 * DAY
    assert checkpoint_horizon(now, HORIZON_DAYS, Instant(now + SECOND)) == now - 31 * DAY


EVENTS = st.lists(
    st.builds(
        event,
        st.integers(0, 40).map("e{}".format),
        st.floats(-100, 24 * 120),
        st.sampled_from(UseSource),
        st.sampled_from([0.0, 0.3, 0.8, 1.0]),
    ),
    max_size=25,
    unique_by=lambda each: each.event_id,
)


@given(
    events=EVENTS,
    name=st.sampled_from(LawName),
    cooldown_hours=st.sampled_from([None, 0.0, 6.0, 100.0]),
    seed=st.integers(0, 2**32),
)
def test_no_delivery_and_no_cut_into_drains_changes_a_bit_of_strength(
    events: list[UseEvent], name: LawName, cooldown_hours: float | None, seed: int
) -> None:
    law, policy, chance = law_of(name, cooldown_hours), Policy(), random.Random(seed)
    expected = folded(events, law)
    delivered = [
        # Enqueued up to 30 days late, drained up to 20 days after that, some of them twice.
        (enqueued, enqueued + chance.uniform(0, 20) * DAY, replace(each, enqueued_at=enqueued))
        for each in (*events, *chance.sample(events, k=len(events) // 3))
        for enqueued in [Instant(each.at + round(chance.uniform(0, HORIZON_DAYS) * DAY))]
    ]
    chance.shuffle(delivered)
    checkpoint, known = told(law), dict[str, UseEvent]()
    drains = sorted(chance.uniform(-5 * DAY, 180 * DAY) for _ in range(6))
    for drained_at in (*drains, 1_000 * DAY):
        now = Instant(TOLD_AT + round(drained_at))
        waiting = []
        for enqueued, ready_at, each in delivered:
            if enqueued > now:
                continue
            if ready_at <= now:
                known.setdefault(each.event_id, each)
            else:
                waiting.append(enqueued)
        strength = fold(law, policy, checkpoint, known.values(), TOLD_AT)
        until = checkpoint_horizon(now, HORIZON_DAYS, min(waiting, default=None))
        checkpoint = advance(law, policy, checkpoint, known.values(), TOLD_AT, until)
        # What the checkpoint holds may be deleted from the log.
        kept = {each.event_id: each for each in known.values() if each.at >= checkpoint.through}
        assert fold(law, policy, checkpoint, kept.values(), TOLD_AT) == strength
    assert strength == expected


@given(events=EVENTS, seed=st.integers(0, 2**32))
def test_any_order_of_the_same_events_is_the_same_strength(
    events: list[UseEvent], seed: int
) -> None:
    shuffled = [*events, *events]
    random.Random(seed).shuffle(shuffled)
    assert folded(shuffled) == folded(events)


def test_a_replay_under_another_law_is_the_strength_it_would_always_have_had() -> None:
    events = [event(f"e{n}", 30 * n) for n in range(1, 9)]
    for name in LawName:
        law = law_of(name)
        checkpoint = advance(law, Policy(), told(law), events, TOLD_AT, Instant(TOLD_AT + 5 * DAY))
        assert fold(law, Policy(), checkpoint, events, TOLD_AT) == folded(events, law)
