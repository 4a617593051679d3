"""An asynchronous bank with the methods of one that blocks: the same tests are put to it."""

import inspect
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import cast

import httpx
from anyio.from_thread import BlockingPortal, start_blocking_portal

from lapse import Lapse
from lapse.bank import Bank
from lapse.client import AsyncLapse, LapseClient
from lapse.engine.using import Reflection
from tests.faces.remote_helping import URL, Inside


class Blocking:
    """Runs every coroutine of what it stands for to its end, in one event loop."""

    def __init__(self, inner: object, portal: BlockingPortal) -> None:
        self._inner = inner
        self._portal = portal

    def __getattr__(self, name: str) -> object:
        found = getattr(self._inner, name)
        if inspect.iscoroutinefunction(found):
            return lambda *args, **kwargs: self._portal.call(lambda: found(*args, **kwargs))
        if name == "as_of":
            return lambda **times: Blocking(found(**times), self._portal)
        return Blocking(found, self._portal) if name in {"cache", "canaries"} else found

    def __iter__(self) -> Iterator[object]:
        listed = cast(Callable[[], list[object]], self.list)
        return iter(listed())

    def bank(self, name: str, *, tenant: str = "default") -> Bank:
        """A bank of a store, blocking."""
        store = cast(AsyncLapse, self._inner)
        return cast(Bank, Blocking(store.bank(name, tenant=tenant), self._portal))

    def reflect(self, *, limit: int | None = None) -> AbstractContextManager[Reflection]:
        """The block, entered and left in the event loop."""
        reflect = self._inner.reflect  # type: ignore[attr-defined]  # it stands for a bank here
        block: AbstractContextManager[Reflection] = self._portal.wrap_async_context_manager(
            reflect(limit=limit)
        )
        return block


@contextmanager
def over_threads(lapse: Lapse) -> Iterator[Lapse]:
    """An open store, awaited over worker threads."""
    with start_blocking_portal() as portal:
        yield cast(Lapse, Blocking(AsyncLapse.over(lapse), portal))


@contextmanager
def over_http(app: object, url: str = URL, key: str | None = None) -> Iterator[Lapse]:
    """A served store, awaited over HTTP: by requests straight into the application."""
    with start_blocking_portal() as portal:
        client = LapseClient.open(url, key=key, transport=Inside(app))
        transport = httpx.ASGITransport(app=app)  # type: ignore[arg-type]  # an ASGI application
        store = AsyncLapse.served_by(client, url, key=key, transport=transport)
        try:
            yield cast(Lapse, Blocking(store, portal))
        finally:
            portal.call(store.close)
