"""K04, not reported: uses that are told late, out of order, or just before the process ends."""

from itertools import permutations

import pytest

from lapse.model.policy import LawName
from tests.reports.helping import Place, ago

LAWS = sorted(LawName)
USED_DAYS_AGO = (12, 7, 2)


@pytest.mark.parametrize("law", LAWS)
def test_the_order_in_which_uses_are_told_leaves_no_trace(place: Place, law: LawName) -> None:
    mind = place.open({"law.name": law})
    strengths = []
    for number, order in enumerate(permutations(USED_DAYS_AGO)):
        bank = mind.bank(f"bank {number}")
        bank.remember("harbour", id="a", created_at=ago(days=20))
        for days in order:
            bank.used(["a"], at=ago(days=days))
            if number % 2:
                bank.drain()
        bank.drain()
        strengths.append(bank.get("a").state.strength)
    assert strengths == [strengths[0]] * len(strengths)
    assert strengths[0].last_counted_at == ago(days=2)
    assert strengths[0].reinforcement_count == 3


def test_a_use_told_late_is_no_use_of_today(place: Place) -> None:
    bank = place.bank()
    bank.remember("harbour", id="a", created_at=ago(days=20))
    bank.used(["a"], at=ago(days=10))
    bank.drain()
    assert bank.recall("harbour plans").hits[0].explanation.last_used_at == ago(days=10)


def test_a_use_is_there_after_the_process_ended_without_upkeep(in_file: Place) -> None:
    first = in_file.bank()
    first.remember("harbour", id="a", created_at=ago(days=20))
    first.used(["a"], at=ago(days=10))
    assert first.stats().pending_events == 1
    # The first process is never closed: what it enqueued is all that is left of it.
    second = in_file.bank()
    second.drain()
    assert second.get("a").state.strength.last_counted_at == ago(days=10)
    assert second.stats().pending_events == 0
