"""A store for whoever awaits: the same verbs, over worker threads or over HTTP.

Decides what carries a call: a thread, where the store is open in this process; HTTPX's own
asynchronous client, where it is served; a thread again for the little of that which is no single
request (views, canaries, reflections). A call whose awaiting was cancelled is not undone.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal, ParamSpec, Self, TypeVar, cast

from lapse.client.awaiting.bank import AsyncBank
from lapse.client.awaiting.consenting import AsyncTwoPeople, two_people_of
from lapse.client.awaiting.store import Store
from lapse.client.awaiting.twin import Driver
from lapse.client.bank import RemoteBank
from lapse.client.consenting import TwoPeople
from lapse.client.lapse import LapseClient
from lapse.client.mirroring import APART
from lapse.errors import ValidationError, fault, raise_all
from lapse.faces.app import Lapse
from lapse.faces.remote.wire import TIMEOUT_S, AsyncWire, Server
from lapse.model.policy import Policy
from lapse.ports import Embedder

if TYPE_CHECKING:
    import httpx

P = ParamSpec("P")
T = TypeVar("T")

_SERVED = ("http://", "https://")


class AsyncLapse(Store):
    """A store, open in this process or served by another one, for whoever awaits.

    Use it as an asynchronous context manager, or await `close`. It belongs to one event loop.
    """

    def __init__(self, store: Lapse | LapseClient, driver: "_Threads | _Http") -> None:
        """Use `AsyncLapse.open`, or `over` for a store that is open already."""
        # A client has the verbs of a store as far as they are served, and says which are not.
        self._store = cast(Lapse, store)
        self._carrier = driver
        super().__init__(lambda: self._store, driver)

    @classmethod
    async def open(
        cls,
        target: str | Path = "lapse.db",
        *,
        policy: Policy | None = None,
        config: str | Path | None = None,
        embedder: Embedder | Literal["policy"] | None = "policy",
        background: bool = True,
        key: str | None = None,
        timeout_s: float = TIMEOUT_S,
        retries: int = 2,
    ) -> Self:
        """Open a store, or name one that is served.

        Args:
            target: As for `Lapse.open`; or `http://…` or `https://…`, as for `LapseClient.open`.
            policy, config, embedder, background: As for `Lapse.open`.
            key, timeout_s, retries: As for `LapseClient.open`.

        Raises:
            StoreError: The store cannot be opened.
            PolicyError: A bad setting.
            ValidationError: A target or key that is none; an option of the other kind of store.
        """
        if isinstance(target, str) and target.startswith(_SERVED):
            own = {"policy": policy, "config": config}
            raise_all(
                fault(name, "…", "is the server's: leave it out")
                for name, each in own.items()
                if each is not None
            )
            return cls._served(target, key=key, timeout_s=timeout_s, retries=retries)
        if key is not None:
            raise ValidationError.of("key", "…", "is shown to a served store: name one by its URL")
        opened = await asyncio.to_thread(
            Lapse.open,
            target,
            policy=policy,
            config=config,
            embedder=embedder,
            background=background,
        )
        return cls.over(opened)

    @classmethod
    def over(cls, lapse: Lapse) -> Self:
        """Await a store that is open already. Closing this one closes it."""
        return cls(lapse, _Threads())

    @classmethod
    def served_by(
        cls,
        client: LapseClient,
        url: str,
        *,
        key: str | None = None,
        timeout_s: float = TIMEOUT_S,
        transport: "httpx.AsyncBaseTransport | None" = None,
    ) -> Self:
        """Await a served store.

        Args:
            client: A client of the same server, for what is no single request.
            url, key, timeout_s: As for `LapseClient.open`.
            transport: In place of the network.

        Raises:
            ValidationError: A URL or key that is none, or the extra `remote` is not installed.
        """
        server = Server(url=url, key=key, timeout_s=timeout_s)
        return cls(client, _Http(AsyncWire(server, transport=transport)))

    def bank(self, name: str, *, tenant: str = "default") -> AsyncBank:
        """A bank by name. It comes into being with the first verb that writes.

        Raises:
            ValidationError: A blank or over-long name.
        """
        bank = self._store.bank(name, tenant=tenant)
        return AsyncBank(lambda: bank, self._carrier)

    def two_people(self, *, tenant: str = "default") -> AsyncTwoPeople:
        """What takes a second person with a key of their own, where the store is served."""

        def opening() -> TwoPeople:
            store: object = self._store
            served = store.two_people(tenant=tenant) if isinstance(store, LapseClient) else None
            return two_people_of(served)

        return AsyncTwoPeople(opening, self._carrier)

    async def close(self) -> None:
        """Finish what waits, then release everything. Closing twice is allowed.

        Raises:
            LapseError: Something of it failed; all the same, this store is closed.
        """
        await self._carrier.close()
        await asyncio.to_thread(self._store.close)

    @classmethod
    def _served(cls, url: str, *, key: str | None, timeout_s: float, retries: int) -> Self:
        client = LapseClient.open(url, key=key, timeout_s=timeout_s, retries=retries)
        return cls.served_by(client, url, key=key, timeout_s=timeout_s)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


class _Threads(Driver):
    """Calls in a worker thread."""

    async def run(self, method: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.to_thread(method, *args, **kwargs)

    async def close(self) -> None:
        """Nothing is held."""


class _Http(Driver):
    """Asks for what a served bank does by single requests; the rest goes through threads."""

    def __init__(self, wire: AsyncWire) -> None:
        self._wire = wire

    async def run(self, method: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        bank, name = getattr(method, "__self__", None), getattr(method, "__name__", "")
        if isinstance(bank, RemoteBank) and name not in APART:
            found = await self._wire.run(bank.exchange(name, args, dict(kwargs)))
            return cast(T, found)  # the exchange gives what the method of that name gives
        return await asyncio.to_thread(method, *args, **kwargs)

    async def close(self) -> None:
        """Release the connections."""
        await self._wire.close()
