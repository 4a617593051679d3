"""Own case of K26: settings are read over HTTP as everywhere else."""

import pytest

from lapse import Lapse
from lapse.testing.fakes import FakeClock
from tests.faces.rest.serving import Client, Served
from tests.reports.helping import T0

WRONG = {
    "forgetting.enabled": ("maybe", 2, "2"),
    "law.decay": ("high", "thirty", "0.9;", "1,5", "1e400", "NaN"),
    "recall.min_relevance": (50, 5000, -1, "5000"),
}
CASES = [(path, each) for path, values in WRONG.items() for each in values]


def served(lapse: Lapse) -> Client:
    return Served(lapse, keys=False).client()


@pytest.mark.parametrize(("path", "value"), CASES)
def test_a_value_that_makes_no_sense_is_refused_and_nothing_changes(
    path: str, value: object
) -> None:
    with Lapse.open("memory://", clock=FakeClock(T0), embedder=None, background=False) as lapse:
        client = served(lapse)
        before = client.get("policies/current").json()["fingerprint"]
        answer = client.request("PATCH", "policies/current", json={"diff": {path: value}})
        assert (answer.status_code, answer.json()["error"]) == (422, "PolicyError")
        assert [each["field"] for each in answer.json()["faults"]] == [path]
        assert client.get("policies/current").json()["fingerprint"] == before


@pytest.mark.parametrize("value", ["false", "FALSE", "no", "off", "0", False])
def test_every_spelling_of_off_is_off(value: object) -> None:
    with Lapse.open("memory://", clock=FakeClock(T0), embedder=None, background=False) as lapse:
        client = served(lapse)
        diff = {"forgetting.enabled": value}
        answer = client.request("PATCH", "policies/current", json={"diff": diff})
        assert (answer.status_code, answer.json()["mode"]) == (200, "off")
