"""The measure of what summaries keep within reach, over one small conversation."""

from pathlib import Path

from benchmarks.conversations import read_conversations
from benchmarks.reflection import measure
from tests.unit.benchmarks.conversation_file import write_conversation


def test_what_was_put_away_is_reached_through_a_summary_that_names_it(tmp_path: Path) -> None:
    conversations = read_conversations(write_conversation(tmp_path))
    measured = measure(conversations, 0.3, 0.0)
    assert measured["before"] == 1.0
    assert measured["direct"] == 0.0
    assert measured["derived"] == measured["either"] == measured["cited"] == 1.0


def test_without_a_summary_nothing_that_was_put_away_is_reached(tmp_path: Path) -> None:
    measured = measure(read_conversations(write_conversation(tmp_path)), 100.0, 0.0)
    assert measured["summaries per 100 turns"] == 0.0
    assert measured["either"] == measured["cited"] == 0.0
