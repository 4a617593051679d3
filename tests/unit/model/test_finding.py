"""What a finding may say of itself."""

import pytest

from lapse.errors import ValidationError
from lapse.model.finding import ChangeKind, Finding, Statement
from lapse.model.instants import Instant


def test_a_finding_names_what_is_replaced_how_and_how_surely() -> None:
    found = Finding(ids=("a",), kind=ChangeKind.REPLACEMENT, confidence=0.9)
    assert (found.ids, found.kind, found.confidence) == (("a",), ChangeKind.REPLACEMENT, 0.9)


@pytest.mark.parametrize(
    ("finding", "field"),
    [
        ({"ids": ()}, "ids"),
        ({"confidence": 1.1}, "confidence"),
        ({"confidence": float("nan")}, "confidence"),
        ({"rest": "what remains"}, "rest"),
        ({"kind": ChangeKind.PARTIAL}, "rest"),
        ({"kind": ChangeKind.PARTIAL, "rest": "r", "ids": ("a", "b")}, "ids"),
        ({"kind": ChangeKind.BOUNDED}, "until"),
    ],
)
def test_a_finding_that_contradicts_itself_is_refused(
    finding: dict[str, object], field: str
) -> None:
    whole = {"ids": ("a",), "kind": ChangeKind.REPLACEMENT, "confidence": 0.5} | finding
    with pytest.raises(ValidationError) as refused:
        Finding(**whole)  # type: ignore[arg-type]  # wrong on purpose, by name
    assert field in {each.field for each in refused.value.faults}


def test_a_similarity_outside_its_range_is_refused() -> None:
    with pytest.raises(ValidationError):
        Statement(id="a", text="x", recorded_from=Instant(0), similarity=1.5)
