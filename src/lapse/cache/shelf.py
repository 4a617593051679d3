"""The questions that a bank has answers to, as one process knows them.

Decides what is kept of them in RAM: the question, never the answer. So what is given is always read
where it is kept, and an answer that died meanwhile is not there. Refuses to read a store.
"""

import threading
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lapse.cache.matching import Words, words_of
from lapse.model.answer import KeptAnswer
from lapse.model.instants import Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A question that was answered.

    Attributes:
        id: Of the answer.
        number: Its place in the order of putting.
        query: The question.
        words: What is compared of it.
        domain, put_at, expires_at: As of the answer.
    """

    id: str
    number: int
    query: str
    words: Words
    domain: str
    put_at: Instant
    expires_at: Instant


def answered(kept: KeptAnswer) -> Answered:
    """The question's side of an answer."""
    answer = kept.answer
    return Answered(
        id=answer.id,
        number=kept.number,
        query=answer.query,
        words=words_of(answer.query),
        domain=answer.domain,
        put_at=answer.put_at,
        expires_at=answer.expires_at,
    )


class Shelf:
    """Thread-safe. Its lock is never held while anybody else is asked."""

    def __init__(self) -> None:
        """Start empty, having seen nothing."""
        self._lock = threading.Lock()
        self._entries: dict[str, Answered] = {}
        self._vectors: dict[int, NDArray[np.float32]] = {}
        self._space: int | None = None
        self._seen = 0

    def __len__(self) -> int:
        """How many answers there were when it last looked."""
        with self._lock:
            return len(self._entries)

    @property
    def seen(self) -> int:
        """Number of the last answer taken."""
        with self._lock:
            return self._seen

    def entries(self) -> tuple[Answered, ...]:
        """Every question, in the order of putting."""
        with self._lock:
            return tuple(sorted(self._entries.values(), key=lambda each: each.number))

    def take(self, kept: Iterable[KeptAnswer]) -> None:
        """Learn of answers; a later one to the same question takes the place of the earlier."""
        fresh = [answered(each) for each in kept]
        with self._lock:
            for each in fresh:
                known = self._entries.get(each.id)
                if known is None or known.number < each.number:
                    self._entries[each.id] = each
                self._seen = max(self._seen, each.number)
            self._forget_vectors()

    def drop(self, ids: Iterable[str]) -> None:
        """Learn that answers are gone."""
        with self._lock:
            for each in ids:
                self._entries.pop(each, None)
            self._forget_vectors()

    def clear(self) -> None:
        """Forget everything, to look again from the start."""
        with self._lock:
            self._entries.clear()
            self._vectors.clear()
            self._seen = 0

    def without_vector(self, space: int) -> tuple[Answered, ...]:
        """The questions that have no vector in a space, in the order of putting."""
        known = self.vectors(space)
        return tuple(each for each in self.entries() if each.number not in known)

    def vectors(self, space: int) -> Mapping[int, NDArray[np.float32]]:
        """Vectors of one space by the number of the answer; those of another are let go."""
        with self._lock:
            if self._space != space:
                self._vectors, self._space = {}, space
            return dict(self._vectors)

    def take_vectors(self, space: int, vectors: Mapping[int, NDArray[np.float32]]) -> None:
        """Keep vectors of a space."""
        with self._lock:
            if self._space == space:
                self._vectors |= vectors
                self._forget_vectors()

    def _forget_vectors(self) -> None:
        numbers = {each.number for each in self._entries.values()}
        for each in _strangers(self._vectors, numbers):
            del self._vectors[each]


def _strangers(known: Collection[int], numbers: Collection[int]) -> list[int]:
    return [each for each in known if each not in numbers]
