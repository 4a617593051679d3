"""The tree of errors: what each carries, and how faces answer it."""

import inspect

import pytest

from lapse import errors
from lapse.errors import (
    LapseError,
    PolicyError,
    ValidationError,
    at_position,
    fault,
    raise_all,
)


def _kinds() -> list[type[LapseError]]:
    found = [
        each
        for _, each in inspect.getmembers(errors, inspect.isclass)
        if issubclass(each, LapseError)
    ]
    return sorted(found, key=lambda each: each.__name__)


class Unspeakable:
    """Something whose `repr` fails."""

    def __repr__(self) -> str:
        raise ValueError("no")


@pytest.mark.parametrize("kind", _kinds(), ids=lambda kind: str(kind.__name__))
def test_every_error_has_a_status_an_exit_code_and_a_sentence(kind: type[LapseError]) -> None:
    assert 400 <= kind.http_status < 600
    assert 1 <= kind.exit_code < 64
    assert inspect.getdoc(kind)
    assert kind.__name__.endswith("Error")


def test_the_tree_in_the_docstring_is_the_tree_in_the_code() -> None:
    drawn = [line for line in (errors.__doc__ or "").splitlines() if line.lstrip(" │├└─")]
    tree = drawn[[line.strip() for line in drawn].index("LapseError") :]
    depth = {line.lstrip(" │├└─").split()[0]: line.index(line.lstrip(" │├└─")[0]) for line in tree}

    assert set(depth) == {each.__name__ for each in _kinds()}
    for each in _kinds():
        parent = each.__mro__[1].__name__
        if parent in depth:
            assert depth[each.__name__] == depth[parent] + 4, each


def test_kinds_that_need_different_answers_have_different_exit_codes() -> None:
    codes = {each.__name__: each.exit_code for each in _kinds() if each.__mro__[1] is LapseError}

    assert len(set(codes.values())) == len(codes)
    assert LapseError.exit_code not in codes.values()


def test_a_fault_shows_what_was_given_shortened() -> None:
    told = fault("tags", "x" * 500, "needs a list")

    assert len(told.value) == 60
    assert str(told) == f"tags = {told.value}: needs a list"


@pytest.mark.parametrize(
    "value",
    [10**5000, -(10**9000), [10**5000], Unspeakable()],
    ids=["too long", "too long, negative", "inside a list", "cannot be shown"],
)
def test_a_value_that_cannot_be_shown_is_named_by_its_type(value: object) -> None:
    assert type(value).__name__ in fault("at", value, "needs a time").value


def test_a_surrogate_in_a_value_does_not_make_the_message_unprintable() -> None:
    assert str(fault("key", "\ud800", "must not hold it")).encode("utf-8")


def test_all_faults_are_in_the_message_and_in_the_fields() -> None:
    error = ValidationError([fault("k", 0, "needs 1"), fault("mode", "x", "needs a mode")])

    assert str(error) == "k = 0: needs 1; mode = 'x': needs a mode"
    assert error.fields == {"k": "needs 1", "mode": "needs a mode"}
    assert len(error.faults) == 2


def test_one_fault_can_be_told_by_any_kind_of_validation_error() -> None:
    error = PolicyError.of("recall.k", 0, "needs 1")

    assert isinstance(error, PolicyError)
    assert error.faults[0].field == "recall.k"


def test_faults_in_a_list_carry_their_position() -> None:
    assert [each.field for each in at_position(3, ValidationError.of("key", "", "needs text"))] == [
        "[3].key"
    ]


def test_no_faults_raise_nothing_and_several_raise_once() -> None:
    raise_all([])
    with pytest.raises(ValidationError) as caught:
        raise_all(fault(each, 1, "is wrong") for each in "ab")
    assert [each.field for each in caught.value.faults] == ["a", "b"]


def test_fields_default_to_none_given() -> None:
    assert LapseError("it failed").fields == {}
    assert LapseError("it failed", fields={"id": "m1"}).fields == {"id": "m1"}
