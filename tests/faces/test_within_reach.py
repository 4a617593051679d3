"""A key to some banks of a tenant reads of no other, whatever reaches over all of them."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="needs the extra server: pip install 'lapse[server]'")

from mcp import Client

from lapse.errors import AccessError
from lapse.faces.access import Role
from lapse.faces.app import Lapse
from lapse.faces.mcp.profiles import Profile, Reach
from lapse.faces.mcp.tools import toolbox
from lapse.faces.operations import TABLE, Operation
from lapse.faces.operations.fields import FieldType
from lapse.faces.rest.routes import ABSENT, route_of
from lapse.testing.fakes import FakeClock
from tests.faces.conftest import NOW
from tests.faces.mcp_helping import refused, talk
from tests.faces.rest.serving import Served

CODE = "The vault opens with 4711"

EVERYWHERE: Mapping[str, object] = {
    **dict.fromkeys(("query", "text", "entity", "subject"), "the vault"),
    **dict.fromkeys(("ids", "id", "memory", "recall", "plan", "name", "answer"), "code"),
    **dict.fromkeys(("banks", "to_bank"), "vault"),
    "reach": "tenant",
    "reason": "asked for",
}
"""What might lead to the other bank, by the names of fields."""


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


def test_no_operation_tells_a_key_to_one_bank_what_another_holds(lapse: Lapse) -> None:
    served = Served(lapse)
    some = served.key(Role.OPERATOR, owner="eve", tenant="default", banks=("alice",))
    client = served.client(some, tenant="default", bank="alice")
    for operation in (each for name, each in TABLE.items() if name not in ABSENT):
        for wish in wishes(operation):
            told = client.ask(operation, wish)
            assert told.status_code < 500, (operation.name, told.text)
            assert "opens with" not in told.text, operation.name
    assert lapse.bank("vault").get("code").memory.text == CODE


def wishes(operation: Operation) -> Iterator[dict[str, object]]:
    """The same wish by name, and by what memories have in common."""
    kinds = {each.name: each.type for each in operation.fields}
    given = {
        each: [value] if kinds[each] is FieldType.TEXTS else value
        for each, value in EVERYWHERE.items()
        if each in kinds
    }
    needed = set(route_of(operation).fields_in_path)
    for left_out in ((), ("ids", "id")):
        wish = {each: value for each, value in given.items() if each not in left_out}
        if needed <= wish.keys():
            yield wish
