"""What served faces log of a request: its id, what was asked and how it ended, and no content."""

import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="needs the extra server")

import httpx2

from lapse.faces.access import Role
from lapse.faces.app import Lapse
from lapse.faces.logs import LogLevel, log_to
from lapse.testing.fakes import FakeClock
from tests.faces.conftest import NOW
from tests.faces.whole_helping import closed, key, visit

BANK = "/v1/tenants/default/banks/alice"
MCP = {"accept": "application/json, text/event-stream"}
TEXT = "The harbour is guarded at night"


@pytest.fixture
def lapse(store: Path) -> Iterator[Lapse]:
    with Lapse.open(store, clock=FakeClock(NOW), background=False) as opened:
        yield opened


@pytest.fixture
def logged() -> Iterator[io.StringIO]:
    root, own = logging.getLogger(), logging.getLogger("lapse")
    before = root.handlers[:], root.level, own.level
    stream = io.StringIO()
    log_to(stream, LogLevel.INFO)
    yield stream
    root.handlers[:], level, own_level = before
    root.setLevel(level)
    own.setLevel(own_level)


def lines(logged: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(each) for each in logged.getvalue().splitlines()]


def test_every_answer_is_logged_once_under_the_id_that_it_carries(
    lapse: Lapse, logged: io.StringIO
) -> None:
    shown = key(lapse, Role.OPERATOR)
    ids: list[str] = []

    async def ask(http: httpx2.AsyncClient) -> None:
        named = {**shown, "x-request-id": "mine-1"}
        ids.append(
            (await http.post(f"{BANK}/memories", json={"text": TEXT}, headers=named)).headers[
                "x-request-id"
            ]
        )
        call = {"name": "recall", "arguments": {"query": TEXT}}
        asked = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": call}
        told = await http.post("/mcp?bank=alice", json=asked, headers={**shown, **MCP})
        ids.append(told.headers["x-request-id"])
        ids.append(
            (await http.get(f"{BANK}/memories/nobody", headers=shown)).headers["x-request-id"]
        )

    visit(closed(lapse), ask)
    told = [
        (each["request"], each["face"], each["operation"], each["status"])
        for each in lines(logged)
        if each["message"] == "answered"
    ]
    assert told == [
        ("mine-1", "rest", "remember", 201),
        (ids[1], "mcp", "recall", "ok"),
        (ids[2], "rest", "get", 404),
    ]
    assert ids[0] == "mine-1"
    assert len(set(ids)) == 3
    assert all(float(str(each["duration_ms"])) >= 0 for each in lines(logged))
    assert "harbour" not in logged.getvalue()


def test_whoever_is_turned_away_is_logged_without_what_they_showed(
    lapse: Lapse, logged: io.StringIO
) -> None:
    key(lapse, Role.OPERATOR)
    wrong = f"lapse_{'0' * 12}_{'5' * 64}"

    async def ask(http: httpx2.AsyncClient) -> None:
        headers = {"authorization": f"Bearer {wrong}"}
        assert (await http.get(f"{BANK}/memories", headers=headers)).status_code == 401

    visit(closed(lapse), ask)
    warned = [each for each in lines(logged) if each["level"] == "warning"]
    assert [(each["operation"], each["face"]) for each in warned] == [("list", "rest")]
    assert "UnknownCallerError" in str(warned[0]["message"])
    assert "5555" not in logged.getvalue()


def test_a_name_for_a_request_that_could_forge_a_line_is_not_taken(
    lapse: Lapse, logged: io.StringIO
) -> None:
    shown = key(lapse, Role.OPERATOR)

    async def ask(http: httpx2.AsyncClient) -> None:
        told = await http.get(f"{BANK}/statistics", headers={**shown, "x-request-id": 'a" evil="x'})
        assert "evil" not in told.headers["x-request-id"]

    visit(closed(lapse), ask)
    assert "evil" not in logged.getvalue()
