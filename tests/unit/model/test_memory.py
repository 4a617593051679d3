"""What a draft and a bank's name may be: every fault at once, by its field."""

import math
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.errors import ValidationError
from lapse.model.instants import Instant
from lapse.model.memory import (
    KIND_ALIASES,
    NAME_LIMIT,
    BankRef,
    Draft,
    JsonValue,
    Kind,
    json_faults,
    parse_kind,
)
from lapse.testing.fakes import START, memory
from tests.unit.model.values import JSON, NAMES, WORDS

BAD_NAMES = ["", " ", "\t\n", "x" * (NAME_LIMIT + 1), "a\x00b", "\ud800", "a\udfffb"]
LATER = Instant(START + 1)


def _faults(**fields: object) -> list[str]:
    with pytest.raises(ValidationError) as caught:
        Draft(**({"text": "tea"} | fields))  # type: ignore[arg-type]  # the mistake on test
    return [each.field for each in caught.value.faults]


@pytest.mark.parametrize("name", BAD_NAMES)
@pytest.mark.parametrize("field", ["id", "key", "subject", "session", "source"])
def test_a_name_that_cannot_be_kept_is_refused(field: str, name: str) -> None:
    assert _faults(**{field: name}) == [field]


@pytest.mark.parametrize("reason", ["", " ", "a\x00b", "\ud800"])
def test_a_reason_for_an_exemption_must_say_something(reason: str) -> None:
    assert _faults(exempt_reason=reason) == ["exempt_reason"]
    assert Draft(text="tea", exempt_reason="because " * 100).exempt_reason is not None


@pytest.mark.parametrize("name", BAD_NAMES)
@pytest.mark.parametrize("field", ["tags", "entities", "derived_from"])
def test_a_name_in_a_list_that_cannot_be_kept_is_refused(field: str, name: str) -> None:
    assert _faults(**{field: ("fine", name)}) == [field]


@given(NAMES)
def test_any_other_name_is_kept_as_it_is(name: str) -> None:
    assert Draft(text="tea", id=name, tags=(name,)).id == name


@pytest.mark.parametrize("field", ["importance", "confidence"])
@pytest.mark.parametrize("value", [-1e-9, 1.0 + 1e-9, math.nan, math.inf, -math.inf, True, 50])
def test_a_share_outside_0_to_1_is_refused(field: str, value: float) -> None:
    assert _faults(**{field: value}) == [field]


@pytest.mark.parametrize("value", [0, -1, True])
def test_a_memory_has_at_least_one_proof(value: int) -> None:
    assert _faults(proof_count=value) == ["proof_count"]


@pytest.mark.parametrize("value", ["a\x00b", "\ud800"])
def test_a_value_that_cannot_be_kept_is_refused(value: str) -> None:
    assert _faults(key="user/drink", value=value) == ["value"]


def test_a_long_value_is_no_name_and_is_kept() -> None:
    assert len(Draft(text="tea", key="k", value="v" * 5000).value or "") == 5000


def test_a_value_needs_a_key_and_is_not_shown() -> None:
    with pytest.raises(ValidationError) as caught:
        Draft(text="tea", value="secret tea")
    assert [each.field for each in caught.value.faults] == ["value"]
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("end", [START, Instant(START - 1)])
def test_an_interval_ends_after_it_begins(end: Instant) -> None:
    assert _faults(valid_from=START, valid_to=end) == ["valid_to"]
    assert Draft(text="tea", valid_from=START, valid_to=LATER).valid_to == LATER
    assert Draft(text="tea", valid_to=end).valid_from is None


@pytest.mark.parametrize(
    ("metadata", "field"),
    [
        ({"a": math.nan}, "metadata.a"),
        ({"a": {"b": [1, math.inf]}}, "metadata.a.b[1]"),
        ({1: "a"}, "metadata"),
        ({"a": {2: 3}}, "metadata.a"),
        ({"a": object()}, "metadata.a"),
        ({"a": {1, 2}}, "metadata.a"),
        ({"a": b"bytes"}, "metadata.a"),
        ({"a": 10**5000}, "metadata.a"),
        ({"a": ["b\x00"]}, "metadata.a[0]"),
        ({"a": "\ud800"}, "metadata.a"),
        ({"a": {"b\x00": 1}}, "metadata.a"),
    ],
    ids=[
        "NaN",
        "infinity",
        "key",
        "inner key",
        "object",
        "set",
        "bytes",
        "endless",
        "NUL",
        "lone surrogate",
        "NUL in a key",
    ],
)
def test_metadata_is_plain_finite_json_that_every_store_keeps(
    metadata: Mapping[str, JsonValue], field: str
) -> None:
    assert _faults(metadata=metadata) == [field]


def test_metadata_that_is_nested_without_end_is_refused() -> None:
    deep: dict[str, JsonValue] = {}
    deep["self"] = deep

    assert len(_faults(metadata=deep)) == 1


@given(st.dictionaries(WORDS, JSON))
def test_any_plain_json_is_metadata(metadata: Mapping[str, JsonValue]) -> None:
    assert list(json_faults("metadata", metadata)) == []


def test_every_fault_is_told_at_once() -> None:
    fields = {
        "id": "",
        "key": "\x00",
        "tags": ("", "fine"),
        "importance": 2,
        "confidence": -1,
        "proof_count": 0,
        "valid_from": START,
        "valid_to": START,
        "metadata": {"a": math.nan},
    }

    assert _faults(**fields) == [
        "id",
        "key",
        "tags",
        "importance",
        "confidence",
        "proof_count",
        "valid_to",
        "metadata.a",
    ]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_bank_and_its_tenant_need_names(name: str) -> None:
    with pytest.raises(ValidationError) as caught:
        BankRef(tenant=name, name=name)
    assert [each.field for each in caught.value.faults] == ["tenant", "bank"]


def test_banks_of_two_tenants_are_never_the_same() -> None:
    assert BankRef(tenant="a", name="b") != BankRef(tenant="b", name="b")
    assert len({BankRef(name="b"), BankRef(tenant="default", name="b")}) == 1
    assert str(BankRef(name="b")) == "default/b"


@pytest.mark.parametrize("name", ["../../x", "a/b", "..", "C:\\x", "CON", "Ä", "日本", "a b"])
def test_any_visible_name_names_a_bank(name: str) -> None:
    assert BankRef(name=name).name == name


@pytest.mark.parametrize("kind", Kind)
def test_a_kind_has_a_name_in_any_case(kind: Kind) -> None:
    assert parse_kind(kind) is kind
    assert parse_kind(f" {kind.value.upper()} ") is kind


@pytest.mark.parametrize(("name", "kind"), KIND_ALIASES.items())
def test_a_kind_has_the_names_of_other_systems(name: str, kind: Kind) -> None:
    assert parse_kind(name) is kind
    assert name not in set(Kind)


@pytest.mark.parametrize("value", ["", "dream", 1, None, ["semantic"], "semantic memory"])
def test_an_unknown_kind_is_refused_with_the_known_ones(value: object) -> None:
    with pytest.raises(ValidationError, match=r"needs one of semantic, .*conversation"):
        parse_kind(value, "kinds")


def test_a_memory_knows_its_bank() -> None:
    ref = BankRef(tenant="t", name="b")

    assert memory("m1", ref=ref).ref == ref
