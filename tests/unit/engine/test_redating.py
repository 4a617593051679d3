"""Dating anew after a change of policy: bounded, and resumed right wherever it stopped."""

import pytest

from lapse.engine.paging import PAGE
from lapse.engine.redating import Redated, follow_policy, follow_policy_within
from lapse.engine.runtime import BankRuntime
from lapse.errors import StoreBusyError
from lapse.model.changeset import ChangeSet
from lapse.model.retention import RetentionState
from lapse.model.verbs import Verb
from lapse.ports import Store
from lapse.testing.fakes import ALICE
from tests.unit.engine.opening import Opened, WatchedStore, opened

COUNT = 2 * PAGE + 7
EBBINGHAUS: dict[str, object] = {"law.name": "ebbinghaus"}


def _tell(lapse: Opened) -> None:
    lapse.alice.remember_many(
        [{"text": f"Ship {at} is in", "id": f"m{at:05}", "importance": 0.4} for at in range(COUNT)]
    )
    lapse.alice.used(["m00003", f"m{COUNT - 1:05}"])
    lapse.alice.drain()


def _runtime(lapse: Opened) -> BankRuntime:
    return lapse.core.runtime(ALICE)


def _states(store: Store) -> list[RetentionState]:
    return [each.state for each in store.get(ALICE, [f"m{at:05}" for at in range(COUNT)])]


def _as_ever(policy: dict[str, object]) -> list[RetentionState]:
    """The states of a bank that never knew another policy."""
    store = WatchedStore()
    _tell(opened(store, policy=policy))
    return _states(store)


def test_a_pass_with_a_limit_goes_on_after_what_it_has_seen() -> None:
    store = WatchedStore()
    _tell(opened(store))
    other = opened(store, policy={"law.decay": 0.7})
    runtime = _runtime(other)

    first = follow_policy_within(other.core, runtime, 1)
    assert first == Redated(changed=PAGE, finished=False)
    assert runtime.bank is not None
    assert runtime.bank.redated_through > 0

    read: list[int] = []
    follow_policy_within(other.core, runtime, None, lambda done, _: read.append(done))
    assert read[-1] == COUNT - PAGE
    assert runtime.bank.redating == ""
    assert runtime.bank.redated_through == 0
    assert _states(store) == _as_ever({"law.decay": 0.7})


def test_another_process_goes_on_where_one_was_killed() -> None:
    store = WatchedStore()
    _tell(opened(store))
    calls: list[ChangeSet] = []

    def die_at_the_second(change: ChangeSet) -> None:
        if change.verb is Verb.REDATE:
            calls.append(change)
            if len(calls) == 2:
                raise StoreBusyError("killed")

    killed = opened(store, policy=EBBINGHAUS)
    store.before = die_at_the_second
    with pytest.raises(StoreBusyError):
        follow_policy(killed.core, _runtime(killed))
    store.before = lambda _: None

    heir = opened(store, policy=EBBINGHAUS)
    assert follow_policy(heir.core, _runtime(heir)) == COUNT - PAGE
    assert _states(store) == _as_ever(EBBINGHAUS)


def test_going_back_before_a_pass_to_another_law_was_over_leaves_no_strength_behind() -> None:
    store = WatchedStore()
    _tell(opened(store))
    before = _states(store)
    other = opened(store, policy=EBBINGHAUS)
    assert not follow_policy_within(other.core, _runtime(other), 1).finished
    assert _states(store) != before

    back = opened(store)
    follow_policy(back.core, _runtime(back))
    after = _states(store)
    assert [each.strength for each in after] == [each.strength for each in before]
    assert [each.dates for each in after] == [each.dates for each in before]


def test_a_pass_for_a_policy_that_is_no_longer_the_banks_writes_nothing() -> None:
    store = WatchedStore()
    lapse = opened(store)
    _tell(lapse)
    late = opened(store)
    passes: list[None] = []

    def change_the_policy_first(change: ChangeSet) -> None:
        if change.verb is Verb.REDATE and not passes:
            passes.append(None)
            store.before = lambda _: None
            late.alice.set_policy({"law.decay": 0.35})

    store.before = change_the_policy_first
    lapse.alice.set_policy({"law.decay": 0.7})
    assert passes
    assert _states(store)[0].dates == _as_ever({"law.decay": 0.35})[0].dates
    assert store.bank(ALICE) == lapse.core.runtime(ALICE).follow()
    bank = store.bank(ALICE)
    assert bank is not None
    assert '"decay": 0.35' in bank.law


def test_nothing_waits_when_nothing_changed() -> None:
    store = WatchedStore()
    lapse = opened(store)
    _tell(lapse)
    revision = store.revision(ALICE)
    assert follow_policy_within(lapse.core, _runtime(lapse), 10) == Redated()
    assert store.revision(ALICE) == revision
