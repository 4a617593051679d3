"""B185: a search shows ids that deleting by the same surface does not accept.

Over HTTP, with ids that hold signs of paths and queries.
"""

import pytest

from lapse import Lapse
from lapse.testing.fakes import FakeClock
from tests.faces.rest.serving import Client, Served
from tests.reports.helping import T0

IDS = ("plain", "a/b", "a b", "a?b=c&d", "50%", "%2F", "ünï", "..", "#top", "a+b", "a:b;c", '"q"')


def shown(client: Client) -> dict[str, list[str]]:
    plan = client.post("plans", {"ids": list(IDS)}).json()
    return {
        "recall": [
            each["memory"]["id"]
            for each in client.post("recalls", {"query": "boats", "k": 50}).json()["hits"]
        ],
        "list": [each["memory"]["id"] for each in client.get("memories").json()["records"]],
        "plan": [each["memory_id"] for each in plan["items"]],
    }


def test_an_id_that_is_shown_is_accepted_by_every_route() -> None:
    with Lapse.open("memory://", clock=FakeClock(T0), embedder=None, background=False) as lapse:
        client = Served(lapse, keys=False).client()
        for at, name in enumerate(IDS):
            told = client.post("memories", {"text": f"Boats have {at} masts", "id": name})
            if name != "..":
                assert client.get(told.headers["Location"]).json()["memory"]["id"] == name
        found = shown(client)
        assert set(found["list"]) == set(found["recall"]) == set(IDS)
        assert set(found["plan"]) <= set(IDS)
        for name in found["list"]:
            everywhere(client, name)


def everywhere(client: Client, name: str) -> None:
    """Every route that takes an id takes this one."""
    from urllib.parse import quote  # noqa: PLC0415 - only here

    path = f"memories/{quote(name, safe='')}"
    # Dots alone are taken for steps in a path by many clients: such an id is named in a body.
    if name != "..":
        assert client.get(path).json()["memory"]["id"] == name
        assert client.get(f"{path}/history").json()["memory_id"] == name
        changed = client.request("PATCH", path, json={"tags": ["seen"]})
        assert changed.json()["memory"]["id"] == name
    assert client.post("pins", {"ids": [name]}).json() == {"changed": 1}
    assert client.post("pin-removals", {"ids": [name]}).json() == {"changed": 1}
    shown = client.post("forgettings", {"ids": [name]}).json()
    assert shown["ids"] == [name]
    confirm = {"ids": [name], "confirm": shown["preview"]["id"], "by": "ada", "reason": "over"}
    assert client.post("forgettings", confirm).json()["ids"] == [name]
    back = client.post("restorations", {"ids": [name], "by": "ada", "reason": "after all"})
    assert back.json()["ids"] == [name]


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "memories/nobody", None),
        ("PATCH", "memories/nobody", {"text": "x"}),
        ("POST", "pins", {"ids": ["nobody"]}),
        ("POST", "forgettings", {"ids": ["nobody"]}),
        ("POST", "restorations", {"ids": ["nobody"], "by": "ada", "reason": "x"}),
    ],
)
def test_an_unknown_id_says_not_found(method: str, path: str, body: object) -> None:
    with Lapse.open("memory://", clock=FakeClock(T0), embedder=None, background=False) as lapse:
        client = Served(lapse, keys=False).client()
        client.post("memories", {"text": "The boat is red", "id": "boat"})
        answer = client.request(method, path, json=body)
        assert (answer.status_code, answer.json()["error"]) == (404, "NotFoundError")
