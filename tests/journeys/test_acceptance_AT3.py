"""AT3: suppress and restore, archive and restore, ten times: state, order and explanations stay.

Control: while it was away, it was absent.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from lapse.bank import Bank
from lapse.model.memory import Kind
from lapse.model.record import Record
from lapse.model.retention import Lifecycle
from tests.journeys.acceptance import on_every_store, place_on, tray
from tests.reports.helping import ago, everything

WHO = {"by": "anna", "reason": "a rehearsal"}
QUERIES = ("harbour", "what do I drink", "ferry")
AWAY = pytest.mark.parametrize("verb", ["suppress", "archive"])


def tell(bank: Bank) -> list[str]:
    """Memories of every kind, with everything that can be said of one."""
    for at, kind in enumerate(Kind):
        bank.remember(
            f"The harbour master writes note {at} in the {kind.value} book",
            id=kind.value,
            kind=kind,
            importance=0.2 + 0.15 * at,
            created_at=ago(days=20 + at),
            tags=["harbour", kind.value],
            metadata={"page": at},
            session=f"s{at}",
            entities=["harbour master"],
            confidence=0.4,
        )
    bank.remember("I drink tea", id="old", key="user/drink", value="tea", created_at=ago(days=9))
    bank.remember("I drink milk", id="new", key="user/drink", value="milk", created_at=ago(days=2))
    bank.remember("The ferry leaves at nine", id="ferry", expires_at=ago(days=-30))
    bank.remember("The ferry is often late", id="late", derived_from=["ferry", "semantic"])
    bank.used(["semantic", "ferry"], at=ago(days=10))
    bank.used(["semantic"], source="explicit", at=ago(days=5))
    bank.used(["episodic"], source="rejected", at=ago(days=4))
    bank.drain()
    return [each.memory.id for each in everything(bank)]


def unprotected(record: Record) -> Record:
    """All of a record but how long scores spare it: the one thing a return adds."""
    return replace(record, state=replace(record.state, protected_until=None))


def seen(bank: Bank) -> list[str]:
    return [tray(bank.recall(each, k=20)) for each in QUERIES]


@on_every_store
@AWAY
def test_ten_times_there_and_back_nothing_differs(kind: str, verb: str, tmp_path: Path) -> None:
    with place_on(kind, tmp_path) as place:
        bank = place.bank()
        ids = tell(bank)
        before, answers = everything(bank), seen(bank)
        for turn in range(1, 11):
            getattr(bank, verb)(ids, **WHO)
            assert all(not bank.recall(each).hits for each in QUERIES)  # the control
            assert {each.state.lifecycle for each in everything(bank)} == {
                Lifecycle.SUPPRESSED if verb == "suppress" else Lifecycle.ARCHIVED
            }
            back = bank.restore(ids, **WHO)
            assert set(back.ids) == set(ids), turn
            assert [unprotected(each) for each in everything(bank)] == before
            assert seen(bank) == answers
        if place.lasting:
            assert seen(place.bank()) == answers


@on_every_store
@AWAY
def test_it_comes_back_exactly_in_another_process_and_after_other_writes(
    kind: str, verb: str, tmp_path: Path
) -> None:
    with place_on(kind, tmp_path) as place:
        bank = place.bank()
        ids = tell(bank)
        before, answers = everything(bank), seen(bank)
        getattr(bank, verb)(["semantic", "old", "late"], **WHO)
        if place.lasting:
            bank = place.bank()
        bank.pin(["new"])
        bank.unpin(["new"])
        bank.restore(["semantic", "old", "late"], **WHO)
        after = [unprotected(each) for each in everything(bank)]
        assert [each for each in after if each.memory.id != "new"] == [
            each for each in before if each.memory.id != "new"
        ]
        assert seen(bank) == answers
        assert len(ids) == len(after)


@on_every_store
def test_only_what_was_put_away_is_absent(kind: str, tmp_path: Path) -> None:
    with place_on(kind, tmp_path) as place:
        bank = place.bank()
        tell(bank)
        bank.archive(["semantic"], **WHO)
        bank.suppress(["episodic"], **WHO)
        told = {each.id for each in bank.recall("harbour", k=20).hits}
        assert told == {"procedural", "working"}
        assert bank.get("semantic").state.lifecycle is Lifecycle.ARCHIVED
        assert [each.memory.id for each in bank.suppressed().records] == ["episodic"]
        assert [each.memory.id for each in bank.archived().records] == ["semantic"]
        found = bank.search_archive("harbour master")
        assert [each.id for each in found.hits] == ["semantic"]


@on_every_store
def test_a_step_back_is_one_step(kind: str, tmp_path: Path) -> None:
    with place_on(kind, tmp_path) as place:
        bank = place.bank()
        bank.remember("The harbour is small", id="a")
        bank.suppress(["a"], **WHO)
        bank.archive(["a"], **WHO)
        bank.restore(["a"], **WHO)
        assert bank.get("a").state.lifecycle is Lifecycle.SUPPRESSED
        bank.restore(["a"], **WHO)
        assert bank.get("a").state.lifecycle is Lifecycle.ACTIVE
        assert bank.restore(["a"], **WHO).unchanged == ("a",)
