"""One open bank: what it sees of other processes, and when."""

import threading
from pathlib import Path

import pytest

from lapse.engine.stamps import stamp_of
from lapse.errors import NotFoundError, StoreError
from lapse.model.policy import Policy
from lapse.model.policy_layers import apply
from lapse.model.policy_sources import from_diff
from lapse.recall.explaining import Exclusions
from lapse.stores.sql.sqlite import SqliteStore
from lapse.testing.fakes import SequentialIds
from tests.unit.engine.opening import Opened, WatchedStore, WordEmbedder, opened


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Opened, Opened]:
    """Two engines on one file, as two processes have it."""
    path = str(tmp_path / "shared.db")
    return (
        opened(SqliteStore.open(path), ids=SequentialIds("a")),
        opened(SqliteStore.open(path), ids=SequentialIds("b")),
    )


def test_each_sees_what_the_other_wrote(pair: tuple[Opened, Opened]) -> None:
    one, other = pair
    told = one.alice.remember("I prefer tea", key="user/drink")
    assert [each.id for each in other.alice.recall("tea").hits] == [told.id]
    one.clock.advance(days=1)
    other.clock.advance(days=1)

    newer = other.alice.remember("I prefer coffee", key="user/drink")

    assert newer.superseded == (told.id,)
    assert one.alice.recall("tea").hits == ()
    assert [each.id for each in one.alice.recall("coffee").hits] == [newer.id]
    assert one.alice.get(newer.id).memory == newer.memory


def test_each_sees_the_others_marks_uses_and_updates(pair: tuple[Opened, Opened]) -> None:
    one, other = pair
    told = one.alice.remember("I prefer tea")
    before = other.alice.recall("tea").hits[0].explanation
    one.clock.advance(days=3)
    other.clock.advance(days=3)

    one.alice.used([told.id])
    one.alice.drain()
    after = other.alice.recall("tea").hits[0].explanation
    one.alice.update(told.id, text="I prefer lemonade")

    assert (before.use_count, after.use_count) == (0, 1)
    assert other.alice.recall("tea").hits == ()
    assert [each.id for each in other.alice.recall("lemonade").hits] == [told.id]


def test_what_one_enqueued_the_other_drains_once(pair: tuple[Opened, Opened]) -> None:
    one, other = pair
    told = one.alice.remember("I prefer tea")
    one.clock.advance(days=3)
    other.clock.advance(days=3)
    one.alice.used([told.id], recall="r1")
    assert other.alice.used([told.id], recall="r1").repeated == 1

    assert other.alice.drain().drained == 1
    assert one.alice.drain().drained == 0
    assert one.alice.get(told.id).state.strength.reinforcement_count == 1


def test_each_sees_the_policy_the_other_set(pair: tuple[Opened, Opened]) -> None:
    one, other = pair
    one.alice.remember_many({"text": f"tea number {at}"} for at in range(12))
    assert len(other.alice.recall("tea").hits) == 8

    one.alice.set_policy({"recall": {"k": 3}}, by="owner")

    assert len(other.alice.recall("tea").hits) == 3
    assert other.alice.policy().policy.recall.k == 3
    assert other.alice.stats().policy == one.alice.stats().policy


def test_a_policy_set_between_two_reads_of_one_refresh_is_seen_at_the_next() -> None:
    store = WatchedStore()
    one, other = opened(store), opened(store)
    one.alice.remember_many({"text": f"tea number {at}"} for at in range(12))

    def interfere() -> None:
        store.before_changes = lambda: None
        other.alice.set_policy({"recall": {"k": 3}}, by="owner")

    store.before_changes = interfere
    one.alice.recall("tea")

    assert len(one.alice.recall("tea").hits) == 3


def test_a_space_changed_between_two_reads_of_one_refresh_mixes_no_vectors() -> None:
    store = WatchedStore()
    old = opened(store, embedder=WordEmbedder("words", dimension=64))
    new = opened(store, embedder=WordEmbedder("words", dimension=32))
    told = old.alice.remember("I prefer tea")
    old.alice.recall("tea")
    old.alice.pin([told.id])

    def interfere() -> None:
        store.before_changes = lambda: None
        new.alice.reembed()

    store.before_changes = interfere

    recall = old.alice.recall("tea")

    assert [each.id for each in recall.hits] == [told.id]
    assert recall.hits[0].explanation.cosine is None
    assert "words-32" in recall.warnings[0]


def test_a_closed_engine_refuses_every_verb() -> None:
    lapse = opened(WatchedStore())
    told = lapse.alice.remember("I prefer tea")
    bank = lapse.alice

    lapse.mind.close()
    lapse.mind.close()

    for verb in (
        lambda: bank.remember("more"),
        lambda: bank.recall("tea"),
        lambda: bank.get(told.id),
        lambda: bank.used([told.id]),
        bank.list,
        bank.drain,
        bank.stats,
        lapse.mind.banks,
    ):
        with pytest.raises(StoreError):
            verb()


def test_threads_may_share_a_bank() -> None:
    lapse = opened(WatchedStore())
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for at in range(20):
                lapse.alice.remember(f"thread {number} remark {at}", id=f"t{number}-{at}")
                lapse.alice.recall(f"thread {number}")
                lapse.alice.used([f"t{number}-{at}"])
        except BaseException as error:  # noqa: BLE001 - a thread's failure is the test's
            failures.append(error)

    threads = [threading.Thread(target=work, args=(each,)) for each in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    assert failures == []
    assert lapse.alice.stats().memories == 80
    assert lapse.alice.stats().pending_events == 80


def test_the_ring_of_traces_is_bounded_by_the_policy() -> None:
    lapse = opened(WatchedStore(), policy={"recall": {"trace_ring": 3}})
    lapse.alice.remember("I prefer tea")
    runtime = lapse.core.runtime(lapse.alice.ref)

    ids = [lapse.alice.recall("tea").id for _ in range(5)]

    assert [runtime.trace(each) is None for each in ids] == [True, True, False, False, False]
    kept = runtime.trace(ids[-1])
    assert kept is not None
    assert kept.query == "tea"


def test_a_trace_holds_what_was_left_out_unmade_and_says_the_same_of_it() -> None:
    lapse = opened(WatchedStore())
    lapse.alice.remember_many({"text": f"tea number {at}"} for at in range(12))
    recall = lapse.alice.recall("tea")
    shown = list(recall.exclusions)

    kept = lapse.core.runtime(lapse.alice.ref).trace(recall.id)

    assert kept is not None
    assert isinstance(kept.recall.exclusions, Exclusions)
    assert kept.recall.exclusions._made is None
    assert len(shown) == 4
    assert list(kept.recall.exclusions) == shown


def test_with_forgetting_off_no_trace_is_kept() -> None:
    lapse = opened(WatchedStore(), policy={"forgetting": {"enabled": False}})
    lapse.alice.remember("I prefer tea")

    recall = lapse.alice.recall("tea")

    assert lapse.core.runtime(lapse.alice.ref).trace(recall.id) is None


def test_a_request_may_lower_but_never_raise_what_is_in_force() -> None:
    lapse = opened(WatchedStore())
    lapse.alice.remember_many({"text": f"tea number {at}"} for at in range(12))

    assert len(lapse.alice.recall("tea", k=2).hits) == 2
    assert lapse.alice.recall("tea", mode="off").mode.value == "off"
    assert len(lapse.alice.recall("tea").hits) == 8


@pytest.mark.parametrize(
    ("diff", "same_law", "same"),
    [
        ({"recall": {"k": 3}}, True, True),
        ({"scoring": {"default_importance": 0.1}}, True, False),
        ({"retention": {"protect_importance": 0.5}}, True, False),
        ({"law": {"name": "exponential"}}, False, False),
        ({"law": {"decay": 0.7}}, False, False),
        ({"reinforcement": {"rejected_factor": 0.9}}, False, False),
    ],
)
def test_the_stamp_changes_with_what_strength_and_dates_depend_on(
    diff: dict[str, object], same_law: bool, same: bool
) -> None:
    before, after = stamp_of(Policy()), stamp_of(apply(Policy(), from_diff(diff)))

    assert (before == after) == same
    assert (before.splitlines()[0] == after.splitlines()[0]) == same_law


def test_two_banks_of_one_engine_are_two_runtimes() -> None:
    lapse = opened(WatchedStore())
    told = lapse.alice.remember("I prefer tea")

    with pytest.raises(NotFoundError):
        lapse.mind.bank("bob").get(told.id)
    assert lapse.core.runtime(lapse.alice.ref) is lapse.core.runtime(lapse.alice.ref)
    assert [each.ref.name for each in lapse.core.open_banks()] == ["alice", "bob"]
