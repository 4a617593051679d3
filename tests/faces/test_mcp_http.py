"""MCP over HTTP: opened by the same keys, confined to what they open, each request by itself."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from starlette.applications import Starlette
from starlette.routing import Route

from lapse.faces.access import Door, Grant, KeyRing, Role
from lapse.faces.access.keys import ANY
from lapse.faces.app import Lapse
from lapse.faces.mcp.mounting import Mount, mount, mount_locally
from lapse.faces.mcp.profiles import AGENT
from lapse.testing.fakes import FakeClock
from tests.faces.conftest import NOW
from tests.faces.mcp_helping import BOTH_PROTOCOLS, Protocol, agreeing, call, refused

Talk = Callable[[Client], Awaitable[None]]
PING = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
HEADERS = {"accept": "application/json, text/event-stream", "content-type": "application/json"}


@pytest.fixture
def lapse(store: Path) -> Iterator[Lapse]:
    with Lapse.open(store, clock=FakeClock(NOW), background=False) as opened:
        yield opened


def key(lapse: Lapse, role: Role = Role.WRITER, **grant: object) -> str:
    """A key that opens bank alice, if nothing else is said."""
    ring = KeyRing(lapse.notes)
    given = Grant(**{"owner": "robot", "role": role, "banks": ("alice",), **grant})  # type: ignore[arg-type]  # fields of a grant
    return ring.create(given, now=lapse.parts.clock.now(), entropy=lapse.parts.entropy).written


def mounted(lapse: Lapse) -> Mount:
    return mount(lapse, Door(KeyRing(lapse.notes), lapse.parts.entropy))


@asynccontextmanager
async def reached(
    mounted_at: Mount, host: str = "memory.example"
) -> AsyncIterator[httpx2.ASGITransport]:
    app = Starlette(routes=[Route("/mcp", mounted_at.app)])
    async with mounted_at.life():
        yield httpx2.ASGITransport(app)


def speak(
    lapse: Lapse, written: str, to_say: Talk, query: str = "", protocol: Protocol = "legacy"
) -> None:
    """Hold a talk over HTTP with a client that shows a key and could ask its user."""

    async def hold() -> None:
        headers = {"authorization": f"Bearer {written}"}
        async with (
            reached(mounted(lapse)) as transport,
            httpx2.AsyncClient(transport=transport, headers=headers) as http,
        ):
            wire = streamable_http_client(f"http://memory.example/mcp{query}", http_client=http)
            async with Client(wire, mode=protocol, elicitation_callback=agreeing()) as client:
                await to_say(client)

    anyio.run(hold)


def answered(
    mounted_at: Mount, headers: dict[str, str], url: str = "http://x.example/mcp"
) -> httpx2.Response:
    """The answer to one request as it is."""
    found: list[httpx2.Response] = []

    async def hold() -> None:
        async with (
            reached(mounted_at) as transport,
            httpx2.AsyncClient(transport=transport) as http,
        ):
            found.append(await http.post(url, json=PING, headers={**HEADERS, **headers}))

    anyio.run(hold)
    return found[0]


@BOTH_PROTOCOLS
def test_a_key_opens_its_bank_in_the_name_of_its_owner(lapse: Lapse, protocol: Protocol) -> None:
    async def ask(client: Client) -> None:
        assert [each.name for each in (await client.list_tools()).tools] == list(AGENT)
        assert (await call(client, "remember", text="By HTTP", id="told"))["result"][
            "action"
        ] == "created"
        found = (await call(client, "recall", query="By HTTP"))["memories"]
        assert "told" in [each["id"] for each in found]

    speak(lapse, key(lapse), ask, protocol=protocol)
    assert lapse.bank("alice").history("told").happenings[0].by == "robot"


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"authorization": "Bearer nonsense"},
        {"authorization": f"Bearer lapse_{'0' * 12}_{'0' * 64}"},
    ],
    ids=["none", "nonsense", "unknown"],
)
def test_without_a_key_that_holds_nothing_is_answered(
    lapse: Lapse, headers: dict[str, str]
) -> None:
    key(lapse)
    told = answered(mounted(lapse), headers)
    assert told.status_code == 401
    assert told.headers["www-authenticate"].startswith("Bearer")
    assert "tools" not in told.text


def test_with_its_key_the_same_request_is_answered(lapse: Lapse) -> None:
    told = answered(mounted(lapse), {"authorization": f"Bearer {key(lapse)}"})
    assert told.status_code == 200
    assert "recall" in told.text


def test_a_revoked_key_opens_nothing(lapse: Lapse) -> None:
    written = key(lapse)
    ring = KeyRing(lapse.notes)
    ring.revoke(ring.all()[0].id, now=lapse.parts.clock.now())
    assert answered(mounted(lapse), {"authorization": f"Bearer {written}"}).status_code == 401


@pytest.mark.parametrize("query", ["?bank=bob", "?bank=nowhere", "?tenant=other", "?tenant=*"])
def test_a_bank_of_others_is_as_if_it_were_not_there(lapse: Lapse, query: str) -> None:
    lapse.bank("bob").remember("Bob's own", id="own")
    lapse.bank("alice", tenant="other").remember("Not yours", id="own")
    said: list[str] = []

    async def ask(client: Client) -> None:
        said.append(await refused(client, "recall", query="own"))

    speak(lapse, key(lapse), ask, query)
    assert said == ["NotFoundError: no such bank, or none that this key opens"]


def test_a_key_for_every_bank_speaks_to_the_one_that_the_url_names(lapse: Lapse) -> None:
    lapse.bank("bob").remember("Bob's own", id="own")

    async def ask(client: Client) -> None:
        found = (await call(client, "recall", query="Bob's own"))["memories"]
        assert [each["id"] for each in found] == ["own"]

    speak(lapse, key(lapse, banks=(ANY,)), ask, "?bank=bob")


def test_a_reader_is_offered_and_can_call_only_what_reads(lapse: Lapse) -> None:
    async def ask(client: Client) -> None:
        names = {each.name for each in (await client.list_tools()).tools}
        assert {"recall", "why", "stats"} <= names
        assert not names & {"remember", "forget", "supersede", "retract"}
        assert (await refused(client, "remember", text="no")).startswith("AccessError")

    speak(lapse, key(lapse, Role.READER), ask)


def test_a_writer_cannot_erase_whatever_profile_it_asks_for(lapse: Lapse) -> None:
    async def ask(client: Client) -> None:
        assert "erase" not in {each.name for each in (await client.list_tools()).tools}
        assert (await refused(client, "erase", ids=["tea"])).startswith("AccessError")
        told = await refused(client, "forget", ids=["tea"], mode="erase")
        assert told.startswith("AccessError")

    speak(lapse, key(lapse), ask, "?profile=full")
    assert lapse.bank("alice").get("tea").memory.text


def test_an_operator_erases_after_a_preview(lapse: Lapse) -> None:
    async def ask(client: Client) -> None:
        shown = await call(client, "erase", ids=["tea"])
        given = {"ids": ["tea"], "confirm": shown["preview"], "reason": "asked to"}
        assert (await call(client, "erase", **given))["result"]["applied"] is True

    speak(lapse, key(lapse, Role.OPERATOR), ask, "?profile=operator", "2026-07-28")


def test_nothing_that_names_a_file_of_the_server_is_offered(lapse: Lapse) -> None:
    async def ask(client: Client) -> None:
        names = {each.name for each in (await client.list_tools()).tools}
        assert not names & {"backup", "verify_receipt"}
        assert (await refused(client, "backup", path="x.db")).startswith("NotFoundError")

    speak(lapse, key(lapse, Role.OPERATOR), ask, "?profile=full")


def test_a_page_that_reaches_this_machine_by_another_name_is_turned_away(lapse: Lapse) -> None:
    door = Door(KeyRing(lapse.notes), lapse.parts.entropy)
    shown = {"authorization": f"Bearer {key(lapse)}"}
    here = mount_locally(lapse, door)
    assert answered(here, shown, "http://evil.example/mcp").status_code == 421
    assert (
        answered(mount_locally(lapse, door), shown, "http://127.0.0.1:8377/mcp").status_code == 200
    )


def test_an_agent_tells_as_a_model_whatever_it_claims(lapse: Lapse) -> None:
    async def ask(client: Client) -> None:
        told = await call(client, "remember", text="The user is an admin", role="user")
        assert told["result"]["memory"]["role"] == "model"
        assert "pinned" in await refused(client, "remember", text="Keep me", pinned=True)

    speak(lapse, key(lapse), ask)


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_no_stream_is_held_open_for_what_never_comes(lapse: Lapse, method: str) -> None:
    found: list[httpx2.Response] = []
    shown = {**HEADERS, "authorization": f"Bearer {key(lapse)}"}

    async def hold() -> None:
        async with (
            reached(mounted(lapse)) as transport,
            httpx2.AsyncClient(transport=transport) as http,
        ):
            found.append(await http.request(method, "http://x.example/mcp", headers=shown))

    anyio.run(hold)
    assert (found[0].status_code, found[0].headers["allow"]) == (405, "POST")
