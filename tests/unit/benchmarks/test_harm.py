"""The measure of harm, over one small conversation."""

from datetime import UTC, datetime
from itertools import product
from pathlib import Path

import pytest

from benchmarks.conversations import read_conversations
from benchmarks.harm import measure
from benchmarks.retrieval import Score, means, score
from benchmarks.unbounded import UNBOUNDED
from lapse.model.policy import LawName, Scorer
from tests.unit.benchmarks.conversation_file import write_conversation


def test_turns_and_answerable_questions_are_read(tmp_path: Path) -> None:
    (conversation,) = read_conversations(write_conversation(tmp_path))
    assert [each.id for each in conversation.turns] == ["D1:1", "D1:2", "D2:1", "D2:2"]
    assert conversation.turns[1].at == datetime(2023, 5, 8, 13, 57, tzinfo=UTC)
    assert conversation.turns[3].session == "s2"
    assert [each.evidence for each in conversation.questions] == [("D1:1",)]


def test_every_ranking_is_measured_under_its_own_name(tmp_path: Path) -> None:
    measured = measure(read_conversations(write_conversation(tmp_path)))
    pairs = [f"{law}_{scorer}" for law, scorer in product(LawName, Scorer)]
    assert list(measured) == ["off", "default", *pairs, *UNBOUNDED]
    assert measured["off"] == {"hit@5": 1.0, "hit@10": 1.0, "rec@10": 1.0, "mrr": 1.0}
    assert measured["default"] == measured["off"]


def test_a_deadline_loses_what_was_said_before_it(tmp_path: Path) -> None:
    measured = measure(read_conversations(write_conversation(tmp_path)))
    assert measured["ttl_30d"]["hit@10"] == 0.0
    assert measured["ttl_90d"]["hit@10"] == 1.0


def test_one_ranking_is_scored_by_where_its_evidence_comes() -> None:
    found = score(["x", "a", "y", "z", "w", "v", "b"], {"a", "b", "c", "d"})
    assert found == Score(hit5=1.0, hit10=1.0, rec10=0.5, mrr=0.5)
    late = score(["1", "2", "3", "4", "5", "a"], {"a"})
    assert (late.hit5, late.hit10) == (0.0, 1.0)
    assert late.mrr == pytest.approx(1 / 6)
    assert score(["x"], {"a"}) == Score(hit5=0.0, hit10=0.0, rec10=0.0, mrr=0.0)


def test_means_are_over_questions() -> None:
    whole, none = score(["a"], {"a"}), score(["x"], {"a"})
    assert means([whole, none]) == {"hit@5": 0.5, "hit@10": 0.5, "rec@10": 0.5, "mrr": 0.5}
