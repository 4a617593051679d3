"""K02, not reported: the first and last instants that can be written, in every field of time."""

import math

import pytest

from lapse.errors import ValidationError
from lapse.model.codec import dumps
from lapse.model.instants import EARLIEST, LATEST
from lapse.model.policy import LawName
from tests.reports.helping import T0, Place

LAWS = sorted(LawName)


@pytest.mark.parametrize("law", LAWS)
def test_every_number_about_the_ends_of_the_calendar_is_finite(place: Place, law: LawName) -> None:
    bank = place.bank({"law.name": law, "scoring.event_recency": "exponential"})
    for name, at in (("first", EARLIEST), ("last", LATEST)):
        bank.remember(f"harbour {name}", id=name, created_at=at, occurred_at=at)
    recall = bank.recall("harbour plans")
    assert {each.id for each in recall.hits} == {"first", "last"}
    for hit in recall.hits:
        assert 0 <= hit.explanation.retrievability <= 1
        assert 0 <= hit.explanation.need <= 1
        assert math.isfinite(hit.score)
        assert dumps(hit.explanation)
    strengths = {each.id: each.explanation.retrievability for each in recall.hits}
    assert strengths["last"] >= strengths["first"]


@pytest.mark.parametrize("anchor", ["last_use", "created", "event"])
def test_what_was_told_at_the_ends_of_the_calendar_can_be_used_and_read_again(
    place: Place, anchor: str
) -> None:
    bank = place.bank({"law.anchor": anchor})
    for name, at in (("first", EARLIEST), ("last", LATEST)):
        bank.remember(f"harbour {name}", id=name, created_at=at, occurred_at=at)
    bank.used(["first", "last"])
    bank.drain()
    states = {name: bank.get(name).state for name in ("first", "last")}
    assert states["first"].strength.last_counted_at == T0
    assert [each.strength.access_count for each in states.values()] == [1, 1]
    assert len(bank.recall("harbour plans").hits) == 2


def test_an_expiry_at_the_end_of_the_calendar_is_no_expiry_yet(place: Place) -> None:
    bank = place.bank()
    bank.remember("harbour", id="a", expires_at=LATEST, valid_to=LATEST)
    assert len(bank.recall("harbour plans").hits) == 1


@pytest.mark.parametrize("beyond", [LATEST + 1, EARLIEST - 1, 2**70])
def test_an_instant_beyond_the_calendar_is_refused_by_name(place: Place, beyond: int) -> None:
    with pytest.raises(ValidationError, match="created_at"):
        place.bank().remember("harbour", created_at=beyond)
