"""One request to an OpenAI-compatible endpoint, and what is done when it fails.

Decides how long a reply is waited for and how much of it is read, what is tried again and when that
ends. Refuses to follow redirects (they would carry texts elsewhere), and to show the key, a text or
the words of a reply in any message.
"""

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final, NoReturn, TypeVar
from urllib.parse import urlsplit

from lapse.errors import Fault, LapseError, fault
from lapse.remote.replies import FinalReplyError, MalformedReplyError, refusal

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")
"""What a reply is read as."""

_WORTH_ANOTHER_TRY: Final = frozenset({408, 425, 429, 500, 502, 503, 504})

LONGEST_S: Final = 3600.0
"""The most that any wait may be set to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How an endpoint is asked.

    Attributes:
        url: The API's root, to which a path is added.
        api_key: Sent as a bearer token; never shown.
        timeout_s: Longest silence while connecting, sending or reading.
        whole_s: Longest time that one reply may take in all, where there is a stopwatch.
        attempts: How often one request is made before giving up, first one included.
        backoff_s: Wait before the second attempt; doubled before each further one.
        longest_wait_s: The most that is waited before one attempt, also where the endpoint asks for
            more; then the request fails at once.
        most_bytes: A longer reply is given up.
    """

    url: str
    api_key: str | None = field(default=None, repr=False)
    timeout_s: float
    whole_s: float = LONGEST_S
    attempts: int
    backoff_s: float
    longest_wait_s: float
    most_bytes: int

    def faults(self) -> list[Fault]:
        """What is wrong with it, field by field."""
        faults = _address_faults(self.url)
        if self.attempts < 1:
            faults.append(fault("attempts", self.attempts, "must be 1 or more"))
        if not 0 < self.timeout_s <= LONGEST_S:
            faults.append(fault("timeout_s", self.timeout_s, "must be above 0 and at most 3600"))
        if not 0 < self.whole_s <= LONGEST_S:
            faults.append(fault("whole_s", self.whole_s, "must be above 0 and at most 3600"))
        for name, value in (("backoff_s", self.backoff_s), ("longest_wait_s", self.longest_wait_s)):
            if not 0 <= value <= LONGEST_S:
                faults.append(fault(name, value, "must lie in [0, 3600]"))
        return faults


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """What an asker waits with.

    Attributes:
        sleep: Waits so many seconds between attempts.
        stopwatch: Seconds from an arbitrary start; None bounds a reply by silence alone.
    """

    sleep: Callable[[float], None] = time.sleep
    stopwatch: Callable[[], float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Failure:
    """An attempt that may succeed when made again."""

    reason: str
    cause: Exception | None = None
    asked_wait_s: float | None = None


class Asker:
    """Asks one endpoint. Thread-safe. Needs the extra `remote`; sends nothing until asked to."""

    def __init__(
        self, manner: Manner, error: Callable[[str], LapseError], waiting: Waiting | None = None
    ) -> None:
        """Choose the endpoint.

        Args:
            manner: Where and how to ask.
            error: Makes the error to raise from its reason.
            waiting: What it waits with.
        """
        self._manner = manner
        self._error = error
        self._waiting = waiting or Waiting()
        self.begin_anew()

    def begin_anew(self) -> None:
        """Let go of lock and connections, which stay with the parent of a forked process."""
        self._lock = threading.Lock()
        self._client: httpx.Client | None = None

    def ask(self, path: str, body: dict[str, object], read: Callable[[object], T]) -> T:
        """Make one request, again where that may help.

        Args:
            path: Added to the endpoint's root.
            body: Sent as JSON.
            read: Reads the reply's JSON (None where it holds none). Raises `MalformedReplyError`
                where another attempt may help, `FinalReplyError` where it will not.

        Raises:
            LapseError: As made by `error`: the endpoint could not be reached, refused, or answered
                something else than was asked for; the message says what to do.
        """
        attempt = 1
        while isinstance(outcome := self._attempt(path, body, read), _Failure):
            self._give_up_or_wait(outcome, attempt)
            attempt += 1
        return outcome

    def close(self) -> None:
        """Drop the connections; the next request opens new ones."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _give_up_or_wait(self, failure: _Failure, attempt: int) -> None:
        longest_s = self._manner.longest_wait_s
        asked_s = failure.asked_wait_s
        if asked_s is not None and asked_s > longest_s:
            raise self._error(f"{failure.reason}; it asks to wait {asked_s:g} s") from failure.cause
        if attempt == self._manner.attempts:
            times = f" (tried {attempt} times)" if attempt > 1 else ""
            raise self._error(failure.reason + times) from failure.cause
        own_s = min(self._manner.backoff_s * 2.0 ** (attempt - 1), longest_s)
        self._waiting.sleep(own_s if asked_s is None else asked_s)

    def _attempt(
        self, path: str, body: dict[str, object], read: Callable[[object], T]
    ) -> "T | _Failure":
        # Late: the driver belongs to an extra that an embedded installation does without.
        try:
            import httpx  # noqa: PLC0415 - late, see above
        except ImportError as error:
            raise self._error(
                "asking a model needs httpx; install it with `pip install 'lapse[remote]'`"
            ) from error

        try:
            with self._connected().stream("POST", path, json=body) as response:
                content = self._content(response)
        except httpx.TimeoutException as error:
            silence = f"no answer within {self._manner.timeout_s:g} s"
            return _Failure(reason=f"{silence}; check the endpoint or raise timeout_s", cause=error)
        except httpx.DecodingError as error:
            return _Failure(reason="the reply is compressed wrongly", cause=error)
        except httpx.TransportError as error:
            reason = f"cannot be reached ({type(error).__name__}); check the address"
            return _Failure(reason=reason, cause=error)
        return self._read(response, content, read)

    def _content(self, response: "httpx.Response") -> bytes:
        stopwatch = self._waiting.stopwatch
        began_s = 0.0 if stopwatch is None else stopwatch()
        parts, size = [], 0
        for part in response.iter_bytes():
            parts.append(part)
            size += len(part)
            if size > self._manner.most_bytes:
                raise self._error(f"the reply is longer than {self._manner.most_bytes} bytes")
            if stopwatch is not None and stopwatch() - began_s > self._manner.whole_s:
                raise self._error(f"the reply took longer than {self._manner.whole_s:g} s")
        return b"".join(parts)

    def _read(
        self, response: "httpx.Response", content: bytes, read: Callable[[object], T]
    ) -> "T | _Failure":
        try:
            payload: object = json.loads(content)
        except (ValueError, RecursionError):
            payload = None
        if response.is_success:
            try:
                return read(payload)
            except MalformedReplyError as error:
                return _Failure(reason=str(error), cause=error)
            except FinalReplyError as error:
                self._refuse(str(error), error)
        reason = refusal(response.status_code, payload)
        if response.status_code not in _WORTH_ANOTHER_TRY:
            self._refuse(reason, None)
        return _Failure(reason=reason, asked_wait_s=_asked_wait_s(response.headers))

    def _refuse(self, reason: str, cause: Exception | None) -> NoReturn:
        raise self._error(reason) from cause

    def _connected(self) -> "httpx.Client":
        import httpx  # noqa: PLC0415 - late for the same reason as in `_attempt`

        with self._lock:
            if self._client is None:
                key = self._manner.api_key
                self._client = httpx.Client(
                    base_url=self._manner.url,
                    headers={} if key is None else {"Authorization": f"Bearer {key}"},
                    timeout=self._manner.timeout_s,
                )
            return self._client


def _address_faults(url: str) -> list[Fault]:
    parts = urlsplit(url)
    if parts.username is not None or parts.password is not None:
        # Not shown: it holds a secret.
        return [Fault(field="url", value="with credentials", problem="put the key in api_key")]
    if parts.query or parts.fragment:
        # Not shown: some services take a key there. A path cannot be added to it either.
        problem = "must end with its path; put a key in api_key"
        return [Fault(field="url", value="with a query", problem=problem)]
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        return [fault("url", url, "must be an http or https address")]
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
