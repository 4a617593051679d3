"""Upkeep looks for memories without a vector when there may be some, and not in every round."""

from lapse.model.memory import BankRef
from lapse.model.record import Record
from lapse.stores.memory import MemoryStore
from tests.unit.engine.opening import Opened, WordEmbedder, opened


class Looked(MemoryStore):
    """Counts how often it was asked which memories lack a vector."""

    looks = 0

    def missing_vectors(self, ref: BankRef, space: int, limit: int) -> list[Record]:
        self.looks += 1
        return super().missing_vectors(ref, space, limit)


def settled(store: Looked) -> Opened:
    """A bank whose upkeep has nothing left to look for."""
    lapse = opened(store, embedder=WordEmbedder("plain", vocabulary=0))
    lapse.alice.remember("The tea is green", id="a")
    lapse.mind.tend()
    lapse.mind.tend()
    store.looks = 0
    return lapse


def test_what_was_told_with_its_vector_is_not_looked_for() -> None:
    store = Looked()
    lapse = settled(store)
    lapse.alice.remember("The coffee is black", id="b")
    lapse.mind.tend()

    assert store.looks == 0


def test_what_another_process_wrote_is_looked_for_once() -> None:
    store = Looked()
    lapse = settled(store)
    without = opened(store, embedder=None)
    without.alice.remember("The coffee is black", id="b")
    lapse.mind.tend()

    assert store.looks > 0
    assert lapse.alice.stats().without_vector == 0
