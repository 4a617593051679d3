"""GW1 over HTTP: what is held, erased, too long or ill-formed is refused, and the refusal is kept.

Control: the twin that nobody holds goes by the same request.
"""

from pathlib import Path

import pytest

from lapse import Lapse
from lapse.testing.fakes import FakeClock
from tests.faces.rest.serving import Client, Served
from tests.journeys.test_acceptance_GW1 import refusals, stands, told
from tests.reports.helping import T0


def client_of(lapse: Lapse) -> Client:
    return Served(lapse, keys=False).client(tenant="default", bank="alice")


def confirmed(client: Client, noun: str, name: str) -> int:
    given = {"ids": [name], "by": "anna", "reason": "over"}
    shown = client.post(noun, given).json()
    return client.post(noun, {**given, "confirm": shown["preview"]["id"]}).status_code


@pytest.mark.parametrize("noun", ["suppressions", "archivals", "forgettings", "erasures"])
def test_what_is_held_is_refused_and_its_twin_goes(noun: str, tmp_path: Path) -> None:
    with told(tmp_path / "lapse.db") as lapse:
        bank, client = lapse.bank("alice"), client_of(lapse)
        assert confirmed(client, noun, "held") == 409
        assert refusals(bank) == 1
        assert stands(bank, "held")
        assert confirmed(client, noun, "free") == 200
        assert not stands(bank, "free")


def test_a_sweep_and_a_plan_pass_by_what_is_held(tmp_path: Path) -> None:
    with told(tmp_path / "lapse.db") as lapse:
        bank, client = lapse.bank("alice"), client_of(lapse)
        plan = client.post("plans", {"ids": ["held", "free"], "by": "anna"}).json()["id"]
        approval = {"by": "bert", "reason": "over"}
        assert client.post(f"plans/{plan}/approvals", approval).status_code == 200
        assert client.post(f"plans/{plan}/applications", {}).status_code == 200
        assert client.post("sweeps", {}).status_code == 200
        assert stands(bank, "held")
        assert not stands(bank, "free")


@pytest.mark.parametrize("text", ["", "   ", "x" * 70_000, "nul \x00"])
@pytest.mark.parametrize("noun", ["memories", "memory-batches", "conversations", "memories/free"])
def test_what_may_not_be_told_is_refused_whole(noun: str, text: str, tmp_path: Path) -> None:
    bodies: dict[str, dict[str, object]] = {
        "memories": {"text": text},
        "memory-batches": {"drafts": [{"text": "fine"}, {"text": text}]},
        "conversations": {"messages": [{"content": text, "role": "user"}]},
        "memories/free": {"text": text},
    }
    with told(tmp_path / "lapse.db") as lapse:
        client = client_of(lapse)
        before = client.get("memories").json()
        method = "PATCH" if "/" in noun else "POST"
        refused = client.request(method, noun, json=bodies[noun])
        assert refused.status_code == 422
        assert client.get("memories").json() == before


def test_what_was_erased_comes_back_by_no_route() -> None:
    with Lapse.open("memory://", clock=FakeClock(T0), embedder=None, background=False) as lapse:
        client = client_of(lapse)
        secret = "The code of the safe is 4711"
        client.post("memories", {"text": secret, "id": "s"})
        client.post("memories", {"text": "The safe is grey", "id": "g"})
        assert confirmed(client, "erasures", "s") == 200
        for noun, body in (
            ("memories", {"text": secret}),
            ("memory-batches", {"drafts": [{"text": secret.upper()}]}),
            ("supersessions", {"new": secret, "old": ["g"]}),
        ):
            answer = client.post(noun, body)
            told_of = answer.json()
            actions = [each["action"] for each in told_of.get("remembered", [])]
            assert answer.status_code == 409 or actions == ["refused"], (noun, answer.text)
        assert client.request("PATCH", "memories/g", json={"text": secret}).status_code == 409
        assert client.post("memories", {"text": "The code of the gate is 12"}).status_code == 201
