"""A yes to a preview stands for one act, and so does a second person's consent to it."""

import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="needs the extra server: pip install 'lapse[server]'")

from lapse.faces.access import Role
from lapse.faces.app import Lapse
from lapse.model.retention import Lifecycle
from lapse.testing.fakes import FakeClock
from tests.faces.conftest import NOW
from tests.faces.rest.serving import Client, Served

BODY: Mapping[str, object] = {"ids": ["tea"], "reason": "over"}


@pytest.fixture
def lapse(store: Path) -> Iterator[Lapse]:
    with Lapse.open(store, clock=FakeClock(NOW), background=False) as opened:
        yield opened


def client_of(served: Served, owner: str, role: Role = Role.OPERATOR) -> Client:
    key = served.key(role, owner=owner, tenant="default")
    return served.client(key, tenant="default", bank="alice")


def previewed(client: Client, noun: str) -> str:
    return str(client.post(noun, BODY).json()["preview"]["id"])


def test_what_was_put_back_is_not_taken_away_by_the_yes_of_before(lapse: Lapse) -> None:
    ada, bank = client_of(Served(lapse), "ada"), lapse.bank("alice")
    confirmed = {**BODY, "confirm": previewed(ada, "suppressions")}
    assert ada.post("suppressions", confirmed).status_code == 200
    bank.restore(["tea"], by="bob", reason="still wanted")
    again = ada.post("suppressions", confirmed)
    assert (again.status_code, again.json()["fields"]["field"]) == (409, "confirm")
    assert bank.get("tea").state.lifecycle is Lifecycle.ACTIVE
    confirmed["confirm"] = previewed(ada, "suppressions")
    assert ada.post("suppressions", confirmed).status_code == 200


def test_a_second_persons_consent_stands_for_one_act(lapse: Lapse) -> None:
    bank = lapse.bank("alice")
    bank.set_policy({"retention.two_person": True}, by="ada")
    served = Served(lapse)
    ada, bob = client_of(served, "ada"), client_of(served, "bob", Role.APPROVER)
    preview = previewed(ada, "suppressions")
    approval = bob.post("suppressions", {"ids": ["tea"], "approve": preview}).json()["approval"]
    both = {**BODY, "confirm": preview, "approval": approval["id"]}
    assert ada.post("suppressions", both).status_code == 200
    bank.restore(["tea"], by="bob", reason="a mistake")
    assert ada.post("suppressions", both).status_code == 409
    assert bank.get("tea").state.lifecycle is Lifecycle.ACTIVE


def test_a_yes_that_failed_may_be_given_again(lapse: Lapse) -> None:
    lapse.bank("alice").set_policy({"retention.two_person": True}, by="ada")
    served = Served(lapse)
    ada, bob = client_of(served, "ada"), client_of(served, "bob", Role.APPROVER)
    preview = previewed(ada, "erasures")
    confirmed = {**BODY, "confirm": preview}
    assert ada.post("erasures", confirmed).status_code == 422
    approval = bob.post("erasures", {"ids": ["tea"], "approve": preview}).json()["approval"]
    assert ada.post("erasures", {**confirmed, "approval": approval["id"]}).status_code == 200


def test_of_two_that_say_yes_at_once_one_acts(lapse: Lapse) -> None:
    ada = client_of(Served(lapse), "ada")
    confirmed = {**BODY, "confirm": previewed(ada, "archivals")}
    told: list[int] = []
    together = threading.Barrier(2)

    def say() -> None:
        together.wait(30)
        told.append(ada.post("archivals", confirmed).status_code)

    threads = [threading.Thread(target=say) for _ in range(2)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(60)
    assert sorted(told) in ([200, 409], [200, 422])
