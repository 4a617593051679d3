"""Reading what a caller wrote: every fault at once, named as the caller named the field."""

import math
from collections.abc import Mapping
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.errors import ValidationError
from lapse.intake.drafts import FIELDS, freeze, read_draft, read_drafts
from lapse.model.instants import DAY, parse_instant
from lapse.model.memory import Draft, Kind, Role
from lapse.testing.fakes import START
from tests.unit.model.values import JSON, WORDS

LIMIT = 64 * 1024

# For every field but the text: a value of another type or out of range.
WRONG: dict[str, list[object]] = {
    "id": [5, "", " ", "x" * 256, b"m1", "\x00"],
    "kind": ["dream", 5, ["semantic"]],
    "key": [5, "", "\ud800"],
    "value": [5, "a\x00b", "\ud800"],
    "subject": [5, "", ["a"]],
    "entities": ["tea", 5, [5], [""], {"a": 1, 2: 3}],
    "session": [5, ""],
    "role": ["boss", 5, ["user"]],
    "source": [5, ""],
    "tags": ["tea", 5, [5], [None], ["\x00"]],
    "metadata": ["a", [1], {"a": math.nan}, {1: 2}, {"a": object()}],
    "created_at": ["soon", 1.5, True, 10**30],
    "occurred_at": ["soon", [2026], ""],
    "valid_from": ["soon", "2026-13-01"],
    "valid_to": ["soon", {}],
    "importance": [-0.1, 1.1, math.nan, "0.5", True, 50],
    "confidence": [-0.1, 1.1, math.inf, "0.5", False],
    "proof_count": [0, -1, 1.0, "1", True],
    "expires_at": ["soon"],
    "multi": ["yes", 1],
    "pinned": [1, "true", 0],
    "exempt": [5, "", "\x00", True],
    "audit_evidence": ["yes", 1],
    "derived_from": ["m1", 5, [5], [""]],
}
CASES = [(name, value) for name, values in WRONG.items() for value in values]


def _faults(given_fields: Mapping[str, object]) -> list[str]:
    with pytest.raises(ValidationError) as caught:
        read_draft(given_fields, LIMIT)
    return [each.field for each in caught.value.faults]


def test_every_field_a_caller_may_use_has_a_wrong_value_below() -> None:
    assert {*WRONG, "text"} == FIELDS


@pytest.mark.parametrize(("name", "value"), CASES)
def test_a_wrong_value_is_one_fault_by_its_own_name(name: str, value: object) -> None:
    fields = {"text": "tea", "key": "user/drink"} | {name: value}

    (field,) = set(_faults(fields))

    assert field.split(".")[0] == name


def test_all_wrong_values_are_told_at_once() -> None:
    fields = {name: values[0] for name, values in WRONG.items()} | {"text": 5, "colour": "red"}

    assert sorted(_faults(fields)) == sorted([*WRONG, "text", "colour"])


@pytest.mark.parametrize("name", ["exempt_reason", "lifecycle", "recorded_from", "Text", ""])
def test_an_unknown_field_is_refused_with_the_known_ones(name: str) -> None:
    with pytest.raises(ValidationError, match=r"unknown field; known are audit_evidence, .*value"):
        read_draft({"text": "tea", name: "x"}, LIMIT)


@pytest.mark.parametrize("text", [None, 5, b"tea", ["tea"]])
def test_a_draft_needs_text(text: object) -> None:
    assert _faults({"text": text}) == ["text"]
    assert _faults({}) == ["text"]


@pytest.mark.parametrize("text", ["", " \n", "\u200b", "a\x00", "\ud800", "a" * (LIMIT + 1)])
def test_a_text_that_cannot_be_kept_is_refused_beside_other_faults(text: str) -> None:
    assert set(_faults({"text": text, "importance": 2})) == {"text", "importance"}


def test_a_field_that_is_none_counts_as_left_out() -> None:
    nothing: dict[str, object] = dict.fromkeys(FIELDS - {"text"})

    assert read_draft({"text": "tea"} | nothing, LIMIT) == Draft(text="tea")


def test_every_field_is_read_into_its_type() -> None:
    draft = read_draft(
        {
            "text": "I prefer te\u0301",
            "id": "m-1",
            "kind": "Conversation",
            "key": "user/drink",
            "value": "tea",
            "subject": "alice",
            "entities": ["Alice", "Alice", "Bob"],
            "session": "s1",
            "role": "user",
            "source": "chat",
            "tags": (each for each in ("a", "b", "a")),
            "metadata": {"n": [1, {"deep": None}]},
            "created_at": "2026-03-01T09:00Z",
            "occurred_at": date(2026, 2, 1),
            "valid_from": datetime(2026, 2, 1, tzinfo=UTC),
            "valid_to": START,
            "importance": 1,
            "confidence": 0.25,
            "proof_count": 3,
            "expires_at": START + DAY,
            "pinned": True,
            "exempt": "law",
            "audit_evidence": True,
            "derived_from": ["m-0"],
        },
        LIMIT,
    )

    february = parse_instant("2026-02-01", "at")
    assert draft == Draft(
        text="I prefer té",
        id="m-1",
        kind=Kind.EPISODIC,
        key="user/drink",
        value="tea",
        subject="alice",
        entities=("Alice", "Bob"),
        session="s1",
        role=Role.USER,
        source="chat",
        tags=("a", "b"),
        metadata={"n": (1, {"deep": None})},
        created_at=START,
        occurred_at=february,
        valid_from=february,
        valid_to=START,
        importance=1,
        confidence=0.25,
        proof_count=3,
        expires_at=parse_instant(START + DAY, "at"),
        pinned=True,
        exempt_reason="law",
        audit_evidence=True,
        derived_from=("m-0",),
    )


def test_what_the_caller_gave_can_change_afterwards_without_any_effect() -> None:
    metadata = {"inner": {"list": [1]}}
    tags = ["a"]
    draft = read_draft({"text": "tea", "metadata": metadata, "tags": tags}, LIMIT)

    metadata["inner"]["list"].append(2)
    tags.append("b")

    assert draft.metadata == {"inner": {"list": (1,)}}
    assert draft.tags == ("a",)


@given(st.dictionaries(WORDS, JSON))
def test_metadata_is_kept_whatever_it_says(metadata: dict[str, object]) -> None:
    assert read_draft({"text": "tea", "metadata": metadata}, LIMIT).metadata == metadata


def test_metadata_without_an_end_is_a_fault_and_no_crash() -> None:
    deep: dict[str, object] = {}
    deep["self"] = deep

    assert [each.split(".")[0] for each in _faults({"text": "tea", "metadata": deep})] == [
        "metadata"
    ]


@given(st.text(min_size=1))
def test_a_text_that_was_read_is_read_again_as_it_is(text: str) -> None:
    if (draft := _read_or_none(text)) is not None:
        assert read_draft({"text": draft.text}, LIMIT) == draft


@given(st.text())
def test_a_text_is_refused_by_its_own_name_only(text: str) -> None:
    if _read_or_none(text) is None:
        assert set(_faults({"text": text})) == {"text"}


def test_faults_of_many_drafts_carry_their_position() -> None:
    with pytest.raises(ValidationError) as caught:
        read_drafts(
            [{"text": "tea"}, {"text": ""}, "tea", {"text": "tea", "importance": 2, "x": 1}],
            LIMIT,
        )
    assert [each.field for each in caught.value.faults] == [
        "[1].text",
        "[2]",
        "[3].x",
        "[3].importance",
    ]


def test_many_drafts_are_read_in_order() -> None:
    assert [each.text for each in read_drafts([{"text": "a"}, {"text": "b"}], LIMIT)] == ["a", "b"]
    assert read_drafts([], LIMIT) == []


def test_a_key_of_another_type_is_no_reason_to_blame_its_value() -> None:
    assert _faults({"text": "tea", "key": 5, "value": "tea"}) == ["key"]


@given(JSON)
def test_a_frozen_value_equals_what_it_was_made_of(value: object) -> None:
    assert freeze(value) == value  # type: ignore[arg-type]  # JSON is plain


def _read_or_none(text: str) -> Draft | None:
    try:
        return read_draft({"text": text}, LIMIT)
    except ValidationError:
        return None
