"""B011: one unreadable time of last use turns a score non-finite, and the memory is lost.

Design differs: Lapse keeps instants as integers, so what cannot be read is refused, by name, when
it is told: there is nothing unreadable to be warned of later.
"""

import sqlite3

import pytest

from lapse.errors import CorruptStoreError, ValidationError
from lapse.model.codec import dumps
from tests.reports.helping import EXPONENTIAL, Place, ago

UNREADABLE = ("not-a-date", "", "2026-13-40", float("nan"), True)


@pytest.mark.parametrize("at", UNREADABLE, ids=repr)
def test_an_unreadable_time_of_use_is_refused_and_age_counts_from_creation(
    place: Place, at: str
) -> None:
    bank = place.bank(EXPONENTIAL)
    bank.remember("harbour", id="a", created_at=ago(hours=24))
    with pytest.raises(ValidationError) as caught:
        bank.used(["a"], at=at)
    bank.drain()
    recall = bank.recall("harbour plans")
    assert [each.field for each in caught.value.faults] == ["at"]
    assert bank.get("a").state.strength.access_count == 0
    assert recall.hits[0].explanation.retrievability == pytest.approx(0.88665, abs=5e-6)
    # Raises on anything that is not finite.
    assert '"retrievability":0.88' in dumps(recall.hits[0].explanation)


def test_a_use_without_a_time_happened_now(place: Place) -> None:
    bank = place.bank(EXPONENTIAL)
    bank.remember("harbour", id="a", created_at=ago(hours=24))
    bank.used(["a"], at=None)
    bank.drain()
    assert bank.recall("harbour plans").hits[0].explanation.retrievability == 1.0


@pytest.mark.parametrize("value", ["not-a-date", ""])
@pytest.mark.parametrize(
    ("table", "column"),
    [("retention", "last_counted_at"), ("retention", "created_at"), ("memory", "created_at")],
)
def test_an_unreadable_time_in_the_file_is_told_by_name(
    in_file: Place, table: str, column: str, value: str
) -> None:
    bank = in_file.bank(EXPONENTIAL)
    bank.remember("harbour one", id="a", created_at=ago(days=1))
    bank.remember("harbour two", id="b", created_at=ago(days=1))
    in_file.opened.close()
    with sqlite3.connect(in_file.target) as file:
        lowest = f"(SELECT min(row) FROM {table})"
        file.execute(f"UPDATE {table} SET {column} = ? WHERE row = {lowest}", (value,))
    file.close()
    again = in_file.bank(EXPONENTIAL)
    assert any("'a'" in each for each in again.doctor())
    with pytest.raises(CorruptStoreError, match="doctor"):
        again.recall("harbour plans")
