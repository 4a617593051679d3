"""Undoing a plan: what it moved comes back exactly, unless it has been moved on since."""

from dataclasses import replace

import pytest

from lapse.engine import undoing
from lapse.errors import NotFoundError, ValidationError
from lapse.model.guards import Guard
from lapse.model.plan import Plan
from lapse.model.record import Record
from lapse.model.retention import Lifecycle
from lapse.model.verbs import Verb
from tests.unit.engine.opening import Opened

WANTED = "wanted after all"


def _applied(lapse: Opened, *names: str, verb: str = "suppress") -> Plan:
    for name in names:
        lapse.alice.remember(f"{name} is something", id=name, importance=0.1)
    lapse.clock.advance(days=60)
    plan = lapse.alice.plan(verb)
    lapse.alice.approve(plan.id, by="boss", reason="tidy")
    return lapse.alice.apply(plan.id)


def _but_for_protection(record: Record) -> Record:
    return replace(record, state=replace(record.state, protected_until=None))


@pytest.mark.parametrize("verb", ["suppress", "archive"])
def test_all_that_a_plan_moved_comes_back_as_it_was_and_is_protected(
    lapse: Opened, verb: str
) -> None:
    lapse.alice.remember("something pinned", id="p", importance=0.1)
    for name in ("a", "b"):
        lapse.alice.remember(f"{name} is something", id=name, importance=0.1, tags=["x"])
    lapse.alice.used(["a"])
    lapse.alice.pin(["p"])
    lapse.clock.advance(days=200)
    plan = lapse.alice.plan(verb)
    before = [lapse.alice.get(each) for each in "abp"]
    lapse.alice.approve(plan.id, by="boss", reason="tidy")
    lapse.alice.apply(plan.id)
    assert lapse.alice.get("a").state.lifecycle is not Lifecycle.ACTIVE

    back = lapse.alice.restore(plan=plan.id, by="boss", reason=WANTED)

    assert set(back.ids) == {"a", "b"}
    after = [lapse.alice.get(each) for each in "abp"]
    assert list(map(_but_for_protection, after)) == list(map(_but_for_protection, before))
    again = lapse.alice.plan(verb)
    assert [(each.guard, each.count) for each in again.spared] == [
        (Guard.PINNED, 1),
        (Guard.RECENTLY_RESTORED, 2),
    ]
    entry = [e for e in lapse.store.journal(lapse.alice.ref, 0, 100) if e.verb is Verb.RESTORE][-1]
    assert (entry.about, entry.reason) == (plan.id, WANTED)


def test_what_was_moved_on_since_stays_where_it_is(lapse: Opened) -> None:
    plan = _applied(lapse, "a", "b", "c")
    lapse.alice.archive(["a"], by="boss", reason="by hand")
    lapse.alice.restore(["b"], by="boss", reason=WANTED)

    back = lapse.alice.restore(plan=plan.id, by="boss", reason=WANTED)

    assert back.ids == ("c",)
    assert back.unchanged == ("a", "b")
    assert lapse.alice.get("a").state.lifecycle is Lifecycle.ARCHIVED


def test_a_plan_that_was_never_applied_brings_nothing_back_and_writes_nothing(
    lapse: Opened,
) -> None:
    lapse.alice.remember("a is something", id="a")
    plan = lapse.alice.plan()
    revision = lapse.store.revision(lapse.alice.ref)

    assert lapse.alice.restore(plan=plan.id, by="boss", reason=WANTED).ids == ()
    assert lapse.store.revision(lapse.alice.ref) == revision
    with pytest.raises(NotFoundError):
        lapse.alice.restore(plan="0" * 64, by="boss", reason=WANTED)


def test_a_plan_chooses_by_itself(lapse: Opened) -> None:
    plan = _applied(lapse, "a")

    with pytest.raises(ValidationError, match="by itself"):
        lapse.alice.restore(["a"], plan=plan.id, by="boss", reason=WANTED)
    with pytest.raises(ValidationError, match="by itself"):
        lapse.alice.restore(plan=plan.id, session="monday", by="boss", reason=WANTED)
    with pytest.raises(ValidationError):
        lapse.alice.restore(plan=plan.id, by="boss", reason=" ")


def test_a_large_plan_comes_back_in_bounded_parts(
    lapse: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(undoing, "BATCH", 2)
    plan = _applied(lapse, "a", "b", "c", "d", "e")

    assert lapse.alice.restore(plan=plan.id, by="boss", reason=WANTED).ids == tuple("abcde")
    journal = lapse.store.journal(lapse.alice.ref, 0, 100)
    assert [len(each.items) for each in journal if each.verb is Verb.RESTORE] == [2, 2, 1]
