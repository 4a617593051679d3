"""Reading what a request says: options, filters, candidates of another store."""

import numpy as np
import pytest

from lapse.engine.candidates import read_candidates, read_query_vector
from lapse.engine.requests import read_scope, request_of
from lapse.errors import PolicyError, ValidationError
from lapse.model.memory import Kind
from lapse.model.query import Candidate, Scope
from lapse.testing.fakes import START
from tests.unit.engine.opening import Opened


def _faults(given: object) -> list[str]:
    with pytest.raises(ValidationError) as caught:
        read_candidates(given)  # type: ignore[arg-type]  # the mistake on test
    return [each.field for each in caught.value.faults]


def test_an_option_means_a_setting_and_none_is_left_out() -> None:
    assert request_of({"k": 3, "mode": "off"}) == {"recall.k": 3, "forgetting.mode": "off"}
    assert request_of({"budget_words": None}) == {}  # type: ignore[typeddict-item]  # as from a face


def test_an_unknown_option_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValidationError, match=r"known are k, budget_words") as caught:
        request_of({"limit": 3, "depth": 1})  # type: ignore[typeddict-unknown-key]  # the mistake on test
    assert [each.field for each in caught.value.faults] == ["limit", "depth"]


@pytest.mark.parametrize(
    "overrides", [{"k": 0}, {"k": "many"}, {"mode": "lifecycle"}, {"scorer": "best"}]
)
def test_an_option_out_of_range_is_refused_by_the_policy(
    lapse: Opened, overrides: dict[str, object]
) -> None:
    lapse.alice.remember("I prefer tea")

    with pytest.raises(PolicyError):
        lapse.alice.recall("tea", **overrides)  # type: ignore[arg-type]  # the mistake on test


def test_a_scope_is_read_into_values() -> None:
    scope = read_scope(["conversation", Kind.WORKING], "s1", "alice", ["a"], {"n": [1]})

    assert scope == Scope(
        kinds=(Kind.EPISODIC, Kind.WORKING),
        session="s1",
        subject="alice",
        tags=("a",),
        metadata={"n": (1,)},
    )


def test_a_single_name_in_place_of_a_list_is_not_spelled_out() -> None:
    with pytest.raises(ValidationError) as caught:
        read_scope("semantic", None, None, "tea", None)
    assert [each.field for each in caught.value.faults] == ["kinds", "tags"]


def test_unknown_kinds_and_endless_metadata_are_told_together() -> None:
    deep: dict[str, object] = {}
    deep["self"] = deep
    with pytest.raises(ValidationError) as caught:
        read_scope(["dream", "semantic", "wish"], None, None, [], deep)  # type: ignore[arg-type]  # the mistake on test
    fields = [each.field.split(".")[0] for each in caught.value.faults]
    assert fields == ["kinds", "kinds", "metadata"]


def test_candidates_are_read_in_order_with_their_types() -> None:
    own = Candidate(id="a", text="tea")

    read = read_candidates(
        [
            own,
            {
                "id": "b",
                "text": "milk",
                "kind": "entity",
                "created_at": "2026-03-01T09:00Z",
                "score": 1,
                "tags": ["x"],
                "vector": [0.0, 1.0],
                "importance": None,
            },
        ]
    )

    assert read == [
        own,
        Candidate(
            id="b",
            text="milk",
            kind=Kind.SEMANTIC,
            created_at=START,
            score=1.0,
            tags=("x",),
        ),
    ]
    assert isinstance(read[1].vector, np.ndarray)
    assert read[1].vector.tolist() == [0.0, 1.0]


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_an_array_of_floats_is_taken_as_it_is(dtype: type[np.floating]) -> None:
    row = np.ones(3, dtype=dtype)
    (candidate,) = read_candidates([{"id": "a", "text": "t", "vector": row}])
    assert candidate.vector is row


def test_numbers_of_an_array_are_numbers() -> None:
    (candidate,) = read_candidates([{"id": "a", "text": "t", "score": np.float32(0.5)}])
    assert (candidate.score, type(candidate.score)) == (0.5, float)
    unit = read_query_vector([np.float32(3.0), np.int64(4)])
    assert unit is not None
    assert unit.tolist() == pytest.approx([0.6, 0.8])


@pytest.mark.parametrize(
    ("candidate", "fields"),
    [
        ({}, ["[0].id", "[0].text"]),
        ("tea", ["[0]"]),
        (5, ["[0]"]),
        ({"id": 5, "text": None}, ["[0].id", "[0].text"]),
        ({"id": "a", "text": "t", "colour": 1}, ["[0].colour"]),
        ({"id": "a", "text": "t", "score": "high"}, ["[0].score"]),
        ({"id": "a", "text": "t", "score": True}, ["[0].score"]),
        ({"id": "a", "text": "t", "importance": "0.5"}, ["[0].importance"]),
        ({"id": "a", "text": "t", "vector": "abc"}, ["[0].vector"]),
        ({"id": "a", "text": "t", "vector": [1, "b"]}, ["[0].vector"]),
        ({"id": "a", "text": "t", "vector": 5}, ["[0].vector"]),
        ({"id": "a", "text": "t", "vector": [True, False]}, ["[0].vector"]),
        ({"id": "a", "text": "t", "vector": [[1.0], [2.0, 3.0]]}, ["[0].vector"]),
        ({"id": "a", "text": "t", "vector": np.zeros((2, 2))}, ["[0].vector"]),
        ({"id": "a", "text": "t", "vector": np.array(["a"])}, ["[0].vector"]),
        ({"id": "a", "text": "t", "tags": "tea"}, ["[0].tags"]),
        ({"id": "a", "text": "t", "tags": [5]}, ["[0].tags"]),
        ({"id": "a", "text": "t", "metadata": [1]}, ["[0].metadata"]),
        ({"id": "a", "text": "t", "metadata": {"a": float("nan")}}, ["[0].metadata.a"]),
        ({"id": "a", "text": "t", "key": 5}, ["[0].key"]),
        ({"id": "a", "text": "t", "key": "k", "value": 5}, ["[0].value"]),
        ({"id": "a", "text": "t", "session": 5}, ["[0].session"]),
        ({"id": "a", "text": "t", "created_at": "soon"}, ["[0].created_at"]),
        ({"id": "a", "text": "t", "kind": "dream"}, ["[0].kind"]),
    ],
)
def test_a_candidate_that_can_never_be_right_is_named_by_position(
    candidate: object, fields: list[str]
) -> None:
    assert _faults([candidate]) == fields


def test_faults_of_all_candidates_are_told_at_once() -> None:
    assert _faults([{"id": "a", "text": "t"}, {"id": "a", "text": "t"}, {"id": ""}]) == [
        "[1].id",
        "[2].text",
    ]


def test_no_candidates_are_no_fault() -> None:
    assert read_candidates([]) == []
