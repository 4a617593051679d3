"""A whole server: REST, MCP, metrics and readiness in one application, by the same keys."""

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="needs the extra server")

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from lapse.faces.access import KeyRing, OpenDoor, Role
from lapse.faces.app import Lapse
from lapse.faces.whole import compose
from lapse.testing.fakes import FakeClock
from tests.faces.conftest import NOW
from tests.faces.mcp_helping import call
from tests.faces.whole_helping import HERE, closed, key, visit


@pytest.fixture
def lapse(store: Path) -> Iterator[Lapse]:
    with Lapse.open(store, clock=FakeClock(NOW), background=False) as opened:
        yield opened


def test_one_key_opens_rest_and_mcp_and_both_are_counted(lapse: Lapse) -> None:
    whole, shown = closed(lapse), key(lapse, Role.OPERATOR)

    async def use_both(http: httpx2.AsyncClient) -> None:
        http.headers.update(shown)
        wire = streamable_http_client(f"{HERE}/mcp?bank=alice", http_client=http)
        async with Client(wire) as client:
            assert (await call(client, "stats"))["result"]["memories"] > 0
        listed = await http.get("/v1/tenants/default/banks/alice/memories/tea")
        assert listed.status_code == 200
        scraped = await http.get("/metrics")
        assert scraped.headers["content-type"].startswith("text/plain")
        for face, operation in (("mcp", "stats"), ("rest", "get")):
            counted = f'face="{face}",operation="{operation}",outcome="ok"}} 1.0'
            assert counted in scraped.text

    visit(whole, use_both)


@pytest.mark.parametrize(
    ("role", "status"),
    [
        (Role.READER, 403),
        (Role.WRITER, 403),
        (Role.APPROVER, 403),
        (Role.AUDITOR, 200),
        (Role.OPERATOR, 200),
    ],
)
def test_metrics_are_read_by_whoever_may_audit(lapse: Lapse, role: Role, status: int) -> None:
    shown = key(lapse, role)

    async def scrape(http: httpx2.AsyncClient) -> None:
        assert (await http.get("/metrics")).status_code == 401
        assert (await http.get("/metrics", headers=shown)).status_code == status

    visit(closed(lapse), scrape)


@pytest.mark.parametrize(
    ("tenant", "bank", "status"),
    [("default", "*", 403), ("other", "*", 403), ("*", "alice", 403), ("*", "*", 200)],
)
def test_metrics_of_several_tenants_are_for_keys_that_reach_them_all(
    lapse: Lapse, tenant: str, bank: str, status: int
) -> None:
    lapse.bank("notes", tenant="other").remember("The kettle is blue")
    shown = key(lapse, Role.AUDITOR, tenant, bank)

    async def scrape(http: httpx2.AsyncClient) -> None:
        answer = await http.get("/metrics", headers=shown)
        assert answer.status_code == status
        assert ("--tenant '*'" in answer.text) == (status == 403)

    visit(closed(lapse), scrape)


def test_a_server_without_keys_serves_this_machine_alone_by_mcp_too(lapse: Lapse) -> None:
    whole = compose(lapse, OpenDoor(KeyRing(lapse.notes), lapse.parts.entropy))
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    headers = {"accept": "application/json, text/event-stream"}

    async def ask(http: httpx2.AsyncClient) -> None:
        assert (await http.post("/mcp", json=asked, headers=headers)).status_code == 200
        elsewhere = {**headers, "host": "evil.example"}
        assert (await http.post("/mcp", json=asked, headers=elsewhere)).status_code == 421
        assert (await http.get("/metrics")).status_code == 200
        for header in ("Host", "Origin"):
            led = await http.get("/metrics", headers={header: "http://page.example"})
            assert led.status_code == 403, header

    visit(whole, ask)


def test_a_server_is_ready_while_its_store_is_tended(lapse: Lapse) -> None:
    whole = closed(lapse)

    async def look(http: httpx2.AsyncClient) -> None:
        before = await http.get("/readyz")
        assert (before.status_code, before.json()["scheduler"]) == (503, "failing")
        whole.tender.start()
        try:
            after = await http.get("/readyz")
            assert (after.status_code, after.json()["scheduler"]) == (200, "ok")
        finally:
            whole.tender.stop()

    visit(whole, look)


def test_a_round_takes_the_census(lapse: Lapse) -> None:
    whole = closed(lapse)
    assert whole.tender.round()
    told = whole.meter.text().decode()
    assert 'lapse_banks{mode="rank"} 1.0' in told
    assert 'lapse_rounds_total{outcome="ok"} 1.0' in told
