"""B013: a last use earlier than creation, from a skewed writer, makes a fresh memory look old.

Design differs: a use told more than 30 days late is not kept as an instant that must be outvoted;
it is refused and counted.
"""

import pytest

from tests.reports.helping import EXPONENTIAL, Place, ago


@pytest.mark.parametrize("law", ["exponential", "half_life", "ebbinghaus", "fsrs", "activation"])
@pytest.mark.parametrize("days", [40, 20])
def test_a_use_before_creation_never_makes_a_memory_older(
    place: Place, law: str, days: float
) -> None:
    bank = place.bank({"law.name": law, "law.cooldown_hours": 0})
    for name in ("used", "untouched"):
        bank.remember(f"harbour {name}", id=name, created_at=ago(hours=1))
    report = bank.used(["used"], at=ago(days=days))
    bank.drain()
    told = {each.id: each.explanation for each in bank.recall("harbour plans").hits}
    assert (report.enqueued, report.refused_late) == ((0, 1) if days == 40 else (1, 0))
    assert told["used"].anchor == told["untouched"].anchor == ago(hours=1)
    assert told["used"].retrievability >= told["untouched"].retrievability


def test_age_counts_from_the_later_of_creation_and_use(place: Place) -> None:
    bank = place.bank(EXPONENTIAL)
    bank.remember("harbour", id="a", created_at=ago(hours=1))
    bank.used(["a"], at=ago(days=20))
    bank.drain()
    assert bank.recall("harbour plans").hits[0].explanation.retrievability == pytest.approx(0.995)


def test_a_use_that_came_too_late_is_counted_in_the_statistics(place: Place) -> None:
    bank = place.bank(EXPONENTIAL)
    bank.remember("harbour", id="a", created_at=ago(hours=1))
    bank.used(["a"], at=ago(days=40))
    assert bank.stats().late_events == 1
    assert bank.stats().pending_events == 0
