"""B125: ordinary punctuation in a question is read as search syntax."""

import pytest

from lapse.errors import ValidationError
from lapse.ports import Embedder
from tests.reports.helping import Place, hit_ids
from tests.unit.engine.opening import WordEmbedder

TEXTS = {
    "desk": "check-in desk",
    "speed": "km/h cap",
    "later": 'he said "later" twice',
    "status": "status:open",
    "build": "C++ build",
    "login": "can't log in",
    "colour": "the red or the blue",
    "letter": "a draft of the letter",
    "station": "a house near the station",
}

FOUND = {
    "check-in": "desk",
    "km/h": "speed",
    'said "later': "later",
    "status:open": "status",
    "C++": "build",
    "can't": "login",
    "can’t": "login",
}

LITERAL = {"red OR": "colour", "(draft": "letter", "NEAR": "station", "red AND blue": "colour"}

NOTHING = ("*", "%", "?", '"', "()", "- -", "':", "\\", ";--", "^", "~")

EMBEDDERS: dict[str, Embedder | None] = {
    "text": None,
    "hybrid": WordEmbedder(dimension=8192, vocabulary=0),
}


@pytest.mark.parametrize("mode", EMBEDDERS)
def test_a_question_with_punctuation_finds_what_it_spells(place: Place, mode: str) -> None:
    bank = place.bank(embedder=EMBEDDERS[mode])
    bank.remember_many({"text": text, "id": name} for name, text in TEXTS.items())
    first = {query: hit_ids(bank.recall(query))[:1] for query in [*FOUND, *LITERAL]}
    assert first == {query: [name] for query, name in (FOUND | LITERAL).items()}


@pytest.mark.parametrize("mode", EMBEDDERS)
def test_punctuation_alone_is_no_wildcard_and_no_error(place: Place, mode: str) -> None:
    bank = place.bank(embedder=EMBEDDERS[mode])
    bank.remember_many({"text": text, "id": name} for name, text in TEXTS.items())
    assert {query: hit_ids(bank.recall(query)) for query in NOTHING} == {
        query: [] for query in NOTHING
    }
    assert hit_ids(bank.recall("* letter")) == ["letter"]


def test_a_question_of_5000_words_is_answered(place: Place) -> None:
    bank = place.bank()
    bank.remember_many({"text": text, "id": name} for name, text in TEXTS.items())
    question = " ".join(f"w{at}" for at in range(4_999)) + " letter"
    assert hit_ids(bank.recall(question)) == ["letter"]


@pytest.mark.parametrize("empty", ["", "  ", "\n"])
def test_an_empty_question_is_refused_as_documented(place: Place, empty: str) -> None:
    bank = place.bank()
    bank.remember("a draft of the letter", id="letter")
    with pytest.raises(ValidationError, match="query"):
        bank.recall(empty)
    assert hit_ids(bank.recall("letter")) == ["letter"]
