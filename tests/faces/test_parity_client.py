"""Every operation gives by the client of a served store what it gives by the library.

The calls of the table are made on a bank of a client as they are on an open one: that the client's
bank is a `Bank`, with the same methods and the same results, is what is tested.
"""

import json
import shutil
from pathlib import Path

import pytest

pytest.importorskip("httpx", reason="needs the extra remote: pip install 'lapse[remote]'")

from lapse.client import LapseClient
from lapse.errors import ValidationError
from lapse.faces.app import Lapse
from lapse.faces.operations import Example, Operation, Subject
from lapse.faces.operations.operation import Target
from lapse.faces.rest.routes import ABSENT
from lapse.model.codec import dumps
from lapse.testing.fakes import FakeClock
from tests.faces.conftest import NOW, given_to
from tests.faces.remote_helping import URL, inside
from tests.faces.test_parity import EXAMPLES, alike

NEEDS_NO_SERVER = {"laws", "verify_receipt"}


class Knowing(LapseClient):
    """A client that was told which banks there are, which a server tells nobody."""

    def banks(self, *, tenant: str) -> list[str]:  # noqa: ARG002 - as Lapse has it
        return ["alice"]


def at_bank(operation: Operation, example: Example, store: Path) -> dict[str, object]:
    """What an example gives, with the one bank that a client speaks of."""
    given = given_to(example, store)
    if any(each.name == "banks" for each in operation.fields):
        given["banks"] = ["alice"]
    return given


@EXAMPLES
def test_an_operation_gives_the_same_by_library_and_client(
    operation: Operation, example: Example, store: Path
) -> None:
    given = at_bank(operation, example, store)
    twin = store.with_name("twin.db")
    shutil.copy(store, twin)
    with (
        Lapse.open(store, clock=FakeClock(NOW), background=False) as lapse,
        Knowing.open(URL, transport=inside(lapse)) as client,
    ):
        targets: dict[Subject, object] = {
            Subject.BANK: client.bank("alice"),
            Subject.STORE: client,
            Subject.NOTHING: None,
        }
        target: Target = targets[operation.subject]  # type: ignore[assignment]  # it has the methods
        if operation.name in ABSENT and operation.name not in NEEDS_NO_SERVER:
            with pytest.raises((ValidationError, AttributeError)):
                operation.call(target, operation.read(given))
            return
        told = operation.call(target, operation.read(given))
    with Lapse.open(twin, clock=FakeClock(NOW), background=False) as lapse:
        targets = {
            Subject.BANK: lapse.bank("alice"),
            Subject.STORE: lapse,
            Subject.NOTHING: None,
        }
        own: Target = targets[operation.subject]  # type: ignore[assignment]  # as above
        result = operation.call(own, operation.read(given))
    assert type(told) is type(result)
    assert alike(json.loads(dumps(told))) == alike(json.loads(dumps(result)))
