"""What a closing and a proposal may say, and how they are named."""

from dataclasses import replace

import pytest

from lapse.errors import ValidationError
from lapse.model.closing import Closing, ClosingKind
from lapse.model.finding import ChangeKind
from lapse.model.instants import Instant
from lapse.model.proposal import Proposal, ProposalKind, ProposalStatus

NOW = Instant(1_000)
LATER = Instant(2_000)
CLOSED = Closing(
    memory_id="a", kind=ClosingKind.SUPERSEDED, recorded_from=NOW, by_id="b", starts_at=NOW
)
FOUND = Proposal(
    kind=ProposalKind.REPLACE,
    memory_id="b",
    other_ids=("a", "c"),
    at=NOW,
    by="host",
    change=ChangeKind.REPLACEMENT,
    confidence=0.5,
)


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"starts_at": None}, "starts_at"),
        ({"by_id": "a"}, "by_id"),
        ({"kind": ClosingKind.RETRACTED, "starts_at": None, "rest_id": "c"}, "rest_id"),
        ({"kind": ClosingKind.RETRACTED}, "starts_at"),
        ({"recorded_to": Instant(999)}, "recorded_to"),
    ],
)
def test_a_closing_that_contradicts_itself_is_refused(
    changed: dict[str, object], field: str
) -> None:
    with pytest.raises(ValidationError) as refused:
        replace(CLOSED, **changed)  # type: ignore[arg-type]  # wrong on purpose, by name
    assert field in {each.field for each in refused.value.faults}


def test_a_closing_is_believed_from_when_it_is_known_until_it_is_taken_back() -> None:
    ended = replace(CLOSED, recorded_to=LATER)
    assert [CLOSED.known_at(at) for at in (Instant(999), NOW, LATER)] == [False, True, True]
    assert [ended.known_at(at) for at in (Instant(999), NOW, LATER)] == [False, True, False]


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"other_ids": ("b",)}, "other_ids"),
        ({"change": None}, "change"),
        ({"kind": ProposalKind.RESTATE}, "change"),
        ({"status": ProposalStatus.ACCEPTED}, "decided_at"),
        ({"decided_at": NOW}, "decided_at"),
        ({"confidence": 2.0}, "confidence"),
    ],
)
def test_a_proposal_that_contradicts_itself_is_refused(
    changed: dict[str, object], field: str
) -> None:
    with pytest.raises(ValidationError) as refused:
        replace(FOUND, **changed)  # type: ignore[arg-type]  # wrong on purpose, by name
    assert field in {each.field for each in refused.value.faults}


def test_the_same_proposal_has_the_same_id_whenever_it_comes_up() -> None:
    again = replace(FOUND, at=LATER, by="tool", confidence=0.9, other_ids=("c", "a"))
    assert again.id == FOUND.id


def test_proposals_about_other_memories_have_other_ids() -> None:
    others = [
        replace(FOUND, memory_id="d"),
        replace(FOUND, other_ids=("a",)),
        replace(FOUND, other_ids=("ac",)),
        replace(FOUND, kind=ProposalKind.RESTATE, change=None),
    ]
    restated = replace(others[-1], other_ids=())
    assert restated.id == others[-1].id
    assert len({FOUND.id, *(each.id for each in others)}) == 5
