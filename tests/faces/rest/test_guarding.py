"""What keeps strangers out of a served store: slowed guesses, equal comparisons, no pages."""

import hmac

import pytest

from lapse.faces.access import Role
from lapse.faces.access.door import FREE_FAILURES
from lapse.testing.fakes import FakeClock
from tests.faces.rest.serving import Served

WRONG = "lapse_000000000000_" + "0" * 64
ORIGIN = {"Origin": "https://evil.example"}


def clock_of(served: Served) -> FakeClock:
    clock = served.lapse.parts.clock
    assert isinstance(clock, FakeClock)
    return clock


def test_guessing_is_slowed_by_the_clock_and_a_right_key_waits_for_nobody(served: Served) -> None:
    right, guessing = served.client(served.key(Role.READER)), served.client(WRONG)
    for _ in range(FREE_FAILURES):
        assert guessing.get("memories").status_code == 401
    waits = []
    for _ in range(4):
        slowed = guessing.get("memories")
        assert (slowed.status_code, slowed.json()["error"]) == (429, "LimitError")
        waits.append(int(slowed.headers["Retry-After"]))
        clock_of(served).advance(seconds=waits[-1])
        assert guessing.get("memories").status_code == 401
    assert waits == [1, 2, 4, 8]
    assert right.get("memories").status_code == 200


def test_every_key_is_compared_once_in_constant_time_whether_it_is_there_or_not(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = served.key(Role.READER)
    compared: list[tuple[int, int]] = []
    compare = hmac.compare_digest

    def watched(one: bytes, other: bytes) -> bool:
        compared.append((len(one), len(other)))
        return compare(one, other)

    monkeypatch.setattr(hmac, "compare_digest", watched)
    near = right[:-1] + ("0" if right[-1] != "0" else "1")
    far = right[:-64] + "f" * 64
    told = {}
    for shown in (right, near, far, WRONG, "lapse_x", "x", ""):
        compared.clear()
        answer = served.client(shown).get("memories")
        told[shown] = answer.status_code, answer.json().get("detail", "")
        assert compared == [(32, 32)], shown
    assert told.pop(right)[0] == 200
    assert len(set(told.values())) == 1
    assert {status for status, _ in told.values()} == {401}


@pytest.mark.parametrize("path", ["memories", "recalls", "/openapi.json", "/healthz"])
def test_no_page_of_another_origin_is_let_read_or_write(path: str, served: Served) -> None:
    client = served.client(served.key())
    preflight = {
        **ORIGIN,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization, content-type",
    }
    for answer in (
        client.request("OPTIONS", path, headers=preflight),
        client.request("GET", path, headers=ORIGIN),
        client.request("POST", path, headers=ORIGIN, json={"query": "x"}),
    ):
        allowed = [name for name in answer.headers if name.lower().startswith("access-control")]
        assert allowed == []


@pytest.mark.parametrize(
    "sent",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:8377"},
        {"Host": "127.0.0.1.evil.example"},
        {"Host": "[::1"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost.evil.example:8377"},
    ],
)
def test_a_page_of_elsewhere_reads_and_writes_nothing_where_no_key_is_asked(
    sent: dict[str, str], served: Served
) -> None:
    open_house = Served(served.lapse, keys=False).client()
    body = b'{"text": "The pear is ripe"}'
    told = (
        open_house.request("POST", "memories", content=body, headers=sent),
        open_house.request("GET", "memories", headers=sent),
        open_house.request("POST", "sweeps", headers=sent),
        open_house.request("POST", "exports", headers=sent),
        open_house.request("POST", "imports", content=b"", headers=sent),
    )
    assert {(each.status_code, each.json()["error"]) for each in told} == {(403, "AccessError")}
    assert len(served.lapse.bank("notes", tenant="acme").list().records) == 2
    for own in ({"Host": "localhost:8377"}, {"Host": "[::1]:8377"}, {"Origin": "http://127.0.0.1"}):
        assert open_house.request("GET", "memories", headers=own).status_code == 200
    keyed = served.client(served.key())
    assert keyed.request("GET", "memories", headers={"Host": "memory.example"}).status_code == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded"])
def test_a_body_of_another_kind_writes_nothing(kind: str, served: Served) -> None:
    open_house = Served(served.lapse, keys=False).client()
    body = b'{"text": "The pear is ripe"}'
    answer = open_house.request("POST", "memories", content=body, headers={"Content-Type": kind})
    assert answer.status_code == 422
    assert len(open_house.get("memories").json()["records"]) == 2
    told = open_house.request(
        "POST", "memories", content=body, headers={"Content-Type": "application/json"}
    )
    assert told.status_code == 201
