"""B112: a selective combination of filters returns a small part of what there is.

A twentieth of the reported size, with as few candidates as k allows, is as selective.

Waits: suppressed memories among the filtered, for `suppress`.
"""

from lapse.bank import Bank
from tests.reports.helping import Place, ago, hit_ids

OLD, KEYS, VALUES = 1_170, 20, 4


def told(place: Place) -> Bank:
    """1,250 memories: 80 of the last days, which are 20 claims with four values each."""
    bank = place.bank({"recall.pool_minimum": 1, "recall.pool_factor": 1})
    bank.remember_many(
        {"text": f"tides {at}", "created_at": ago(days=300), "tags": ["sea"]} for at in range(OLD)
    )
    bank.remember_many(
        {
            "text": f"height of tides {key} {value}",
            "id": f"k{key}v{value}",
            "key": f"tide/{key}",
            "value": str(value),
            "created_at": ago(days=VALUES - value),
            "tags": ["sea"] if key % 2 else ["sea", "odd"],
        }
        for value in range(VALUES)
        for key in range(KEYS)
    )
    return bank


def test_age_and_currency_and_scope_together_return_all_that_there_are(place: Place) -> None:
    bank = told(place)
    current = {f"k{key}v{VALUES - 1}" for key in range(KEYS)}
    assert bank.stats().memories == OLD + KEYS * VALUES
    recall = bank.recall("tides", k=KEYS, max_age_hours=24 * VALUES, tags=["sea"])
    assert set(hit_ids(recall)) == current
    scoped = bank.recall("tides", k=KEYS, max_age_hours=24 * VALUES, tags=["odd"])
    assert set(hit_ids(scoped)) == {f"k{key}v{VALUES - 1}" for key in range(0, KEYS, 2)}
