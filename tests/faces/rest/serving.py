"""A served store without a network: requests go straight into the application."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from urllib.parse import quote

import httpx

from lapse import Lapse
from lapse.faces.access import Door, Grant, KeyRing, OpenDoor, Role, Voice
from lapse.faces.operations import Operation
from lapse.faces.rest.app import create_app
from lapse.faces.rest.reading import fields_offered, ways_in
from lapse.faces.rest.routes import Route, route_of, takes_two_calls
from lapse.ports import Entropy

BANK = "/v1/tenants/{tenant}/banks/{bank}"


class Served:
    """One application over an open store, and the keys to it."""

    def __init__(self, lapse: Lapse, *, keys: bool = True) -> None:
        self.lapse = lapse
        self.ring = KeyRing(lapse.notes)
        entropy: Entropy = lapse.parts.entropy
        self.door = Door(self.ring, entropy) if keys else OpenDoor(self.ring, entropy)
        self.app = create_app(lapse, self.door)

    def key(
        self,
        role: Role = Role.OPERATOR,
        *,
        owner: str = "ada",
        tenant: str = "acme",
        banks: tuple[str, ...] = ("*",),
        voice: Voice = Voice.HOST,
    ) -> str:
        """A new key as it is written."""
        grant = Grant(owner=owner, role=role, tenant=tenant, banks=banks, voice=voice)
        parts = self.lapse.parts
        made = self.ring.create(grant, now=parts.clock.now(), entropy=parts.entropy)
        return made.written

    def client(
        self, key: str | None = None, *, tenant: str = "acme", bank: str = "notes"
    ) -> "Client":
        """Somebody who shows a key, and asks about one bank."""
        return Client(self.app, key, BANK.format(tenant=tenant, bank=bank))


class Client:
    """Asks about one bank."""

    def __init__(self, app: object, key: str | None, bank: str) -> None:
        self._app = app
        self._headers = {} if key is None else {"Authorization": f"Bearer {key}"}
        self.bank = bank

    def request(
        self,
        method: str,
        path: str,
        *,
        json: object = None,
        content: bytes | None = None,
        params: Sequence[tuple[str, str]] = (),
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> httpx.Response:
        """One request; a path without a slash before it is one within the bank."""
        where = path if path.startswith("/") else f"{self.bank}/{path}"
        told = {**self._headers, **headers}

        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(app=self._app)  # type: ignore[arg-type]  # an ASGI application
            async with httpx.AsyncClient(
                transport=transport, base_url="http://127.0.0.1"
            ) as client:
                return await client.request(
                    method,
                    where if not params else httpx.URL(where, params=list(params)),
                    headers=told,
                    json=json,
                    content=content,
                )

        return asyncio.run(ask())

    def get(self, path: str, **headers: str) -> httpx.Response:
        """Look; headers are named with underscores."""
        named = {name.replace("_", "-"): each for name, each in headers.items()}
        return self.request("GET", path, headers=named)

    def post(self, path: str, json: object = None, **headers: str) -> httpx.Response:
        """Send a JSON body; headers are named with underscores."""
        named = {name.replace("_", "-"): each for name, each in headers.items()}
        return self.request("POST", path, json=json, headers=named)

    def ask(self, operation: Operation, given: Mapping[str, object]) -> httpx.Response:
        """One call of an operation, by the fields of the table."""
        route = route_of(operation)
        path = self._path(route)
        for name in route.fields_in_path:
            path = path.replace(f"{{{name}}}", quote(str(given[name]), safe=""))
        offered = {each.name for each in fields_offered(route)}
        rest = {name: value for name, value in given.items() if name in offered}
        if ways_in(route):
            return self.request(route.method, path, json=rest)
        return self.request(route.method, path, params=_in_query(rest))

    def do(self, operation: Operation, given: Mapping[str, object]) -> httpx.Response:
        """The same, and where it takes two calls with a yes both of them."""
        if not (takes_two_calls(operation) and given.get("yes")):
            return self.ask(operation, given)
        shown = self.ask(operation, given)
        if shown.status_code != 200:
            return shown
        route = route_of(operation)
        rest = {name: value for name, value in given.items() if name != "yes"}
        confirmed = {**rest, "confirm": shown.json()["preview"]["id"]}
        return self.request(route.method, self._path(route), json=confirmed)

    def _path(self, route: Route) -> str:
        if "{bank}" in route.path:
            return route.path.rpartition("{bank}/")[2]
        return route.path.replace("{tenant}", self.bank.split("/")[3])


def _in_query(given: Mapping[str, object]) -> list[tuple[str, str]]:
    said: Callable[[object], str] = lambda each: (  # noqa: E731 - two words for a truth value
        str(each).lower() if isinstance(each, bool) else str(each)
    )
    return [
        (name, said(each))
        for name, value in given.items()
        for each in (value if isinstance(value, list | tuple) else [value])
    ]
