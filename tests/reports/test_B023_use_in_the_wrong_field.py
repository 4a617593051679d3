"""B023: use is written to one field while the report of what is stale reads another.

Waits: a list of what was unused for 30 days, for `select`; the same on PostgreSQL, MongoDB, Oracle
and files, for those stores. Here the dates and the statistics say it.
"""

from lapse.bank import Bank
from tests.reports.helping import T0, Place, ago, retrievability

STALE_AFTER_30_DAYS = {
    "law.name": "half_life",
    "law.half_life_hours": 30 * 24,
    "law.archive_level": 0.5,
    "law.cooldown_hours": 0,
}
"""A memory has faded 30 days after its last use."""


def two_old_memories(place: Place) -> Bank:
    bank = place.bank(STALE_AFTER_30_DAYS)
    for name in ("a", "b"):
        bank.remember(f"harbour {name}", id=name, created_at=ago(days=60))
    return bank


def test_a_use_takes_a_memory_off_the_list_of_the_stale(place: Place) -> None:
    bank = two_old_memories(place)
    assert bank.stats().faded == 2
    recall = bank.recall("harbour plans")
    bank.used(["a"], recall=recall.id)
    bank.drain()
    used, unused = bank.get("a").state, bank.get("b").state
    assert bank.stats().faded == 1
    assert used.fades_at == ago(days=-30)
    assert unused.fades_at == ago(days=30)


def test_every_place_that_shows_the_last_use_shows_the_same(place: Place) -> None:
    bank = two_old_memories(place)
    bank.used(["a"])
    bank.drain()
    strength = bank.get("a").state.strength
    shown = next(each for each in bank.recall("harbour plans").hits if each.id == "a").explanation
    asked = bank.why("harbour plans", "a").explanation
    assert strength.last_counted_at == shown.last_used_at == shown.anchor == T0
    assert (strength.access_count, strength.reinforcement_count, shown.use_count) == (1, 1, 1)
    assert asked == shown
    assert retrievability(bank, "harbour plans", "a") == 1.0


def test_a_file_that_is_opened_again_knows_the_use(in_file: Place) -> None:
    two_old_memories(in_file).used(["a"])
    again = in_file.bank(STALE_AFTER_30_DAYS)
    again.drain()
    assert again.get("a").state.strength.last_counted_at == T0
    assert again.stats().faded == 1
