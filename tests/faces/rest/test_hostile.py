"""Requests that are made to break something: each is told what is wrong with it, and no more."""

import gzip
from collections.abc import Mapping

import pytest

from tests.faces.rest.serving import Client

SAID = "my fear of heights"


@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [
        ("GET", f"plans?limit={10**30}", {}),
        ("GET", f"memories?limit={10**30}", {}),
        ("GET", f"memories?cursor={10**30}", {"Prefer": "positions"}),
        ("GET", "memories?cursor=-1", {"Prefer": "positions"}),
    ],
)
def test_a_number_that_no_store_can_hold_is_the_callers_fault(
    method: str, path: str, headers: Mapping[str, str], operator: Client
) -> None:
    assert operator.request(method, path, headers=headers).status_code == 422


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("memories", {"text": "a", SAID: 1}),
        ("memory-batches", {"drafts": [{"text": "a", SAID: 1}]}),
        ("conversations", {"messages": [{"content": "a", SAID: 1}]}),
        ("memories", {"text": "a", "metadata": {SAID: ["\0"]}}),
    ],
)
def test_what_stands_where_a_name_is_meant_is_not_repeated(
    path: str, body: Mapping[str, object], operator: Client
) -> None:
    answer = operator.request("POST", path, json=body)
    assert (answer.status_code, SAID in answer.text) == (422, False)


def test_a_filter_that_is_unknown_is_answered_with_those_that_are_known_here(
    operator: Client,
) -> None:
    (found,) = operator.get("memories?user=x").json()["faults"]
    known = found["problem"].partition("known are ")[2].split(", ")
    assert "cursor" in known
    assert not {"after", "tenant", "yes"} & {*known}


def test_bytes_in_a_path_that_are_no_text_name_nothing(operator: Client) -> None:
    answer = operator.request("GET", "memories/%ff")
    assert (answer.status_code, answer.json()["faults"][0]["field"]) == (422, "id")


def test_a_body_that_grows_when_it_is_opened_is_not_opened(operator: Client) -> None:
    content = gzip.compress(b'{"text": "' + b"a" * 9999 + b'"}')
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    answer = operator.request("POST", "memories", content=content, headers=headers)
    found = answer.json()["faults"][0]["field"]
    assert (answer.status_code, found) == (422, "Content-Encoding")


def test_a_method_that_a_path_does_not_have_is_answered_with_those_it_has(
    operator: Client,
) -> None:
    answer = operator.request("PUT", "memories/tea")
    assert (answer.status_code, answer.headers["Allow"]) == (405, "GET, HEAD, PATCH")
