import itertools
import json
import sys
import time
from collections.abc import Callable, Iterator

import pytest

from lapse.errors import GeneratorError, ValidationError
from lapse.ports import Generate
from lapse.remote.asking import Waiting
from lapse.remote.chat import ChatEndpoint, ChatModel
from tests.unit.remote.chat_service import KEY, Bad, ChatService, chat_service, said

PROMPT = "How much does the heron matter?"


@pytest.fixture
def service() -> Iterator[ChatService]:
    with chat_service() as found:
        yield found


@pytest.fixture
def connect(service: ChatService) -> Iterator[Callable[..., ChatModel]]:
    opened: list[ChatModel] = []

    def build(waiting: Waiting | None = None, **settings: object) -> ChatModel:
        chosen = {"model": "small", "url": service.url, "api_key": KEY, **settings}
        endpoint = ChatEndpoint(**chosen)  # type: ignore[arg-type]
        opened.append(ChatModel(endpoint, waiting or Waiting(sleep=lambda _: None)))
        return opened[-1]

    yield build
    for each in opened:
        each.close()


def _refused(model: ChatModel) -> str:
    with pytest.raises(GeneratorError) as caught:
        model(PROMPT)
    message = f"{caught.value} {caught.value.fields} {caught.value.__cause__!r}"
    assert KEY not in message
    assert "heron" not in message
    assert "small at http://127.0.0.1" in message
    return message


def test_a_prompt_is_sent_alone_and_its_answer_given(
    connect: Callable[..., ChatModel], service: ChatService
) -> None:
    model: Generate = connect(max_tokens=12)
    assert model(PROMPT) == "7"
    (request,) = service.requests
    assert request["path"] == "/v1/chat/completions"
    assert request["messages"] == [{"role": "user", "content": PROMPT}]
    assert (request["model"], request["max_tokens"], request["temperature"]) == ("small", 12, 0)
    assert service.keys == [f"Bearer {KEY}"]


def test_without_a_key_none_is_sent(
    connect: Callable[..., ChatModel], service: ChatService
) -> None:
    connect(api_key=None)(PROMPT)
    assert service.keys == [None]


@pytest.mark.parametrize(
    "bad",
    [
        Bad(status=429),
        Bad(status=500, body=b"<html>"),
        Bad(body=b'{"choices": [{"mess'),
        Bad(body=b"{", headers={"Content-Length": "100", "Connection": "close"}),
        Bad(body=b""),
        Bad(body=said("  ")),
        Bad(body=b'{"choices": []}'),
        Bad(body=b'{"choices": [7]}'),
        Bad(body=b'{"choices": [{"message": {"content": null}}]}'),
        Bad(body=b"not gzip", headers={"Content-Encoding": "gzip"}),
        Bad(body=b"[" * 60_000),
    ],
)
def test_what_may_pass_is_tried_again_and_then_told(
    connect: Callable[..., ChatModel], service: ChatService, bad: Bad
) -> None:
    service.faults = [bad] * 2
    assert connect()(PROMPT) == "7"
    assert len(service.requests) == 3
    service.faults = [bad] * 3
    assert "(tried 3 times)" in _refused(connect())


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        (Bad(status=401), "check the API key"),
        (Bad(status=302, headers={"Location": "http://127.0.0.1:1/"}), "check the configuration"),
        (Bad(status=429, headers={"Retry-After": "3600"}), "asks to wait 3600 s"),
        (Bad(body=said("half a senten", reason="length")), "raise max_tokens"),
        (Bad(body=said("x" * 300_000)), "is longer than"),
    ],
)
def test_what_will_not_pass_is_told_at_once(
    connect: Callable[..., ChatModel], service: ChatService, bad: Bad, problem: str
) -> None:
    service.faults = [bad]
    assert problem in _refused(connect())
    assert len(service.requests) == 1


def test_silence_ends_with_the_timeout(
    connect: Callable[..., ChatModel], service: ChatService
) -> None:
    service.faults = [Bad(hold=True)] * 2
    began = time.monotonic()
    assert "no answer within 0.05 s" in _refused(connect(timeout_s=0.05, attempts=2))
    assert time.monotonic() - began < 5


def test_a_reply_that_trickles_in_is_given_up_by_the_stopwatch(
    connect: Callable[..., ChatModel], service: ChatService
) -> None:
    service.faults = [Bad(body=said("x" * 3000), drip=40)]
    ticking = itertools.count(step=10)
    waiting = Waiting(sleep=lambda _: None, stopwatch=lambda: float(next(ticking)))
    assert "took longer than 5 s" in _refused(connect(waiting, whole_s=5.0))


def test_a_lone_surrogate_does_not_stop_a_prompt(
    connect: Callable[..., ChatModel], service: ChatService
) -> None:
    assert connect()("tea\ud83d") == "7"
    assert service.prompts == ["tea?"]


def test_no_representation_shows_the_key(connect: Callable[..., ChatModel]) -> None:
    model = connect()
    assert KEY not in repr(model) + repr(model._endpoint) + repr(model._endpoint.manner)


def test_all_faults_of_an_endpoint_are_told_at_once() -> None:
    with pytest.raises(ValidationError) as caught:
        ChatEndpoint(
            model="",
            url=f"https://user:{KEY}@example.com/v1",
            max_tokens=0,
            timeout_s=0,
            whole_s=-1,
            attempts=0,
            backoff_s=-1,
            longest_wait_s=9999,
        )
    assert len(caught.value.faults) == 8
    assert KEY not in str(caught.value)


def test_without_its_driver_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, connect: Callable[..., ChatModel]
) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(GeneratorError, match=r"pip install 'lapse\[remote\]'"):
        connect()(PROMPT)


def test_a_closed_model_opens_anew(connect: Callable[..., ChatModel]) -> None:
    model = connect()
    model(PROMPT)
    model.close()
    assert model(PROMPT) == "7"
    assert json.loads(model(PROMPT)) == 7
