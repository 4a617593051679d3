"""B187: times are read that are hours off, and nobody can tell in which zone they are.

Waits: the page for people, for the workbench.
"""

import json
import time
from collections.abc import Iterator

import pytest

pytest.importorskip("fastapi", reason="needs the extra server: pip install 'lapse[server]'")

from tests.faces.rest.serving import Served
from tests.reports.helping import Place
from tests.reports.helping_b import spoken

NOON = "2026-06-01T12:00:00Z"
TOKYO_NINE = "2026-06-01T21:00:00+09:00"
NEW_YORK = "America/New_York"


@pytest.fixture(autouse=True, params=[NEW_YORK, "Asia/Tokyo", "UTC"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The zone that the machine says it is in."""
    name: str = request.param
    with monkeypatch.context() as patched:
        patched.setenv("TZ", name)
        time.tzset()
        yield name
    time.tzset()


@pytest.mark.parametrize("told", [NOON, TOKYO_NINE])
def test_rest_tells_the_instant_in_utc_and_says_so(place: Place, told: str) -> None:
    client = Served(place.open(), keys=False).client()
    body = {"text": "The boat is red", "id": "boat", "created_at": told, "expires_at": told}
    assert client.post("memories", body).status_code == 201
    memory = client.get("memories/boat").json()["memory"]
    assert (memory["created_at"], memory["expires_at"]) == (NOON, NOON)


def test_rest_tells_another_instant_for_another_zone(place: Place) -> None:
    client = Served(place.open(), keys=False).client()
    wall = TOKYO_NINE.removesuffix("+09:00") + "Z"
    client.post("memories", {"text": "The boat is red", "id": "boat", "created_at": wall})
    assert client.get("memories/boat").json()["memory"]["created_at"] == wall


@pytest.mark.parametrize("told", [NOON, TOKYO_NINE])
def test_the_command_line_tells_the_zone_and_the_right_instant(
    in_file: Place, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    at = ("--db", in_file.target, "--bank", "alice", "--now", NOON)
    said = ("remember", "The boat is red", "--id", "boat", "--created-at", told)
    assert (
        spoken(capsys, monkeypatch, *said, "--expires-at", "2027-01-01T09:00+09:00", *at).code == 0
    )
    shown = spoken(capsys, monkeypatch, "get", "boat", *at)
    assert (shown.code, shown.err) == (0, "")
    assert NOON in shown.out
    assert "2027-01-01T00:00:00Z" in shown.out
    assert "21:00" not in shown.out
    document = json.loads(spoken(capsys, monkeypatch, "get", "boat", "--json", *at).out)
    assert document["memory"]["created_at"] == NOON


def test_a_time_without_a_zone_is_utc_wherever_the_machine_stands(
    in_file: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    at = ("--db", in_file.target, "--bank", "alice", "--now", NOON)
    said = ("remember", "The boat is red", "--id", "boat", "--created-at", "2026-06-01T12:00")
    assert spoken(capsys, monkeypatch, *said, *at).code == 0
    assert in_file.bank().list().records[0].memory.id == "boat"
    client = Served(in_file.open(), keys=False).client(tenant="default", bank="alice")
    assert client.get("memories/boat").json()["memory"]["created_at"] == NOON
