"""The scorecard goes on where it stopped, and names what it could not measure."""

import importlib.util
import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import scorecard
from benchmarks.conversations import read_conversations
from benchmarks.decay_guide import REST, corpus_of
from benchmarks.scorecard import CARD, Row, leaves, main, page, read, run, stands
from lapse.model.instants import parse_instant
from tests.unit.benchmarks.conversation_file import write_conversation

LIGHT = Row(name="kernels tiny", arguments=("--count", "100", "--rounds", "1"))


@pytest.fixture
def card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A card of one light benchmark and one without its data, in a folder of its own."""
    monkeypatch.setattr(scorecard, "CARD", (LIGHT, Row(name="need nowhere", data="none.csv")))
    monkeypatch.setattr(scorecard, "FIGURES", tmp_path / "card.json")
    monkeypatch.setattr(scorecard, "PAGE", tmp_path / "card.md")
    monkeypatch.setattr("sys.argv", ["scorecard"])
    return tmp_path


def test_every_row_names_a_benchmark_that_there_is() -> None:
    assert len({each.name for each in CARD}) == len(CARD)
    assert all(importlib.util.find_spec(each.module) is not None for each in CARD)


def test_a_run_writes_figures_and_reasons_and_goes_on_where_it_stopped(card: Path) -> None:
    main()
    found = read(card / "card.json")
    assert found["kernels tiny"]["benchmark"] == "kernels"
    assert found["need nowhere"]["problem"] == "its data is not under --data-root"
    shown = (card / "card.md").read_text(encoding="utf-8")
    assert "`python -m benchmarks.kernels --count 100 --rounds 1`" in shown
    assert "Not measured: its data is not under --data-root." in shown
    main()
    assert read(card / "card.json")["kernels tiny"] == found["kernels tiny"]


def test_a_figure_stands_only_while_it_is_measured_the_same_way(card: Path) -> None:
    main()
    found = read(card / "card.json")
    assert stands(LIGHT, found)
    assert not stands(replace(LIGHT, arguments=("--count", "200")), found)
    assert not stands(replace(LIGHT, name="kernels"), found)
    assert not stands(scorecard.CARD[1], found)


def test_what_takes_too_long_or_fails_is_named() -> None:
    assert "did not finish within 0" in str(run(LIGHT, None, 0)["problem"])
    wrong = run(Row(name="kernels", arguments=("--count", "none")), None, 60)
    assert "ended with 2" in str(wrong["problem"])


def test_the_page_shows_the_figures_that_a_row_names() -> None:
    told = {"command": "c", "date": "d", "took_s": 1, "results": {"a": {"b": 0.5}, "c": 2}}
    assert list(leaves(told["results"])) == [("a.b", 0.5), ("c", 2)]  # type: ignore[arg-type]
    shown = page({CARD[0].name: told})  # type: ignore[dict-item]  # as JSON gives it
    assert "| a.b | 0.5 |" in shown
    assert "| c | 2 |" in shown


def test_the_card_that_is_shipped_is_the_page_of_its_figures() -> None:
    found = json.loads(scorecard.FIGURES.read_text(encoding="utf-8"))
    assert scorecard.PAGE.read_text(encoding="utf-8") == page(found)


def test_the_guide_asks_every_other_question_when_it_can_be_answered(tmp_path: Path) -> None:
    (conversation,) = read_conversations(write_conversation(tmp_path))
    corpus = corpus_of(conversation)
    assert [each.id for each in corpus.told] == ["D1:1", "D1:2", "D2:1", "D2:2"]
    (question,) = corpus.questions
    end = parse_instant(conversation.turns[1].at, "at")
    assert (question.at, question.evidence) == (end + REST, frozenset({"D1:1"}))
