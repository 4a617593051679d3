"""The built-in summary: informative, distinct, in order, and in the words of its sources."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.model.term_counts import TermCounts
from lapse.reflection.extracting import Summary, extracted, sentences, without
from tests.unit.reflection.sessions import TERMS, turn

COUNTS = TermCounts(memory_count=200, frequency={"the": 150, "is": 120, "thank": 80})


def _summary(*texts: str, most: int = 12, longest: int = 65_536) -> Summary:
    turns = [turn(f"m{at}", text) for at, text in enumerate(texts)]
    return extracted(sentences(turns, TERMS, COUNTS), most, longest)


SAID = (
    "Thanks, that is great!",
    "The Orion launch moved to 5 May 2027 because of the Kestrel valve.",
    "ok",
    "Mira Vance owns the turbine budget of 40,000 euros.",
    "Yes.",
    "Haha",
)


def test_chatter_is_left_out_and_the_order_is_kept() -> None:
    told = _summary(*SAID)
    assert told.text == f"{SAID[1]}\n{SAID[3]}"
    assert [each.id for each in told.sources] == ["m1", "m3"]


def test_a_sentence_said_twice_is_told_once_with_both_sources() -> None:
    told = _summary(SAID[1], SAID[3], "Really, the Orion launch moved?", SAID[1])
    assert told.text.count("Kestrel") == 1
    assert {"m0", "m3"} <= {each.id for each in told.sources}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The deadline of Orion is 5 May 2027.", "The deadline of Orion is 6 May 2027."),
        ("The budget belongs to Mira Vance.", "The budget belongs to Mona Vance."),
        ("Ben likes peas with his dinner.", "Ben does not like peas with his dinner."),
    ],
)
def test_sentences_that_differ_in_a_number_a_name_or_a_not_are_both_kept(
    one: str, other: str
) -> None:
    assert _summary(one, other).text == f"{one}\n{other}"


def test_the_speakers_name_goes_with_every_sentence() -> None:
    told = _summary("Ann: I moved to Rome. My landlord is called Paolo Bianchi.")
    assert told.text == "Ann: I moved to Rome.\nAnn: My landlord is called Paolo Bianchi."


def test_no_more_than_the_most_and_no_more_than_there_is_room_for() -> None:
    many = [f"Pump {at} of hall {at} was delivered by firm {at} on day {at}." for at in range(30)]
    assert len(_summary(*many).text.splitlines()) == 12
    assert len(_summary(*many, most=5).text.splitlines()) == 5
    assert len(_summary(*many, longest=130).text.encode()) <= 130
    assert _summary(*many, longest=10) == Summary(text="", sources=())


def test_nothing_worth_telling_gives_nothing() -> None:
    assert _summary() == Summary(text="", sources=())
    assert _summary("ok", "thanks!") == Summary(text="", sources=())


def test_what_is_refused_is_left_out_and_counted() -> None:
    found = sentences([turn("a", f"{SAID[1]} {SAID[3]}")], TERMS, COUNTS)
    kept, refused = without(found, lambda text: "Mira" in text)
    assert ([each.text for each in kept], refused) == ([SAID[1]], 1)


@given(st.lists(st.text(max_size=80), max_size=12), st.integers(1, 8), st.integers(1, 400))
def test_every_line_stands_in_a_source(texts: list[str], most: int, longest: int) -> None:
    told = _summary(*texts, most=most, longest=longest)
    assert len(told.text.encode()) <= longest
    assert bool(told.text) == bool(told.sources)
    assert told == _summary(*texts, most=most, longest=longest)
