"""B053: "could not tell" is folded into "was not true"."""

import pytest

from lapse.errors import NotFoundError, ValidationError
from lapse.model.query import AsOf
from tests.reports.helping import Place, hit_ids


@pytest.mark.parametrize("valid", ["1970-01-01", "2026-06-01", "2999-01-01"])
def test_open_bounds_hold_at_every_time(place: Place, valid: str) -> None:
    bank = place.bank()
    bank.remember("water boils at 100 degrees", id="a")
    as_of = AsOf(valid=valid)  # type: ignore[arg-type]  # read as an instant
    assert hit_ids(bank.recall("water boils", as_of=as_of)) == ["a"]


def test_an_unknown_id_is_not_found(place: Place) -> None:
    bank = place.bank()
    bank.remember("water boils at 100 degrees", id="a")
    with pytest.raises(NotFoundError):
        bank.why("water boils", "nobody")
    with pytest.raises(NotFoundError):
        bank.get("nobody")


def test_a_malformed_time_is_an_error() -> None:
    with pytest.raises(ValidationError):
        AsOf(valid="last tuesday")  # type: ignore[arg-type]  # wrong on purpose
