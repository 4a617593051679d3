"""An MCP client in this process, on a store of the tests. Decides who calls, in which protocol."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import anyio
import pytest

pytest.importorskip("mcp", reason="needs the extra mcp: pip install 'lapse[mcp]'")

from mcp import Client, types
from mcp.client import ClientRequestContext

from lapse.faces.access import open_caller
from lapse.faces.app import Lapse
from lapse.faces.mcp.places import Caller, spoken_for
from lapse.faces.mcp.profiles import Profile, Reach
from lapse.faces.mcp.server import Do, build_server, plainly

Protocol: TypeAlias = Literal["2026-07-28", "legacy"]
PROTOCOLS: tuple[Protocol, ...] = ("2026-07-28", "legacy")
BOTH_PROTOCOLS = pytest.mark.parametrize("protocol", PROTOCOLS)

Talk = Callable[[Client], Awaitable[None]]


@dataclass(slots=True, kw_only=True)
class Person:
    """Whoever sits at the client and is asked.

    Attributes:
        answer: What they answer.
        asked: What they were asked, in order.
    """

    answer: types.ElicitResult
    asked: list[str]

    async def __call__(
        self,
        context: ClientRequestContext,  # noqa: ARG002 - the SDK names it
        params: types.ElicitRequestParams,
    ) -> types.ElicitResult:
        self.asked.append(params.message)
        return self.answer


def agreeing(agree: object = True) -> Person:
    """Somebody who fills in the form so."""
    content = {"erase": agree}
    return Person(answer=types.ElicitResult(action="accept", content=content), asked=[])  # type: ignore[arg-type]  # a client may send anything


def declining() -> Person:
    """Somebody who declines."""
    return Person(answer=types.ElicitResult(action="decline"), asked=[])


def talk(
    lapse: Lapse,
    to_say: Talk,
    *,
    profile: Profile = Profile.DEFAULT,
    protocol: Protocol = "2026-07-28",
    person: Person | None = None,
    bank: str = "alice",
    tenant: str = "default",
    reach: Reach = Reach.LOCAL,
    actor: str = "agent",
    do: Do = plainly,
) -> None:
    """Hold a talk between a client and a server over an open store."""
    caller = Caller(
        lapse=lapse,
        tenant=tenant,
        bank=bank,
        actor=actor,
        profile=profile,
        reach=reach,
        rights=spoken_for(open_caller(), profile),
    )

    async def hold() -> None:
        server = build_server(lambda _context: caller, do)
        async with Client(server, mode=protocol, elicitation_callback=person) as client:
            await to_say(client)

    anyio.run(hold)


async def call(client: Client, tool: str, /, **arguments: object) -> dict[str, Any]:
    """Call a tool that has to succeed; what it gives."""
    told = await client.call_tool(tool, arguments)
    assert not told.is_error, text_of(told)
    structured: dict[str, Any] = told.structured_content
    return structured


async def refused(client: Client, tool: str, /, **arguments: object) -> str:
    """Call a tool that has to fail; what the model reads."""
    told = await client.call_tool(tool, arguments)
    assert told.is_error, text_of(told)
    return text_of(told)


def text_of(told: types.CallToolResult) -> str:
    """The one text block of an answer."""
    (block,) = told.content
    assert isinstance(block, types.TextContent)
    return block.text
