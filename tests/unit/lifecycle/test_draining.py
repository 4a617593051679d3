"""Folding enqueued events into states: nothing but the events decides what comes out."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.intake.composing import initial_strength
from lapse.laws import Law, law_for
from lapse.lifecycle.dating import dates_each
from lapse.lifecycle.draining import DrainRules, judge_drain, refolded
from lapse.lifecycle.uses import weight_of
from lapse.model.changeset import Changes, ChangeSet, Committed
from lapse.model.instants import DAY, HOUR, Instant
from lapse.model.journal import JournalDraft
from lapse.model.outcome import Action
from lapse.model.policy import LawName, LawPolicy, Policy
from lapse.model.record import Record
from lapse.model.retention import Lifecycle, Strength, UseEvent, UseSource
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View
from lapse.testing.fakes import ALICE, START, writes
from tests.unit.intake.telling import Teller

IDS = ("m1", "m2")
LAWS = list(LawName)


class Bank:
    """Two memories told at the start, the events of their use, and the drains in between."""

    def __init__(self, name: LawName = LawName.ACTIVATION) -> None:
        self.policy = Policy(law=LawPolicy(name=name))
        self.law: Law = law_for(self.policy.law)
        self.teller = Teller(self.policy)
        self.teller.tell(*({"text": f"text of {each}", "id": each} for each in IDS))
        self.store = self.teller.store

    def enqueue(self, events: Sequence[UseEvent]) -> None:
        """Enqueue events, as `used` does."""
        self.store.commit(writes(Changes(enqueued=tuple(events)), verb=Verb.USED))

    def drain(self, now: Instant, limit: int = 1000) -> Committed:
        """Drain once, at most about `limit` events."""
        rules = self.rules(now)

        def judge(view: View) -> Changes:
            changes = judge_drain(rules, view)
            entry = JournalDraft(verb=Verb.DRAIN, at=now, by="test")
            return changes if changes.empty else replace(changes, journal=entry)

        reads = Reads(pending=limit, events=True)
        return self.store.commit(
            ChangeSet(verb=Verb.DRAIN, ref=ALICE, now=now, reads=reads, judge=judge)
        )

    def rules(self, now: Instant) -> DrainRules:
        """What a drain at that instant is told."""
        dating = partial(dates_each, self.law, self.policy)
        return DrainRules(now=now, policy=self.policy, law=self.law, dating=dating)

    def record(self, memory_id: str = "m1") -> Record:
        """A memory with its state."""
        return self.teller.record(memory_id)

    def strengths(self) -> list[Strength]:
        """Of both memories."""
        return [self.record(each).state.strength for each in IDS]

    def late_events(self) -> int:
        """How many events were too late to count."""
        bank = self.store.bank(ALICE)
        assert bank is not None
        return bank.late_events

    def pending(self) -> int:
        """How many events wait."""
        return self.store.pending_count(ALICE)


def _event(
    name: str,
    hours: float,
    *,
    memory_id: str = "m1",
    source: UseSource = UseSource.CITED,
    learned: float | None = None,
) -> UseEvent:
    """A use so many hours after the telling, learned of at once or `learned` hours after it."""
    at = Instant(START + round(hours * HOUR))
    return UseEvent(
        event_id=name,
        memory_id=memory_id,
        source=source,
        weight=weight_of(source, Policy().reinforcement),
        at=at,
        enqueued_at=at if learned is None else Instant(START + round(learned * HOUR)),
    )


def _at(days: float) -> Instant:
    return Instant(START + round(days * DAY))


EVENTS = st.builds(
    lambda hours, memory_id, source, delay: (hours, memory_id, source, delay),
    st.integers(-48, 100 * 24),
    st.sampled_from(IDS),
    st.sampled_from(UseSource),
    st.integers(0, 29 * 24),
)


@st.composite
def deliveries(draw: st.DrawFn) -> list[list[UseEvent]]:
    """Events in the order they are learned of, cut into batches with a drain after each."""
    events = [
        _event(f"e{at}", hours, memory_id=name, source=source, learned=hours + delay)
        for at, (hours, name, source, delay) in enumerate(
            draw(st.lists(EVENTS, min_size=1, max_size=12))
        )
    ]
    events.sort(key=lambda each: (each.enqueued_at, each.event_id))
    cuts = sorted(draw(st.lists(st.integers(0, len(events)), max_size=4)))
    bounds = [0, *cuts, len(events)]
    return [events[a:b] for a, b in pairwise(bounds) if a < b]


@pytest.mark.parametrize("name", LAWS)
@given(batches=deliveries())
def test_any_cuts_into_drains_give_the_same_strength_to_the_bit(
    name: LawName, batches: list[list[UseEvent]]
) -> None:
    whole, cut = Bank(name), Bank(name)
    end = Instant(max(each.enqueued_at for batch in batches for each in batch) + HOUR)

    whole.enqueue([each for batch in batches for each in batch])
    whole.drain(end)
    for batch in batches:
        cut.enqueue(batch)
        cut.drain(batch[-1].enqueued_at)
    cut.drain(end)

    assert cut.strengths() == whole.strengths()
    assert [cut.record(each).state.fades_at for each in IDS] == [
        whole.record(each).state.fades_at for each in IDS
    ]
    assert cut.pending() == whole.pending() == 0


@given(batches=deliveries(), limit=st.integers(1, 3))
def test_a_drain_that_takes_a_few_events_at_a_time_ends_at_the_same_strength(
    batches: list[list[UseEvent]], limit: int
) -> None:
    whole, bit_by_bit = Bank(), Bank()
    events = [each for batch in batches for each in batch]
    end = Instant(max(each.enqueued_at for each in events) + HOUR)
    for bank in (whole, bit_by_bit):
        bank.enqueue(events)

    whole.drain(end)
    rounds = 0
    while bit_by_bit.pending():
        bit_by_bit.drain(end, limit)
        rounds += 1

    assert bit_by_bit.strengths() == whole.strengths()
    assert rounds <= len(IDS)


@given(batches=deliveries())
def test_draining_with_nothing_pending_changes_nothing(batches: list[list[UseEvent]]) -> None:
    bank = Bank()
    bank.enqueue([each for batch in batches for each in batch])
    bank.drain(_at(140))
    before, revision = bank.teller.stored(), bank.store.revision(ALICE)

    bank.drain(_at(500))

    assert bank.teller.stored() == before
    assert bank.store.revision(ALICE) == revision


@pytest.mark.parametrize("name", LAWS)
@given(batches=deliveries())
def test_a_refold_from_the_start_is_what_the_drains_came_to(
    name: LawName, batches: list[list[UseEvent]]
) -> None:
    bank = Bank(name)
    for batch in batches:
        bank.enqueue(batch)
        bank.drain(batch[-1].enqueued_at)
    record = bank.record()
    first = initial_strength(bank.teller.setting, record.memory, record.state.importance)

    again = refolded(bank.rules(_at(140)), record, first, bank.store.events(ALICE, ["m1"]))

    assert again.strength == record.state.strength


def test_a_counted_use_makes_stronger_and_moves_the_date_of_fading() -> None:
    bank = Bank()
    before = bank.record().state
    bank.enqueue([_event("e1", 72)])

    committed = bank.drain(_at(4))

    after = bank.record().state
    assert after.strength.reinforcement_count == after.strength.access_count == 1
    assert after.strength.last_counted_at == START + 72 * HOUR
    assert before.fades_at is not None
    assert after.fades_at is not None
    assert after.fades_at > before.fades_at
    assert after.updated_at == _at(4)
    assert [(each.memory_id, each.action) for each in committed.changes.outcomes] == [
        ("m1", Action.DRAINED)
    ]


@pytest.mark.parametrize("hours", [(72, 144), (144, 72)])
def test_an_event_id_counts_as_it_was_delivered_first(hours: tuple[int, int]) -> None:
    bank = Bank()
    for each in hours:
        bank.enqueue([_event("e1", each)])

    bank.drain(_at(7))

    strength = bank.record().state.strength
    assert strength.reinforcement_count == 1
    assert strength.last_counted_at == START + hours[0] * HOUR


def test_only_memories_with_events_are_written() -> None:
    bank = Bank()
    before = bank.record("m2")
    bank.enqueue([_event("e1", 72)])

    committed = bank.drain(_at(4))

    assert [name for name, _ in committed.changes.states] == ["m1"]
    assert bank.record("m2") == before


def test_b028_use_is_no_edit() -> None:
    bank = Bank()
    before = bank.record().memory
    bank.enqueue([_event(f"e{day}", 24 * day) for day in range(1, 11)])

    bank.drain(_at(11))

    assert bank.record().memory == before
    assert bank.store.versions(ALICE, "m1") == []
    assert bank.record().state.strength.reinforcement_count == 10


def test_being_returned_moves_the_last_recall_and_no_last_use() -> None:
    bank = Bank()
    bank.enqueue(
        [_event("r1", 72, source=UseSource.RETURNED), _event("r2", 50, source=UseSource.RETURNED)]
    )

    bank.drain(_at(4))

    state = bank.record().state
    assert state.last_recalled_at == START + 72 * HOUR
    assert state.strength.last_counted_at is None
    assert state.strength.reinforcement_count == 0


def test_the_last_recall_never_moves_back() -> None:
    bank = Bank()
    bank.enqueue([_event("r1", 72, source=UseSource.RETURNED)])
    bank.drain(_at(4))
    bank.enqueue([_event("r2", 50, source=UseSource.RETURNED, learned=97)])

    bank.drain(_at(5))

    assert bank.record().state.last_recalled_at == START + 72 * HOUR


def test_b031_wrong_and_then_shown_is_weaker_than_before() -> None:
    bank = Bank()
    before = bank.record().state
    bank.enqueue(
        [
            _event("wrong", 72, source=UseSource.REJECTED),
            _event("shown", 80, source=UseSource.RETURNED),
        ]
    )

    bank.drain(_at(4))

    after = bank.record().state
    assert sum(after.strength.traces) < sum(before.strength.traces)
    assert after.fades_at is not None
    assert before.fades_at is not None
    assert after.fades_at < before.fades_at


def test_what_is_suppressed_or_pinned_is_drained_as_everything_is() -> None:
    bank, plain = Bank(), Bank()
    bank.teller.put_state("m1", lifecycle=Lifecycle.SUPPRESSED, pinned=True)
    for each in (bank, plain):
        each.enqueue([_event("e1", 72)])
        each.drain(_at(4))

    state = bank.record().state
    assert state.strength == plain.record().state.strength
    assert state.lifecycle is Lifecycle.SUPPRESSED
    assert (state.pinned, state.fades_at) == (True, None)


def test_events_of_a_memory_without_a_state_wait() -> None:
    bank = Bank()
    bank.enqueue([_event("e1", 72), _event("e2", 72, memory_id="m2")])
    bank.teller.lose_state("m1")

    bank.drain(_at(4))

    assert bank.record("m2").state.strength.reinforcement_count == 1
    assert bank.pending() == 1


def test_the_checkpoint_follows_a_month_behind_and_holds_the_older_uses() -> None:
    bank = Bank()
    bank.enqueue([_event("e1", 72)])
    bank.drain(_at(4))
    assert bank.record().state.checkpoint.strength.reinforcement_count == 0

    bank.enqueue([_event("e2", 24 * 60)])
    bank.drain(_at(60))

    checkpoint = bank.record().state.checkpoint
    assert checkpoint.through == _at(29)
    assert checkpoint.strength.reinforcement_count == 1


def test_a_drain_under_a_clock_that_jumped_ahead_shuts_out_no_later_use() -> None:
    jumped, honest = Bank(), Bank()
    for each in (jumped, honest):
        each.enqueue([_event("e1", 48)])
    jumped.drain(_at(402))

    for each in (jumped, honest):
        each.enqueue([_event(f"later {day}", 24 * day) for day in (5, 8, 11)])
        each.drain(_at(11))

    assert jumped.strengths() == honest.strengths()
    assert jumped.record().state.strength.reinforcement_count == 4
    assert jumped.late_events() == 0


def test_what_comes_from_before_the_checkpoint_is_counted_as_late() -> None:
    bank = Bank()
    bank.enqueue([_event("under a wrong clock", 24 * 400)])
    bank.drain(_at(400))

    bank.enqueue([_event("e1", 72), _event("e2", 96), _event("e3", 72, memory_id="m2")])
    bank.drain(_at(4))

    assert bank.late_events() == 2
    assert bank.pending() == 0
    assert bank.record("m2").state.strength.reinforcement_count == 1
