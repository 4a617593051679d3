import sys
from collections.abc import Callable

import numpy as np
import pytest

from lapse.embed.remote import Endpoint
from lapse.errors import DomainError, EmbedderError, ValidationError
from lapse.ports import Embedder
from tests.unit.embed.endpoint_service import KEY, WORDS, Opened, Service, refused


def test_vectors_come_back_in_the_order_of_the_texts(
    connect: Callable[..., Opened], service: Service
) -> None:
    embedder: Embedder = connect().embedder
    vectors = embedder.embed(["tea", "dog dog", "coffee rain"], None)
    assert vectors == pytest.approx(
        np.array([[1, 0, 0, 0], [0, 0, 1, 0], [0, 0.5**0.5, 0, 0.5**0.5]]), abs=1e-6
    )
    assert vectors.dtype == np.float32
    assert service.requests[0]["path"] == "/v1/embeddings"
    assert service.requests[0]["model"] == "words"
    assert service.keys == [f"Bearer {KEY}"]


def test_texts_are_sent_in_batches(connect: Callable[..., Opened], service: Service) -> None:
    texts = [WORDS[n % 4] for n in range(10)]
    vectors = connect(batch=4).embedder.embed(texts, None)
    assert [len(each["input"]) for each in service.requests] == [4, 4, 2]  # type: ignore[arg-type]
    assert vectors.argmax(axis=1).tolist() == [n % 4 for n in range(10)]


def test_blank_texts_are_not_sent_and_give_zeros(
    connect: Callable[..., Opened], service: Service
) -> None:
    vectors = connect().embedder.embed(["", "tea", " \n"], None)
    assert service.requests[0]["input"] == ["tea"]
    assert vectors.any(axis=1).tolist() == [False, True, False]


def test_a_lone_surrogate_does_not_stop_a_query(connect: Callable[..., Opened]) -> None:
    assert connect().embedder.embed(["tea\ud83d"], None).any()


def test_the_model_weighs_its_own_tokens(connect: Callable[..., Opened], service: Service) -> None:
    embedder = connect().embedder
    assert embedder.vocabulary == 0
    assert [each.size for each in embedder.tokens(["tea", "dog"])] == [0, 0]
    with pytest.raises(DomainError, match="idf"):
        embedder.embed(["tea"], np.ones(4, dtype=np.float32))
    assert service.requests == []


def test_the_dimension_is_learnt_from_the_first_reply(
    connect: Callable[..., Opened], service: Service
) -> None:
    embedder = connect().embedder
    embedder.embed(["tea"], None)
    assert embedder.dimension == 4
    assert len(service.requests) == 1


def test_a_dimension_asked_for_first_costs_one_request(
    connect: Callable[..., Opened], service: Service
) -> None:
    embedder = connect().embedder
    assert embedder.dimension == embedder.dimension == 4
    assert len(service.requests) == 1


def test_a_configured_dimension_is_asked_for_and_part_of_the_identity(
    connect: Callable[..., Opened], service: Service
) -> None:
    embedder = connect(dimension=4).embedder
    assert (embedder.dimension, embedder.id) == (4, "remote-words-4")
    assert service.requests == []
    embedder.embed(["tea"], None)
    assert service.requests[0]["dimensions"] == 4
    assert connect().embedder.id == "remote-words"


def test_another_dimension_than_configured_is_told_with_both(
    connect: Callable[..., Opened],
) -> None:
    opened = connect(dimension=1536)
    message = refused(opened)
    assert "4 dimensions, not 1536" in message
    assert "`lapse reembed`" in message


def test_a_dimension_that_changes_between_replies_is_told(
    connect: Callable[..., Opened], service: Service
) -> None:
    embedder = connect().embedder
    embedder.embed(["tea"], None)
    service.dimension = 3
    with pytest.raises(EmbedderError, match="3 dimensions, not 4"):
        embedder.embed(["tea"], None)
    assert embedder.dimension == 4


def test_no_representation_shows_the_key(connect: Callable[..., Opened]) -> None:
    embedder = connect().embedder
    assert KEY not in repr(embedder) + repr(embedder._endpoint) + str(embedder._endpoint)


def test_all_faults_of_an_endpoint_are_told_at_once() -> None:
    with pytest.raises(ValidationError) as caught:
        Endpoint(
            model=" ",
            url="ftp://x",
            dimension=0,
            batch=0,
            timeout_s=float("nan"),
            attempts=0,
            backoff_s=-1,
            longest_wait_s=float("inf"),
        )
    assert {each.field for each in caught.value.faults} == {
        "model",
        "url",
        "dimension",
        "batch",
        "timeout_s",
        "attempts",
        "backoff_s",
        "longest_wait_s",
    }


def test_credentials_in_an_address_are_refused_and_not_shown() -> None:
    with pytest.raises(ValidationError, match="put the key in api_key") as caught:
        Endpoint(model="words", url=f"https://user:{KEY}@example.com/v1")
    assert KEY not in str(caught.value)


def test_without_its_driver_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, connect: Callable[..., Opened]
) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(EmbedderError, match=r"pip install 'lapse\[remote\]'"):
        connect().embedder.embed(["tea"], None)
