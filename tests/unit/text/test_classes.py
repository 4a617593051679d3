"""Classes of things: which texts tell of persons, and which questions ask for them."""

import pytest

from lapse.text.classes import PERSON, USER, classes_asked, classes_told
from lapse.text.tokens import Tokeniser


@pytest.mark.parametrize(
    "text",
    [
        "Berit works at the harbour.",
        "Since spring Tomasz Nowak lives in Gdynia.",
        "Amaka also speaks Igbo and Hausa.",
        "Jean-Luc read the whole report.",
        "It rained. Øyvind married in May.",
        "Berit and Tomasz share a desk.",
        "She likes the sea.",
    ],
)
def test_what_somebody_named_does_tells_of_a_person(text: str) -> None:
    assert classes_told(text) == (PERSON,)


@pytest.mark.parametrize(
    "text",
    [
        "Stapler refills were delivered.",
        "The boiler works again.",
        "It works on Tuesdays.",
        "Loading ramps live long.",
        "The boats and the ferry share a pier.",
        "I read the report.",
        "We know. Drive slowly, Work. reads the sign.",
        "works",
        "",
    ],
)
def test_what_nobody_named_does_tells_of_no_person(text: str) -> None:
    assert classes_told(text) == ()


def test_a_class_counts_once_however_many_are_named() -> None:
    assert classes_told("Berit works here, Tomasz lives here and Amaka reads.") == (PERSON,)


@pytest.mark.parametrize(
    "question",
    [
        "Tell me about people.",
        "WHO is on the crew?",
        "Does anyone, by chance, sail?",
        "Colleagues?",
    ],
)
def test_questions_for_people_ask_for_persons(question: str) -> None:
    assert classes_asked(question) == (PERSON,)


@pytest.mark.parametrize("question", ["When does it leave?", "Whose?", "peopled islands", ""])
def test_other_questions_ask_for_no_class(question: str) -> None:
    assert classes_asked(question) == ()


def test_no_text_can_spell_a_class() -> None:
    assert PERSON not in Tokeniser().terms(f"{PERSON} person {PERSON.upper()}")


@pytest.mark.parametrize(
    "text",
    [
        "User has a goat.",
        "The user's goat is white.",
        "Left the navy in 2019.",
        "In 2019 left the navy and opened a bakery.",
        "Quit the choir.",
        "Rented a boat.",
    ],
)
def test_notes_that_name_the_user_or_nobody_tell_of_the_user(text: str) -> None:
    assert USER in classes_told(text)


@pytest.mark.parametrize(
    "text", ["Nora left the navy.", "The navy left.", "In town left and right differ.", "Left.", ""]
)
def test_what_somebody_else_did_tells_nothing_of_the_user(text: str) -> None:
    assert USER not in classes_told(text)


def test_a_question_about_the_user_asks_for_what_tells_of_the_user() -> None:
    assert classes_asked("What is the user's job?") == (USER,)
    assert classes_asked("What is Nora's job?") == ()
