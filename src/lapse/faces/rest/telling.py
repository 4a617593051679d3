"""What is sent back: results as JSON documents, and where what was made is found.

Decides their form. Refuses to act (`service`).
"""

import json
from collections.abc import Mapping
from urllib.parse import quote

from lapse.faces.rest.answers import Answer
from lapse.faces.rest.asking import Guest
from lapse.faces.rest.problems import MEDIA_TYPE
from lapse.faces.rest.routes import BANK, Route
from lapse.model.codec import encode


def plain(result: object) -> dict[str, object]:
    """A result as plain JSON values."""
    plain = encode(result)
    assert isinstance(plain, dict)  # noqa: S101 - every operation gives a dataclass
    return dict(plain)


def document(
    status: int, document: Mapping[str, object], headers: Mapping[str, str] | None = None
) -> Answer:
    """An answer that holds a document."""
    body = json.dumps(document, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return Answer(status=status, body=body.encode("ascii"), headers=headers or {})


def problem_answer(status: int, body: Mapping[str, object]) -> Answer:
    """An answer that holds a problem."""
    return Answer(
        status=status,
        body=json.dumps(body).encode("ascii"),
        media_type=MEDIA_TYPE,
    )


def located(route: Route, guest: Guest, document: Mapping[str, object]) -> dict[str, str]:
    """Where what was made is found."""
    if route.status != 201:
        return {}
    memory = document.get("memory")
    if isinstance(memory, Mapping):
        return {"Location": f"{bank_path(guest)}/memories/{quoted(str(memory['id']))}"}
    if route.operation.name.startswith("plan"):
        return {"Location": f"{bank_path(guest)}/plans/{quoted(str(document['id']))}"}
    return {}


def bank_path(guest: Guest) -> str:
    """The path of the bank that is asked about."""
    return BANK.format(tenant=quoted(guest.tenant), bank=quoted(guest.bank))


def quoted(name: str) -> str:
    """A name as one segment of a path."""
    return quote(name, safe="")
