"""B183: strict clients reject results because a date has no zone or a field is missing.

Over HTTP: every instant of an answer ends in Z, every field of the served schema is there, and what
is absent is null. The same by MCP is held by the tests of that face.
"""

import re
from collections.abc import Iterator

from lapse import Lapse
from lapse.testing.fakes import FakeClock
from tests.faces.rest.serving import Client, Served
from tests.reports.helping import T0

_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(?P<zone>.*)")


def texts(document: object) -> Iterator[str]:
    if isinstance(document, dict):
        for each in document.values():
            yield from texts(each)
    elif isinstance(document, list):
        for each in document:
            yield from texts(each)
    elif isinstance(document, str):
        yield document


def asked(client: Client) -> list[object]:
    client.post("memories", {"text": "The boat is red", "id": "bare"})
    full = {"text": "The mast is tall", "id": "full", "occurred_at": "2026-01-01T10:00:00+09:00"}
    client.post("memories", {**full, "expires_at": "2030-01-01", "created_at": "2026-02-01 08:00"})
    client.request("PATCH", "memories/full", json={"text": "The mast is very tall"})
    client.post("reinforcements", {"ids": ["full"]})
    paths = ("memories", "memories/bare", "memories/full/history", "statistics", "holds", "plans")
    answers = [client.get(each) for each in paths]
    answers.append(client.post("recalls", {"query": "mast boat"}))
    assert all(each.status_code == 200 for each in answers)
    return [each.json() for each in answers]


def test_every_date_of_an_answer_has_its_zone() -> None:
    with Lapse.open("memory://", clock=FakeClock(T0), embedder=None, background=False) as lapse:
        found = [
            match
            for document in asked(Served(lapse, keys=False).client())
            for text in texts(document)
            if (match := _INSTANT.fullmatch(text))
        ]
        assert len(found) > 20
        assert {each["zone"] for each in found} == {"Z"}


def test_what_is_absent_is_null_and_there() -> None:
    with Lapse.open("memory://", clock=FakeClock(T0), embedder=None, background=False) as lapse:
        client = Served(lapse, keys=False).client()
        asked(client)
        bare = client.get("memories/bare").json()["memory"]
        full = client.get("memories/full").json()["memory"]
        schema = client.get("/openapi.json").json()["components"]["schemas"]["Memory"]
        assert set(schema["required"]) <= set(bare)
        assert set(bare) == set(full)
        assert bare["expires_at"] is None
        assert full["expires_at"] == "2030-01-01T00:00:00Z"
        assert full["occurred_at"] == "2026-01-01T01:00:00Z"
