"""What may be asked and offered, and that every exclusion names its axis."""

import math

import pytest

from lapse.errors import ValidationError
from lapse.model.query import AXES, Axis, Candidate, Exclusion, Explanation, Hit, Reason, Scope
from lapse.model.retention import Lifecycle
from lapse.testing.fakes import START, memory

EXPLANATION = Explanation(
    relevance=0.5,
    coverage=0.5,
    base=0.5,
    score=0.5,
    retrievability=1.0,
    need=0.5,
    importance=0.5,
    anchor=START,
    lifecycle=Lifecycle.ACTIVE,
)


def _faults(**fields: object) -> list[str]:
    with pytest.raises(ValidationError) as caught:
        Candidate(**({"id": "x", "text": "tea"} | fields))  # type: ignore[arg-type]  # the mistake on test
    return [each.field for each in caught.value.faults]


def test_the_first_reason_is_asked_for_in_this_order() -> None:
    assert " ".join(Reason) == (
        "other_tenant out_of_scope other_session too_old expired not_yet_valid superseded "
        "retracted suppressed archived erased no_match faded duplicate not_diverse over_count "
        "over_budget"
    )


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_names_its_axis(reason: Reason) -> None:
    excluded = Exclusion(id="m1", reason=reason, explanation=EXPLANATION)

    assert excluded.axis is AXES[reason]


@pytest.mark.parametrize(
    ("reason", "axis"),
    [
        (Reason.SUPERSEDED, Axis.TRUTH),
        (Reason.RETRACTED, Axis.TRUTH),
        (Reason.SUPPRESSED, Axis.ATTENTION),
        (Reason.FADED, Axis.ATTENTION),
        (Reason.ERASED, Axis.EXISTENCE),
        (Reason.OVER_BUDGET, Axis.CAPACITY),
        (Reason.NO_MATCH, Axis.RELEVANCE),
    ],
)
def test_the_axes_are_kept_apart(reason: Reason, axis: Axis) -> None:
    assert AXES[reason] is axis


@pytest.mark.parametrize("age", [-1, -0.001, math.nan])
def test_an_age_limit_is_never_negative(age: float) -> None:
    with pytest.raises(ValidationError, match="max_age_hours"):
        Scope(max_age_hours=age)


def test_an_age_limit_of_0_is_a_limit() -> None:
    assert Scope(max_age_hours=0).max_age_hours == 0


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf])
def test_a_score_of_another_store_is_finite(score: float) -> None:
    assert _faults(score=score) == ["score"]


@pytest.mark.parametrize("importance", [-0.1, 1.1, math.nan])
def test_an_importance_of_another_store_is_a_share(importance: float) -> None:
    assert _faults(importance=importance) == ["importance"]


@pytest.mark.parametrize("name", ["", "x" * 256, " ", "\x00", "\ud800"])
@pytest.mark.parametrize("field", ["id", "key", "session", "subject"])
def test_a_candidates_names_are_those_that_can_be_kept(field: str, name: str) -> None:
    assert _faults(**{field: name}) == [field]


def test_a_candidate_is_what_can_be_kept_here_later() -> None:
    # It is stored when it is used; what a draft may not be would fail only then.
    assert _faults(
        tags=("",), value="green", valid_from=START, valid_to=START, metadata={"a": math.nan}
    ) == ["tags", "value", "valid_to", "metadata.a"]


@pytest.mark.parametrize("text", ["a\x00", "\ud800"])
def test_a_candidates_text_is_one_that_can_be_kept(text: str) -> None:
    assert _faults(text=text) == ["text"]


@pytest.mark.parametrize("vector", [(math.nan,), (0.0, math.inf)])
def test_a_candidates_vector_is_finite(vector: tuple[float, ...]) -> None:
    assert _faults(vector=vector) == ["vector"]


def test_a_blank_candidate_is_nobodys_fault_here() -> None:
    # It matches nothing, and one such row of another store must not stop a ranking.
    assert Candidate(id="x", text=" ").text == " "


def test_every_fault_of_a_candidate_is_told_at_once() -> None:
    assert _faults(id="", score=math.nan, importance=2) == ["id", "score", "importance"]


def test_a_hit_speaks_for_its_memory() -> None:
    hit = Hit(rank=1, memory=memory("m1", "tea"), score=0.5, explanation=EXPLANATION)

    assert (hit.id, hit.text) == ("m1", "tea")
