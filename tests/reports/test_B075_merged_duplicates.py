"""B075: merging duplicates keeps the winner's row only; what the other had is gone.

Design differs: rows are never merged. What is told again is the same row, which keeps its own
counts; what is alike stays apart, each whole, and one of both is told in an answer. A summary names
its sources, so that nothing has to be added up that is still there.
"""

from dataclasses import replace

from tests.reports.helping import Place, ago, hit_ids

A, B = "The crane at the harbour is red", "The crane at the harbour is red!"


def test_what_is_alike_stays_apart_and_whole(place: Place) -> None:
    bank = place.bank({"law.cooldown_hours": 0})
    one, other = "2026-05-01", "2026-05-02"
    bank.remember(A, id="A", importance=0.4, tags=["x"], occurred_at=one, created_at=ago(days=30))
    bank.remember(B, id="B", importance=0.9, tags=["y"], occurred_at=other, created_at=ago(days=30))
    bank.verify_outcome(["A"])
    for at in range(7):
        bank.used(["A"], event_id=f"a{at}", at=ago(days=20 - at))
    for at in range(3):
        bank.used(["B"], event_id=f"b{at}", at=ago(days=9 - at))
    bank.drain()
    before = {each: bank.get(each) for each in ("A", "B")}

    bank.remember("The crane is red", id="sum", derived_from=["A", "B"])
    bank.drain()

    assert {each: bank.get(each) for each in ("A", "B")} == before
    assert [before[each].state.strength.reinforcement_count for each in ("A", "B")] == [7, 3]
    assert before["A"].state.verified
    assert (before["A"].memory.tags, before["B"].memory.tags) == (("x",), ("y",))
    assert bank.get("sum").memory.derived_from == ("A", "B")


def test_told_again_is_the_same_row_with_its_own_counts(place: Place) -> None:
    bank = place.bank({"law.cooldown_hours": 0})
    bank.remember(A, id="A", tags=["x"], created_at=ago(days=30))
    bank.used(["A"], at=ago(days=9))
    bank.drain()
    before = bank.get("A").memory
    again = bank.remember(A, tags=["y"])
    bank.drain()
    assert (again.id, again.action) == ("A", "reconfirmed")
    after = bank.get("A")
    assert after.state.strength.reinforcement_count == 2
    assert replace(after.memory) == before
    assert hit_ids(bank.recall("crane")) == ["A"]
