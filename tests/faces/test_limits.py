"""How much and how fast: the same limits by REST and by MCP, counted for both together."""

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="needs the extra server")

import httpx2

from lapse.errors import LimitError
from lapse.faces.access import Role
from lapse.faces.app import Lapse
from lapse.faces.limits import Pace
from lapse.model.instants import SECOND, Instant
from lapse.testing.fakes import FakeClock
from tests.faces.conftest import NOW
from tests.faces.whole_helping import closed, key, visit

BANK = "/v1/tenants/default/banks/alice"
PING = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
MCP = {"accept": "application/json, text/event-stream"}


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(NOW)


@pytest.fixture
def lapse(store: Path, clock: FakeClock) -> Iterator[Lapse]:
    with Lapse.open(store, clock=clock, background=False) as opened:
        opened.bank("alice").set_policy(
            {"server.requests_per_minute": 18, "server.max_request_bytes": 2048}
        )
        yield opened


def test_a_burst_passes_a_flood_does_not_and_time_makes_room_again() -> None:
    pace, now = Pace(), Instant(1_000_000_000)
    for _ in range(10):
        pace.check("ada", 60, now)
    with pytest.raises(LimitError) as refused:
        pace.check("ada", 60, now)
    assert refused.value.retry_after_s == pytest.approx(1.0)
    pace.check("bob", 60, now)
    pace.check("ada", 60, Instant(now + SECOND))
    with pytest.raises(LimitError):
        pace.check("ada", 60, Instant(now + SECOND))


def test_a_clock_set_back_makes_no_room_and_takes_none() -> None:
    pace, now = Pace(), Instant(1_000_000_000)
    for at in range(10):
        pace.check("ada", 60, Instant(now - at * SECOND))
    with pytest.raises(LimitError):
        pace.check("ada", 60, Instant(now - 20 * SECOND))


def test_requests_by_rest_and_mcp_are_counted_together(lapse: Lapse, clock: FakeClock) -> None:
    shown, other = key(lapse, Role.OPERATOR), key(lapse, Role.READER)

    async def knock(http: httpx2.AsyncClient) -> None:
        mcp = {**shown, **MCP}
        assert (await http.get(f"{BANK}/statistics", headers=shown)).status_code == 200
        for _ in range(2):
            told = await http.post("/mcp?bank=alice", json=PING, headers=mcp)
            assert told.status_code == 200
        for refused in (
            await http.post("/mcp?bank=alice", json=PING, headers=mcp),
            await http.get(f"{BANK}/statistics", headers=shown),
        ):
            assert refused.status_code == 429
            assert 1 <= int(refused.headers["retry-after"]) <= 4
        assert (await http.get(f"{BANK}/statistics", headers=other)).status_code == 200
        clock.advance(seconds=10)
        assert (await http.post("/mcp?bank=alice", json=PING, headers=mcp)).status_code == 200

    visit(closed(lapse), knock)


def test_a_request_larger_than_may_be_is_refused_by_both(lapse: Lapse) -> None:
    shown = key(lapse, Role.OPERATOR)
    long = "x" * 4096
    call = {"name": "remember", "arguments": {"text": long}}

    async def send(http: httpx2.AsyncClient) -> None:
        asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        told = await http.post("/mcp?bank=alice", json=asked, headers={**shown, **MCP})
        assert (told.status_code, told.json()["error"]) == (413, "too_large")
        told = await http.post(f"{BANK}/memories", json={"text": long}, headers=shown)
        assert (told.status_code, told.json()["error"]) == (413, "TooLargeError")
        assert long not in told.text

    before = lapse.bank("alice").stats().memories
    visit(closed(lapse), send)
    assert lapse.bank("alice").stats().memories == before
