"""What Lapse asks of the world beyond its stores: time, chance, keys, vectors, scores."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from lapse.model.instants import Instant
from lapse.model.tombstone import TombstoneKey


class Clock(Protocol):
    """Tells the time. Each operation reads it once."""

    def now(self) -> Instant:
        """The present instant."""
        ...


class NewId(Protocol):
    """Makes ids that sort by time and are never made twice."""

    def __call__(self, now: Instant) -> str:
        """Make the next id."""
        ...


class Entropy(Protocol):
    """Gives random bytes for salts and keys."""

    def __call__(self, count: int, /) -> bytes:
        """Give `count` random bytes."""
        ...


class TombstoneKeys(Protocol):
    """Holds the keys that tombstones and receipts are made with."""

    def current(self) -> TombstoneKey:
        """The key for what is erased now, made on first use where there is none yet.

        Raises:
            KeyMissingError: There is none and none can be made.
        """
        ...

    def find(self, key_id: str) -> TombstoneKey | None:
        """A key by its name, current or older; None for one that is not held."""
        ...

    def sign(self, message: bytes) -> tuple[bytes, bytes]:
        """Ed25519 public key (32 bytes) and signature (64) of a receipt; raises as `current`."""
        ...


class Embedder(Protocol):
    """Turns texts into vectors. Vectors of different ids are never compared."""

    @property
    def id(self) -> str:
        """Identity of model, version and dimension."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    @property
    def vocabulary(self) -> int:
        """Size of the IDF vector it pools with; 0 when it needs none."""
        ...

    def tokens(self, texts: Sequence[str]) -> list[NDArray[np.int64]]:
        """Token ids of each text, with repeats; empty arrays when `vocabulary` is 0."""
        ...

    def embed(self, texts: Sequence[str], idf: NDArray[np.float32] | None) -> NDArray[np.float32]:
        """Vectors, shape (n, dimension), unit length; a text without a known token is all zeros.

        Raises:
            EmbedderError: The vectors could not be made.
        """
        ...


class TokenCounter(Protocol):
    """Counts the tokens that a text costs in a prompt."""

    def __call__(self, text: str, /) -> int:
        """Count the tokens of one text."""
        ...


class Reranker(Protocol):
    """Scores texts against a query, each in [0, 1]."""

    def __call__(self, query: str, texts: Sequence[str], /) -> Sequence[float]:
        """One score in [0, 1] for each text, in order."""
        ...
