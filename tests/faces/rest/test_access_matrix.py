"""Every route, asked by every role of the owner and by strangers."""

import pytest

from lapse.faces.access import ALLOWED, Role
from lapse.faces.operations import Example, Operation
from lapse.faces.rest.routes import routes
from tests.faces.rest.serving import Served

ROUTES = pytest.mark.parametrize(
    "operation",
    [each.operation for each in routes()],
    ids=[each.operation.name for each in routes()],
)
IN_A_BANK = [each.operation for each in routes() if "{bank}" in each.path]


def first(operation: Operation) -> dict[str, object]:
    example: Example = operation.examples[0]
    return {name: each for name, each in example.given.items() if name not in ("by", "approved_by")}


@ROUTES
@pytest.mark.parametrize("role", Role)
def test_a_role_may_what_the_matrix_says(operation: Operation, role: Role, served: Served) -> None:
    given = first(operation)
    answer = served.client(served.key(role)).ask(operation, given)
    if operation.needs(given) in ALLOWED[role]:
        # Allowed: whatever else an example may lack on this bank, it is not the permission.
        assert answer.status_code not in (401, 403), answer.text
        assert answer.status_code < 500, answer.text
    else:
        assert answer.status_code == 403, answer.text
        assert answer.json()["error"] == "AccessError"


@ROUTES
def test_nobody_comes_in_without_a_key(operation: Operation, served: Served) -> None:
    for key in (None, "lapse_000000000000_" + "0" * 64, "x"):
        answer = served.client(key).ask(operation, first(operation))
        assert answer.status_code == 401
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
        assert answer.json()["error"] == "UnknownCallerError"


@pytest.mark.parametrize("operation", IN_A_BANK, ids=[each.name for each in IN_A_BANK])
def test_what_is_anothers_is_answered_as_what_does_not_exist(
    operation: Operation, served: Served
) -> None:
    key = served.key(banks=("notes", "team"))
    theirs = served.lapse.bank("notes", tenant="other")
    before = [each.memory for each in theirs.list().records], theirs.verify_journal().head
    answers = set()
    for tenant, bank in (
        ("other", "notes"),
        ("nobody", "notes"),
        ("acme", "others"),
        ("*", "notes"),
        ("acme", "*"),
        ("%25", "notes"),
        ("acm_", "notes"),
        ("..%2Fother", "notes"),
    ):
        answer = served.client(key, tenant=tenant, bank=bank).ask(operation, first(operation))
        document = answer.json()
        document.pop("request_id")
        answers.add((answer.status_code, str(document)))
    assert len(answers) == 1
    assert answers.pop()[0] == 404
    assert ([each.memory for each in theirs.list().records], theirs.verify_journal().head) == before
    assert served.lapse.banks(tenant="nobody") == []
    own = served.client(key).ask(operation, first(operation))
    assert own.status_code not in (401, 403), own.text
    assert "no such bank" not in own.text


def test_a_wildcard_opens_what_it_was_granted_for_and_no_name_is_one(served: Served) -> None:
    everywhere = served.key(tenant="*")
    assert served.client(everywhere, tenant="other").get("memories").status_code == 200
    assert served.client(everywhere, tenant="acme").get("memories").status_code == 200
    assert served.client(everywhere, tenant="*").get("memories").status_code == 404
    assert served.client(everywhere, bank="*").get("memories").status_code == 404


def test_an_id_of_another_tenant_is_one_that_does_not_exist(served: Served) -> None:
    client = served.client(served.key())
    for method, path, body in (
        ("GET", "memories/{}", None),
        ("GET", "memories/{}/history", None),
        ("PATCH", "memories/{}", {"text": "mine"}),
        ("POST", "pins", {"ids": ["{}"]}),
        ("POST", "reinforcements", {"ids": ["{}"]}),
        ("POST", "suppressions", {"ids": ["{}"]}),
        ("POST", "restorations", {"ids": ["{}"], "reason": "mine"}),
        ("POST", "erasures", {"ids": ["{}"]}),
        ("POST", "explanations", {"query": "x", "id": "{}"}),
    ):
        answers = []
        for name in ("secret", "nobody"):
            given = None if body is None else {k: _named(v, name) for k, v in body.items()}
            answer = client.request(method, path.format(name), json=given)
            told = answer.json()
            told.pop("request_id")
            answers.append((answer.status_code, str(told).replace(name, "…")))
        assert answers[0] == answers[1], path
        assert answers[0][0] == 404, answers
    assert served.lapse.bank("notes", tenant="other").get("secret").memory.text.startswith("The")


def _named(value: object, name: str) -> object:
    if isinstance(value, list):
        return [_named(each, name) for each in value]
    return str(value).format(name)


def test_without_a_key_in_the_store_everybody_on_this_machine_is_the_host(served: Served) -> None:
    open_house = Served(served.lapse, keys=False)
    stranger = open_house.client()
    assert stranger.get("memories").status_code == 200
    key = open_house.key()
    assert stranger.get("memories").status_code == 401
    assert open_house.client(key).get("memories").status_code == 200
    open_house.ring.revoke(open_house.ring.all()[0].id, now=served.lapse.parts.clock.now())
    assert stranger.get("memories").status_code == 401


def test_the_journal_says_who_and_through_which_face(served: Served) -> None:
    client = served.client(served.key(Role.WRITER))
    assert client.post("memories", {"text": "The pear is ripe", "id": "p"}).status_code == 201
    told = served.lapse.bank("notes", tenant="acme").history("p").happenings
    assert [(each.by, each.via) for each in told] == [("ada", "rest")]
    forged = client.post("memories", {"text": "The plum is ripe", "by": "bob"})
    assert (forged.status_code, forged.json()["fields"]) == (403, {"field": "by"})
    assert client.post("memories", {"text": "Figs are ripe", "by": "ada"}).status_code == 201
