"""The public rater: who is asked, and what happens when nobody answers."""

import pytest

from lapse import Rater
from lapse.engine.rater import ASKED_AT_ONCE, FAILURES_BORNE
from lapse.errors import ValidationError
from lapse.model.memory import Role
from lapse.model.retention import ImportanceSource
from lapse.model.term_counts import TermCounts
from lapse.remote.chat import ChatEndpoint
from tests.unit.remote.chat_service import KEY, Bad, ChatService, chat_service, said

MODEL, HEURISTIC = ImportanceSource.MODEL, ImportanceSource.HEURISTIC
TEXT = "We decided to move the launch of Osprey to 14 March"


def _at(service: ChatService, **settings: float) -> Rater:
    endpoint = ChatEndpoint(
        model="small",
        url=service.url,
        api_key=KEY,
        attempts=2,
        backoff_s=0,
        **settings,  # type: ignore[arg-type]
    )
    return Rater("llm", "an office's memory", endpoint=endpoint)


def test_the_heuristic_needs_nobody_and_says_so() -> None:
    importance, source = Rater().rate(TEXT, "user")
    assert source is HEURISTIC
    assert importance is not None
    assert importance > 0.4 > (Rater().rate("ok thanks")[0] or 0)


def test_off_rates_nothing() -> None:
    assert Rater("off").rate(TEXT) == (None, ImportanceSource.DEFAULT)


def test_the_bank_can_say_how_common_words_are() -> None:
    rater = Rater(
        counting=lambda terms: TermCounts(memory_count=1000, frequency=dict.fromkeys(terms, 900))
    )
    assert (rater.rate("harbour lantern")[0] or 0) < (Rater().rate("harbour lantern")[0] or 0)


def test_a_callable_of_the_hosts_rates_with_the_purpose_told() -> None:
    prompts: list[str] = []

    def generate(prompt: str, /) -> str:
        prompts.append(prompt)
        return "On a scale of 1 to 10 I say 6"

    assert Rater("llm", "a cook", generate=generate).rate(TEXT, Role.USER) == (0.6, MODEL)
    assert "a cook" in prompts[0]


def test_an_endpoint_rates_a_batch_with_one_question() -> None:
    with chat_service() as service:
        service.answer = lambda _: "1: 9\n2: 2\n3: 5"
        rater = _at(service)
        assert rater.rate_many(["a", "b", "c"]) == [(0.9, MODEL), (0.2, MODEL), (0.5, MODEL)]
        assert (len(service.prompts), rater.counts.asked, rater.counts.fallbacks) == (1, 1, 0)


def test_what_a_batch_left_out_is_asked_about_alone_and_then_left_to_the_heuristic() -> None:
    with chat_service() as service:
        service.answer = lambda prompt: (
            "1: 9\n2: what?" if "Memories:" in prompt else ("4" if '"b"' in prompt else "dunno")
        )
        rater = _at(service)
        ratings = rater.rate_many(["a", "b", "c"])
        assert [source for _, source in ratings] == [MODEL, MODEL, HEURISTIC]
        assert (ratings[0][0], ratings[1][0]) == (0.9, 0.4)
        counts = rater.counts
        assert (counts.asked, counts.unreadable, counts.fallbacks) == (3, 1, 1)


@pytest.mark.parametrize(
    "bad",
    [
        Bad(status=429),
        Bad(status=500, body=b"<html>"),
        Bad(body=b'{"choices": [{"mess'),
        Bad(body=b""),
        Bad(body=said("It depends on many things, but I would say that this matters.")),
        Bad(hold=True),
    ],
    ids=["429", "500", "truncated", "empty", "prose", "slow"],
)
def test_whatever_the_endpoint_does_the_memory_is_rated_and_the_fallback_counted(bad: Bad) -> None:
    with chat_service() as service:
        service.faults = [bad] * 2
        rater = _at(service, timeout_s=0.2)
        importance, source = rater.rate(TEXT, "user")
        assert (importance, source) == Rater().rate(TEXT, "user")
        assert rater.counts.fallbacks == 1
        assert rater.counts.failed + rater.counts.unreadable == 1


def test_a_callable_that_fails_or_answers_no_text_is_a_fallback_too() -> None:
    def broken(prompt: str, /) -> str:
        raise RuntimeError(prompt)

    rater = Rater("llm", generate=broken)
    assert rater.rate(TEXT)[1] is HEURISTIC
    assert rater.counts.failed == 1
    odd = Rater("llm", generate=lambda _: 7)  # type: ignore[arg-type]
    assert odd.rate(TEXT)[1] is HEURISTIC


def test_what_cannot_be_asked_is_refused_when_it_is_made() -> None:
    with pytest.raises(ValidationError, match="generate="):
        Rater("llm")
    with pytest.raises(ValidationError, match="off, heuristic or llm"):
        Rater("oracle")
    with pytest.raises(ValidationError, match="model"):
        Rater("llm", endpoint="http://127.0.0.1:1/v1")
    with pytest.raises(ValidationError, match="one of"):
        Rater().rate(TEXT, "narrator")
    with pytest.raises(ValidationError, match="for each"):
        Rater().rate_many([TEXT], [None, None])
    assert KEY not in repr(Rater("llm", endpoint="http://x/v1", model="m", api_key=KEY).__dict__)
    with pytest.raises(ValidationError, match="can be called"):
        Rater("llm", generate=7)  # type: ignore[arg-type]  # what is refused
    with pytest.raises(ValidationError, match="api_key"):
        Rater("llm", endpoint="https://models.example/v1?key=secret", model="small")


@pytest.mark.parametrize("texts", ["abc", [7], ["a", None], 5])
def test_what_is_no_text_is_refused_and_not_rated(texts: object) -> None:
    with pytest.raises(ValidationError, match="text"):
        Rater().rate_many(texts)  # type: ignore[arg-type]  # what is refused


def test_many_texts_are_asked_about_some_at_a_time() -> None:
    prompts: list[str] = []

    def model(prompt: str, /) -> str:
        prompts.append(prompt)
        named = [line.split(":")[0] for line in prompt.splitlines() if line[:1].isdigit()]
        return "\n".join(f"{each}: 7" for each in named)

    rater = Rater("llm", generate=model)
    ratings = rater.rate_many([f"text {at}" for at in range(2 * ASKED_AT_ONCE + 5)])
    assert set(ratings) == {(0.7, MODEL)}
    assert len(prompts) == 3


def test_a_model_that_is_away_is_not_asked_about_every_portion() -> None:
    asked = 0

    def away(_: str, /) -> str:
        nonlocal asked
        asked += 1
        raise RuntimeError("away")

    rater = Rater("llm", generate=away)
    ratings = rater.rate_many(["text"] * (10 * ASKED_AT_ONCE))
    assert {source for _, source in ratings} == {HEURISTIC}
    assert asked == FAILURES_BORNE
    assert rater.counts.fallbacks == 10 * ASKED_AT_ONCE
