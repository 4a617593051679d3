"""Upkeep: repair, drain, follow the policy; and that doing it twice does it once."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lapse.engine.paging import PAGE
from lapse.engine.upkeep import Upkeep
from lapse.errors import CorruptStoreError, StoreBusyError
from lapse.model.changeset import ChangeSet
from lapse.model.instants import DAY, HOUR, Instant
from lapse.model.outcome import Action
from lapse.model.policy import LawName
from lapse.model.record import Record
from lapse.model.retention import Lifecycle, RetentionState, UseSource
from lapse.model.verbs import Verb
from lapse.ports import Store
from lapse.testing.fakes import ALICE, START, FakeClock
from tests.unit.engine.opening import Opened, WatchedStore, WordEmbedder, opened

LAWS = list(LawName)
NOTHING = Upkeep()


def _states(lapse: Opened) -> dict[str, RetentionState]:
    return {each.memory.id: each.state for each in _records(lapse)}


def _records(lapse: Opened) -> Sequence[Record]:
    return lapse.alice.list().records


def _lose_state(store: WatchedStore, memory_id: str) -> None:
    rows = store._banks[ALICE].rows
    rows[memory_id] = replace(rows[memory_id], state=None)


def _live(lapse: Opened, uses: Sequence[tuple[int, str, UseSource]]) -> None:
    """Tell two memories, then use them: so many hours apart each, draining now and then."""
    lapse.alice.remember_many(
        [
            {"text": "I prefer tea", "id": "m1", "importance": 0.3, "kind": "episodic"},
            {"text": "I prefer milk", "id": "m2", "proof_count": 3, "confidence": 0.9},
        ]
    )
    for at, (hours, name, source) in enumerate(uses):
        lapse.clock.advance(hours=hours)
        lapse.alice.used([name], source=source, event_id=f"e{at}")
        if at % 3 == 2:
            lapse.alice.drain()
    lapse.alice.drain()


# --- doing it twice ------------------------------------------------------------------------


def test_upkeep_of_a_bank_that_does_not_exist_does_nothing(lapse: Opened) -> None:
    assert lapse.alice.drain() == NOTHING
    assert lapse.store.bank(ALICE) is None


def test_upkeep_finds_nothing_to_do_the_second_time(store: Store) -> None:
    lapse = opened(store, embedder=WordEmbedder())
    lapse.alice.remember_many({"text": f"tea number{at}", "id": f"m{at}"} for at in range(10))
    lapse.clock.advance(days=3)
    lapse.alice.used(["m1", "m2"])
    lapse.alice.set_policy({"law": {"name": "fsrs"}}, by="owner")
    lapse.alice.drain()
    before, revision = _states(lapse), lapse.alice.stats().revision

    for _ in range(3):
        lapse.clock.advance(days=30)
        assert lapse.alice.drain() == NOTHING

    assert _states(lapse) == before
    assert lapse.alice.stats().revision == revision


def test_b014_time_alone_rewrites_nothing(lapse: Opened) -> None:
    lapse.alice.remember_many({"text": f"tea number{at}", "id": f"m{at}"} for at in range(5))
    before = _states(lapse)

    for _ in range(25):
        lapse.clock.advance(hours=10)
        lapse.alice.drain()

    assert _states(lapse) == before


def test_every_bank_that_was_opened_is_kept_up(lapse: Opened) -> None:
    for name in ("alice", "bob"):
        lapse.mind.bank(name).remember("I prefer tea", id="m1")
        lapse.clock.advance(days=2)
        lapse.mind.bank(name).used(["m1"])

    done = lapse.mind.drain()

    assert {str(ref): each.drained for ref, each in done.items()} == {
        "default/alice": 1,
        "default/bob": 1,
    }


# --- change of law -------------------------------------------------------------------------

USES = st.lists(
    st.tuples(
        st.integers(1, 400),
        st.sampled_from(["m1", "m2"]),
        st.sampled_from([each for each in UseSource if each is not UseSource.RETURNED]),
    ),
    max_size=10,
)


@pytest.mark.parametrize("after", LAWS)
@settings(max_examples=15)
@given(uses=USES, before=st.sampled_from(LAWS))
def test_a_change_of_law_is_as_if_that_law_had_always_held(
    after: LawName, before: LawName, uses: list[tuple[int, str, UseSource]]
) -> None:
    changed = opened(WatchedStore(), policy={"law": {"name": before.value}})
    always = opened(WatchedStore(), policy={"law": {"name": after.value}})
    for lapse in (changed, always):
        _live(lapse, uses)

    changed.alice.set_policy({"law": {"name": after.value}}, by="owner")

    for name, state in _states(always).items():
        now = _states(changed)[name]
        assert now.strength == state.strength
        assert now.fades_at == state.fades_at


def test_a_change_of_law_counts_what_still_waits_exactly_once(store: Store) -> None:
    lapse = opened(store)
    lapse.alice.remember("I prefer tea", id="m1")
    lapse.clock.advance(days=2)
    lapse.alice.used(["m1"])

    lapse.alice.set_policy({"law": {"name": "ebbinghaus"}}, by="owner")
    lapse.alice.drain()

    assert lapse.alice.get("m1").state.strength.reinforcement_count == 1
    assert lapse.alice.stats().pending_events == 0


def test_a_law_changed_and_changed_back_leaves_every_strength(store: Store) -> None:
    lapse = opened(store)
    _live(lapse, [(30, "m1", UseSource.CITED), (90, "m2", UseSource.EXPLICIT)] * 4)
    before = _states(lapse)

    lapse.alice.set_policy({"law": {"name": "fsrs"}}, by="owner")
    assert {n: s.strength for n, s in _states(lapse).items()} != {
        n: s.strength for n, s in before.items()
    }
    lapse.alice.set_policy({"law": {"name": ""}}, by="owner")

    after = _states(lapse)
    assert {n: (s.strength, s.fades_at) for n, s in after.items()} == {
        n: (s.strength, s.fades_at) for n, s in before.items()
    }


def test_a_change_of_law_reaches_what_is_suppressed(store: Store) -> None:
    lapse = opened(store)
    lapse.alice.remember("I prefer tea", id="m1")
    lapse.alice.pin(["m1"])
    before = lapse.alice.get("m1").state

    lapse.alice.set_policy({"law": {"name": "ebbinghaus"}}, by="owner")

    after = lapse.alice.get("m1").state
    assert after.strength != before.strength
    assert (after.pinned, after.fades_at, after.lifecycle) == (True, None, Lifecycle.ACTIVE)


# --- dating anew ---------------------------------------------------------------------------


def test_another_level_dates_the_fading_anew_and_leaves_strength(store: Store) -> None:
    lapse = opened(store)
    _live(lapse, [(50, "m1", UseSource.CITED)])
    before = _states(lapse)

    lapse.alice.set_policy({"law": {"archive_level": 0.1}}, by="owner")

    for name, state in _states(lapse).items():
        was = before[name]
        assert state.strength == was.strength
        assert state.fades_at is not None
        assert was.fades_at is not None
        assert state.fades_at < was.fades_at


def test_another_protection_dates_the_fading_anew(store: Store) -> None:
    lapse = opened(store)
    lapse.alice.remember("I prefer tea", id="m1", importance=0.5)

    lapse.alice.set_policy({"retention": {"protect_importance": 0.4}}, by="owner")
    assert lapse.alice.get("m1").state.fades_at is None

    lapse.alice.set_policy({"retention": {"protect_importance": None}}, by="owner")
    assert lapse.alice.get("m1").state.fades_at is not None


def test_a_setting_that_dates_nothing_rewrites_no_state(store: Store) -> None:
    lapse = opened(store)
    _live(lapse, [(50, "m1", UseSource.CITED)])
    before = _records(lapse)
    lapse.clock.advance(days=1)

    lapse.alice.set_policy({"recall": {"k": 3}}, by="owner")

    assert _records(lapse) == before


def test_another_deployment_policy_is_followed_by_the_next_upkeep(store: Store) -> None:
    first = opened(store)
    _live(first, [(50, "m1", UseSource.CITED)])

    second = opened(store, clock=first.clock, policy={"law": {"name": "ebbinghaus"}})
    always = opened(WatchedStore(), policy={"law": {"name": "ebbinghaus"}})
    _live(always, [(50, "m1", UseSource.CITED)])

    assert second.alice.drain().redated == 2
    assert second.alice.drain() == NOTHING
    assert {n: s.strength for n, s in _states(second).items()} == {
        n: s.strength for n, s in _states(always).items()
    }


def test_a_new_bank_is_never_redated(store: Store) -> None:
    lapse = opened(store, policy={"law": {"name": "fsrs"}})
    lapse.alice.remember("I prefer tea")

    assert lapse.alice.drain().redated == 0


def test_a_pass_that_was_interrupted_is_done_again_to_the_end() -> None:
    store = WatchedStore()
    lapse = opened(store)
    lapse.alice.remember_many(
        {"text": f"tea number{at}", "id": f"m{at}"} for at in range(PAGE + 10)
    )
    passes = []

    def interrupt(change: ChangeSet) -> None:
        if change.verb is Verb.REDATE:
            passes.append(change)
            if len(passes) == 2:
                raise StoreBusyError("another writer holds the store")

    store.before = interrupt
    with pytest.raises(StoreBusyError):
        lapse.alice.set_policy({"law": {"name": "ebbinghaus"}}, by="owner")
    store.before = lambda _change: None

    assert lapse.alice.drain().redated == 10
    assert {each.strength.stability_days for each in _states(lapse).values()} != {1.0}
    assert lapse.alice.drain() == NOTHING


def test_the_pass_tells_its_progress(store: Store) -> None:
    first = opened(store)
    first.alice.remember_many({"text": f"tea number{at}"} for at in range(PAGE + 10))
    told: list[tuple[int, int]] = []

    second = opened(store, policy={"law": {"name": "fsrs"}})
    second.alice.drain(progress=lambda done, total: told.append((done, total)))

    assert told == [(PAGE, PAGE + 10), (PAGE + 10, PAGE + 10)]


# --- lost states ---------------------------------------------------------------------------


def _told_and_used() -> tuple[Opened, WatchedStore, Record]:
    store = WatchedStore()
    lapse = opened(store, clock=FakeClock())
    # What a rating adds cannot be made anew: a lost state comes back unrated.
    lapse.alice.set_policy({"importance": {"rater": "off"}}, by="ada")
    lapse.alice.remember("I prefer tea", id="m1", created_at=START - 5 * DAY)
    lapse.alice.remember("I prefer milk", id="m2")
    for _ in range(2):
        lapse.clock.advance(days=2)
        lapse.alice.used(["m1"])
    lapse.alice.drain()
    return lapse, store, lapse.alice.get("m1")


def test_a_lost_state_is_listed_by_doctor_and_made_anew_by_a_drain() -> None:
    lapse, store, before = _told_and_used()
    _lose_state(store, "m1")

    (told,) = lapse.alice.doctor()
    assert "m1" in told
    assert lapse.alice.drain().repaired == 1

    after = lapse.alice.get("m1").state
    assert list(lapse.alice.doctor()) == []
    assert after.created_at == START - 5 * DAY
    assert after.strength == before.state.strength
    assert after.fades_at == before.state.fades_at
    assert lapse.alice.drain() == NOTHING


def test_a_repair_is_journalled() -> None:
    lapse, store, before = _told_and_used()
    _lose_state(store, "m1")
    lapse.alice.drain()

    entry = store.journal(ALICE, 0, 100)[-1]

    assert (entry.verb, entry.by) == (Verb.REPAIR, "lapse")
    assert [each.row for each in entry.items] == [before.row]


def test_events_that_waited_for_a_lost_state_are_folded_in() -> None:
    lapse, store, before = _told_and_used()
    lapse.clock.advance(days=2)
    lapse.alice.used(["m1"])
    _lose_state(store, "m1")

    lapse.alice.drain()

    after = lapse.alice.get("m1").state.strength
    assert after.reinforcement_count == before.state.strength.reinforcement_count + 1
    assert lapse.alice.stats().pending_events == 0


@pytest.mark.parametrize("verb", ["get", "list", "pin", "update", "remember", "stats", "reembed"])
def test_a_verb_that_meets_a_lost_state_has_it_repaired(verb: str) -> None:
    store = WatchedStore()
    lapse = opened(store, embedder=WordEmbedder())
    lapse.alice.remember("I prefer tea", id="m1")
    lapse.alice.drain()
    _lose_state(store, "m1")
    bank = lapse.alice
    verbs = {
        "get": lambda: bank.get("m1").state.created_at == START,
        "list": lambda: len(bank.list().records) == 1,
        "pin": lambda: bank.pin(["m1"]) == 1,
        "update": lambda: bank.update("m1", text="new").action is Action.UPDATED,
        "remember": lambda: bank.remember("I prefer tea").action is Action.RECONFIRMED,
        "stats": lambda: bank.stats().memories == 1,
        "reembed": lambda: bank.reembed() == 1,
    }

    assert verbs[verb]()
    assert list(bank.doctor()) == []


def test_what_no_repair_can_mend_is_told_as_it_is() -> None:
    store = WatchedStore()
    lapse = opened(store)
    lapse.alice.remember("I prefer tea", id="m1")

    def broken(_change: ChangeSet) -> None:
        raise CorruptStoreError("page 7 is damaged")

    store.before = broken
    with pytest.raises(CorruptStoreError, match="page 7"):
        lapse.alice.pin(["m1"])


def test_a_memory_that_lost_its_state_can_be_used_and_recalled() -> None:
    lapse, store, _ = _told_and_used()
    _lose_state(store, "m1")

    assert lapse.alice.used(["m1"], event_id="e9").enqueued == 1
    assert "m1" in {each.id for each in lapse.alice.recall("tea").hits}


def test_a_use_an_hour_after_telling_is_seen_and_not_counted(lapse: Opened) -> None:
    lapse.alice.remember("I prefer tea", id="m1")
    lapse.clock.advance(hours=1)
    lapse.alice.used(["m1"])
    lapse.alice.drain()

    strength = lapse.alice.get("m1").state.strength
    assert (strength.access_count, strength.reinforcement_count) == (1, 0)
    assert Instant(START + HOUR) == lapse.clock.now()
