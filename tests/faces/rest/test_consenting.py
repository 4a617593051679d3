"""Confirming what was shown: in the content it had, and where two people are needed by two."""

from collections.abc import Mapping

import pytest

from lapse.faces.access import Role
from lapse.testing.fakes import FakeClock
from tests.faces.rest.serving import Client, Served

NOUNS = pytest.mark.parametrize("noun", ["suppressions", "archivals", "forgettings", "erasures"])
LUNCH: Mapping[str, object] = {"ids": ["lunch"], "reason": "over"}


@pytest.fixture
def two(served: Served) -> Served:
    """The same bank, where nothing leaves attention by one person's word."""
    served.lapse.bank("notes", tenant="acme").set_policy({"retention.two_person": True}, by="ada")
    return served


def shown(client: Client, noun: str, body: Mapping[str, object]) -> str:
    answer = client.post(noun, body)
    assert answer.status_code == 200, answer.text
    name: str = answer.json()["preview"]["id"]
    return name


def approved(client: Client, noun: str, preview: str) -> str:
    answer = client.post(noun, {"ids": ["lunch"], "approve": preview})
    assert answer.status_code == 200, answer.text
    told = answer.json()
    assert told["applied"] is False
    assert "preview" not in told
    name: str = told["approval"]["id"]
    return name


@NOUNS
def test_the_owner_of_a_second_key_stands_for_what_the_first_asked_for(
    noun: str, two: Served
) -> None:
    ada = two.client(two.key(owner="ada"))
    bob = two.client(two.key(Role.APPROVER, owner="bob"))
    preview = shown(ada, noun, LUNCH)
    alone = ada.post(noun, {**LUNCH, "confirm": preview})
    assert (alone.status_code, alone.json()["faults"][0]["field"]) == (422, "approved_by")
    approval = approved(bob, noun, preview)
    done = ada.post(noun, {**LUNCH, "confirm": preview, "approval": approval})
    assert done.status_code == 200, done.text
    assert done.json()["applied"] is True
    ref = two.lapse.bank("notes", tenant="acme").ref
    acts = [each for each in two.lapse.parts.store.journal(ref, 0, 100) if each.approved_by]
    assert [(each.by, each.approved_by) for each in acts][-1] == ("ada", "bob")


def test_nobody_is_the_second_person_of_their_own_request(two: Served) -> None:
    ada, again = two.client(two.key(owner="ada")), two.client(two.key(owner=" ADA"))
    preview = shown(ada, "erasures", LUNCH)
    for client in (ada, again):
        own = approved(client, "erasures", preview)
        told = ada.post("erasures", {**LUNCH, "confirm": preview, "approval": own})
        assert (told.status_code, told.json()["faults"][0]["field"]) == (422, "approved_by")
    assert two.lapse.bank("notes", tenant="acme").get("lunch").memory.text


@pytest.mark.parametrize("role", [Role.READER, Role.WRITER, Role.AUDITOR])
def test_a_role_that_may_not_approve_cannot_consent(role: Role, two: Served) -> None:
    preview = shown(two.client(two.key(owner="ada")), "suppressions", LUNCH)
    other = two.client(two.key(role, owner="bob"))
    refused = other.post("suppressions", {"ids": ["lunch"], "approve": preview})
    assert refused.status_code == 403


def test_a_consent_is_to_one_preview_as_it_was_and_ends_with_it_and_with_the_key(
    two: Served,
) -> None:
    ada = two.client(two.key(owner="ada"))
    bob = two.client(two.key(Role.APPROVER, owner="bob"))
    preview = shown(ada, "suppressions", LUNCH)
    other = {"ids": ["tea"], "approve": preview}
    assert bob.post("suppressions", other).status_code == 409
    assert bob.post("archivals", {"ids": ["lunch"], "approve": preview}).status_code == 409
    assert bob.post("suppressions", {"ids": ["lunch"], "approve": "forged"}).status_code == 409
    approval = approved(bob, "suppressions", preview)
    clock = two.lapse.parts.clock
    assert isinstance(clock, FakeClock)
    clock.advance(seconds=1)
    second = shown(ada, "suppressions", LUNCH)
    wrong = {**LUNCH, "confirm": second, "approval": approval}
    assert ada.post("suppressions", wrong).json()["fields"] == {"field": "approval"}
    (key,) = [each for each in two.ring.all() if each.grant.owner == "bob"]
    two.ring.revoke(key.id, now=clock.now())
    late = {**LUNCH, "confirm": preview, "approval": approval}
    assert ada.post("suppressions", late).status_code == 409
    assert two.lapse.bank("notes", tenant="acme").suppressed().records == ()


@pytest.mark.parametrize(
    "body",
    [
        {"approve": 7},
        {"approval": "x"},
        {"approve": "x", "confirm": "y"},
        {"approve": "x", "confirm": "y", "approval": "z"},
    ],
)
def test_words_that_do_not_go_together_are_refused(body: object, operator: Client) -> None:
    assert isinstance(body, dict)
    assert operator.post("suppressions", {**LUNCH, **body}).status_code == 422


@NOUNS
def test_what_was_written_anew_since_it_was_shown_has_to_be_shown_again(
    noun: str, served: Served, operator: Client
) -> None:
    preview = shown(operator, noun, LUNCH)
    bank = served.lapse.bank("notes", tenant="acme")
    bank.update("tea", text="I prefer coffee, not tea")
    bank.update("lunch", text="Lunch was what the contract says")
    refused = operator.post(noun, {**LUNCH, "confirm": preview})
    assert refused.status_code == 409
    again = shown(operator, noun, LUNCH)
    assert operator.post(noun, {**LUNCH, "confirm": again}).status_code == 200


@NOUNS
def test_what_others_wrote_meanwhile_changes_no_preview(
    noun: str, served: Served, operator: Client
) -> None:
    preview = shown(operator, noun, LUNCH)
    served.lapse.bank("notes", tenant="acme").update("tea", text="I prefer coffee, not tea")
    assert operator.post(noun, {**LUNCH, "confirm": preview}).status_code == 200
