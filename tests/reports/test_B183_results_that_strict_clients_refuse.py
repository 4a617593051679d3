"""B183: strict clients refuse results whose dates have no date-time form, or that miss a field."""

from collections.abc import Awaitable, Callable

import anyio
import pytest

pytest.importorskip("mcp", reason="needs the extra mcp: pip install 'lapse[mcp]'")

from jsonschema import Draft202012Validator, FormatChecker
from mcp import Client

from lapse.faces.access import open_caller
from lapse.faces.app import Lapse
from lapse.faces.mcp.places import Caller
from lapse.faces.mcp.profiles import Profile, Reach
from lapse.faces.mcp.server import build_server
from lapse.faces.mcp.tools import toolbox
from lapse.model.instants import parse_instant
from tests.reports.helping import Place

ASKED: dict[str, dict[str, object]] = {
    "get": {"id": "bare"},
    "list": {},
    "history": {"id": "old"},
    "as_of": {},
    "conflicts": {},
    "stats": {"history": True},
    "recall": {"query": "drink", "explain": True},
    "why": {"query": "drink", "id": "old"},
    "select": {"query": "drink"},
    "suppressed": {},
    "policy": {},
    "plans": {},
    "holds": {},
}


def talk(lapse: Lapse, to_say: Callable[[Client], Awaitable[None]]) -> None:
    """A client of the profile `full` on the bank."""
    caller = Caller(
        lapse=lapse,
        tenant="default",
        bank="alice",
        actor="host",
        profile=Profile.FULL,
        reach=Reach.LOCAL,
        rights=open_caller(),
    )

    async def hold() -> None:
        async with Client(build_server(lambda _context: caller)) as client:
            await to_say(client)

    anyio.run(hold)


def told(place: Place) -> Lapse:
    """A store with memories with every date, with none, replaced, and out of mind."""
    lapse = place.open()
    bank = lapse.bank("alice")
    bank.remember("No date at all", id="bare")
    bank.remember("I drink tea", id="old", key="user/drink")
    bank.remember(
        "I drink water",
        id="new",
        key="user/drink",
        occurred_at="2026-02-01T08:00+09:00",
        expires_at="2030-01-01T00:00Z",
    )
    bank.remember("I drink nothing", id="away")
    bank.suppress(["away"], by="host", reason="asked to")
    return lapse


@pytest.mark.parametrize("name", ASKED)
def test_what_a_tool_gives_is_what_its_schema_says(place: Place, name: str) -> None:
    lapse = told(place)
    schema = toolbox(Profile.FULL, Reach.LOCAL)[name].tool.output_schema
    assert schema is not None
    strict = Draft202012Validator(schema, format_checker=FormatChecker())

    async def ask(client: Client) -> None:
        given = await client.call_tool(name, ASKED[name])
        assert not given.is_error
        assert list(strict.iter_errors(given.structured_content)) == []
        assert not [each for each in dates(given.structured_content) if not has_offset(each)]

    talk(lapse, ask)


def test_a_date_that_is_not_there_is_left_out(place: Place) -> None:
    lapse = told(place)

    async def ask(client: Client) -> None:
        bare = (await client.call_tool("get", {"id": "bare"})).structured_content
        memory = bare["result"]["memory"]
        assert "occurred_at" not in memory
        assert memory["created_at"].endswith("Z")

    talk(lapse, ask)


def dates(given: object) -> list[str]:
    """Whatever stands under a name that is a time's."""
    if isinstance(given, dict):
        found = [each for value in given.values() for each in dates(value)]
        named = [
            value
            for name, value in given.items()
            if isinstance(value, str) and (name == "at" or name.endswith(("_at", "valid_from")))
        ]
        return [*named, *found]
    return [each for one in given for each in dates(one)] if isinstance(given, list) else []


def has_offset(written: str) -> bool:
    """Whether it is a time that says its zone."""
    parse_instant(written, "date")
    return written.endswith("Z")
