"""K04, not reported: a report of use that names a memory of another bank, or one that never was."""

import pytest

from lapse.errors import NotFoundError
from tests.reports.helping import Place, ago


def test_one_unknown_id_leaves_all_of_a_report_uncounted(place: Place) -> None:
    mind = place.open()
    mine, other = mind.bank("alice"), mind.bank("bob")
    mine.remember("harbour", id="a", created_at=ago(days=3))
    other.remember("lighthouse", id="b", created_at=ago(days=3))
    for stranger in ("b", "never"):
        with pytest.raises(NotFoundError, match=stranger):
            mine.used(["a", stranger])
    mind.drain()
    assert mine.get("a").state.strength.access_count == 0
    assert other.get("b").state.strength.access_count == 0
    mine.used(["a"])
    mine.drain()
    assert mine.get("a").state.strength.access_count == 1


def test_the_same_id_in_two_banks_is_used_in_one_of_them(place: Place) -> None:
    mind = place.open()
    banks = [mind.bank("alice"), mind.bank("bob"), mind.bank("alice", tenant="other")]
    for bank in banks:
        bank.remember("harbour", id="a", created_at=ago(days=3))
    banks[0].used(["a"], event_id="e1")
    mind.drain()
    assert [bank.get("a").state.strength.access_count for bank in banks] == [1, 0, 0]


def test_a_reflection_that_names_a_stranger_counts_nothing_of_what_it_cites(place: Place) -> None:
    bank = place.bank()
    bank.remember("harbour", id="a", created_at=ago(days=3))

    def turn() -> None:
        with bank.reflect() as reflection:
            reflection.cited(["a"])
            reflection.cited(["never"])

    with pytest.raises(NotFoundError):
        turn()
    bank.drain()
    assert bank.get("a").state.strength.access_count == 0
