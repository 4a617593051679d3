"""What is wrong is told as a problem, which never holds what was told."""

import logging

import pytest

from lapse.errors import StoreBusyError, StoreFullError
from lapse.faces.access import Role, Voice
from lapse.faces.rest.problems import problem_of
from tests.faces.rest.serving import Client, Served
from tests.faces.rest.test_requests import TEXT, told

PROBLEMS: dict[str, tuple[str, str, object, int, str]] = {
    "unknown path": ("GET", "/v2/x", None, 404, "NotFoundError"),
    "unknown noun": ("GET", "unicorns", None, 404, "NotFoundError"),
    "no such memory": ("GET", "memories/nobody", None, 404, "NotFoundError"),
    "no such method": ("PUT", "memories", None, 405, "MethodNotAllowedError"),
    "a field too many": ("POST", "memories", {"text": TEXT, "tenant": "b"}, 422, "ValidationError"),
    "a field too few": ("POST", "memories", {}, 422, "ValidationError"),
    "of another shape": ("POST", "memories", {"text": [TEXT]}, 422, "ValidationError"),
    "another kind": ("POST", "memories", {"text": TEXT, "kind": TEXT}, 422, "ValidationError"),
    "the same id": ("POST", "memories", {"text": TEXT, "id": "tea"}, 409, "ConflictError"),
    "a filter unknown": ("GET", "memories?user=x", None, 422, "ValidationError"),
    "a bad setting": ("PATCH", "policies/current", {"diff": {"recall.k": 0}}, 422, "PolicyError"),
    "no plan": ("POST", "plans/x/applications", {}, 404, "NotFoundError"),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_every_error_is_a_problem_that_says_what_is_wrong(name: str, operator: Client) -> None:
    method, path, body, status, kind = PROBLEMS[name]
    answer = operator.request(method, path, json=body)
    problem = answer.json()
    assert (answer.status_code, problem["status"], problem["error"]) == (status, status, kind)
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert problem["type"] == f"urn:lapse:error:{kind}"
    assert problem["title"]
    assert problem["detail"]
    assert "violet" not in answer.text


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"[]",
        b'"x"',
        b"nul",
        b'{"text": NaN}',
        b'{"text":"a","text":"b"}',
        b"\xff",
        b"[" * 9999,
    ],
)
def test_a_body_that_is_no_object_is_refused(content: bytes, operator: Client) -> None:
    headers = {"Content-Type": "application/json"}
    answer = operator.request("POST", "memories", content=content, headers=headers)
    assert (answer.status_code, answer.json()["faults"][0]["field"]) == (422, "body")


def test_another_media_type_is_refused_by_name(operator: Client) -> None:
    answer = operator.request(
        "POST", "memories", content=b"text=x", headers={"Content-Type": "text/plain"}
    )
    assert (answer.status_code, answer.json()["faults"][0]["field"]) == (422, "Content-Type")


def test_no_problem_and_no_log_line_holds_what_was_told(
    operator: Client, served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    told(operator, TEXT, id="e")
    for method, path, body in (
        ("POST", "memories", {"text": TEXT, "created_at": TEXT}),
        ("POST", "memories", {"text": TEXT, "tags": TEXT, "importance": TEXT}),
        ("POST", "memories", {"text": TEXT * 3000}),
        ("POST", "memory-batches", {"drafts": [TEXT, {"text": TEXT, TEXT[:9]: 1}]}),
        ("POST", "recalls", {"query": TEXT, "kinds": [TEXT], "k": TEXT}),
        ("PATCH", "memories/e", {"text": TEXT, "if_version": 9}),
        ("POST", "conversations", {"messages": [{"content": TEXT, "role": TEXT}]}),
    ):
        answer = operator.request(method, path, json=body)
        assert 400 <= answer.status_code < 500, (path, answer.text)
        assert "elephant" not in answer.text, (path, body)
    stranger = served.client("lapse_wrong")
    assert stranger.post("memories", {"text": TEXT}).status_code == 401
    assert "refused: UnknownCallerError" in caplog.text
    assert "elephant" not in caplog.text


def test_a_key_with_a_models_voice_tells_as_a_model(served: Served) -> None:
    model = served.client(served.key(Role.WRITER, voice=Voice.MODEL))
    claimed = {"text": TEXT, "role": "user", "metadata": {"verified": True}}
    memory = model.post("memories", claimed).json()["memory"]
    assert memory["role"] == "model"
    assert model.post("verifications", {"ids": ["tea"]}).status_code == 403
    host = served.client(served.key(Role.WRITER))
    said = host.post("memories", {"text": "The user said so", "role": "user"})
    assert said.json()["memory"]["role"] == "user"


def test_a_store_that_is_full_is_told_as_that_and_not_where_it_lies() -> None:
    error = StoreFullError("no room left at /srv/x.db", fields={"path": "/srv/x.db", "sqlite": "F"})
    told = problem_of(error, "1")
    assert (told.status, told.body["error"]) == (507, "StoreFullError")
    assert "/srv" not in str(told.body)
    assert told.body["fields"] == {"sqlite": "F"}


def test_a_store_that_is_busy_does_not_say_where_it_lies() -> None:
    error = StoreBusyError("/srv/x.db is being written to", fields={"path": "/srv/x.db"})
    told = problem_of(error, "1")
    assert (told.status, told.headers, told.body["fields"]) == (503, {"Retry-After": "1"}, {})
    assert "/srv" not in str(told.body)
