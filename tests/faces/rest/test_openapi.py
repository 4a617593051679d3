"""What the server says of itself is what it does.

Requests are made by schemathesis from the served document, whatever it allows, and answers are held
against it. No request may meet a fault of the server.
"""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from lapse import Lapse
from lapse.faces.rest.openapi import document
from lapse.faces.rest.routes import Route, routes
from lapse.testing.fakes import FakeClock
from tests.faces.conftest import NOW
from tests.faces.rest.serving import Client, Served

if TYPE_CHECKING:
    from typing import Any

    from schemathesis import APIOperation, Case

    AnyCase = Case[APIOperation[Any, Any, Any, Any]]

schemathesis = pytest.importorskip("schemathesis", reason="needs schemathesis, of the extra dev")

REQUESTS = 6
"""Requests of each operation."""


@pytest.fixture(scope="module")
def asked() -> Iterator[Served]:
    """A bank that asks for no key, so that any `by` may be given; it fills up as it is asked."""
    with Lapse.open("memory://", clock=FakeClock(NOW), background=False) as lapse:
        bank = lapse.bank("notes", tenant="acme")
        for at in range(5):
            bank.remember(f"Thing {at} is red", id=f"m{at}", key=f"k/{at}", importance=0.1)
        yield Served(lapse, keys=False)


def test_the_document_lists_every_route_with_an_example(operator: Client) -> None:
    served = operator.get("/openapi.json").json()
    assert served["openapi"] == "3.1.0"
    assert served == json.loads(json.dumps(document()))
    for route in routes():
        told = served["paths"][route.path][route.method.lower()]
        assert told["operationId"] == route.operation.name
        if "requestBody" in told:
            assert told["requestBody"]["content"]["application/json"]["examples"]


@pytest.mark.parametrize("route", routes(), ids=[each.operation.name for each in routes()])
def test_whatever_the_document_allows_is_answered_as_it_says(route: Route, asked: Served) -> None:
    from schemathesis.checks import not_a_server_error  # noqa: PLC0415 - of the extra dev
    from schemathesis.specs.openapi import checks  # noqa: PLC0415 - as above

    schema = schemathesis.openapi.from_asgi("/openapi.json", asked.app)
    promised = [
        not_a_server_error,
        checks.response_schema_conformance,
        checks.status_code_conformance,
        checks.content_type_conformance,
    ]
    answered = []

    @given(case=schema[route.path][route.method].as_strategy())
    @settings(
        max_examples=REQUESTS,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    def ask(case: "AnyCase") -> None:
        case.path_parameters.update({"tenant": "acme", "bank": "notes"} if _in_bank(route) else {})
        answer = case.call()
        answered.append(answer.status_code)
        case.validate_response(answer, checks=promised)

    ask()
    assert answered


def _in_bank(route: Route) -> bool:
    return "{bank}" in route.path
