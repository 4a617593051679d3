"""Independent proof, and sentences that say the same."""

from dataclasses import replace

import pytest

from lapse.reflection.corroborating import (
    as_said,
    likeness,
    new_proofs,
    proofs,
    proved,
    says_again,
)
from tests.unit.reflection.sessions import TERMS, turn

KNOWN = (turn("a", "Ann lives in Rome"), turn("b", "She wrote from Rome"))
OBSERVATION = replace(turn("o", "Ann lives in Rome"), derived_from=("a", "b"))


def test_one_conversation_is_one_proof_and_two_documents_are_two() -> None:
    assert proofs(KNOWN) == 1
    assert proofs([*KNOWN, turn("c", "…", session="s2")]) == 2
    assert proofs([turn("a", "…", source="crm"), turn("b", "…", source="mail")]) == 2
    assert proofs([]) == 1


def test_only_another_origin_is_new_proof_and_each_counts_once() -> None:
    told = [
        turn("c", "Ann lives in Rome"),
        turn("d", "Ann lives in Rome", session="s2"),
        turn("e", "Ann lives in Rome", session="s2"),
        turn("f", "Ann lives in Rome", session="s3"),
    ]
    assert [each.id for each in new_proofs(OBSERVATION, KNOWN, told)] == ["d", "f"]
    after = proved(OBSERVATION, KNOWN, told)
    assert (after.proof_count, after.derived_from) == (3, ("a", "b", "d", "f"))


@pytest.mark.parametrize("made_of", ["o", "a"])
def test_what_was_made_of_it_or_of_its_sources_proves_nothing(made_of: str) -> None:
    told = replace(turn("c", "Ann lives in Rome", session="s2"), derived_from=(made_of,))
    assert proved(OBSERVATION, KNOWN, [told]) == OBSERVATION


def test_its_own_sources_prove_nothing_again() -> None:
    assert proved(OBSERVATION, KNOWN, KNOWN) == OBSERVATION


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Ann lives in Rome.", "Ann really lives in Rome!", True),
        ("Ann has lived in the city of Rome for long.", "Ben sold his car.", False),
        ("The deadline is 5 May 2027.", "The deadline is 6 May 2027.", False),
        ("Ann eats fish.", "Ann does not eat fish.", False),
        ("", "", False),
    ],
)
def test_the_same_is_said_again_only_with_the_same_numbers_names_and_negations(
    one: str, other: str, same: bool
) -> None:
    a, b = as_said(one, TERMS), as_said(other, TERMS)
    assert says_again(a, b) is same
    assert likeness(a, b) == likeness(b, a)
    assert 0 <= likeness(a, b) <= 1
