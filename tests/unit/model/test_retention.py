"""What strength, state and events of use may be."""

import math
from dataclasses import replace

import pytest

from lapse.errors import ValidationError
from lapse.model.retention import RetentionState, Strength, UseEvent, UseSource
from lapse.testing.fakes import START, state, use

BAD_SHARES = [-0.1, 1.1, math.nan, math.inf]


def _faults(value: Strength | RetentionState | UseEvent, **changes: object) -> list[str]:
    with pytest.raises(ValidationError) as caught:
        replace(value, **changes)  # type: ignore[arg-type]  # the mistake on test
    return [each.field for each in caught.value.faults]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("traces", (1.0,) * 9),
        ("traces", (1.0,) * 9 + (math.nan,)),
        ("traces", (1.0,) * 9 + (math.inf,)),
        ("traces", (1.0,) * 9 + (-1e-12,)),
        ("stability_days", 0.0),
        ("stability_days", math.nan),
        ("stability_days", math.inf),
        ("difficulty", 0.9),
        ("difficulty", 10.1),
        ("difficulty", math.nan),
        ("access_count", -1),
        ("reinforcement_count", -1),
    ],
)
def test_a_strength_out_of_its_domain_is_refused(field: str, value: object) -> None:
    assert _faults(state().strength, **{field: value}) == [field]


@pytest.mark.parametrize("value", BAD_SHARES)
def test_importance_is_a_share(value: float) -> None:
    assert _faults(state(), importance=value) == ["importance"]


@pytest.mark.parametrize("reason", [None, ""])
def test_an_exemption_needs_a_reason(reason: str | None) -> None:
    assert _faults(state(), exempt=True, exempt_reason=reason) == ["exempt_reason"]


@pytest.mark.parametrize("mark", ["pinned", "verified", "exempt"])
def test_each_mark_of_its_own_spares_a_memory(mark: str) -> None:
    plain = replace(state(), exempt_reason="asked for")

    assert not plain.spared
    assert replace(plain, **{mark: True}).spared  # type: ignore[arg-type]  # a boolean field each


def test_audit_evidence_is_no_mark_of_its_own() -> None:
    assert not replace(state(), audit_evidence=True).spared


@pytest.mark.parametrize("weight", BAD_SHARES)
def test_a_use_weighs_a_share(weight: float) -> None:
    assert _faults(use("m1", "e1"), weight=weight) == ["weight"]


@pytest.mark.parametrize("event_id", ["", "e" * 256])
def test_an_event_needs_an_id_of_1_to_255_characters(event_id: str) -> None:
    assert _faults(use("m1", "e1"), event_id=event_id) == ["event_id"]


def test_the_sources_are_in_order_of_strength() -> None:
    assert list(UseSource) == [
        UseSource.EXPLICIT,
        UseSource.CITED,
        UseSource.RECONFIRMED,
        UseSource.EVIDENCE,
        UseSource.RETURNED,
        UseSource.REJECTED,
    ]


def test_nothing_of_a_state_is_the_retrievability() -> None:
    # It is computed when asked for, and never stored.
    assert not {"r", "retrievability", "need"} & set(RetentionState.__slots__)
    assert state().created_at == START
