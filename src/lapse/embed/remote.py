"""The embedder behind an OpenAI-compatible `/embeddings` endpoint.

Decides how texts are batched, how long a reply is waited for, what is tried again and when that
ends. Refuses to mix dimensions, to follow redirects (they would carry texts elsewhere), and to show
the key or a text in any message.
"""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from lapse.embed.encodable import encodable
from lapse.embed.pooling import unit_rows
from lapse.embed.remote_reply import MalformedReplyError, refusal, vectors_of
from lapse.errors import DomainError, EmbedderError, Fault, fault, raise_all

if TYPE_CHECKING:
    import httpx

_WORTH_ANOTHER_TRY: Final = frozenset({408, 425, 429, 500, 502, 503, 504})


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
        faults = _address_faults(self.url)
        if not self.model.strip():
            faults.append(fault("model", self.model, "must name a model"))
        if self.dimension is not None and self.dimension < 1:
            faults.append(fault("dimension", self.dimension, "must be 1 or more"))
        if self.batch < 1:
            faults.append(fault("batch", self.batch, "must be 1 or more"))
        if self.attempts < 1:
            faults.append(fault("attempts", self.attempts, "must be 1 or more"))
        if not 0 < self.timeout_s <= 3600:
            faults.append(fault("timeout_s", self.timeout_s, "must be above 0 and at most 3600"))
        for name, value in (("backoff_s", self.backoff_s), ("longest_wait_s", self.longest_wait_s)):
            if not 0 <= value <= 3600:
                faults.append(fault(name, value, "must lie in [0, 3600]"))
        raise_all(faults)


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
        self._sleep = sleep
        self._dimension = endpoint.dimension
        self.begin_anew()

    def begin_anew(self) -> None:
        """Let go of lock and connections, which stay with the parent of a forked process."""
        self._lock = threading.Lock()
        self._client: httpx.Client | None = None

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
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

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
        """Make one request, again where that may help."""
        attempt = 1
        while isinstance(outcome := self._attempt(texts), _Failure):
            self._give_up_or_wait(outcome, attempt)
            attempt += 1
        self._agree_on(outcome.shape[1])
        return outcome

    def _give_up_or_wait(self, failure: "_Failure", attempt: int) -> None:
        longest_s = self._endpoint.longest_wait_s
        asked_s = failure.asked_wait_s
        if asked_s is not None and asked_s > longest_s:
            raise self._error(f"{failure.reason}; it asks to wait {asked_s:g} s") from failure.cause
        if attempt == self._endpoint.attempts:
            times = f" (tried {attempt} times)" if attempt > 1 else ""
            raise self._error(failure.reason + times) from failure.cause
        own_s = min(self._endpoint.backoff_s * 2.0 ** (attempt - 1), longest_s)
        self._sleep(own_s if asked_s is None else asked_s)

    def _attempt(self, texts: list[str]) -> "NDArray[np.float32] | _Failure":
        # Late: the driver belongs to an extra that an embedded installation does without.
        try:
            import httpx  # noqa: PLC0415 - late, see above
        except ImportError as error:
            raise EmbedderError(
                "remote embedding needs httpx; install it with `pip install 'lapse[remote]'`"
            ) from error

        body: dict[str, object] = {
            "model": self._endpoint.model,
            "input": texts,
            "encoding_format": "float",
        }
        if self._endpoint.dimension is not None:
            body["dimensions"] = self._endpoint.dimension
        try:
            response = self._connected().post("embeddings", json=body)
        except httpx.TimeoutException as error:
            silence = f"no answer within {self._endpoint.timeout_s:g} s"
            return _Failure(reason=f"{silence}; check the endpoint or raise timeout_s", cause=error)
        except httpx.TransportError as error:
            reason = f"cannot be reached ({type(error).__name__}); check the address"
            return _Failure(reason=reason, cause=error)
        return self._read(response, len(texts))

    def _read(self, response: "httpx.Response", count: int) -> "NDArray[np.float32] | _Failure":
        try:
            payload: object = response.json()
        except ValueError:
            payload = None
        if response.is_success:
            try:
                return vectors_of(payload, count)
            except MalformedReplyError as error:
                return _Failure(reason=str(error), cause=error)
            except EmbedderError as error:
                raise self._error(str(error)) from error
        reason = refusal(response.status_code, payload)
        if response.status_code not in _WORTH_ANOTHER_TRY:
            raise self._error(reason)
        return _Failure(reason=reason, asked_wait_s=_asked_wait_s(response.headers))

    def _connected(self) -> "httpx.Client":
        import httpx  # noqa: PLC0415 - late for the same reason as in `_attempt`

        with self._lock:
            if self._client is None:
                key = self._endpoint.api_key
                self._client = httpx.Client(
                    base_url=self._endpoint.url,
                    headers={} if key is None else {"Authorization": f"Bearer {key}"},
                    timeout=self._endpoint.timeout_s,
                )
            return self._client

    def _error(self, reason: str) -> EmbedderError:
        endpoint = self._endpoint
        return EmbedderError(
            f"{endpoint.model} at {endpoint.url}: {reason}",
            fields={"model": endpoint.model, "url": endpoint.url},
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Failure:
    """An attempt that may succeed when made again."""

    reason: str
    cause: Exception | None = None
    asked_wait_s: float | None = None


def _address_faults(url: str) -> list[Fault]:
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        return [fault("url", url, "must be an http or https address")]
    if parts.username is not None or parts.password is not None:
        # Not shown: it holds a secret.
        return [Fault(field="url", value="with credentials", problem="put the key in api_key")]
    return []


def _asked_wait_s(headers: "httpx.Headers") -> float | None:
    """Seconds that `Retry-After` asks for: a number, or a date counted from the reply's own."""
    asked = headers.get("Retry-After", "")
    if asked.strip().isdecimal():
        return float(asked)
    try:
        until, answered = parsedate_to_datetime(asked), parsedate_to_datetime(headers["Date"])
        return max((until - answered).total_seconds(), 0.0)
    except (KeyError, TypeError, ValueError):
        return None
