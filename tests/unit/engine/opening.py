"""Opening a Lapse whose every part a test holds in its hand: store, clock, ids, embedder, worker.

Decides how a test composes an engine. What stands in for the outside implements its port in full;
nothing of Lapse itself is imitated.
"""

import hashlib
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lapse.bank import Bank
from lapse.engine.core import Core
from lapse.engine.parts import Parts
from lapse.engine.products import SharedProduct
from lapse.engine.upkeep import keep_up_all
from lapse.errors import EmbedderError
from lapse.faces.app import Lapse
from lapse.faces.keys import HeldKeys
from lapse.faces.scheduler import Worker
from lapse.model.changeset import ChangeSet, Committed
from lapse.model.index_delta import IndexDelta
from lapse.model.memory import BankRef
from lapse.model.policy_layers import Layer, Origin
from lapse.model.policy_sources import from_diff
from lapse.model.verbs import Verb
from lapse.ports import Embedder, Generate, Reranker, Store, TokenCounter, TombstoneKeys
from lapse.stores.memory import MemoryStore
from lapse.stores.sql.sqlite import SqliteStore
from lapse.testing.fakes import FakeClock, SeededEntropy, SequentialIds


class WordEmbedder:
    """Each word is a direction of its own, weighed by IDF where there is one. No model, no file.

    Attributes:
        broken: While set, no vector can be made.
        calls: Texts of every call that succeeded.
    """

    def __init__(self, name: str = "words", *, dimension: int = 64, vocabulary: int = 256) -> None:
        self.name = name
        self.broken = False
        self.calls: list[tuple[str, ...]] = []
        self.break_after: int | None = None
        self._dimension = dimension
        self._vocabulary = vocabulary

    @property
    def id(self) -> str:
        return f"{self.name}-{self._dimension}"

    @property
    def dimension(self) -> int:
        return self._dimension

    @property
    def vocabulary(self) -> int:
        return self._vocabulary

    def tokens(self, texts: Sequence[str]) -> list[NDArray[np.int64]]:
        buckets = max(self._vocabulary, 1)
        return [
            np.array([_bucket(word, buckets) for word in _words(text)], dtype=np.int64)
            for text in texts
        ]

    def embed(self, texts: Sequence[str], idf: NDArray[np.float32] | None) -> NDArray[np.float32]:
        if self.broken or self.break_after == len(self.calls):
            raise EmbedderError("the embedder is out of order")
        self.calls.append(tuple(texts))
        rows = np.zeros((len(texts), self._dimension), dtype=np.float32)
        for at, text in enumerate(texts):
            for word in _words(text):
                weight = 1.0 if idf is None else float(idf[_bucket(word, self._vocabulary)])
                rows[at, _bucket(word, self._dimension)] += weight
            rows[at] /= float(np.linalg.norm(rows[at])) or 1.0
        return rows


class CrookedEmbedder(WordEmbedder):
    """Gives back something else than it promised."""

    def __init__(self, spoil: Callable[[NDArray[np.float32]], NDArray[np.float32]]) -> None:
        super().__init__("crooked")
        self._spoil = spoil

    def embed(self, texts: Sequence[str], idf: NDArray[np.float32] | None) -> NDArray[np.float32]:
        return self._spoil(super().embed(texts, idf))


class WatchedStore(MemoryStore):
    """The reference store; a test is told of commits, and may act in between.

    Attributes:
        before: Called with the change before it is committed; may raise to refuse it.
        before_changes: Called before an index reads what changed.
        seen: Set for a verb once a change of it has been committed.
    """

    def __init__(self) -> None:
        super().__init__()
        self.before: Callable[[ChangeSet], None] = _let_pass
        self.before_changes: Callable[[], None] = _let_be
        self.seen: dict[Verb, threading.Event] = {each: threading.Event() for each in Verb}

    def commit(self, change: ChangeSet) -> Committed:
        self.before(change)
        committed = super().commit(change)
        if not committed.changes.empty:
            self.seen[change.verb].set()
        return committed

    def changes(self, ref: BankRef, since: int) -> IndexDelta:
        self.before_changes()
        return super().changes(ref, since)


@dataclass(kw_only=True)
class Opened:
    """A Lapse with the parts it was made of."""

    mind: Lapse
    core: Core
    store: Store
    clock: FakeClock
    worker: Worker | None = None
    wakes: list[None] = field(default_factory=list)

    @property
    def alice(self) -> Bank:
        """The bank that most tests use."""
        return self.mind.bank("alice")


def opened(
    store: Store,
    *,
    clock: FakeClock | None = None,
    ids: SequentialIds | None = None,
    embedder: Embedder | None = None,
    policy: dict[str, object] | None = None,
    count_tokens: TokenCounter | None = None,
    rerank: Reranker | None = None,
    background: bool = False,
    keys: TombstoneKeys | None = None,
    generate: Generate | None = None,
) -> Opened:
    """Compose an engine over a store, with a clock that stands still."""
    clock = clock or FakeClock()
    wakes: list[None] = []

    worker = Worker(lambda: keep_up_all(core)) if background else None
    diff = from_diff(policy or {})
    parts = Parts(
        store=store,
        clock=clock,
        new_id=ids or SequentialIds(),
        entropy=SeededEntropy(),
        embedder=embedder,
        count_tokens=count_tokens,
        rerank=rerank,
        deployment=(Layer(origin=Origin.PRESET, diff=diff),),
        wake=(lambda: wakes.append(None)) if worker is None else worker.wake,
        stopwatch=lambda: 0.0,
        product=SharedProduct(2),
        keys=keys or HeldKeys(SeededEntropy(7)),
        generate=generate,
    )
    core = Core(parts)
    return Opened(
        mind=Lapse(core, worker), core=core, store=store, clock=clock, worker=worker, wakes=wakes
    )


def store_of(kind: str, folder: Path, name: str = "lapse.db") -> Store:
    """A store of the kind `memory` or `sqlite`."""
    return MemoryStore() if kind == "memory" else SqliteStore.open(str(folder / name))


def _let_pass(_change: ChangeSet) -> None:
    """Let every change pass."""


def _let_be() -> None:
    """Do nothing in between."""


def _words(text: str) -> list[str]:
    return "".join(each if each.isalnum() else " " for each in text.lower()).split()


def _bucket(word: str, size: int) -> int:
    return int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big") % size
