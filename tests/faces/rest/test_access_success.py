"""The positive control of the access matrix: what a role may do, it does, and the answer is whole.

Every example of the table is asked over HTTP with a key of each role that may, on a bank that holds
what the examples speak of. The answer has to be the right 2xx and read back as the operation's own
result; so no refusal of the matrix is one that everybody would have met.
"""

import json
from pathlib import Path

import pytest

from lapse import Lapse
from lapse.faces.access import ALLOWED, Role
from lapse.faces.operations import TABLE, Example, Operation
from lapse.faces.rest.routes import ABSENT, route_of, routes
from lapse.model.codec import decode, dumps
from lapse.testing.fakes import FakeClock
from tests.faces.conftest import NOW, given_in, tell
from tests.faces.rest.serving import Served

TOLD = "2026-03-01T09:00Z"
ACTORS = {"by", "approved_by"}
OF_HTTP = {"preview", "next_cursor"}
"""Members of an answer that are no part of an operation's result."""
NO_FURTHER_PAGE = {"next_after": None}
"""What a cursor stands for over HTTP."""
STREAMS = {"export": "exports", "import": "imports"}

CASES = [
    (route.operation, example, role)
    for route in routes()
    for at, example in enumerate(route.operation.examples)
    for role in Role
    if at == 0 or role is Role.OPERATOR
    if route.operation.needs(example.given) in ALLOWED[role]
]


def named(operation: Operation, example: Example, role: Role) -> str:
    return f"{operation.name}: {example.says}: {role}"


@pytest.mark.parametrize(
    ("operation", "example", "role"), CASES, ids=[named(*each) for each in CASES]
)
def test_whoever_may_succeeds(
    operation: Operation, example: Example, role: Role, apart: Path
) -> None:
    assert apart.is_dir()
    clock = FakeClock(TOLD)
    with Lapse.open("memory://", clock=clock, background=False) as lapse:
        bank = lapse.bank("notes", tenant="acme")
        tell(bank)
        clock.set(NOW)
        given = {k: v for k, v in given_in(example, bank).items() if k not in ACTORS}
        served = Served(lapse)
        answer = served.client(served.key(role)).do(operation, given)
        assert answer.status_code == route_of(operation).status, answer.text
        told = {name: each for name, each in answer.json().items() if name not in OF_HTTP}
        if "next_cursor" in answer.json():
            told |= NO_FURTHER_PAGE
        assert json.loads(dumps(decode(operation.result, told))) == told


def test_every_operation_is_asked_by_somebody_or_has_no_route() -> None:
    asked = {operation.name for operation, _, role in CASES if role is Role.OPERATOR}
    assert asked == TABLE.keys() - ABSENT.keys()
    assert STREAMS.keys() <= ABSENT.keys()
