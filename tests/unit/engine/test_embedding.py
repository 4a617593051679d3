"""Vector spaces: epochs, failing and changed embedders."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from lapse.engine.embedding import INLINE_LIMIT, epoch_due, epoch_for, rows_of
from lapse.errors import EmbedderError
from lapse.model.bank import Bank, Space
from lapse.ports import Store
from lapse.testing.fakes import ALICE, START
from tests.unit.engine.opening import (
    CrookedEmbedder,
    Opened,
    WatchedStore,
    WordEmbedder,
    opened,
)

Rows = NDArray[np.float32]


def _bank(lapse: Opened) -> Bank:
    bank = lapse.store.bank(ALICE)
    assert bank is not None
    return bank


def _epoch(lapse: Opened) -> int:
    space = _bank(lapse).space
    return 0 if space is None else space.epoch


def _without(lapse: Opened) -> int:
    return lapse.alice.stats().without_vector


def _cosine(lapse: Opened, query: str, memory_id: str) -> float | None:
    explanation = lapse.alice.why(query, memory_id).explanation
    assert explanation is not None
    return explanation.cosine


# --- epochs --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "epoch"), [(1, 1), (2, 2), (3, 2), (4, 4), (7, 4), (8, 8), (1023, 512), (1024, 1024)]
)
def test_an_epoch_is_the_power_of_two_below(count: int, epoch: int) -> None:
    assert epoch_for(WordEmbedder(), count) == epoch


def test_an_embedder_without_idf_has_one_epoch_for_ever() -> None:
    plain = WordEmbedder(vocabulary=0)
    space = Space(number=1, embedder=plain.id, dimension=64, epoch=0)

    assert epoch_for(plain, 1000) == 0
    assert epoch_due(None, plain, 1) == 0
    assert epoch_due(Bank(ref=ALICE, created_at=START, space=space), plain, 1000) is None


def test_without_memories_or_embedder_no_epoch_is_due() -> None:
    assert epoch_due(None, WordEmbedder(), 0) is None
    assert epoch_due(None, None, 10) is None


def test_another_embedder_is_never_a_reason_to_move_by_itself() -> None:
    space = Space(number=1, embedder="another", dimension=8, epoch=1)

    assert epoch_due(Bank(ref=ALICE, created_at=START, space=space), WordEmbedder(), 64) is None


def test_the_bank_moves_when_it_has_doubled(store: Store) -> None:
    lapse = opened(store, embedder=WordEmbedder())
    epochs = []
    for at in range(9):
        lapse.alice.remember(f"memory number{at}")
        epochs.append(_epoch(lapse))

    assert epochs == [1, 2, 2, 4, 4, 4, 4, 8, 8]
    assert _without(lapse) == 0


def test_a_move_leaves_one_space_with_a_vector_for_every_memory(store: Store) -> None:
    lapse = opened(store, embedder=WordEmbedder())
    lapse.alice.remember_many({"text": f"memory number{at}"} for at in range(20))

    bank = _bank(lapse)

    assert bank.building is None
    assert bank.space is not None
    assert bank.space.epoch == 16
    assert store.missing_vectors(ALICE, bank.space.number, 100) == []
    assert all(each is not None for each in store.changes(ALICE, 0).content.vectors)


def test_texts_and_queries_of_one_epoch_are_pooled_alike(store: Store) -> None:
    lapse = opened(store, embedder=WordEmbedder())
    lapse.alice.remember_many({"text": f"tea number{at}", "id": f"m{at}"} for at in range(5))
    lapse.alice.remember("green tea", id="m5")

    for at in range(5):
        assert _cosine(lapse, f"tea number{at}", f"m{at}") == pytest.approx(1.0, abs=1e-5)
    assert _cosine(lapse, "green tea", "m5") == pytest.approx(1.0, abs=1e-5)


def test_a_single_write_to_a_large_bank_leaves_the_move_to_upkeep() -> None:
    lapse = opened(WatchedStore(), embedder=WordEmbedder())
    lapse.alice.remember_many({"text": f"memory number{at}"} for at in range(2 * INLINE_LIMIT - 1))
    assert _epoch(lapse) == INLINE_LIMIT

    lapse.alice.remember("one more")
    assert _epoch(lapse) == INLINE_LIMIT

    assert lapse.alice.drain().moved
    assert _epoch(lapse) == 2 * INLINE_LIMIT
    assert _without(lapse) == 0


# --- an embedder that fails ----------------------------------------------------------------


def test_what_is_remembered_while_embedding_fails_is_found_by_text(store: Store) -> None:
    embedder = WordEmbedder()
    embedder.broken = True
    lapse = opened(store, embedder=embedder)

    told = lapse.alice.remember("I prefer tea")

    assert [each.id for each in lapse.alice.recall("tea").hits] == [told.id]
    assert _without(lapse) == 1


def test_what_has_no_vector_gets_one_once_embedding_works_again(store: Store) -> None:
    embedder = WordEmbedder()
    lapse = opened(store, embedder=embedder)
    lapse.alice.remember_many({"text": f"memory number{at}"} for at in range(5))
    embedder.broken = True
    told = lapse.alice.remember("I prefer tea")
    assert _without(lapse) == 1
    assert lapse.alice.drain().embedded == 0

    embedder.broken = False

    assert lapse.alice.drain().embedded == 1
    assert _without(lapse) == 0
    assert _cosine(lapse, "I prefer tea", told.id) == pytest.approx(1.0, abs=1e-5)
    assert lapse.alice.drain().embedded == 0


def test_a_question_that_cannot_be_embedded_is_answered_by_text_with_a_warning(
    store: Store,
) -> None:
    embedder = WordEmbedder()
    lapse = opened(store, embedder=embedder)
    told = lapse.alice.remember("I prefer tea")
    embedder.broken = True

    recall = lapse.alice.recall("tea")

    assert [each.id for each in recall.hits] == [told.id]
    assert "text only" in recall.warnings[0]
    assert "out of order" in recall.warnings[0]


def test_an_update_whose_text_cannot_be_embedded_stands_and_has_no_old_vector(
    store: Store,
) -> None:
    embedder = WordEmbedder()
    lapse = opened(store, embedder=embedder)
    lapse.alice.remember("I prefer tea", id="m1")
    embedder.broken = True

    lapse.alice.update("m1", text="I prefer lemonade")

    assert lapse.alice.get("m1").memory.text == "I prefer lemonade"
    assert _without(lapse) == 1
    embedder.broken = False
    assert lapse.alice.drain().embedded == 1


def test_b154_a_change_of_tags_costs_no_embedding_of_another_text(store: Store) -> None:
    embedder = WordEmbedder()
    lapse = opened(store, embedder=embedder)
    lapse.alice.remember("I prefer tea", id="m1")
    lapse.alice.update("m1", tags=["drink"])

    assert _without(lapse) == 0
    assert _cosine(lapse, "I prefer tea", "m1") == pytest.approx(1.0, abs=1e-5)


class ProviderDownEmbedder(WordEmbedder):
    """Its service's own exceptions come through, with a secret in their text."""

    down = False

    def tokens(self, texts: Sequence[str]) -> list[NDArray[np.int64]]:
        if self.down:
            raise ConnectionError("key=s3cret")
        return super().tokens(texts)

    def embed(self, texts: Sequence[str], idf: NDArray[np.float32] | None) -> Rows:
        if self.down:
            raise ConnectionError("key=s3cret")
        return super().embed(texts, idf)


def test_an_embedder_that_raises_whatever_it_likes_loses_no_memory(store: Store) -> None:
    embedder = ProviderDownEmbedder()
    lapse = opened(store, embedder=embedder)
    lapse.alice.remember("green tea", id="m1")
    lapse.alice.remember("milk tea", id="m2")
    embedder.down = True

    lapse.alice.remember("black tea", id="m3")
    lapse.alice.remember("red tea", id="m4")
    lapse.alice.update("m1", text="green coffee")
    recall = lapse.alice.recall("coffee")

    assert [each.id for each in recall.hits] == ["m1"]
    assert recall.warnings == (
        "searched by text only, the query has no vector: words-64 failed: ConnectionError",
    )
    assert lapse.alice.get("m4").memory.text == "red tea"
    with pytest.raises(EmbedderError) as caught:
        lapse.alice.reembed()
    assert isinstance(caught.value.__cause__, ConnectionError)


def test_candidates_are_ranked_by_text_when_their_tokens_cannot_be_had(store: Store) -> None:
    embedder = ProviderDownEmbedder()
    embedder.down = True
    lapse = opened(store, embedder=embedder)

    recall = lapse.alice.rank([{"id": "c1", "text": "green tea"}], query="tea")

    assert [each.id for each in recall.hits] == ["c1"]
    assert "ConnectionError" in recall.warnings[0]


CROOKED: dict[str, Callable[[Rows], Rows]] = {
    "too few": lambda rows: rows[:-1],
    "none": lambda rows: rows[:0],
    "too short": lambda rows: rows[:, :-1],
    "too long": lambda rows: np.hstack([rows, rows]),
    "flat": lambda rows: rows.ravel(),
    "not a number": lambda rows: rows * np.float32("nan"),
    "infinite": lambda rows: rows + np.float32("inf"),
}


@pytest.mark.parametrize("spoil", CROOKED.values(), ids=CROOKED)
def test_b166_vectors_of_another_shape_or_that_are_no_numbers_are_no_vectors(
    store: Store, spoil: Callable[[Rows], Rows]
) -> None:
    lapse = opened(store, embedder=CrookedEmbedder(spoil))

    told = lapse.alice.remember("I prefer tea")

    assert [each.id for each in lapse.alice.recall("tea").hits] == [told.id]
    assert _without(lapse) == 1
    with pytest.raises(EmbedderError, match="crooked-64"):
        lapse.alice.reembed()


@pytest.mark.parametrize("length", [1e-3, 7.0, 1e30])
def test_vectors_of_another_length_count_by_their_direction(store: Store, length: float) -> None:
    lapse = opened(store, embedder=CrookedEmbedder(lambda rows: rows * np.float32(length)))
    lapse.alice.remember("green tea", id="m1")
    lapse.alice.remember("milk", id="m2")

    assert _cosine(lapse, "green tea", "m1") == pytest.approx(1.0, abs=1e-5)
    assert _cosine(lapse, "green tea", "m2") == pytest.approx(0.0, abs=1e-5)


def test_a_vector_of_zeros_stays_one() -> None:
    embedder = WordEmbedder(vocabulary=0)
    doubled = CrookedEmbedder(lambda rows: rows * np.float32(2.0))

    assert not rows_of(embedder, ["..."], None, 64).any()
    assert not rows_of(doubled, ["...", "tea"], None, 64)[0].any()


# --- another embedder ----------------------------------------------------------------------


def _filled(store: Store, count: int = 20) -> Opened:
    lapse = opened(store, embedder=WordEmbedder("old"))
    lapse.alice.remember_many({"text": f"tea number{at}", "id": f"m{at}"} for at in range(count))
    return lapse


def test_b162_another_embedder_searches_by_text_and_says_so(store: Store) -> None:
    _filled(store)
    lapse = opened(store, embedder=WordEmbedder("new", dimension=32))

    recall = lapse.alice.recall("number7")

    assert [each.id for each in recall.hits][:1] == ["m7"]
    assert recall.hits[0].explanation.cosine is None
    (warning,) = recall.warnings
    assert "old-64" in warning
    assert "new-32" in warning
    assert "reembed" in warning


def test_b164_another_embedder_destroys_no_vector(store: Store) -> None:
    before = _filled(store)
    kept = _bank(before).space
    other = opened(store, embedder=WordEmbedder("new", dimension=32))
    other.alice.recall("number7")
    other.alice.remember("told under the new one", id="later")
    other.alice.drain()

    again = opened(store, embedder=WordEmbedder("old"))

    assert _bank(again).space == kept
    assert again.alice.recall("number7").warnings == ()
    assert _cosine(again, "tea number7", "m7") == pytest.approx(1.0, abs=1e-5)
    assert again.alice.drain().embedded == 1


def test_reembed_moves_to_the_new_embedder_with_progress(store: Store) -> None:
    _filled(store)
    lapse = opened(store, embedder=WordEmbedder("new", dimension=32))
    told: list[tuple[int, int]] = []

    made = lapse.alice.reembed(progress=lambda done, total: told.append((done, total)))

    assert made == 20
    assert told == [(20, 20)]
    space = _bank(lapse).space
    assert space is not None
    assert (space.embedder, space.dimension, space.epoch) == ("new-32", 32, 16)
    assert lapse.alice.recall("number7").warnings == ()
    assert _cosine(lapse, "tea number7", "m7") == pytest.approx(1.0, abs=1e-5)


def test_reembed_reaches_what_is_suppressed_too(store: Store) -> None:
    _filled(store)
    lapse = opened(store, embedder=WordEmbedder("new"))
    lapse.alice.pin(["m3"])

    assert lapse.alice.reembed() == lapse.alice.stats().memories


def test_reembed_of_an_empty_bank_makes_nothing(store: Store) -> None:
    assert opened(store, embedder=WordEmbedder()).alice.reembed() == 0


def test_reembed_without_an_embedder_says_what_is_missing(store: Store) -> None:
    lapse = opened(store)
    lapse.alice.remember("I prefer tea")

    with pytest.raises(EmbedderError, match="no embedder is configured"):
        lapse.alice.reembed()


def test_without_an_embedder_nothing_is_warned_of(store: Store) -> None:
    _filled(store)

    recall = opened(store).alice.recall("number7")

    assert recall.hits[0].id == "m7"
    assert recall.warnings == ()
