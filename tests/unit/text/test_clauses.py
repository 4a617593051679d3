"""Where a statement divides, and how the rest reads when a part is taken out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.text.clauses import clauses_of, sentences_of, without

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)


def parts(text: str) -> list[str]:
    return [each.text for each in clauses_of(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Nora is a nurse and lives in Graz.", ["Nora is a nurse", "lives in Graz"]),
        (
            "Nora is a nurse, based in Graz, and plays the oboe.",
            ["Nora is a nurse", "based in Graz", "plays the oboe"],
        ),
        (
            "Nora likes figs, while Emil Roth has a taste for dates.",
            ["Nora likes figs", "Emil Roth has a taste for dates"],
        ),
        ("I rent in Graz; my sister owns a farm.", ["I rent in Graz", "my sister owns a farm"]),
        (
            "Nora teaches chess, and her sister runs a bookshop.",
            ["Nora teaches chess", "her sister runs a bookshop"],
        ),
        (
            "Nora uses a pen for letters, while writing novels by hand.",
            ["Nora uses a pen for letters", "writing novels by hand"],
        ),
        (
            "She avoids trains and only travels by bike.",
            ["She avoids trains", "only travels by bike"],
        ),
    ],
)
def test_a_statement_divides_where_a_verb_follows_a_joint(text: str, expected: list[str]) -> None:
    assert parts(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Nora has two goats named Salt and Pepper.",
        "Nora's favorite dishes are dumplings and soup.",
        "Nora Roth, Emil Roth, and Ida Roth are cousins.",
        "Nora swims, which Emil often watches.",
        "Nora and Emil share a garden.",
    ],
)
def test_a_list_of_things_or_people_is_one_clause(text: str) -> None:
    assert len(parts(text)) == 1


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("Throughout 2019 Nora was a student.", "Nora"),
        ("By the way, I've read ten plays.", "I"),
        ("In winter, the cabin is closed.", "the cabin"),
        ("Now Nora prefers figs.", "Nora"),
        ("Left the army in 2001.", ""),
        ("Emil, not Nora, wrote it.", "Emil, not Nora"),
    ],
)
def test_the_subject_is_found_behind_what_leads_it(text: str, subject: str) -> None:
    assert clauses_of(text)[0].subject == subject


def test_a_clause_without_a_subject_takes_that_of_the_clause_before_it() -> None:
    first, second = clauses_of("Nora is a nurse and lives in Graz.")
    assert (first.subject, first.bears_subject) == ("Nora", True)
    assert (second.subject, second.bears_subject) == ("Nora", False)


@pytest.mark.parametrize(
    ("text", "gone", "rest"),
    [
        ("Nora is a nurse and lives in Graz.", [0], "Nora lives in Graz."),
        ("Nora is a nurse and lives in Graz.", [1], "Nora is a nurse."),
        (
            "Nora sings, based in Graz, and plays chess.",
            [0],
            "Nora is based in Graz and plays chess.",
        ),
        ("Nora sings. She lives in Graz and swims!", [1], "Nora sings. She swims!"),
        ("Nora sings. She lives in Graz.", [0], "She lives in Graz."),
        ("Nora sings.", [0], None),
    ],
)
def test_the_rest_can_stand_alone(text: str, gone: list[int], rest: str | None) -> None:
    clauses = clauses_of(text)
    assert without(text, clauses, [clauses[each] for each in gone]) == rest


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Dr. Roth left. Nora stayed.", 2),
        ("Emil Roth Jr. met J. Bach at Acme Inc. in May.", 1),
        ("It costs 3.50 euros.", 1),
        ("Really?! Yes. I do", 3),
        ("first line\nsecond line", 2),
        ("彼は医者だ。東京に住む。", 2),
    ],
)
def test_a_sentence_ends_at_its_sign_and_not_at_a_title(text: str, count: int) -> None:
    assert len(sentences_of(text)) == count


@given(TEXTS)
def test_clauses_stand_where_they_say_and_do_not_overlap(text: str) -> None:
    end = 0
    for each in clauses_of(text):
        assert text[each.start : each.end] == each.text
        assert each.start >= end
        end = each.end
