"""A key to some banks of a tenant reads of no other, whatever reaches over all of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="needs the extra server: pip install 'lapse[server]'")

from mcp import Client

from lapse.errors import AccessError
from lapse.faces.access import Role
from lapse.faces.app import Lapse
from lapse.faces.mcp.profiles import Profile, Reach
from lapse.faces.mcp.tools import toolbox
from lapse.testing.fakes import FakeClock
from tests.faces.conftest import NOW
from tests.faces.mcp_helping import refused, talk
from tests.faces.rest.serving import Served

CODE = "The vault opens with 4711"


@pytest.fixture
def lapse(store: Path) -> Iterator[Lapse]:
    with Lapse.open(store, clock=FakeClock(NOW), background=False) as opened:
        opened.bank("vault").remember(CODE, id="code")
        yield opened


def test_a_selection_over_the_tenant_is_for_keys_that_open_all_of_it(lapse: Lapse) -> None:
    served = Served(lapse)
    wish = {"query": "vault", "reach": "tenant"}
    some = served.key(Role.READER, owner="eve", tenant="default", banks=("alice",))
    told = served.client(some, tenant="default", bank="alice").post("selections", wish)
    assert (told.status_code, told.json()["error"]) == (403, AccessError.__name__)
    assert CODE not in told.text
    own = served.client(some, tenant="default", bank="alice")
    assert own.post("selections", {**wish, "reach": "bank"}).json()["total"] == 0
    every = served.key(Role.READER, owner="ada", tenant="default")
    found = served.client(every, tenant="default", bank="alice").post("selections", wish)
    assert [each["id"] for each in found.json()["matches"]] == ["code"]


def test_an_agent_selects_in_the_bank_that_it_speaks_to(lapse: Lapse) -> None:
    async def ask(client: Client) -> None:
        said = await refused(client, "select", query="vault", reach="tenant")
        assert "unknown argument" in said
        assert CODE not in said

    talk(lapse, ask, profile=Profile.FULL)


@pytest.mark.parametrize("reach", list(Reach))
def test_no_tool_takes_the_name_of_another_bank(reach: Reach) -> None:
    taken = {each.name for tool in toolbox(Profile.FULL, reach).values() for each in tool.fields}
    assert not taken & {"reach", "banks", "tenant", "bank"}
