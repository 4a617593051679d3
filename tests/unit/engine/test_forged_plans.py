"""Plans that somebody altered, copied or forged by hand: none moves what is not its own to move."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from lapse.errors import PlanError
from lapse.model.changeset import Changes, ChangeSet
from lapse.model.guards import Guard
from lapse.model.instants import DAY
from lapse.model.journal import JournalDraft
from lapse.model.memory import BankRef
from lapse.model.plan import Plan
from lapse.model.retention import Lifecycle
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View
from lapse.stores.sql.sqlite import SqliteStore
from lapse.testing.fakes import START
from tests.unit.engine.opening import Opened, opened, store_of

TIDY = "quarterly tidy"


def _old(lapse: Opened, *names: str) -> Plan:
    """Memories that have long faded, and a plan for them."""
    for name in names:
        lapse.alice.remember(f"{name} is something", id=name, importance=0.1)
    lapse.clock.advance(days=60)
    return lapse.alice.plan(by="planner")


def _approved(lapse: Opened, plan: Plan) -> Plan:
    return lapse.alice.approve(plan.id, by="boss", reason=TIDY)


def _skipped(plan: Plan) -> dict[str, Guard]:
    assert plan.application is not None
    return {each.memory_id: each.guard for each in plan.application.skipped}


def _lifecycle(lapse: Opened, name: str) -> Lifecycle:
    return lapse.alice.get(name).state.lifecycle


@pytest.fixture
def file(tmp_path: Path) -> tuple[Opened, sqlite3.Connection]:
    """A bank in a file, and a hand that writes to the file behind its back."""
    lapse = opened(store_of("sqlite", tmp_path))
    return lapse, sqlite3.connect(tmp_path / "lapse.db")


def _alter(hand: sqlite3.Connection, statement: str, *values: object) -> None:
    with hand:
        assert hand.execute(statement, values).rowcount > 0


@pytest.mark.parametrize(
    "statement",
    [
        """UPDATE plan SET items = replace(items, '"a"', '"fresh"')""",
        """UPDATE plan SET items = replace(items, '"active"', '"suppressed"')""",
        """UPDATE plan SET head = replace(head, '"by":"level"', '"by":"ids"')""",
        """UPDATE plan SET head = replace(head, '"alice"', '"bob"')""",
        """UPDATE plan SET head = replace(head, '"expires_at":"2026', '"expires_at":"2096')""",
    ],
)
def test_a_plan_that_was_altered_by_hand_is_refused(
    file: tuple[Opened, sqlite3.Connection], statement: str
) -> None:
    lapse, hand = file
    plan = _old(lapse, "a", "pinned")
    lapse.alice.pin(["pinned"])
    _approved(lapse, plan)
    _alter(hand, statement)

    with pytest.raises(PlanError, match=r"altered|another bank"):
        lapse.alice.apply(plan.id)
    assert _lifecycle(lapse, "a") is Lifecycle.ACTIVE
    assert _lifecycle(lapse, "pinned") is Lifecycle.ACTIVE


def test_a_plan_copied_into_another_bank_by_hand_is_refused_there(
    file: tuple[Opened, sqlite3.Connection],
) -> None:
    lapse, hand = file
    plan = _old(lapse, "a")
    _approved(lapse, plan)
    bob = lapse.mind.bank("bob")
    bob.remember("a is something", id="a", importance=0.1)
    lapse.clock.advance(days=6)
    _alter(
        hand,
        "INSERT INTO plan SELECT (SELECT id FROM bank WHERE name = 'bob'), id, created_at, head,"
        " progress, items FROM plan",
    )

    with pytest.raises(PlanError, match="another bank"):
        bob.apply(plan.id)
    assert bob.get("a").state.lifecycle is Lifecycle.ACTIVE


def test_a_forged_plan_with_a_true_name_still_meets_every_guard(
    file: tuple[Opened, sqlite3.Connection],
) -> None:
    lapse, _hand = file
    plan = _old(lapse, "a", "pinned")
    lapse.alice.pin(["pinned"])
    lapse.alice.remember("said just now", id="fresh")
    forged = replace(
        plan,
        items=tuple(replace(plan.items[0], memory_id=each) for each in ("pinned", "fresh", "x")),
    )
    forged = replace(forged, id=forged.true_id)
    now = lapse.clock.now()

    def judge(_view: View) -> Changes:
        return Changes(plans=(forged,), journal=JournalDraft(verb=Verb.PLAN, at=now, by="mallory"))

    assert isinstance(lapse.store, SqliteStore)
    ref = BankRef(name="alice")
    lapse.store.commit(ChangeSet(verb=Verb.PLAN, ref=ref, now=now, reads=Reads(), judge=judge))
    _approved(lapse, forged)

    assert _skipped(lapse.alice.apply(forged.id)) == {
        "pinned": Guard.PINNED,
        "fresh": Guard.IN_GRACE,
        "x": Guard.CHANGED,
    }
    assert forged.expires_at > START + DAY
