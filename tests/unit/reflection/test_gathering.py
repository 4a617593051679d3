"""Summed importance by session, from an index."""

from dataclasses import replace

import pytest

from lapse.index.bank_index import BankIndex
from lapse.model.changeset import Changes
from lapse.model.instants import Instant
from lapse.model.memory import Memory
from lapse.model.record import NewRecord
from lapse.model.retention import Lifecycle
from lapse.reflection.gathering import enough, gathered
from lapse.stores.memory import MemoryStore
from lapse.testing.fakes import ALICE, START, memory, record, writes


def _in(session: str | None, name: str, **changed: object) -> Memory:
    return replace(memory(name), session=session, **changed)  # type: ignore[arg-type]  # any field


def _sums(*told: tuple[Memory, float | None, Lifecycle], considered: int = 0) -> list[float]:
    store = MemoryStore()
    created = tuple(_rated(*each) for each in told)
    store.commit(writes(Changes(created=created)))
    index = BankIndex(ALICE)
    snapshot = index.advance(store.changes(ALICE, 0))
    known = range(1, considered + 1)
    found = gathered(snapshot.live, snapshot.states, known, 0.5, Instant(START + 10))
    return [each.total for each in found]


def _rated(told: Memory, importance: float | None, lifecycle: Lifecycle) -> NewRecord:
    new = record(told)
    return replace(new, state=replace(new.state, importance=importance, lifecycle=lifecycle))


ACTIVE = Lifecycle.ACTIVE


def test_importance_is_summed_by_session_and_the_default_stands_for_none() -> None:
    told = [
        (_in("s2", "a"), 0.7, ACTIVE),
        (_in("s1", "b"), None, ACTIVE),
        (_in("s2", "c"), 0.1, ACTIVE),
        (_in(None, "d"), 1.0, ACTIVE),
    ]
    assert _sums(*told) == [0.8, 0.5]


def test_what_was_considered_counts_no_more() -> None:
    told = [(_in("s1", name), 0.5, ACTIVE) for name in "abc"]
    assert _sums(*told, considered=2) == [0.5]
    assert _sums(*told, considered=3) == []


@pytest.mark.parametrize(
    ("told", "lifecycle"),
    [
        (_in("s1", "a"), Lifecycle.SUPPRESSED),
        (_in("s1", "a"), Lifecycle.ARCHIVED),
        (_in("s1", "a", is_latest=False), ACTIVE),
        (_in("s1", "a", recorded_to=START), ACTIVE),
        (_in("s1", "a", expires_at=Instant(START + 10)), ACTIVE),
        (_in("s1", "a", valid_to=Instant(START + 5)), ACTIVE),
    ],
)
def test_what_does_not_stand_is_not_gathered(told: Memory, lifecycle: Lifecycle) -> None:
    assert _sums((told, 0.9, lifecycle)) == []


def test_what_ends_later_is_gathered() -> None:
    told = _in("s1", "a", expires_at=Instant(START + 11), valid_to=Instant(START + 11))
    assert _sums((told, 0.9, ACTIVE)) == [0.9]


def test_the_threshold_itself_is_enough_and_rounding_does_not_keep_from_it() -> None:
    assert enough(sum([0.1] * 150), 15.0)
    assert not enough(14.99, 15.0)
