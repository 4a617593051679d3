"""Reports of use, reflect sessions and what recalls returned, through the engine."""

import pytest

from lapse.engine.runtime import RETURNED_BATCH, RETURNED_LIMIT
from lapse.errors import NotFoundError, StoreBusyError, ValidationError
from lapse.model.changeset import ChangeSet
from lapse.model.instants import DAY
from lapse.model.retention import RetentionState, UseEvent, UseSource
from lapse.model.verbs import Verb
from lapse.ports import Store
from lapse.testing.fakes import ALICE, START, use
from tests.unit.engine.opening import Opened, WatchedStore, opened

IDS = ["m1", "m2", "m3"]


@pytest.fixture
def told(lapse: Opened) -> Opened:
    """Three memories, told three days ago."""
    _tell(lapse)
    return lapse


def _tell(lapse: Opened) -> None:
    lapse.alice.remember_many({"text": f"tea number {each}", "id": each} for each in IDS)
    lapse.clock.advance(days=3)


def _events(lapse: Opened) -> list[UseEvent]:
    return lapse.store.events(lapse.alice.ref, IDS)


def _state(lapse: Opened, memory_id: str = "m1") -> RetentionState:
    return lapse.alice.get(memory_id).state


def test_b023_a_use_is_one_event_that_a_drain_folds_in(told: Opened) -> None:
    report = told.alice.used(["m1", "m2"], recall="r1")
    assert (report.enqueued, report.repeated, report.refused_late) == (2, 0, 0)
    assert _state(told).strength.access_count == 0

    assert told.alice.drain().drained == 2

    strength = _state(told).strength
    assert (strength.access_count, strength.reinforcement_count) == (1, 1)
    assert strength.last_counted_at == told.clock.now()
    assert _state(told, "m3").strength.access_count == 0


def test_events_are_durable_before_they_are_folded_in(told: Opened) -> None:
    told.alice.used(["m1"])

    again = opened(told.store, clock=told.clock)

    assert again.alice.stats().pending_events == 1
    assert again.alice.drain().drained == 1


@pytest.mark.parametrize("how", [{"recall": "r1"}, {"event_id": "mine"}, {}])
def test_the_same_report_twice_counts_once(told: Opened, how: dict[str, str]) -> None:
    told.alice.used(["m1", "m2"], **how)

    report = told.alice.used(["m1", "m2", "m3"], **how)

    assert (report.enqueued, report.repeated) == (1, 2)
    told.alice.drain()
    assert told.alice.used(["m1"], **how).repeated == 1
    assert told.alice.drain().drained == 0
    assert len(_events(told)) == 3


def test_the_same_memories_named_twice_in_a_report_are_used_once(told: Opened) -> None:
    assert told.alice.used(["m1", "m1"]).enqueued == 1


def test_unknown_memories_refuse_the_whole_report(told: Opened) -> None:
    with pytest.raises(NotFoundError) as caught:
        told.alice.used(["m1", "nope"])

    assert caught.value.fields == {"ids": "nope"}
    assert _events(told) == []


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"ids": "m1"}, "ids"),
        ({"ids": ["m1"], "source": "liked"}, "source"),
        ({"ids": ["m1"], "at": "soon"}, "at"),
        ({"ids": ["m1"], "event_id": ""}, "event_id"),
        ({"ids": ["m1"], "event_id": "\ud800"}, "event_id"),
        ({"ids": ["m1"], "recall": "\x00"}, "recall"),
    ],
)
def test_a_report_that_can_never_be_right_is_refused(
    told: Opened, fields: dict[str, object], name: str
) -> None:
    with pytest.raises(ValidationError) as caught:
        told.alice.used(**fields)  # type: ignore[arg-type]  # the mistake on test

    assert [each.field for each in caught.value.faults] == [name]
    assert _events(told) == []


def test_every_fault_of_a_report_is_told_at_once(told: Opened) -> None:
    with pytest.raises(ValidationError) as caught:
        told.alice.used("m1", source="liked", at="soon", event_id="")

    assert [each.field for each in caught.value.faults] == ["ids", "source", "at", "event_id"]


@pytest.mark.parametrize("source", UseSource)
def test_a_source_may_be_given_by_name(told: Opened, source: UseSource) -> None:
    told.alice.used(["m1"], source=source.value)

    assert _events(told)[0].source is source


def test_a_use_may_have_happened_earlier_and_never_later_than_now(told: Opened) -> None:
    told.alice.used(["m1"], at=START + DAY)
    told.alice.used(["m2"], at=START + 99 * DAY)

    assert [each.at for each in _events(told)] == [START + DAY, START + 3 * DAY]


def test_a_use_of_long_ago_is_refused_and_counted(told: Opened) -> None:
    told.clock.advance(days=60)

    report = told.alice.used(["m1", "m2"], at=START + DAY)

    assert (report.enqueued, report.refused_late) == (0, 2)
    assert told.alice.stats().late_events == 2
    assert _events(told) == []


@pytest.mark.parametrize(
    "policy", [{"reinforcement": {"enabled": False}}, {"forgetting": {"enabled": False}}]
)
def test_where_nothing_reinforces_a_report_writes_nothing(
    store: Store, policy: dict[str, object]
) -> None:
    lapse = opened(store, policy=policy)
    _tell(lapse)

    assert lapse.alice.used(["m1"]).enqueued == 0
    assert _events(lapse) == []


def test_no_ids_are_no_report(told: Opened) -> None:
    revision = told.alice.stats().revision

    assert told.alice.used([]).enqueued == 0
    assert told.alice.stats().revision == revision


def test_b032_what_is_used_fades_later_than_what_is_not(told: Opened) -> None:
    for _ in range(10):
        told.clock.advance(days=3)
        told.alice.used(["m1"])
    told.alice.drain()

    used, unused = (_state(told, each).fades_at for each in ("m1", "m2"))
    assert used is not None
    assert unused is not None
    assert used > unused


# --- reflect -------------------------------------------------------------------------------


def test_b027_only_what_was_cited_counts_and_once(told: Opened) -> None:
    with told.alice.reflect() as session:
        session.cited(["m1", "m2"])
        session.cited(["m1"])
    told.alice.drain()

    assert [_state(told, each).strength.reinforcement_count for each in IDS] == [1, 1, 0]
    assert {each.source for each in _events(told)} == {UseSource.CITED}


def test_b027_a_failed_turn_counts_nothing(told: Opened) -> None:
    def turn() -> None:
        with told.alice.reflect() as session:
            session.cited(["m1"])
            raise RuntimeError("the turn was cancelled")

    with pytest.raises(RuntimeError):
        turn()
    assert _events(told) == []


def test_a_session_in_which_one_memory_is_unknown_counts_nothing(told: Opened) -> None:
    def turn() -> None:
        with told.alice.reflect() as session:
            session.cited(["m1"])
            session.confirmed(["nope"])
            session.rejected(["m2"])

    with pytest.raises(NotFoundError):
        turn()
    assert _events(told) == []


def test_a_session_is_written_in_one_transaction(told: Opened) -> None:
    revision = told.alice.stats().revision

    with told.alice.reflect() as session:
        session.cited(["m1"])
        session.confirmed(["m2"])
        session.rejected(["m3"])

    assert told.alice.stats().revision == revision + 1
    assert {each.memory_id: each.source for each in _events(told)} == {
        "m1": UseSource.CITED,
        "m2": UseSource.EXPLICIT,
        "m3": UseSource.REJECTED,
    }


def test_the_last_word_on_a_memory_stands(told: Opened) -> None:
    with told.alice.reflect() as session:
        session.cited(["m1"])
        session.rejected(["m1"])

    assert [each.source for each in _events(told)] == [UseSource.REJECTED]


def test_a_session_reinforces_no_more_than_its_limit_and_the_first_named(told: Opened) -> None:
    with told.alice.reflect(limit=2) as session:
        session.cited(["m3"])
        session.confirmed(["m1", "m2"])

    assert sorted(each.memory_id for each in _events(told)) == ["m1", "m3"]


def test_the_policy_sets_the_limit(store: Store) -> None:
    lapse = opened(store, policy={"reinforcement": {"reflect_limit": 1}})
    _tell(lapse)

    with lapse.alice.reflect() as session:
        session.cited(IDS)

    assert [each.memory_id for each in _events(lapse)] == ["m1"]


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_is_at_least_1(told: Opened, limit: int) -> None:
    with (
        pytest.raises(ValidationError) as caught,
        told.alice.reflect(limit=limit) as session,
    ):
        session.cited(["m1"])
    assert [each.field for each in caught.value.faults] == ["limit"]


def test_an_empty_session_writes_nothing(told: Opened) -> None:
    revision = told.alice.stats().revision

    with told.alice.reflect():
        pass

    assert told.alice.stats().revision == revision


def test_two_sessions_are_two_occasions(told: Opened) -> None:
    for _ in range(2):
        with told.alice.reflect() as session:
            session.cited(["m1"])

    assert len(_events(told)) == 2
    told.alice.drain()
    assert _state(told).strength.reinforcement_count == 1


def test_a_single_id_is_not_spelled_out(told: Opened) -> None:
    with pytest.raises(ValidationError), told.alice.reflect() as session:
        session.cited("m1")

    assert _events(told) == []


# --- what recalls returned -----------------------------------------------------------------


def test_being_shown_is_no_use_by_default(told: Opened) -> None:
    for _ in range(5):
        told.clock.advance(days=1)
        told.alice.recall("tea")
    told.alice.drain()

    assert _events(told) == []
    assert _state(told).last_recalled_at is None


def test_where_the_policy_weighs_it_being_shown_is_an_event_of_each_hit(store: Store) -> None:
    lapse = opened(store, policy={"reinforcement": {"weight_returned": 0.1}})
    _tell(lapse)
    recall = lapse.alice.recall("tea", k=2)
    assert _events(lapse) == []

    lapse.alice.drain()

    events = _events(lapse)
    assert sorted(each.memory_id for each in events) == sorted(each.id for each in recall.hits)
    assert {(each.source, each.weight, each.recall_id) for each in events} == {
        (UseSource.RETURNED, 0.1, recall.id)
    }
    assert _state(lapse, recall.hits[0].id).last_recalled_at == lapse.clock.now()
    assert lapse.alice.drain().drained == 0


def test_the_access_log_keeps_what_was_shown_without_counting_it(store: Store) -> None:
    lapse = opened(store, policy={"reinforcement": {"access_log": True}})
    _tell(lapse)
    before = _state(lapse).strength

    lapse.alice.recall("tea")
    lapse.alice.drain()

    state = _state(lapse)
    assert len(_events(lapse)) == 3
    assert state.last_recalled_at == lapse.clock.now()
    assert state.strength.last_counted_at is None
    assert state.strength.traces == before.traces
    assert state.strength.reinforcement_count == 0


def test_in_mode_observe_recall_writes_nothing_even_then(store: Store) -> None:
    policy = {"reinforcement": {"weight_returned": 0.1}, "forgetting": {"mode": "observe"}}
    lapse = opened(store, policy=policy)
    _tell(lapse)

    lapse.alice.recall("tea")
    lapse.alice.drain()

    assert _events(lapse) == []


def test_closing_writes_what_was_shown(store: Store) -> None:
    watched = WatchedStore()
    lapse = opened(watched, policy={"reinforcement": {"weight_returned": 0.1}})
    _tell(lapse)
    lapse.alice.recall("tea")

    lapse.mind.close()

    assert watched.seen[Verb.RETURNED].is_set()
    assert watched.seen[Verb.DRAIN].is_set()


def test_a_batch_of_what_was_shown_wakes_upkeep() -> None:
    lapse = opened(WatchedStore(), policy={"reinforcement": {"access_log": True}})
    lapse.alice.remember("I prefer tea", id="m1")
    before = len(lapse.wakes)

    for _ in range(RETURNED_BATCH - 1):
        lapse.alice.recall("tea")
    assert len(lapse.wakes) == before
    lapse.alice.recall("tea")

    assert len(lapse.wakes) == before + 1


def test_no_more_waits_in_ram_than_the_newest_that_were_shown() -> None:
    lapse = opened(WatchedStore(), policy={"reinforcement": {"access_log": True}})
    lapse.alice.remember("I prefer tea", id="m1")
    runtime = lapse.core.runtime(ALICE)
    shown = [use("m1", f"e{at}") for at in range(RETURNED_LIMIT + 5)]

    runtime.note_returned(shown)

    assert [each.event_id for each in runtime.returned] == [each.event_id for each in shown[5:]]


def test_what_was_shown_is_not_lost_when_the_store_is_busy() -> None:
    watched = WatchedStore()
    lapse = opened(watched, policy={"reinforcement": {"weight_returned": 0.1}})
    _tell(lapse)
    first = lapse.alice.recall("tea")

    def busy(change: ChangeSet) -> None:
        if change.verb is Verb.RETURNED:
            raise StoreBusyError("another writer holds the store")

    watched.before = busy
    with pytest.raises(StoreBusyError):
        lapse.alice.drain()
    second = lapse.alice.recall("tea")
    watched.before = lambda _change: None
    lapse.alice.drain()

    assert {each.recall_id for each in _events(lapse)} == {first.id, second.id}
