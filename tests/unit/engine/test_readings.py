"""What was read off texts lately is kept, within bounds, and is what would be read now."""

import pytest

from lapse.engine.readings import Reader, Readings
from lapse.errors import ValidationError
from lapse.text.classes import PERSON
from lapse.text.distinctions import distinctions_of
from lapse.text.fingerprints import fingerprint
from lapse.text.tokens import Tokeniser

ENGLISH = Reader(tokeniser=Tokeniser("english"), max_text_bytes=1000)
TEA = "Ines drinks 2 cups of tea"


def test_a_reading_holds_what_the_text_layer_reads() -> None:
    (reading,) = Readings().of(ENGLISH, [TEA])
    assert reading.terms == (*ENGLISH.tokeniser.terms(TEA), PERSON)
    assert reading.fingerprint == fingerprint(TEA)
    assert reading.words == 6
    assert Readings().distinctions(TEA) == distinctions_of(TEA)


def test_a_text_asked_for_again_is_not_read_again() -> None:
    readings = Readings()
    first = readings.of(ENGLISH, [TEA, "milk", TEA])
    again = readings.of(ENGLISH, ["milk", TEA])
    assert first[0] is first[2] is again[1]
    assert first[1] is again[0]
    assert readings.distinctions(TEA) is readings.distinctions(TEA)


def test_a_text_is_read_in_the_form_in_which_it_would_be_stored() -> None:
    (reading,) = Readings().of(ENGLISH, ["cafe\u0301"])
    assert reading.text == "caf\u00e9"
    assert reading.fingerprint == fingerprint("caf\u00e9")


def test_what_could_not_be_stored_is_told_by_position_each_time() -> None:
    readings = Readings()
    for _ in range(2):
        with pytest.raises(ValidationError) as caught:
            readings.of(ENGLISH, [TEA, "x" * 1001, "milk", " "])
        assert [each.field for each in caught.value.faults] == ["[1].text", "[3].text"]
    longer = Reader(tokeniser=ENGLISH.tokeniser, max_text_bytes=2000)
    assert readings.of(longer, ["x" * 1001])[0].words == 1


def test_another_tokeniser_reads_anew() -> None:
    readings = Readings()
    before = readings.of(ENGLISH, [TEA])[0]
    plain = Reader(tokeniser=Tokeniser("none"), max_text_bytes=1000)
    exact = readings.of(plain, [TEA])[0]
    assert "drinks" in exact.terms
    assert "drinks" not in before.terms
    assert readings.of(ENGLISH, [TEA])[0] == before


def test_what_nobody_asks_for_any_more_is_not_kept() -> None:
    readings = Readings(characters=200)
    often, once = readings.of(ENGLISH, ["often asked for", "asked for once"])
    for number in range(100):
        readings.of(ENGLISH, [f"text {number:04}", "often asked for"])
    assert readings.of(ENGLISH, ["often asked for"])[0] is often
    assert readings.of(ENGLISH, ["asked for once"])[0] is not once
    assert readings.of(ENGLISH, ["asked for once"])[0] == once


def test_a_text_longer_than_all_that_is_kept_is_read_all_the_same() -> None:
    readings = Readings(characters=10)
    assert readings.of(ENGLISH, ["tea " * 50])[0].words == 50
    assert readings.of(ENGLISH, [TEA])[0].words == 6
