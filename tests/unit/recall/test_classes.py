"""Questions for a class of things: what belongs to it comes to mind whatever its vector says."""

from dataclasses import replace

import pytest

from lapse.model.policy import RelevanceKind
from lapse.model.query import Reason
from lapse.recall.candidates import TRACE
from lapse.recall.question import Question
from tests.unit.index.deltas import Row
from tests.unit.recall.asking import ask, policy_of, recalled, snapshot_of

CLASS = "persons"

BANK = snapshot_of(
    Row(row=0, text=f"olivia mill {CLASS}", vector=(-1.0, 0.0)),
    Row(row=1, text="tea olivia", vector=(-1.0, 0.1)),
    Row(row=2, text="mill", vector=(0.0, 1.0)),
)


def _asked(*classes: str) -> Question:
    return replace(ask("tea", (1.0, 0.0)), classes=classes)


def test_a_member_of_the_class_asked_for_is_a_match_against_its_cosine() -> None:
    answer = recalled(BANK, _asked(CLASS))
    (pick,) = answer.picks
    assert pick.row == 0
    assert pick.explanation.relevance == pytest.approx(TRACE * pick.explanation.coverage, abs=1e-6)


def test_a_shared_word_alone_is_no_match_against_the_cosine() -> None:
    answer = recalled(BANK, _asked())
    assert answer.picks == ()
    assert {each.reason for each in answer.exclusions} == {Reason.NO_MATCH}


def test_a_trace_of_relevance_reaches_no_threshold() -> None:
    answer = recalled(BANK, _asked(CLASS), policy_of(recall__min_relevance=0.05))
    assert answer.picks == ()


def test_where_vectors_alone_count_a_class_calls_nothing_to_mind() -> None:
    policy = policy_of(recall__relevance=RelevanceKind.VECTOR)
    assert recalled(BANK, _asked(CLASS), policy).picks == ()


def test_a_class_that_no_memory_belongs_to_calls_nothing_to_mind() -> None:
    assert recalled(BANK, _asked("ships")).picks == ()
