"""Every operation gives by a client, awaited, and by a remote command what it gives by the library.

The calls of the table are made on the bank of a client as they are on an open one: that it is a
`Bank`, with the same methods and the same results, is what is tested. The same for the asynchronous
twins, over threads and over HTTP; and for the command line with `--url`.
"""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

pytest.importorskip("httpx", reason="needs the extra remote: pip install 'lapse[remote]'")

from lapse.client import LapseClient
from lapse.errors import ValidationError
from lapse.faces.app import Lapse
from lapse.faces.cli.writing import typed_out
from lapse.faces.operations import Example, Operation, Subject
from lapse.faces.operations.operation import Target
from lapse.faces.rest.routes import ABSENT
from lapse.model.codec import dumps
from lapse.testing.fakes import FakeClock
from tests.faces.awaited import over_http, over_threads
from tests.faces.conftest import NOW, Cli, Ended, given_to
from tests.faces.remote_helping import URL, inside, listening
from tests.faces.rest.serving import Served
from tests.faces.test_parity import EXAMPLES, MADE_FILES, alike

Held = Callable[[Lapse], AbstractContextManager[Lapse]]
NEEDS_NO_SERVER = {"laws", "verify_receipt"}
BY_STREAM = {"export", "import"}
"""Operations without a route that all the same are served: a file comes or goes."""


@contextmanager
def by_client(lapse: Lapse) -> Iterator[Lapse]:
    with LapseClient.open(URL, transport=inside(lapse)) as client:
        yield client  # type: ignore[misc]  # it has a store's methods as far as they are served


@contextmanager
def awaited_over_http(lapse: Lapse) -> Iterator[Lapse]:
    with over_http(Served(lapse, keys=False).app) as store:
        yield store


def target_of(operation: Operation, store: Lapse) -> Target:
    match operation.subject:
        case Subject.BANK:
            return store.bank("alice")
        case Subject.STORE:
            return store
        case Subject.NOTHING:
            return None


def at_bank(operation: Operation, example: Example, store: Path) -> dict[str, object]:
    """What an example gives, with the one bank that a client speaks of."""
    given = given_to(example, store)
    if any(each.name == "banks" for each in operation.fields):
        given["banks"] = ["alice"]
    return given


def by_library(path: Path, operation: Operation, given: dict[str, object]) -> object:
    with Lapse.open(path, clock=FakeClock(NOW), background=False) as lapse:
        return operation.call(target_of(operation, lapse), operation.read(given))


def is_a_method(operation: Operation) -> bool:
    """Whether it is called on a bank; the lab works on the engine beneath one."""
    return not operation.name.startswith("lab_")


def by_holder(held: Held, path: Path, operation: Operation, given: dict[str, object]) -> object:
    with Lapse.open(path, clock=FakeClock(NOW), background=False) as lapse, held(lapse) as there:
        if held is by_client and not is_a_method(operation):
            return (
                LapseClient.open(URL, transport=inside(lapse))
                .bank("alice")
                .remote.do(operation.name, **given)
            )
        return operation.call(target_of(operation, there), operation.read(given))


def by_remote_command(path: Path, operation: Operation, example: Example, cli: Cli) -> Ended:
    typed = typed_out(operation, given_to(example, path))
    with (
        Lapse.open(path, clock=FakeClock(NOW), background=False) as lapse,
        listening(lapse) as (url, _),
    ):
        common = ("--url", url, "--bank", "alice", "--json")
        return cli(*common, *typed.arguments, stdin=typed.stdin)


@EXAMPLES
def test_an_operation_gives_the_same_by_library_client_awaited_and_remote_command(
    operation: Operation, example: Example, store: Path, cli: Cli
) -> None:
    # One test for all of them: the store is what takes long to make.
    given = at_bank(operation, example, store)
    copies = [store.with_name(f"copy{at}.db") for at in range(4)]
    for each in copies:
        shutil.copy(store, each)
    result = by_library(copies[0], operation, given)
    wanted = alike(json.loads(dumps(result)))
    if operation.name in MADE_FILES:
        Path(MADE_FILES[operation.name]).unlink()
    if is_a_method(operation):
        awaited = by_holder(over_threads, copies[1], operation, given)
        if operation.name in MADE_FILES:
            Path(MADE_FILES[operation.name]).unlink()
        assert (type(awaited), alike(json.loads(dumps(awaited)))) == (type(result), wanted)
    served = operation.name not in ABSENT or operation.name in NEEDS_NO_SERVER | BY_STREAM
    for held, path in zip((by_client, awaited_over_http), copies[2:], strict=True):
        if held is awaited_over_http and not is_a_method(operation):
            continue
        if served:
            told = by_holder(held, path, operation, given)
            if operation.name in MADE_FILES:
                Path(MADE_FILES[operation.name]).unlink()
            assert (type(told), alike(json.loads(dumps(told)))) == (type(result), wanted)
        else:
            with pytest.raises((ValidationError, AttributeError)):
                by_holder(held, path, operation, given)
    ended = by_remote_command(store, operation, example, cli)
    if served:
        assert (ended.code, ended.err) == (0, "")
        assert alike(ended.json) == wanted
    else:
        assert (ended.code, ended.error["type"]) == (2, "ValidationError")
        assert "is not served" in ended.err


def test_what_is_not_served_is_named_and_no_more() -> None:
    assert ABSENT.keys() <= {
        "backup",
        "export",
        "import",
        "restore_backup",
        "verify_receipt",
    }
