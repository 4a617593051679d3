"""The embedder behind an OpenAI-compatible `/embeddings` endpoint.

Decides how texts are batched. Refuses to mix dimensions, and to show the key or a text in any
message.
"""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from lapse.embed.encodable import encodable
from lapse.embed.pooling import unit_rows
from lapse.embed.remote_reply import vectors_of
from lapse.errors import DomainError, EmbedderError, fault, raise_all
from lapse.remote.asking import Asker, Manner, Waiting

_MOST_BYTES: Final = 1 << 28
"""What is read of a reply at most: thousands of long vectors in digits."""

_PROBE: Final = "dimension"


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where and how to ask.

    Attributes:
        model: The model's name as the endpoint knows it.
        url: The API's root, to which `/embeddings` is added.
        api_key: Sent as a bearer token; never shown.
        dimension: What every vector must have; also asked for in each request. None: whatever the
            first reply has.
        batch: Most texts in one request.
        timeout_s: Longest silence while connecting, sending or reading.
        attempts: How often one request is made before giving up, first one included.
        backoff_s: Wait before the second attempt; doubled before each further one.
        longest_wait_s: The most that is waited before one attempt, also where the endpoint asks for
            more; then the request fails at once.

    Raises:
        ValidationError: A field is out of range; all faults at once.
    """

    model: str
    url: str = "https://api.openai.com/v1"
    api_key: str | None = field(default=None, repr=False)
    dimension: int | None = None
    batch: int = 64
    timeout_s: float = 20.0
    attempts: int = 4
    backoff_s: float = 0.5
    longest_wait_s: float = 30.0

    def __post_init__(self) -> None:
        faults = self.manner.faults()
        if not self.model.strip():
            faults.append(fault("model", self.model, "must name a model"))
        if self.dimension is not None and self.dimension < 1:
            faults.append(fault("dimension", self.dimension, "must be 1 or more"))
        if self.batch < 1:
            faults.append(fault("batch", self.batch, "must be 1 or more"))
        raise_all(faults)

    @property
    def manner(self) -> Manner:
        """How it is asked."""
        return Manner(
            url=self.url,
            api_key=self.api_key,
            timeout_s=self.timeout_s,
            attempts=self.attempts,
            backoff_s=self.backoff_s,
            longest_wait_s=self.longest_wait_s,
            most_bytes=_MOST_BYTES,
        )


class RemoteEmbedder:
    """Asks an endpoint for vectors. Thread-safe. Satisfies `ports.Embedder`.

    Needs the extra `remote`. Nothing is sent before the first text or `dimension` is asked for.
    """

    def __init__(self, endpoint: Endpoint, *, sleep: Callable[[float], None] = time.sleep) -> None:
        """Choose the endpoint.

        Args:
            endpoint: Where and how to ask.
            sleep: Waits so many seconds between attempts.
        """
        self._endpoint = endpoint
        self._dimension = endpoint.dimension
        self._lock = threading.Lock()
        self._asker = Asker(endpoint.manner, self._error, Waiting(sleep=sleep))

    def begin_anew(self) -> None:
        """Let go of lock and connections, which stay with the parent of a forked process."""
        self._lock = threading.Lock()
        self._asker.begin_anew()

    @property
    def id(self) -> str:
        """The model, and the dimension when one was asked for."""
        asked = self._endpoint.dimension
        return f"remote-{self._endpoint.model}" + ("" if asked is None else f"-{asked}")

    @property
    def dimension(self) -> int:
        """Length of a vector; where it was not configured, one word is embedded to learn it.

        Raises:
            EmbedderError: It had to be learnt, and the endpoint did not answer.
        """
        known = self._dimension
        return self._ask([_PROBE]).shape[1] if known is None else known

    @property
    def vocabulary(self) -> int:
        """0: the model weighs its tokens itself."""
        return 0

    def tokens(self, texts: Sequence[str]) -> list[NDArray[np.int64]]:
        """An empty array for each text: the model keeps its tokens to itself."""
        return [np.empty(0, dtype=np.int64) for _ in texts]

    def embed(self, texts: Sequence[str], idf: NDArray[np.float32] | None) -> NDArray[np.float32]:
        """Vectors of the texts at unit length. Blank texts are not sent and give zeros.

        Args:
            texts: Any texts.
            idf: None.

        Returns:
            Shape (len(texts), dimension).

        Raises:
            EmbedderError: The endpoint could not be reached, refused, or answered something else
                than was asked for; the message says what to do.
            DomainError: `idf` was given.
        """
        if idf is not None:
            raise DomainError.of("idf", idf.shape, "must be None for a model that weighs by itself")
        sent = [place for place, text in enumerate(texts) if text.strip()]
        found: list[NDArray[np.float32]] = []
        for start in range(0, len(sent), self._endpoint.batch):
            part = sent[start : start + self._endpoint.batch]
            found.append(self._ask([encodable(texts[place]) for place in part]))
        result = np.zeros((len(texts), self.dimension), dtype=np.float32)
        if found:
            result[sent] = unit_rows(np.concatenate(found))
        return result

    def close(self) -> None:
        """Drop the connections; the next text opens new ones."""
        self._asker.close()

    def _agree_on(self, dimension: int) -> None:
        with self._lock:
            if self._dimension is None:
                self._dimension = dimension
            expected = self._dimension
        if dimension != expected:
            raise self._error(
                f"it answered vectors of {dimension} dimensions, not {expected};"
                " set the dimension it really has, then run `lapse reembed`"
            )

    def _ask(self, texts: list[str]) -> NDArray[np.float32]:
        body: dict[str, object] = {
            "model": self._endpoint.model,
            "input": texts,
            "encoding_format": "float",
        }
        if self._endpoint.dimension is not None:
            body["dimensions"] = self._endpoint.dimension
        vectors = self._asker.ask("embeddings", body, partial(vectors_of, count=len(texts)))
        self._agree_on(vectors.shape[1])
        return vectors

    def _error(self, reason: str) -> EmbedderError:
        endpoint = self._endpoint
        return EmbedderError(
            f"{endpoint.model} at {endpoint.url}: {reason}",
            fields={"model": endpoint.model, "url": endpoint.url},
        )
