"""Every operation gives the same by the library, by the command line and over HTTP.

The examples of the table are the cases: each runs on copies of the same store, once through
`Operation.call`, once as a command and once as a request, at the same instant.
"""

import json
import shutil
from pathlib import Path

import pytest

from lapse.faces.app import Lapse
from lapse.faces.cli.building import command_name
from lapse.faces.cli.entry import build_app
from lapse.faces.cli.process import PROCESS_COMMANDS
from lapse.faces.cli.writing import typed_out
from lapse.faces.operations import TABLE, Example, Operation, Subject
from lapse.faces.operations.operation import Target
from lapse.faces.rest.routes import ABSENT
from lapse.model.codec import decode, dumps
from lapse.testing.fakes import FakeClock
from tests.faces.conftest import NOW, Cli, given_to
from tests.faces.rest.serving import Served

CASES = [(operation, each) for operation in TABLE.values() for each in operation.examples]
EXAMPLES = pytest.mark.parametrize(
    ("operation", "example"), CASES, ids=[f"{one.name}: {each.says}" for one, each in CASES]
)
SERVED = [(one, each) for one, each in CASES if one.name not in ABSENT]
MADE_FILES = {"backup": "copy.db", "export": "bank.jsonl"}
NEVER_ALIKE = {"timings", "store_bytes", "receipt"}
"""Measured or drawn by chance, not computed."""


def by_library(path: Path, operation: Operation, example: Example) -> object:
    with Lapse.open(path, clock=FakeClock(NOW), background=False) as lapse:
        targets: dict[Subject, Target] = {
            Subject.BANK: lapse.bank("alice"),
            Subject.STORE: lapse,
            Subject.NOTHING: None,
        }
        return operation.call(targets[operation.subject], operation.read(given_to(example, path)))


def alike(document: object) -> object:
    """A document without what differs from run to run."""
    if not isinstance(document, dict):
        return document
    kept = {name: each for name, each in document.items() if name not in NEVER_ALIKE}
    if "hits" in kept:
        kept.pop("id")
    if "created" in kept:  # the ids of copies are drawn
        kept.pop("copies", None)
    return kept


@EXAMPLES
def test_an_operation_gives_the_same_by_library_and_command_line(
    operation: Operation, example: Example, store: Path, cli: Cli
) -> None:
    twin = store.with_name("twin.db")
    shutil.copy(store, twin)
    result = by_library(twin, operation, example)
    if operation.name in MADE_FILES:
        Path(MADE_FILES[operation.name]).unlink()
    typed = typed_out(operation, given_to(example, store))
    common = ("--db", str(store), "--bank", "alice", "--now", NOW, "--json")
    ended = cli(*common, *typed.arguments, stdin=typed.stdin)
    assert (ended.code, ended.err) == (0, "")
    assert alike(ended.json) == alike(json.loads(dumps(result)))


@pytest.mark.parametrize(
    ("operation", "example"),
    SERVED,
    ids=[f"{one.name}: {each.says}" for one, each in SERVED],
)
def test_an_operation_gives_the_same_by_library_and_over_http(
    operation: Operation, example: Example, store: Path
) -> None:
    twin = store.with_name("twin.db")
    shutil.copy(store, twin)
    result = json.loads(dumps(by_library(twin, operation, example)))
    with Lapse.open(store, clock=FakeClock(NOW), background=False) as lapse:
        client = Served(lapse, keys=False).client(tenant="default", bank="alice")
        answer = client.do(operation, given_to(example, store))
    assert answer.status_code in (200, 201), answer.text
    told = answer.json()
    told.pop("preview", None)
    told.pop("next_cursor", None)
    result.pop("next_after", None)
    assert alike(told) == alike(result)


@EXAMPLES
def test_what_an_operation_gives_is_read_back_from_json(
    operation: Operation, example: Example, store: Path
) -> None:
    result = by_library(store, operation, example)
    document = json.loads(dumps(result))
    again: object = decode(operation.result, document)
    assert json.loads(dumps(again)) == document


@EXAMPLES
def test_what_an_operation_gives_can_be_shown_to_people(
    operation: Operation, example: Example, store: Path, cli: Cli
) -> None:
    typed = typed_out(operation, given_to(example, store))
    common = ("--db", str(store), "--bank", "alice", "--now", NOW)
    ended = cli(*typed.arguments, *common, stdin=typed.stdin)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.strip()
    assert "object at 0x" not in ended.out
    assert not any(line != line.rstrip() for line in ended.out.splitlines())


def test_the_commands_are_the_table_and_the_process_commands() -> None:
    app = build_app()
    found = [each.typer_instance for each in app.registered_groups]
    groups = {each.info.name for each in found if each is not None}
    commands = {each.name for each in app.registered_commands} | (groups - {"learning"})
    offered = {command_name(each).split()[0] for each in TABLE.values()}
    assert commands == offered | set(PROCESS_COMMANDS)
    assert set(PROCESS_COMMANDS) <= {
        "demo",
        "init",
        "config",
        "serve",
        "mcp",
        "worker",
        "workbench",
        "keys",
        "restore-backup",
        "migrate",
    }
