"""The measure of what went stale, over small files in both formats."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks.stale import measure
from benchmarks.updates import read_stories
from lapse.model.finding import ChangeKind, Finding, Statement


def write_letta(folder: Path) -> Path:
    rows = [
        {
            "input": "Where does Nora live?",
            "agent_args": {
                "extra": {
                    "facts": ["Nora lives in Graz.", "Emil plays the oboe.", "Ida is a baker."],
                    "contradicting_fact": "Nora moved to Linz.",
                    "supporting_fact_indices": [0],
                }
            },
        }
    ]
    path = folder / "letta.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def write_longmemeval(folder: Path) -> Path:
    def turn(session: int, day: int, text: str) -> dict[str, object]:
        return {
            "session": session,
            "date": f"2023/05/{day:02} (Mon) 10:00",
            "role": "user",
            "content": text,
        }

    rows = [
        {
            "question": "How many plays have I read?",
            "question_type": "knowledge-update",
            "evidence": [
                turn(1, 3, "I have read 20 plays by Shaw so far."),
                turn(2, 9, "I have read 30 plays by Shaw so far."),
            ],
        },
        {
            "question": "What did I bake?",
            "question_type": "multi-session",
            "evidence": [turn(1, 5, "I baked a cake."), turn(2, 6, "I baked bread.")],
        },
    ]
    path = folder / "longmemeval.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def nothing(
    _new: Statement, _candidates: Sequence[Statement], _query: str | None = None, /
) -> Sequence[Finding]:
    return ()


def all_of_them(
    _new: Statement, candidates: Sequence[Statement], _query: str | None = None, /
) -> Sequence[Finding]:
    return [
        Finding(ids=(each.id,), kind=ChangeKind.REPLACEMENT, confidence=1.0) for each in candidates
    ]


def test_one_store_is_read_from_each_line_of_letta(tmp_path: Path) -> None:
    (story,) = read_stories(write_letta(tmp_path))
    assert [each.text for each in story.told][-1] == "Nora moved to Linz."
    assert story.stale == {0}
    assert story.updates[0].fresh == (3,)


def test_longmemeval_is_one_store_in_order_of_time_and_its_last_session_is_fresh(
    tmp_path: Path,
) -> None:
    (story,) = read_stories(write_longmemeval(tmp_path))
    assert [each.text[:12] for each in story.told][:2] == ["I have read ", "I baked a ca"]
    (update,) = story.updates
    assert (update.fresh, update.stale) == ((3,), (0,))


def test_another_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text('{"a": 1}')
    with pytest.raises(ValueError, match="no known format"):
        read_stories(path)


@pytest.mark.parametrize("write", [write_letta, write_longmemeval])
def test_what_is_found_no_longer_comes_up_and_everything_can_be_taken_back(
    tmp_path: Path, write: object
) -> None:
    assert callable(write)
    measured = measure(read_stories(write(tmp_path)))
    off = measured["off"]
    assert isinstance(off, dict)
    assert (off["stale@5"], measured["stale@5"]) == (1.0, 0.0)
    assert measured["fresh@5"] == 1.0
    assert (measured["as_of"], measured["undo_exact"]) == (1.0, 1.0)
    assert (measured["innocent"], measured["precision"], measured["found"]) == (0.0, 1.0, 1.0)


def test_a_finder_that_retires_everything_is_found_out(tmp_path: Path) -> None:
    measured = measure(read_stories(write_letta(tmp_path)), finder=all_of_them)
    assert measured["innocent"] == 0.5
    assert measured["found"] == 1.0


def test_a_finder_that_finds_nothing_changes_nothing(tmp_path: Path) -> None:
    measured = measure(read_stories(write_letta(tmp_path)), finder=nothing)
    assert measured["stale@5"] == 1.0
    assert measured["as_of"] is None
