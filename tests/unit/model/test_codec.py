"""The one JSON form: round trips of every value of the model, and what is refused."""

import dataclasses
import inspect
import json
import math
from collections.abc import Iterable, Mapping
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lapse.errors import ValidationError
from lapse.model import bank as banks
from lapse.model import (
    canary,
    changeset,
    due,
    index_delta,
    journal,
    memory,
    outcome,
    paging,
    query,
    record,
    retention,
    sweep,
    verbs,
    view,
)
from lapse.model.bank import Bank
from lapse.model.changeset import ChangeSet
from lapse.model.codec import decode, decode_from_later, dumps, encode, loads
from lapse.model.index_delta import ContentRows, IndexDelta, StateRows
from lapse.model.instants import Instant
from lapse.model.memory import BankRef, Draft, Kind, Memory, Role
from lapse.model.policy import Mode
from lapse.model.query import Explanation, Recall
from lapse.model.retention import Checkpoint, Strength, UseEvent, UseSource
from lapse.model.view import View
from lapse.testing.fakes import START, state
from tests.unit.model.values import JSON, values_of

MODULES = (
    banks,
    canary,
    changeset,
    due,
    sweep,
    index_delta,
    journal,
    memory,
    outcome,
    paging,
    query,
    record,
    retention,
    verbs,
    view,
)

NOT_JSON = {
    ChangeSet,  # holds a function
    View,  # keyed by bytes; never leaves the process
    ContentRows,
    StateRows,
    IndexDelta,  # columns of arrays
}


def _dataclasses(modules: Iterable[ModuleType]) -> list[type]:
    found = {
        each
        for module in modules
        for _, each in inspect.getmembers(module, inspect.isclass)
        if dataclasses.is_dataclass(each) and each.__module__ == module.__name__
    }
    return sorted(found - NOT_JSON, key=lambda each: each.__name__)


def _fields_at_fault(kind: type, text: str) -> list[str]:
    with pytest.raises(ValidationError) as caught:
        loads(kind, text)
    return [each.field for each in caught.value.faults]


@pytest.mark.parametrize("kind", _dataclasses(MODULES), ids=lambda kind: str(kind.__name__))
@settings(max_examples=20)  # there are some forty kinds of value
@given(data=st.data())
def test_every_value_of_the_model_survives_the_round_trip(kind: type, data: st.DataObject) -> None:
    value = data.draw(values_of(kind))

    text = dumps(value)
    again: object = loads(kind, text)

    assert again == value
    assert dumps(again) == text
    assert text.isascii()
    assert json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} in JSON"))


def test_the_model_has_more_than_a_handful_of_values() -> None:
    # So that an empty list cannot make the round trip pass unseen.
    assert len(_dataclasses(MODULES)) > 30


def test_the_form_is_canonical_json() -> None:
    draft = Draft(
        text="Tee é",
        kind=Kind.EPISODIC,
        role=Role.USER,
        created_at=START,
        metadata={"b": 1, "a": (True, None)},
    )

    plain = json.loads(dumps(draft))

    assert plain["text"] == "Tee é"
    assert plain["kind"] == "episodic"
    assert plain["created_at"] == "2026-03-01T09:00:00Z"
    assert plain["metadata"] == {"a": [True, None], "b": 1}
    assert plain["valid_to"] is None
    assert list(plain) == sorted(plain)
    assert ", " not in dumps(draft)
    assert r"\u00e9" in dumps(draft)


def test_a_plain_value_is_its_own_form() -> None:
    assert encode(("tea", 1, None, Kind.WORKING)) == ["tea", 1, None, "working"]


def test_bytes_are_hexadecimal() -> None:
    assert json.loads(dumps(record.Vector(space=1, data=b"\x00\xff")))["data"] == "00ff"


def test_an_integer_given_for_a_share_has_the_form_of_the_equal_float() -> None:
    whole, equal = Draft(text="a", importance=1), Draft(text="a", importance=1.0)

    assert whole == equal
    assert dumps(whole) == dumps(equal)


def test_zero_has_one_form_whatever_its_sign() -> None:
    assert dumps(Draft(text="a", importance=-0.0)) == dumps(Draft(text="a", importance=0.0))


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_not_finite_is_never_written(number: float) -> None:
    # A Memory is not checked when it is built, so the codec is the last to notice.
    stored = dataclasses.replace(_memory(), metadata={"a": [{"b": number}]})

    with pytest.raises(ValidationError) as caught:
        dumps(stored)

    assert caught.value.faults[0].field.startswith("metadata.a")


@pytest.mark.parametrize("written", ["NaN", "Infinity", "-Infinity", "1e400", "-1e400"])
@pytest.mark.parametrize("place", ['{"id":"a","text":"t","score":%s}', '{"a":%s}'])
def test_a_number_that_is_not_finite_is_never_read(written: str, place: str) -> None:
    kind = query.Candidate if "score" in place else Plainly

    with pytest.raises(ValidationError):
        loads(kind, place % written)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Plainly:
    """A value without any rule of its own: only the codec can refuse."""

    a: float


def test_an_integer_too_large_for_a_float_is_a_fault_of_its_field() -> None:
    assert _fields_at_fault(Plainly, '{"a":1' + "0" * 400 + "}") == ["a"]


def test_metadata_with_an_infinite_number_is_not_read() -> None:
    plain = encode(_memory())
    assert isinstance(plain, dict)
    plain["metadata"] = {"deep": [{"er": math.inf}]}

    with pytest.raises(ValidationError) as caught:
        decode(Memory, plain)

    assert [each.field for each in caught.value.faults] == ["metadata.deep[0].er"]


def test_keys_that_are_no_text_are_refused_not_guessed() -> None:
    stored = dataclasses.replace(_memory(), metadata={1: "a"})  # type: ignore[dict-item]  # the mistake on test

    with pytest.raises(ValidationError) as caught:
        dumps(stored)

    assert caught.value.faults[0].field == "metadata"


@dataclasses.dataclass(frozen=True)
class _Tally:
    by_mode: Mapping[Mode, int]


def test_keys_of_a_mapping_are_read_as_what_they_are_declared() -> None:
    tally = decode(_Tally, {"by_mode": {"rank": 2}})
    assert [type(each) for each in tally.by_mode] == [Mode]
    with pytest.raises(ValidationError, match="by_mode"):
        decode(_Tally, {"by_mode": {"sideways": 2}})


def test_what_has_no_json_form_is_refused_by_the_name_of_its_type() -> None:
    stored = dataclasses.replace(_memory(), metadata={"a": {1, 2}})  # type: ignore[dict-item]  # the mistake on test

    with pytest.raises(ValidationError, match="has no JSON form"):
        dumps(stored)


def test_all_faults_are_told_at_once_by_dotted_path() -> None:
    text = (
        '{"ref":{"tenant":7,"name":"alice"},"created_at":"soon","revision":true,'
        '"space":{"number":1,"embedder":"e","dimension":"4","shape":2},"policies":{}}'
    )

    assert set(_fields_at_fault(Bank, text)) == {
        "ref.tenant",
        "created_at",
        "revision",
        "space.dimension",
        "space.shape",
        "policies",
    }


def test_a_missing_field_is_named_and_an_unknown_one_too() -> None:
    assert set(_fields_at_fault(UseEvent, '{"event_id":"e","evnt":1}')) == {
        "evnt",
        "memory_id",
        "source",
        "weight",
        "at",
        "enqueued_at",
    }


def test_faults_of_a_nested_value_carry_the_path_to_it() -> None:
    plain = encode(Checkpoint(strength=state().strength, through=START))
    assert isinstance(plain, dict)
    assert isinstance(plain["strength"], dict)
    plain["strength"]["difficulty"] = 11.0

    with pytest.raises(ValidationError) as caught:
        decode(Checkpoint, plain)

    assert [each.field for each in caught.value.faults] == ["strength.difficulty"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("kind", "dream"),
        ("kind", 1),
        ("text", None),
        ("text", 5),
        ("proof_count", True),
        ("proof_count", 1.0),
        ("confidence", "0.5"),
        ("is_latest", 1),
        ("created_at", None),
        ("created_at", True),
        ("tags", "tea"),
        ("tags", ["tea", 7]),
        ("metadata", ["a"]),
        ("fingerprint", "no hex"),
        ("fingerprint", 12),
    ],
)
def test_a_value_of_another_type_is_a_fault(field: str, value: object) -> None:
    plain = encode(_memory())
    assert isinstance(plain, dict)

    with pytest.raises(ValidationError) as caught:
        decode(Memory, plain | {field: value})

    assert [each.field.split("[")[0] for each in caught.value.faults] == [field]


@pytest.mark.parametrize("text", ["", "{", "nul", '{"a":1}x', "[" * 100_000, '{"a":' * 100_000])
def test_what_is_not_json_is_refused(text: str) -> None:
    assert _fields_at_fault(Draft, text) == ["json"]


@pytest.mark.parametrize("text", ["null", "[]", '"draft"', "3"])
def test_json_of_another_shape_is_refused(text: str) -> None:
    assert _fields_at_fault(Draft, text) == ["Draft"]


def test_an_array_of_fixed_length_needs_that_length() -> None:
    text = dumps(journal.JournalDraft(verb=verbs.Verb.PIN, at=START, by="me", counts=(("a", 1),)))

    assert _fields_at_fault(journal.JournalDraft, text.replace('["a",1]', '["a"]')) == ["counts[0]"]


def test_what_was_read_cannot_be_changed_afterwards() -> None:
    read = loads(Draft, '{"text":"a","metadata":{"b":{"c":[1]}}}')

    with pytest.raises(TypeError):
        read.metadata["x"] = 1  # type: ignore[index]  # the mistake on test
    assert read.metadata == {"b": {"c": (1,)}}


@given(JSON)
def test_metadata_of_any_plain_json_survives(value: object) -> None:
    stored = dataclasses.replace(_memory(), metadata={"it": value})  # type: ignore[dict-item]  # JSON is plain

    assert loads(Memory, dumps(stored)) == stored


def test_a_recall_with_its_explanations_survives() -> None:
    explanation = Explanation(
        relevance=0.5,
        coverage=0.25,
        base=0.5,
        score=0.52,
        retrievability=0.63,
        need=0.1,
        importance=0.5,
        anchor=START,
        lifecycle=retention.Lifecycle.ACTIVE,
        terms={"recency": 1 / 3},
        flags=(query.Flag.PINNED,),
    )
    hit = query.Hit(rank=1, memory=_memory(), score=0.52, explanation=explanation)
    recall = Recall(id="r", at=START, mode=Mode.RANK, hits=(hit,))

    assert loads(Recall, dumps(recall)) == recall


def test_an_instant_outside_the_calendar_is_refused() -> None:
    plain = {"event_id": "e", "memory_id": "m", "source": UseSource.CITED.value, "weight": 1}
    times = {"at": 10**30, "enqueued_at": "2026-03-01T09:00Z"}

    with pytest.raises(ValidationError) as caught:
        decode(UseEvent, plain | times)

    assert [each.field for each in caught.value.faults] == ["at"]


def test_a_strength_whose_traces_are_too_few_is_refused_on_reading() -> None:
    plain = encode(state().strength)
    assert isinstance(plain, dict)

    with pytest.raises(ValidationError) as caught:
        decode(Strength, plain | {"traces": [1.0]})

    assert [each.field for each in caught.value.faults] == ["traces"]


def _memory() -> Memory:
    return Memory(
        tenant="default",
        bank="alice",
        id="m1",
        kind=Kind.SEMANTIC,
        text="I prefer tea",
        created_at=Instant(START),
        recorded_from=Instant(START),
        fingerprint=b"\x01\x02",
        confidence=0.5,
    )


def test_a_bank_is_read_back_with_its_policy() -> None:
    bank = Bank(
        ref=BankRef(name="alice"), created_at=START, policy={"recall": {"k": 3, "explain": None}}
    )

    assert loads(Bank, dumps(bank)) == bank


def test_what_a_later_version_added_is_passed_over_and_what_it_lacks_is_not() -> None:
    known = encode(BankRef(tenant="t", name="n"))
    assert isinstance(known, dict)
    later = {**known, "colour": {"deep": [1]}}
    assert decode_from_later(BankRef, later) == BankRef(tenant="t", name="n")
    with pytest.raises(ValidationError, match="colour"):
        decode(BankRef, later)
    with pytest.raises(ValidationError, match="name"):
        decode_from_later(BankRef, {"tenant": "t", "colour": 1})
