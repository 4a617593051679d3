"""Every operation gives by MCP what it gives by the library.

The examples of the table are the cases, as in `test_parity`. What is empty is left out by MCP, and
a recall is told in short; its whole is compared when it is asked to explain.
"""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from mcp import Client

from lapse.faces.app import Lapse
from lapse.faces.mcp.answering import plain, recalled
from lapse.faces.mcp.profiles import Profile
from lapse.faces.operations import TABLE, Example, Operation, Subject
from lapse.faces.operations.operation import Target
from lapse.model.codec import dumps, encode
from lapse.model.query import Recall
from lapse.testing.fakes import FakeClock
from tests.faces.conftest import NOW, given_to
from tests.faces.mcp_helping import call, talk

CASES = [(operation, each) for operation in TABLE.values() for each in operation.examples]
EXAMPLES = pytest.mark.parametrize(
    ("operation", "example"), CASES, ids=[f"{one.name}: {each.says}" for one, each in CASES]
)
NEVER_ALIKE = {"timings", "store_bytes", "receipt", "recall"}
"""Measured or drawn by chance, not computed."""

FILES = {"backup": "copy.db", "export": "bank.jsonl"}


def given_by(operation: Operation, example: Example, store: Path) -> dict[str, object]:
    """What an example gives, at the bank that a client speaks to."""
    given = given_to(example, store)
    places = {"tenant": "default", "banks": ["alice"]}
    names = {each.name for each in operation.fields}
    return given | {name: each for name, each in places.items() if name in names}


def by_library(path: Path, operation: Operation, given: Mapping[str, object]) -> object:
    actor = {"by": "host"} if any(each.name == "by" for each in operation.fields) else {}
    with Lapse.open(path, clock=FakeClock(NOW), background=False) as lapse:
        targets: dict[Subject, Target] = {
            Subject.BANK: lapse.bank("alice"),
            Subject.STORE: lapse,
            Subject.NOTHING: None,
        }
        return operation.call(targets[operation.subject], operation.read({**given, **actor}))


def by_mcp(path: Path, operation: Operation, given: Mapping[str, object]) -> dict[str, object]:
    """What a client gets; what takes away is confirmed where the example says yes."""
    hidden = {"by", "approved_by", "yes", "tenant", "banks"}
    asked = {name: each for name, each in given.items() if name not in hidden}
    told: dict[str, object] = {}

    async def ask(client: Client) -> None:
        told.update(await call(client, operation.name, **asked))
        if given.get("yes"):
            told.clear()
            shown = await call(client, operation.name, **asked)
            told.update(await call(client, operation.name, **asked, confirm=shown["preview"]))

    with Lapse.open(path, clock=FakeClock(NOW), background=False) as lapse:
        talk(lapse, ask, profile=Profile.FULL, actor="host")
    return told


def alike(document: Mapping[str, object]) -> object:
    """A document without what differs from run to run."""
    kept = {name: each for name, each in document.items() if name not in NEVER_ALIKE}
    if "hits" in kept:
        kept.pop("id")
    if "created" in kept:  # the ids of copies are drawn
        kept.pop("copies", None)
    return json.loads(json.dumps(kept))


@EXAMPLES
def test_an_operation_gives_the_same_by_library_and_mcp(
    operation: Operation, example: Example, store: Path
) -> None:
    given = given_by(operation, example, store)
    twin = store.with_name("twin.db")
    shutil.copy(store, twin)
    result = by_library(twin, operation, given)
    if operation.name in FILES:
        Path(FILES[operation.name]).unlink()
    told = by_mcp(store, operation, given)
    if isinstance(result, Recall):
        told.pop("notice")
        whole = told.pop("result", None)
        assert alike(told) == alike(recalled(result))
        assert whole is None or alike(whole) == alike(plain(result))  # type: ignore[arg-type]  # any JSON
    else:
        assert alike(told["result"]) == alike(plain(result))  # type: ignore[arg-type]  # any JSON


@EXAMPLES
def test_nothing_but_what_is_empty_is_left_out(
    operation: Operation, example: Example, store: Path
) -> None:
    result = by_library(store, operation, given_by(operation, example, store))
    whole, short = encode(result), plain(result)
    assert isinstance(whole, dict)
    assert dumps(result)
    dropped = whole.keys() - short.keys()
    assert all(whole[each] in (None, "", [], {}) or _hollow(whole[each]) for each in dropped)


def _hollow(told: object) -> bool:
    return isinstance(told, dict) and all(
        each in (None, "", [], {}) or _hollow(each) for each in told.values()
    )
