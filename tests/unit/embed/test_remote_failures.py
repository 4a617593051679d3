import json
import time
from collections.abc import Callable

import pytest

from lapse.embed.remote import Endpoint, RemoteEmbedder
from tests.unit.embed.endpoint_service import KEY, Opened, Reply, Service, refused


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_what_may_pass_is_tried_again_after_doubled_waits(
    connect: Callable[..., Opened], service: Service, status: int
) -> None:
    service.replies = [Reply(status=status, body=b"oops")] * 3
    opened = connect(backoff_s=0.5)
    assert opened.embedder.embed(["tea"], None).any()
    assert opened.waits == [0.5, 1.0, 2.0]
    assert len(service.requests) == 4


def test_attempts_end_and_the_error_says_how_often_it_tried(
    connect: Callable[..., Opened], service: Service
) -> None:
    service.replies = [Reply(status=503)] * 9
    opened = connect(attempts=3)
    message = refused(opened)
    assert "answered 503: try again later (tried 3 times)" in message
    assert len(service.requests) == 3
    assert len(opened.waits) == 2


@pytest.mark.parametrize(
    ("headers", "wait_s"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"Retry-After": "0"}, 0.0),
        (
            {
                "Date": "Wed, 21 Oct 2026 07:28:00 GMT",
                "Retry-After": "Wed, 21 Oct 2026 07:28:12 GMT",
            },
            12.0,
        ),
        (
            {
                "Date": "Wed, 21 Oct 2026 07:28:00 GMT",
                "Retry-After": "Tue, 20 Oct 2026 07:28:12 GMT",
            },
            0.0,
        ),
        ({"Retry-After": "soon"}, 0.5),
        ({"Retry-After": "nan"}, 0.5),
        ({"Retry-After": "-3"}, 0.5),
        ({"Retry-After": "Wed, 21 Oct 2026 07:28:12 GMT"}, 0.5),
    ],
)
def test_the_wait_that_the_endpoint_asks_for_is_kept(
    connect: Callable[..., Opened], service: Service, headers: dict[str, str], wait_s: float
) -> None:
    service.replies = [Reply(status=429, headers=headers)]
    opened = connect()
    assert opened.embedder.embed(["tea"], None).any()
    assert opened.waits == [wait_s]


def test_a_wait_beyond_the_limit_fails_at_once(
    connect: Callable[..., Opened], service: Service
) -> None:
    service.replies = [Reply(status=429, headers={"Retry-After": "3600"})]
    opened = connect(longest_wait_s=30.0)
    assert "it asks to wait 3600 s" in refused(opened)
    assert opened.waits == []


def test_own_waits_stay_within_the_limit(connect: Callable[..., Opened], service: Service) -> None:
    service.replies = [Reply(status=500)] * 4
    opened = connect(attempts=5, backoff_s=2.0, longest_wait_s=5.0)
    assert opened.embedder.embed(["tea"], None).any()
    assert opened.waits == [2.0, 4.0, 5.0, 5.0]


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (400, "check the model"),
        (401, "check the API key"),
        (403, "check the API key"),
        (404, "check the address"),
        (413, "make the batches smaller"),
        (302, "check the configuration"),
    ],
)
def test_what_will_not_pass_is_not_tried_again(
    connect: Callable[..., Opened], service: Service, status: int, advice: str
) -> None:
    error = {"error": {"code": "invalid_thing", "message": f"tea time with {KEY} is wrong"}}
    body = json.dumps(error).encode()
    service.replies = [Reply(status=status, body=body, headers={"Location": service.url})]
    opened = connect()
    message = refused(opened)
    assert advice in message
    assert "(invalid_thing)" in message
    assert (len(service.requests), opened.waits) == (1, [])


@pytest.mark.parametrize("code", [KEY + "!", "tea time", 7, None, ["x"], ""])
def test_only_names_are_repeated_from_an_error(
    connect: Callable[..., Opened], service: Service, code: object
) -> None:
    service.replies = [Reply(status=400, body=json.dumps({"error": {"code": code}}).encode())]
    assert "answered 400: " in refused(connect())


@pytest.mark.parametrize(
    "body",
    [
        b'{"data": [{"index": 0, "embed',
        b"",
        b"<html>",
        b"\xff\xfe",
        b"[]",
        b'{"data": {}}',
        b'{"data": [7]}',
        b'{"data": [{"index": 0}]}',
        b'{"data": [{"index": 0, "embedding": "AAAA"}]}',
        b'{"data": [{"index": 0, "embedding": [1, "x"]}]}',
        b'{"data": [{"index": 0, "embedding": [1, true]}]}',
        b'{"data": [{"index": 0, "embedding": [NaN, 1]}]}',
        b'{"data": [{"index": 0, "embedding": [1e300, 1]}]}',
        b'{"data": [{"index": 0, "embedding": [1' + b"0" * 400 + b"]}]}",
    ],
)
def test_a_reply_that_is_cut_or_malformed_is_tried_again_and_then_told(
    connect: Callable[..., Opened], service: Service, body: bytes
) -> None:
    service.replies = [Reply(body=body)]
    opened = connect()
    assert opened.embedder.embed(["tea"], None).any()
    assert opened.waits == [0.5]
    service.replies = [Reply(body=body)] * 4
    assert "(tried 4 times)" in refused(opened)


def test_a_body_shorter_than_announced_is_tried_again(
    connect: Callable[..., Opened], service: Service
) -> None:
    service.replies = [Reply(body=b"{", headers={"Content-Length": "100", "Connection": "close"})]
    opened = connect()
    assert opened.embedder.embed(["tea"], None).any()
    assert opened.waits == [0.5]


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b'{"data": []}', "0 vectors for 1 texts"),
        (b'{"data": [{"embedding": [1]}, {"embedding": [1]}]}', "2 vectors for 1 texts"),
        (b'{"data": [{"index": 5, "embedding": [1]}]}', "did not number"),
        (b'{"data": [{"index": 0, "embedding": []}]}', "[0] dimensions"),
    ],
)
def test_a_reply_to_something_else_is_told_at_once(
    connect: Callable[..., Opened], service: Service, body: bytes, problem: str
) -> None:
    service.replies = [Reply(body=body)]
    opened = connect()
    assert problem in refused(opened)
    assert opened.waits == []


def test_vectors_of_several_dimensions_in_one_reply_are_told(
    connect: Callable[..., Opened], service: Service
) -> None:
    service.replies = [Reply(body=b'{"data": [{"embedding": [1]}, {"embedding": [1, 2]}]}')]
    assert "[1, 2] dimensions in one reply" in refused(connect(), "tea time", "dog")


def test_silence_ends_with_the_timeout(connect: Callable[..., Opened], service: Service) -> None:
    service.replies = [Reply(hold=True)] * 2
    opened = connect(timeout_s=0.05, attempts=2)
    began = time.monotonic()
    assert "no answer within 0.05 s" in refused(opened)
    assert time.monotonic() - began < 5
    assert len(opened.waits) == 1


def test_nobody_listening_is_told_with_the_address(service: Service) -> None:
    waits: list[float] = []
    endpoint = Endpoint(model="words", url="http://127.0.0.1:1/v1", api_key=KEY, attempts=2)
    message = refused(Opened(RemoteEmbedder(endpoint, sleep=waits.append), waits))
    assert "cannot be reached (ConnectError); check the address (tried 2 times)" in message


def test_a_failed_batch_leaves_the_embedder_as_good_as_new(
    connect: Callable[..., Opened], service: Service
) -> None:
    opened = connect(batch=1)
    service.replies = [Reply(), Reply(status=401)]
    refused(opened, "tea time", "dog")
    assert opened.embedder.embed(["tea", "dog"], None).any(axis=1).all()
    opened.embedder.close()
    assert opened.embedder.embed(["tea"], None).any()
