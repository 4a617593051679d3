"""Sending: the one place that knows HTTPX, for callers that block and for those that await.

Decides how long an answer may take, that redirections are not followed (a key would follow them),
and what is said of a connection that failed. Refuses to know what is asked.
"""

import asyncio
import math
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeVar
from urllib.parse import urlsplit

from lapse import __version__
from lapse.errors import Fault, ValidationError, fault, raise_all
from lapse.faces.remote.steps import Ask, Exchange, Lost, Outcome, Pause, Reply, Step

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")

TIMEOUT_S: Final = 30.0
_SCHEMES: Final = ("http", "https")
_KEY: Final = re.compile(r"[!-~]{1,512}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A served store, and how to get in.

    Attributes:
        url: Where; what stands after the host is put before every path.
        key: What is shown, or None; never shown by `repr`.
        timeout_s: Seconds that connecting, sending and each part of an answer may take.
    """

    url: str
    key: str | None = field(default=None, repr=False)
    timeout_s: float = TIMEOUT_S

    def __post_init__(self) -> None:
        raise_all(self._faults())

    def _faults(self) -> Iterator[Fault]:
        if not _is_place(self.url):
            # What was given is not shown: somebody may have put a password into it.
            yield fault("url", "…", "needs http://host or https://host, and no user or question")
        if self.key is not None and not _KEY.fullmatch(self.key):
            yield fault("key", "…", "needs a key as `lapse keys create` shows it")
        if not _is_time(self.timeout_s):
            yield fault("timeout_s", self.timeout_s, "needs a number of seconds above 0")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Library:
    """What is used of HTTPX."""

    failure: "type[httpx.HTTPError]"
    client: "type[httpx.Client]"
    waiting: "type[httpx.AsyncClient]"


class Wire:
    """Drives exchanges, blocking. Threads may share one."""

    def __init__(
        self,
        server: Server,
        *,
        transport: "httpx.BaseTransport | None" = None,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        """Name a server. Nothing is sent before the first exchange.

        Args:
            server: Which.
            transport: In place of the network.
            pause: Waits so many seconds.

        Raises:
            ValidationError: The extra `remote` is not installed.
        """
        library = _library()
        self._failures = library.failure
        self._pause = pause
        self._client = library.client(
            base_url=server.url,
            headers=_headers(server),
            timeout=server.timeout_s,
            transport=transport,
        )

    def run(self, exchange: Exchange[T]) -> T:
        """Carry an exchange to its end.

        Raises:
            LapseError: What it raises.
        """
        outcome: Outcome = None
        while True:
            try:
                step = exchange.send(outcome)
            except StopIteration as ended:
                found: T = ended.value
                return found
            outcome = self._done(step)

    def close(self) -> None:
        """Release the connections."""
        self._client.close()

    def _done(self, step: Step) -> Outcome:
        if isinstance(step, Pause):
            self._pause(step.seconds)
            return None
        try:
            with self._client.stream(
                step.method,
                step.path,
                params=list(step.query) or None,
                headers=dict(step.headers),
                content=step.body if step.pieces is None else step.pieces(),
            ) as answer:
                return _taken(step, answer)
        except self._failures as error:
            return _lost(error)


class AsyncWire:
    """Drives exchanges for whoever awaits them, within one event loop."""

    def __init__(
        self, server: Server, *, transport: "httpx.AsyncBaseTransport | None" = None
    ) -> None:
        """Name a server, as for `Wire`.

        Raises:
            ValidationError: The extra `remote` is not installed.
        """
        library = _library()
        self._failures = library.failure
        self._client = library.waiting(
            base_url=server.url,
            headers=_headers(server),
            timeout=server.timeout_s,
            transport=transport,
        )

    async def run(self, exchange: Exchange[T]) -> T:
        """Carry an exchange to its end.

        Raises:
            LapseError: What it raises.
        """
        outcome: Outcome = None
        while True:
            try:
                step = exchange.send(outcome)
            except StopIteration as ended:
                found: T = ended.value
                return found
            outcome = await self._done(step)

    async def close(self) -> None:
        """Release the connections."""
        await self._client.aclose()

    async def _done(self, step: Step) -> Outcome:
        if isinstance(step, Pause):
            await asyncio.sleep(step.seconds)
            return None
        assert not step.flows  # noqa: S101 - files block, so that they go through threads
        try:
            answer = await self._client.request(
                step.method,
                step.path,
                params=list(step.query) or None,
                headers=dict(step.headers),
                content=step.body,
            )
        except self._failures as error:
            return _lost(error)
        return _reply(answer)


def _library() -> "_Library":
    try:
        # Late: it is an extra, and nothing else needs it.
        import httpx  # noqa: PLC0415
    except ModuleNotFoundError:
        needs = "needs httpx; run: pip install 'lapse[remote]'"
        raise ValidationError.of("url", "…", needs) from None
    return _Library(failure=httpx.HTTPError, client=httpx.Client, waiting=httpx.AsyncClient)


def _headers(server: Server) -> dict[str, str]:
    named = {"Accept": "application/json", "User-Agent": f"lapse/{__version__}"}
    return named if server.key is None else {**named, "Authorization": f"Bearer {server.key}"}


def _taken(ask: Ask, answer: "httpx.Response") -> Reply:
    """Read an answer: to where it is asked to go, or whole."""
    if ask.into is None or not answer.is_success:
        answer.read()
        return _reply(answer)
    for piece in answer.iter_bytes():
        ask.into(piece)
    return Reply(status=answer.status_code, headers=_headers_of(answer), body=b"")


def _reply(answer: "httpx.Response") -> Reply:
    return Reply(status=answer.status_code, headers=_headers_of(answer), body=answer.content)


def _headers_of(answer: "httpx.Response") -> dict[str, str]:
    return {name.lower(): value for name, value in answer.headers.items()}


def _lost(error: Exception) -> Lost:
    said = str(error)
    return Lost(why=f"{type(error).__name__}{f': {said}' if said else ''}")


def _is_time(seconds: object) -> bool:
    return isinstance(seconds, int | float) and 0 < seconds < math.inf


def _is_place(url: object) -> bool:
    if not isinstance(url, str):
        return False
    try:
        parts = urlsplit(url)
        if parts.scheme not in _SCHEMES or not parts.hostname or parts.port == 0:
            return False
    except ValueError:
        return False
    return not (parts.username or parts.password or parts.query or parts.fragment)
