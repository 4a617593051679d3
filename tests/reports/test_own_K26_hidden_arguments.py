"""K26: an argument that a face hides is taken all the same by whoever knows its name."""

import anyio
import pytest

pytest.importorskip("mcp", reason="needs the extra mcp: pip install 'lapse[mcp]'")

from mcp import Client

from lapse.faces.access import open_caller
from lapse.faces.mcp.places import Caller, spoken_for
from lapse.faces.mcp.profiles import Profile, Reach
from lapse.faces.mcp.server import build_server
from lapse.model.retention import Lifecycle
from tests.reports.helping import Place


@pytest.mark.parametrize(
    "hidden", [{"yes": True}, {"mode": "erase"}, {"by": "alice"}, {"approved_by": "alice"}]
)
def test_it_is_refused_like_one_that_never_was(place: Place, hidden: dict[str, object]) -> None:
    lapse = place.open()
    bank = lapse.bank("alice")
    bank.remember("I drink tea", id="tea")
    caller = Caller(
        lapse=lapse,
        tenant="default",
        bank="alice",
        actor="agent",
        profile=Profile.DEFAULT,
        reach=Reach.LOCAL,
        rights=spoken_for(open_caller(), Profile.DEFAULT),
    )

    async def ask() -> None:
        async with Client(build_server(lambda _context: caller)) as client:
            told = await client.call_tool("forget", {"ids": ["tea"], "reason": "x", **hidden})
            assert told.is_error
            assert f"{next(iter(hidden))}: unknown argument" in str(told.structured_content)

    anyio.run(ask)
    state = bank.get("tea").state
    assert state is not None
    assert state.lifecycle is Lifecycle.ACTIVE
