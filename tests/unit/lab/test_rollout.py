"""A bank is rolled forward on a copy: what would go, when and why, and the bank stays as it is."""

import pytest

from lapse.bank import Bank
from lapse.errors import NotFoundError, ValidationError
from lapse.lab.rollout import Cause, roll_out
from lapse.model.instants import DAY, Instant
from lapse.model.policy import Mode
from lapse.ports import Store
from tests.unit.engine.opening import Opened, opened
from tests.unit.engine.sweeping import tell


@pytest.fixture
def bank(lapse: Opened) -> Bank:
    """Twenty trivia, one thing that matters, one that expires, and a canary."""
    tell(lapse.alice, 20)
    lapse.alice.remember("Her name is Alice", id="name", importance=0.95)
    expires = Instant(lapse.clock.now() + 2 * DAY)
    lapse.alice.remember("The meeting is on Tuesday", id="meeting", expires_at=expires)
    lapse.alice.canaries.add("what is her name", ["name"])
    return lapse.alice


def test_trivia_go_when_they_have_faded_and_their_grace_is_over(bank: Bank) -> None:
    found = roll_out(bank, days=70)
    faded = [each for each in found.leaving if each.cause is Cause.FADED]
    assert {each.memory_id for each in faded} == {f"m{at:04}" for at in range(20)}
    assert all(30 * DAY < each.at - found.start < 60 * DAY for each in faded)
    expired = [each for each in found.leaving if each.cause is Cause.EXPIRED]
    assert [each.memory_id for each in expired] == ["meeting"]
    assert found.active == 22
    assert found.leaving_count == 21
    assert found.steps[-1].active == 1
    assert sum(each.went for each in found.steps) == found.leaving_count


def test_the_bank_is_as_it_was(bank: Bank, lapse: Opened) -> None:
    def stands() -> tuple[object, ...]:
        ref, store = bank.ref, lapse.store
        return store.revision(ref), store.journal_head(ref), bank.list(), bank.policy().policy

    before = stands()
    roll_out(bank, days=70, settings={"law.decay": 0.9})
    assert stands() == before


def test_another_policy_may_be_tried(bank: Bank) -> None:
    kept = roll_out(bank, days=70, settings={"law.name": "none"})
    assert [each.cause for each in kept.leaving] == [Cause.EXPIRED]
    fewer = roll_out(bank, days=70, settings={"law.name": "none", "retention.max_active": 5})
    assert Cause.BUDGET in {each.cause for each in fewer.leaving}
    assert fewer.steps[-1].active <= 5
    assert kept.policy != fewer.policy


def test_each_mode_is_asked_the_same_questions_now_and_at_the_end(bank: Bank) -> None:
    found = roll_out(bank, days=70, questions=["which ship docked"])
    assert [each.mode for each in found.effects] == 2 * [
        Mode.OBSERVE,
        Mode.RANK,
        Mode.FILTER,
        Mode.LIFECYCLE,
    ]
    assert {each.questions for each in found.effects} == {2}
    assert found.effects[0].changed == 0
    now, then = found.effects[3], found.effects[7]
    assert then.changed is not None
    assert now.changed is not None
    assert then.changed > now.changed
    assert then.canary_recall == 1
    assert then.words is not None


def test_a_loss_of_canaries_stops_the_forecast_as_it_would_stop_the_bank(bank: Bank) -> None:
    for at in range(5):
        bank.canaries.add(f"number{at}", [f"m{at:04}"])
    found = roll_out(bank, days=70)
    assert found.stopped_at is not None
    lost = found.steps[-1].canary_recall
    assert lost is not None
    assert lost < 0.5


def test_days_out_of_range_and_blank_questions_are_named_at_once(bank: Bank) -> None:
    with pytest.raises(ValidationError) as caught:
        roll_out(bank, days=0, questions=["a", " "])
    assert [each.field for each in caught.value.faults] == ["days", "questions[1]"]


def test_a_forecast_of_sweeps_without_end_is_refused(bank: Bank) -> None:
    with pytest.raises(ValidationError, match=r"retention\.sweep_interval_days"):
        roll_out(bank, days=365, settings={"retention.sweep_interval_days": 0.01})


def test_a_bank_that_is_not_there_cannot_be_rolled_forward(store: Store) -> None:
    with pytest.raises(NotFoundError):
        roll_out(opened(store).alice, days=7)


def test_the_same_bank_gives_the_same_forecast(bank: Bank) -> None:
    assert roll_out(bank, days=40) == roll_out(bank, days=40)
