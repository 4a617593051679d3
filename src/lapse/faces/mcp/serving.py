"""`lapse mcp`: one bank served to one client over standard input and output.

Decides that standard output carries the protocol and nothing else: whatever prints while the store
opens and while it is served goes to standard error. Refuses authentication: whoever starts the
process may open the file.
"""

from collections.abc import Callable
from dataclasses import dataclass

import anyio
import anyio.to_thread
from mcp.server import ServerRequestContext
from mcp.server.stdio import stdio_server

from lapse.errors import LapseError
from lapse.faces.access import open_caller
from lapse.faces.app import Lapse
from lapse.faces.logs import LogLevel, log_to
from lapse.faces.mcp.places import Caller, spoken_for
from lapse.faces.mcp.profiles import Profile, Reach
from lapse.faces.mcp.server import build_server


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """What a process serves.

    Attributes:
        target: The store.
        tenant, bank: The one bank.
        actor: Name of the client, for the journal.
        profile: What it is offered.
    """

    target: str
    tenant: str
    bank: str
    actor: str
    profile: Profile


def serve(served: Served, level: LogLevel) -> None:
    """Serve until standard input ends.

    Raises:
        LapseError: The store cannot be opened.
    """
    log_to(level=level)
    try:
        anyio.run(_serve, served)
    except BaseExceptionGroup as group:
        # What the streams' tasks ended with is a group; what was wrong is told as everywhere.
        wrong = _first(group)
        if wrong is None:
            raise
        raise wrong from None


def _first(group: BaseExceptionGroup[BaseException]) -> LapseError | None:
    for each in group.exceptions:
        found = _first(each) if isinstance(each, BaseExceptionGroup) else each
        if isinstance(found, LapseError):
            return found
    return None


async def _serve(served: Served) -> None:
    # The store opens within: a model that prints while it loads must not reach the client.
    async with stdio_server() as (incoming, outgoing):
        lapse = await anyio.to_thread.run_sync(Lapse.open, served.target)
        try:
            server = build_server(_always(lapse, served))
            await server.run(incoming, outgoing, server.create_initialization_options())
        finally:
            lapse.close()


def _always(lapse: Lapse, served: Served) -> Callable[[ServerRequestContext], Caller]:
    """Whoever speaks over this process's own streams is the one it was started for."""
    caller = Caller(
        lapse=lapse,
        tenant=served.tenant,
        bank=served.bank,
        actor=served.actor,
        profile=served.profile,
        reach=Reach.LOCAL,
        rights=spoken_for(open_caller(), served.profile),
    )
    return lambda _context: caller
