"""B092: a hold stops one command, and every other path goes through.

Whatever may take a memory away is tried on one under hold: it stays as it is, each refusal names
the hold, and each attempt by a person is journalled. There is no override: who may end a hold
releases it, by name and with a reason.
"""

from collections.abc import Callable

import pytest

from lapse.bank import Bank
from lapse.errors import GuardedError
from lapse.model.guards import Guard
from tests.reports.helping import Place, ago

AUTO = {
    "forgetting.mode": "lifecycle",
    "forgetting.auto_apply": True,
    "retention.max_active": 1,
}


def told(place: Place) -> Bank:
    bank = place.bank(AUTO)
    bank.remember(
        "The ship held docked",
        id="held",
        importance=0.0,
        subject="ships",
        session="s1",
        tags=["port"],
        key="ship/held",
        created_at=ago(days=400),
        expires_at=ago(days=-1),
    )
    bank.remember("The ferry is painted", id="other", importance=0.0, created_at=ago(days=1))
    bank.hold("case 7", ids=["held"], by="counsel", reason="a claim")
    return bank


BY_NAME: dict[str, Callable[[Bank], object]] = {
    "suppress": lambda bank: bank.suppress(["held"], by="a", reason="r"),
    "archive": lambda bank: bank.archive(["held"], by="a", reason="r"),
    "by subject": lambda bank: bank.archive(subject="ships", by="a", reason="r"),
    "by session": lambda bank: bank.archive(session="s1", by="a", reason="r"),
    "by tag": lambda bank: bank.archive(tag="port", by="a", reason="r"),
    "by key": lambda bank: bank.suppress(key="ship/held", by="a", reason="r"),
}


@pytest.mark.parametrize("path", BY_NAME)
def test_each_path_that_names_it_is_refused_by_the_hold_and_journalled(
    path: str, place: Place
) -> None:
    bank = told(place)
    before, entries = bank.get("held"), bank.verify_journal().entries
    with pytest.raises(GuardedError, match="hold"):
        BY_NAME[path](bank)
    assert bank.get("held") == before
    assert bank.verify_journal().entries == entries + 1


def test_no_plan_expiry_or_sweep_takes_it(place: Place) -> None:
    bank = told(place)
    before = bank.get("held")
    place.clock.advance(days=400)
    plan = bank.plan("archive")
    assert "held" not in {each.memory_id for each in plan.items}
    assert {each.guard: each.count for each in plan.spared}[Guard.HOLD] == 1
    bank.approve(plan.id, by="owner", reason="old")
    bank.apply(plan.id)
    for _ in range(3):
        place.clock.advance(days=7)
        bank.sweep()
    assert bank.get("held") == before


def test_after_its_release_by_name_it_goes(place: Place) -> None:
    bank = told(place)
    bank.release("case 7", by="counsel", reason="settled")
    place.clock.advance(days=400)
    report = bank.sweep().report
    assert report is not None
    assert report.applied >= 1
