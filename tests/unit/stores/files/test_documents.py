"""Texts of files that tell whether they were changed."""

import json
from collections.abc import Callable

import pytest

from lapse.model.codec import Plain
from lapse.stores.files.documents import DamagedError, document, line, read

BODY: dict[str, Plain] = {
    "a": {"text": 'Grüße, "茶"\n', "numbers": [0.1, 2], "none": None, "empty": {}},
    "b": 1,
    "sum of all": {},
}


@pytest.mark.parametrize("write", [document, line])
def test_what_was_written_is_read(write: Callable[[dict[str, Plain]], str]) -> None:
    text = write(BODY)
    assert read(text) == BODY
    assert json.loads(text).keys() == {*BODY, "sum"}


def test_a_document_can_be_read_by_a_person() -> None:
    assert '  "text": "Grüße, \\"茶\\"\\n"\n' in document(BODY)
    assert line(BODY).count("\n") == 1


def test_half_a_character_is_kept() -> None:
    assert read(line({"query": "\ud83d"})) == {"query": "\ud83d"}


@pytest.mark.parametrize("write", [document, line])
def test_any_change_of_a_character_is_noticed(write: Callable[[dict[str, Plain]], str]) -> None:
    text = write(BODY)
    for at in range(len(text.rstrip()) - 20):
        with pytest.raises(DamagedError):
            read(text[:at] + chr(ord(text[at]) ^ 1) + text[at + 1 :])


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"a": 1}', '{"a": 1, "sum": "00"}'])
def test_what_was_not_written_by_lapse_is_refused(text: str) -> None:
    with pytest.raises(DamagedError):
        read(text)
