"""B083: what was ever edited is never purged: old versions are mistaken for replacements.

Given R edited three times and R2 never, both put into the archive 60 days ago, a window of 30 days.
Whether the one or the other may be destroyed is decided alike, by when it was archived; live
memories that merely have old versions are not due.
"""

import pytest

from lapse.bank import Bank
from lapse.errors import NotFoundError
from lapse.lifecycle.guards import Act, Subject, judge
from lapse.model.guards import Choice, Guard
from lapse.model.verbs import Verb
from tests.reports.helping import T0, Place, ago, policy_of

WINDOW = {"retention.prune_after_days": 30, "retention.prune": True}
WHO = {"by": "anna", "reason": "old"}


def told(place: Place) -> Bank:
    place.clock.set(ago(days=60))
    bank = place.bank(WINDOW)
    for name in ("R", "R2", "live"):
        bank.remember(f"The crane {name} is red", id=name, importance=0.1)
    for turn in range(3):
        for name in ("R", "live"):
            bank.update(name, text=f"The crane {name} is red, at turn {turn}")
    bank.archive(["R", "R2"], **WHO)
    place.clock.set(T0)
    return bank


def due(bank: Bank, name: str) -> Guard | None:
    act = Act(verb=Verb.PRUNE, policy=policy_of(WINDOW), now=T0)
    return judge(act, Choice.SCORED, Subject(record=bank.get(name)))


def test_edited_or_not_what_has_long_been_archived_is_due(place: Place) -> None:
    bank = told(place)
    assert bank.get("R").memory.content_version == 4
    assert due(bank, "R") is None
    assert due(bank, "R2") is None


def test_what_is_live_is_not_due_for_having_old_versions(place: Place) -> None:
    assert due(told(place), "live") is Guard.IN_GRACE


def test_both_are_destroyed_whole_with_their_old_versions(place: Place) -> None:
    bank = told(place)
    plan = bank.plan("prune", by="anna")
    assert [each.memory_id for each in plan.items] == ["R", "R2"]
    bank.approve(plan.id, by="ben", reason="room")
    bank.apply(plan.id)
    assert [each.memory.id for each in bank.list().records] == ["live"]
    with pytest.raises(NotFoundError):
        bank.get("R")
