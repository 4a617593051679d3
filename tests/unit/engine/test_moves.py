"""Moves to another vector space that are interrupted, or that two processes make at once."""

import pytest

from lapse.engine.embedding import BATCH
from lapse.errors import EmbedderError
from lapse.model.bank import Bank
from lapse.model.changeset import ChangeSet
from lapse.model.verbs import Verb
from lapse.ports import Store
from lapse.testing.fakes import ALICE
from tests.unit.engine.opening import (
    Opened,
    WatchedStore,
    WordEmbedder,
    opened,
)


def _bank(lapse: Opened) -> Bank:
    bank = lapse.store.bank(ALICE)
    assert bank is not None
    return bank


def _without(lapse: Opened) -> int:
    return lapse.alice.stats().without_vector


def _cosine(lapse: Opened, query: str, memory_id: str) -> float | None:
    explanation = lapse.alice.why(query, memory_id).explanation
    assert explanation is not None
    return explanation.cosine


def _filled(store: Store, count: int = 20) -> Opened:
    lapse = opened(store, embedder=WordEmbedder("old"))
    lapse.alice.remember_many({"text": f"tea number{at}", "id": f"m{at}"} for at in range(count))
    return lapse


def test_an_interrupted_move_goes_on_where_it_stopped() -> None:
    store = WatchedStore()
    _filled(store, BATCH + 500)
    embedder = WordEmbedder("new")
    embedder.break_after = 1
    lapse = opened(store, embedder=embedder)

    with pytest.raises(EmbedderError):
        lapse.alice.reembed()

    assert _bank(lapse).space is not None
    assert _bank(lapse).building is not None
    first = set(embedder.calls[0])
    embedder.break_after = None
    assert lapse.alice.reembed() == 500
    assert first.isdisjoint(embedder.calls[1])
    assert _without(lapse) == 0
    assert _bank(lapse).building is None


def test_while_a_move_is_unfinished_recall_goes_on_with_the_old_space() -> None:
    store = WatchedStore()
    _filled(store, BATCH + 500)
    embedder = WordEmbedder("new")
    embedder.break_after = 1
    other = opened(store, embedder=embedder)
    with pytest.raises(EmbedderError):
        other.alice.reembed()

    old = opened(store, embedder=WordEmbedder("old"))

    assert old.alice.recall("number7").warnings == ()
    assert _cosine(old, "tea number7", "m7") == pytest.approx(1.0, abs=1e-5)


def test_a_move_that_another_process_began_is_joined(store: Store) -> None:
    _filled(store)
    started = WordEmbedder("new")
    started.break_after = 0
    with pytest.raises(EmbedderError):
        opened(store, embedder=started).alice.reembed()

    lapse = opened(store, embedder=WordEmbedder("new"))
    begun = _bank(lapse).building

    assert lapse.alice.reembed() == 20
    assert _bank(lapse).space == begun


def test_two_moves_begun_at_the_same_time_end_in_one_space() -> None:
    store = WatchedStore()
    _filled(store)
    first, second = (opened(store, embedder=WordEmbedder("new")) for _ in range(2))

    def interfere(change: ChangeSet) -> None:
        # Between the first one's look at the bank and its beginning, the second moves.
        store.before = _ignore
        if change.verb is Verb.EMBED:
            second.alice.reembed()

    store.before = interfere
    first.alice.reembed()

    bank = _bank(first)
    assert bank.building is None
    assert bank.space is not None
    assert bank.space.embedder == "new-64"
    assert store.missing_vectors(ALICE, bank.space.number, 100) == []
    assert _cosine(first, "tea number7", "m7") == pytest.approx(1.0, abs=1e-5)


def test_a_move_that_another_one_is_in_the_middle_of_is_shared() -> None:
    store = WatchedStore()
    _filled(store)
    first, second = (opened(store, embedder=WordEmbedder("new")) for _ in range(2))
    stuck = WordEmbedder("new")
    stuck.break_after = 0
    third = opened(store, embedder=stuck)

    def interfere(change: ChangeSet) -> None:
        store.before = _ignore
        if change.verb is Verb.EMBED:
            with pytest.raises(EmbedderError):
                third.alice.reembed()

    store.before = interfere
    first.alice.reembed()

    assert _bank(first).building is None
    assert second.alice.recall("number7").warnings == ()


def test_a_move_that_another_one_overtakes_gives_way() -> None:
    store = WatchedStore()
    _filled(store)
    slow, fast = (opened(store, embedder=WordEmbedder(name)) for name in ("slow", "fast"))
    commits = []

    def overtake(change: ChangeSet) -> None:
        commits.append(change.verb)
        if commits.count(Verb.EMBED) == 2:
            store.before = _ignore
            fast.alice.reembed()

    store.before = overtake

    assert slow.alice.reembed() == 0
    bank = _bank(slow)
    assert bank.building is None
    assert bank.space is not None
    assert bank.space.embedder == "fast-64"
    assert _cosine(fast, "tea number7", "m7") == pytest.approx(1.0, abs=1e-5)


def test_a_memory_told_during_a_move_is_embedded_afterwards() -> None:
    store = WatchedStore()
    _filled(store)
    first, second = opened(store, embedder=WordEmbedder("new")), opened(store)
    commits = []

    def tell(change: ChangeSet) -> None:
        commits.append(change.verb)
        if commits.count(Verb.EMBED) == 3:
            commits.append(Verb.EMBED)
            second.alice.remember("told in between", id="late")

    store.before = tell
    first.alice.reembed()
    first.alice.drain()

    assert _without(first) == 0
    assert _cosine(first, "told in between", "late") == pytest.approx(1.0, abs=1e-5)


def _ignore(_change: ChangeSet) -> None:
    """Let every further change pass."""
