"""Each sign of a replacement: a pair that shows it and a near one that does not."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.text.tokens import Tokeniser
from lapse.truth.asking import asked_signs, question_of
from lapse.truth.attributes import TABLE, asked, single, stated
from lapse.truth.comparing import fact_signs, tally_signs
from lapse.truth.reading import read
from lapse.truth.signs import ASKED, FACT, TALLY, Sign, confidence, evidence

TOKENISER = Tokeniser()
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=120)

RANKS = {Sign.SIMILAR, Sign.NEAREST, Sign.AHEAD}
"""Signs of where a candidate stands among others; the finder adds them."""

# Sign, a new and an old statement that show it, and two that do not.
FACTS = [
    (Sign.SUBJECT, "Nora sings.", "Nora swims.", "Emil sings.", "Nora swims."),
    (Sign.OTHER_SUBJECT, "Emil sings.", "Nora sings.", "Emil and Nora sing.", "Nora sings."),
    (
        Sign.SUBJECT_DENIED,
        "Emil, not Nora, wrote the play.",
        "Nora wrote the play.",
        "Emil and Nora wrote the play.",
        "Nora wrote the play.",
    ),
    (Sign.VERB, "Nora plays chess.", "Nora plays go.", "Nora plays chess.", "Nora sells go sets."),
    (
        Sign.VERB_OF_SUBJECT,
        "Nora plays chess.",
        "Nora plays go.",
        "Nora plays chess.",
        "Emil plays go.",
    ),
    (
        Sign.PHRASE,
        "Nora graduated from Graz.",
        "Nora graduated from Linz.",
        "Nora graduated from Graz.",
        "Nora graduated in May.",
    ),
    (
        Sign.ATTRIBUTE,
        "Nora moved to Linz.",
        "Nora lives in Graz.",
        "Nora moved to tears.",
        "Emil lives in Graz.",
    ),
    (
        Sign.PROPERTY,
        "My dentist is Dr. Roth.",
        "My dentist is Dr. Adler.",
        "Nora is a dentist.",
        "Nora is a nurse.",
    ),
    (
        Sign.THIN,
        "Nora bought a bike.",
        "Nora bought a helmet.",
        "Nora bought a house in Graz near the river.",
        "Nora bought a flat in Graz near the river.",
    ),
    (
        Sign.DOINGS,
        "I visited Graz.",
        "I visited Linz.",
        "I live in Graz.",
        "I live in Linz.",
    ),
    (
        Sign.OTHER_TIME,
        "Nora won a race on Monday.",
        "Nora won a race on Friday.",
        "Nora won a race on Monday.",
        "Nora won a cup on Monday.",
    ),
    (Sign.TOLD_AGAIN, "Nora sings old songs.", "Nora sings songs.", "Nora swims.", "Nora sings."),
    (Sign.ON_TOPIC, "Nora sings songs.", "Nora sings old songs.", "Nora swims.", "Nora sings."),
    (
        Sign.LACKING,
        "Nora swims.",
        "Nora sings old songs.",
        "Nora sings old songs by Schubert.",
        "Nora sings old songs.",
    ),
    (
        Sign.RETOLD,
        "Nora sings old songs by Schubert.",
        "Nora sings old songs.",
        "Nora sang old songs until 2020.",
        "Nora sang old songs.",
    ),
    (
        Sign.DENIED,
        "Nora does not sing.",
        "Nora sings.",
        "Nora does not swim.",
        "Nora sings.",
    ),
    (Sign.TURNED, "Nora never sings.", "Nora sings.", "Nora never sings.", "Nora never swims."),
    (
        Sign.EXCLUSIVE,
        "Nora only speaks Latin.",
        "Nora is fluent in Greek.",
        "Nora speaks Latin.",
        "Nora is fluent in Greek.",
    ),
    (
        Sign.CHANGED,
        "The deadline moved to May.",
        "The deadline is in April.",
        "The piano moved to the hall.",
        "Nora plays chess.",
    ),
    (Sign.ADDED, "Nora also sings.", "Nora swims.", "Nora sings.", "Nora swims."),
]

TALLIES = [
    (
        Sign.TALLY_CONTEXT,
        "I have read 30 plays by Shaw.",
        "I have read 20 plays by Shaw.",
        "I own 30 plays.",
        "I have sold 20 plays.",
    ),
    (
        Sign.TALLY_NAMES,
        "I have read 30 plays by Shaw.",
        "I have read 20 plays by Shaw.",
        "I have read 30 plays.",
        "I have read 20 plays.",
    ),
    (
        Sign.OTHER_NAMES,
        "I took 8 courses on Learnix.",
        "I took 12 courses on Teachly.",
        "I took 8 courses on Learnix.",
        "I took 12 courses on Learnix.",
    ),
    (
        Sign.STANDING,
        "I have read 30 plays so far.",
        "I have read 20 plays.",
        "I bought 30 plays.",
        "I have read 20 plays.",
    ),
    (
        Sign.LASTING,
        "I slept 8 hours.",
        "I slept 6 hours.",
        "I ate 8 figs.",
        "I ate 6 figs.",
    ),
    (
        Sign.RECORD,
        "My best time is 25:50.",
        "My best time is 27:12.",
        "I ate 8 figs.",
        "I ate 6 figs.",
    ),
    (
        Sign.FAR_UNIT,
        "The park's species count rose to 32.",
        "I spotted 27 species in the park.",
        "I spotted 32 species in the park.",
        "I spotted 27 species in the park.",
    ),
    (
        Sign.VERB,
        "I have read 30 plays.",
        "I have read 20 plays.",
        "I own 30 plays.",
        "I have read 20 plays.",
    ),
]


def fact(new: str, old: str) -> dict[Sign, float]:
    return fact_signs(read(new, TOKENISER)[0], read(old, TOKENISER)[0], TOKENISER)


def tally(new: str, old: str) -> dict[Sign, float]:
    return tally_signs(read(new, TOKENISER)[0], read(old, TOKENISER)[0]) or {}


@pytest.mark.parametrize(("sign", "new", "old", "other_new", "other_old"), FACTS)
def test_a_sign_of_a_fact_is_stronger_where_it_should_be(
    sign: Sign, new: str, old: str, other_new: str, other_old: str
) -> None:
    assert fact(new, old)[sign] > fact(other_new, other_old)[sign]
    assert fact(other_new, other_old)[sign] <= 0.5


@pytest.mark.parametrize(("sign", "new", "old", "other_new", "other_old"), TALLIES)
def test_a_sign_of_a_tally_is_stronger_where_it_should_be(
    sign: Sign, new: str, old: str, other_new: str, other_old: str
) -> None:
    shown, not_shown = tally(new, old), tally(other_new, other_old)
    assert shown[sign] > not_shown[sign]


def test_every_weight_has_a_case_of_its_own() -> None:
    assert {case[0] for case in FACTS} == set(FACT) - RANKS
    assert {case[0] for case in TALLIES} == set(TALLY) - RANKS


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("I have read 20 plays.", "I have read 20 plays."),
        ("I have read 30 plays.", "I have sold 20 figs."),
        ("I have read 30 plays in 2023.", "I have read plays in 2022."),
        ("I slept 8 hours.", "I slept in 6 beds."),
        ("I need 30 plays.", "I have read 20 plays."),
        ("I have 20 plays and 3 novels.", "I have 20 plays."),
        ("My record is 5-2.", "I have 3 plays."),
    ],
)
def test_what_counts_something_else_or_nothing_is_no_other_tally(new: str, old: str) -> None:
    assert tally(new, old) == {} or tally(new, old)[Sign.FAR_UNIT] == 1.0


@pytest.mark.parametrize(
    ("sign", "query", "old", "other"),
    [
        (Sign.ASKED, "Nora's piano", "Nora owns a piano.", "Nora owns a bike."),
        (Sign.ASKED_ATTRIBUTE, "Nora's employer", "Nora works at Acme.", "Nora sings."),
        (Sign.ASKED_SUBJECT, "Nora's piano", "Nora owns a flute.", "Emil owns a flute."),
        (Sign.UNASKED, "zebra quantum", "The mill is shut.", "The zebra is striped."),
    ],
)
def test_a_query_is_answered_by_its_words_its_matter_and_its_subject(
    sign: Sign, query: str, old: str, other: str
) -> None:
    new = read("Nora changed that.", TOKENISER)
    question = question_of(query, new, TOKENISER)
    signs = [
        asked_signs(question, new[0], read(each, TOKENISER)[0], TOKENISER) for each in (old, other)
    ]
    assert signs[0][sign] > signs[1][sign]
    assert set(signs[0]) == set(ASKED) - RANKS


def test_a_verb_with_its_particle_states_an_attribute_where_the_verb_alone_does_not() -> None:
    at_company, on_model = (
        read(text, TOKENISER)[0] for text in ("Nora works at Acme.", "Nora works on a kit.")
    )
    assert "work" in stated(at_company.said, at_company.phrases, TOKENISER)
    assert "work" not in stated(on_model.said, on_model.phrases, TOKENISER)
    assert "work" in asked({"job"}, TOKENISER)


def test_what_one_can_have_several_of_is_not_single() -> None:
    several = frozenset(each.name for each in TABLE if each.many)
    assert several
    assert single(several) == frozenset()
    assert single(frozenset({"residence"})) == {"residence"}


@given(TEXTS, TEXTS)
def test_every_strength_lies_between_0_and_1(new: str, old: str) -> None:
    for one in read(new, TOKENISER):
        for other in read(old, TOKENISER):
            strengths = fact_signs(one, other, TOKENISER) | (tally_signs(one, other) or {})
            assert all(0.0 <= each <= 1.0 for each in strengths.values())


@given(st.dictionaries(st.sampled_from(Sign), st.floats(0, 1)))
def test_a_confidence_grows_with_each_sign_that_speaks_for_it(strengths: dict[Sign, float]) -> None:
    before = confidence(strengths, FACT, -1.0)
    assert 0.0 < before < 1.0
    for sign, weight in FACT.items():
        after = confidence(strengths | {sign: 1.0}, FACT, -1.0)
        assert after >= before if weight > 0 else after <= before


def test_a_confidence_is_the_logistic_of_what_was_weighed() -> None:
    strengths = {Sign.SUBJECT: 1.0, Sign.TOLD_AGAIN: 0.5}
    total = -2.0 + FACT[Sign.SUBJECT] + 0.5 * FACT[Sign.TOLD_AGAIN]
    assert confidence(strengths, FACT, -2.0) == pytest.approx(1 / (1 + math.exp(-total)))


def test_evidence_is_what_spoke_for_it_strongest_first() -> None:
    told = evidence({Sign.SUBJECT: 1.0, Sign.TOLD_AGAIN: 1.0, Sign.THIN: 1.0}, FACT)
    assert told == ("old words told again", "same subject")
