"""Two servers of one file: what one said holds at the other, and strangers learn of nothing."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import FrameType

import pytest

from lapse import Lapse
from lapse.errors import NotFoundError
from lapse.faces.access import Role
from lapse.faces.rest.asking import Asked
from lapse.faces.rest.routes import BANK
from lapse.faces.rest.service import Service
from lapse.testing.fakes import FakeClock
from tests.faces.conftest import NOW
from tests.faces.rest.serving import Served

SERVERS = 2


@pytest.fixture
def both(tmp_path: Path) -> Iterator[list[Served]]:
    with ExitStack() as stack:
        stores = [
            stack.enter_context(
                Lapse.open(tmp_path / "s.db", clock=FakeClock(NOW), embedder=None, background=False)
            )
            for _ in range(SERVERS)
        ]
        stores[0].bank("notes", tenant="acme").remember("I prefer tea", id="tea")
        yield [Served(each) for each in stores]


def test_what_one_server_said_holds_at_the_other(both: list[Served]) -> None:
    key = both[0].key()
    one, other = (each.client(key) for each in both)
    told = {"text": "The pear is ripe", "id": "pear"}
    first = one.post("memories", told, Idempotency_Key="once")
    again = other.post("memories", told, Idempotency_Key="once")
    assert (first.status_code, again.json()) == (201, first.json())
    assert again.headers["Idempotent-Replayed"] == "true"
    page = one.get("memories?limit=1").json()
    assert other.get(f"memories?cursor={page['next_cursor']}").json()["records"]
    shown = one.post("suppressions", {"ids": ["pear"]}).json()["preview"]["id"]
    done = other.post("suppressions", {"ids": ["pear"], "reason": "over", "confirm": shown})
    assert done.json()["applied"] is True
    begun = one.post("drains", {}, Prefer="respond-async")
    assert begun.status_code == 202
    job = begun.headers["Location"]
    both[0].app.state.service.close()
    assert other.get(job).json()["status"] in ("done", "failed")
    both[0].ring.revoke(both[0].ring.all()[0].id, now=both[0].lapse.parts.clock.now())
    assert {each.get("memories").status_code for each in (one, other)} == {401}


def test_one_yes_is_one_act_at_whichever_server(both: list[Served]) -> None:
    key = both[0].key()
    one, other = (each.client(key) for each in both)
    body = {"ids": ["tea"], "reason": "over"}
    yes = {**body, "confirm": one.post("archivals", body).json()["preview"]["id"]}
    assert one.post("archivals", yes).json()["applied"] is True
    both[0].lapse.bank("notes", tenant="acme").restore(["tea"], by="bob", reason="wanted")
    again = other.post("archivals", yes)
    assert (again.status_code, again.json()["fields"]) == (409, {"field": "confirm"})


def test_only_one_of_two_servers_holds_a_lease(both: list[Served]) -> None:
    stores = [each.lapse for each in both]
    bank = stores[0].bank("notes", tenant="acme")
    bank.set_policy({"forgetting.mode": "lifecycle", "forgetting.auto_apply": True})
    for each in stores:
        assert isinstance(each.parts.clock, FakeClock)
        each.parts.clock.advance(days=3_650, hours=13)
    swept = [len([one for one in each.tend() if one.report is not None]) for each in stores]
    assert swept == [1, 0]


def calls(service: Service, asked: Asked) -> list[str]:
    """Which functions of ours letting somebody in calls, in order."""
    found: list[str] = []

    def note(frame: FrameType, event: str, _given: object) -> None:
        code = frame.f_code
        if event == "call" and "/lapse/" in code.co_filename:
            found.append(code.co_qualname)

    sys.setprofile(note)
    try:
        with pytest.raises(NotFoundError):
            service.welcome(asked, BANK)
    finally:
        sys.setprofile(None)
    return found


def test_a_bank_of_somebody_else_is_turned_away_by_the_same_steps_as_none(
    both: list[Served],
) -> None:
    lapse, served = both[0].lapse, both[0]
    lapse.bank("notes", tenant="other").remember("The harbour is guarded")
    lapse.bank("ours", tenant="acme").remember("The harbour is guarded")
    key = served.key(Role.READER, banks=("notes",))
    service = served.app.state.service

    def steps(tenant: str, bank: str) -> list[str]:
        asked = Asked(
            path={"tenant": tenant, "bank": bank},
            query=(),
            headers={"authorization": f"Bearer {key}"},
            address="127.0.0.1",
            request_id="r",
        )
        return calls(service, asked)

    steps("acme", "nothing")  # what a key's record says is read once
    # No step differs, so that no store is asked about one and not about the other.
    theirs, nobodys = steps("other", "notes"), steps("nobody", "notes")
    ours, none = steps("acme", "ours"), steps("acme", "nothing")
    assert theirs == nobodys
    assert ours == none
    assert not any("refs" in each or "limits_of" in each for each in theirs + ours)
