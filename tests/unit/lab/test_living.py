"""A corpus is read whole or refused whole, and lived under several policies on equal terms."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from lapse.engine.parts import Parts
from lapse.errors import PolicyError, ValidationError
from lapse.lab.corpus import Conversation, read_corpus
from lapse.lab.living import live_under
from lapse.model.memory import JsonValue
from tests.unit.engine.opening import Opened

STAYS: dict[str, JsonValue] = {"law.name": "none"}
GOES: dict[str, JsonValue] = {"law.name": "half_life", "retention.grace_days": 0}


def _written(path: Path, *lines: object) -> Path:
    path.write_text("\n".join(json.dumps(each) for each in lines), encoding="utf-8")
    return path


def _memory(day: int, name: str, text: str, **fields: object) -> dict[str, object]:
    return {"at": f"2026-01-{day:02}T09:00Z", "memory": name, "text": text, **fields}


def _corpus(folder: Path) -> list[Conversation]:
    """A month in which a drink changes; a dentist is named once, and asked for at the end."""
    filler = [
        _memory(day, f"f{day}", f"Day {day} brought rain over harbour number{day}")
        for day in range(3, 28)
    ]
    return read_corpus(
        _written(
            folder / "corpus.jsonl",
            _memory(1, "tea", "She drinks green tea", key="user/drink", value="tea"),
            _memory(2, "dentist", "The dentist is called Brandt"),
            *filler,
            _memory(20, "coffee", "She drinks coffee now", key="user/drink", value="coffee"),
            {"question": "what does she drink", "evidence": ["tea"], "at": "2026-01-05T09:00Z"},
            {"question": "what does she drink", "evidence": ["coffee"], "stale": ["tea"]},
            {"question": "what is the dentist called", "evidence": ["dentist"]},
        )
    )


@pytest.fixture
def parts(lapse: Opened) -> Parts:
    return lapse.core.parts


def test_what_a_policy_lets_go_it_cannot_find(parts: Parts, tmp_path: Path) -> None:
    found = live_under(parts, _corpus(tmp_path), {"stays": STAYS, "goes": GOES}, kept=(1.0,))
    (stays,), (goes,) = found["stays"], found["goes"]
    assert stays.questions == goes.questions == 3
    assert stays.recall == 1
    assert stays.needed_after_forgotten == 0
    assert goes.recall < 1
    assert goes.needed_after_forgotten > 300
    assert goes.lead_on_first.mean < 0
    assert goes.lead_on_first.low <= goes.lead_on_first.mean <= goes.lead_on_first.high
    assert goes.sizes[-1].active < stays.sizes[-1].active == stays.sizes[-1].told


def test_a_share_bounds_the_active_set_before_every_session(parts: Parts, tmp_path: Path) -> None:
    found = live_under(parts, _corpus(tmp_path), {"stays": STAYS}, kept=(1.0, 0.5))
    _, half = found["stays"]
    assert all(each.active <= max(round(each.told / 2), 1) for each in half.sizes)
    assert half.kept == 0.5


def test_what_is_no_longer_so_is_counted_when_it_is_shown(parts: Parts, tmp_path: Path) -> None:
    corpus = read_corpus(
        _written(
            tmp_path / "corpus.jsonl",
            _memory(1, "tea", "She drinks green tea"),
            _memory(2, "coffee", "She drinks coffee now"),
            {"question": "what does she drink", "evidence": ["coffee"], "stale": ["tea"]},
        )
    )
    (shown,) = live_under(parts, corpus, {"stays": STAYS}, kept=(1.0,))["stays"]
    assert shown.stale == 1
    (told_apart,) = live_under(parts, _corpus(tmp_path), {"s": STAYS}, kept=(1.0,))["s"]
    assert told_apart.stale == 0


def test_the_same_corpus_gives_the_same_figures(parts: Parts, tmp_path: Path) -> None:
    corpus = _corpus(tmp_path)
    assert live_under(parts, corpus, {"g": GOES}) == live_under(parts, corpus, {"g": GOES})


def test_nothing_is_written_to_the_store_whose_parts_are_used(
    parts: Parts, tmp_path: Path, lapse: Opened
) -> None:
    live_under(parts, _corpus(tmp_path), {"g": GOES}, kept=(1.0,))
    assert lapse.store.refs() == []


def test_what_is_tried_out_asks_no_model(parts: Parts, tmp_path: Path) -> None:
    asked: list[str] = []

    def model(prompt: str, /) -> str:
        asked.append(prompt)
        return "7"

    policies: dict[str, dict[str, JsonValue]] = {"asking": {**STAYS, "importance.rater": "llm"}}
    live_under(replace(parts, generate=model), _corpus(tmp_path), policies, kept=(1.0,))
    assert asked == []


def test_every_wrong_line_of_a_corpus_is_named_at_once(tmp_path: Path) -> None:
    path = _written(
        tmp_path / "corpus.jsonl",
        {"memory": "a", "text": "b"},
        {"at": "2026-01-01", "memory": "", "text": 7},
        {"question": " ", "evidence": ["a"]},
        {"question": "b", "evidence": [], "answer": "c"},
        7,
    )
    with pytest.raises(ValidationError) as caught:
        read_corpus(path)
    assert [each.field for each in caught.value.faults] == [
        "line 1.at",
        "line 2.memory",
        "line 2.text",
        "line 3.question",
        "line 4.answer",
        "line 4.evidence",
        "line 5",
    ]


def test_what_does_not_fit_together_in_a_corpus_is_named(tmp_path: Path) -> None:
    path = _written(
        tmp_path / "corpus.jsonl",
        _memory(1, "a", "She drinks tea"),
        _memory(2, "a", "She drinks coffee"),
        {"question": "what does she drink", "evidence": ["a", "nobody"], "stale": ["gone"]},
    )
    with pytest.raises(ValidationError) as caught:
        read_corpus(path)
    assert [(each.field, each.value) for each in caught.value.faults] == [
        ("line 2.memory", "'a'"),
        ("line 3.evidence", "'nobody'"),
        ("line 3.stale", "'gone'"),
    ]


def test_fields_of_a_memory_are_judged_where_they_stand(tmp_path: Path) -> None:
    path = _written(
        tmp_path / "corpus.jsonl",
        _memory(1, "a", "She drinks tea", importance=7, kind="dream"),
        {"question": "what does she drink", "evidence": ["a"]},
    )
    with pytest.raises(ValidationError) as caught:
        read_corpus(path)
    assert [each.field for each in caught.value.faults] == ["line 1.kind", "line 1.importance"]


def test_a_text_may_hold_separators_that_end_no_line(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    memory = json.dumps(_memory(1, "a", "tea\u2028and\x85cake"), ensure_ascii=False)
    path.write_text(memory + '\n{"question": "what", "evidence": ["a"]}\n', encoding="utf-8")
    (found,) = read_corpus(path)
    assert found.told[0].draft["text"] == "tea\u2028and\x85cake"


def test_a_conversation_without_questions_and_an_empty_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValidationError, match="something asked"):
        read_corpus(_written(tmp_path / "a.jsonl", _memory(1, "a", "b")))
    with pytest.raises(ValidationError, match="at least one line"):
        read_corpus(_written(tmp_path / "b.jsonl"))


def test_wishes_that_cannot_be_are_refused(parts: Parts, tmp_path: Path) -> None:
    corpus = _corpus(tmp_path)
    with pytest.raises(ValidationError, match="policies"):
        live_under(parts, corpus, {})
    with pytest.raises(ValidationError, match="shares"):
        live_under(parts, corpus, {"stays": STAYS}, kept=(0.0,))
    with pytest.raises(PolicyError, match=r"law\.nam"):
        live_under(parts, corpus, {"wrong": {"law.nam": "none"}})
