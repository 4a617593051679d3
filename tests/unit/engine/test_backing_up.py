"""A copy of the whole store is known to every bank that is in it."""

from pathlib import Path

import pytest

from lapse.errors import PolicyError, StoreError
from lapse.faces.app import Lapse
from lapse.model.verbs import Verb
from lapse.testing.fakes import FakeClock
from tests.unit.engine.copying import WHO, opened


@pytest.fixture
def mind(tmp_path: Path) -> Lapse:
    mind = opened(tmp_path / "agent.db", FakeClock("2026-06-01T09:00Z"))
    for tenant in ("default", "other"):
        for name in ("alice", "bob"):
            mind.bank(name, tenant=tenant).remember(f"{name} keeps bees at {tenant}", id=name)
    return mind


def told(mind: Lapse, name: str, tenant: str = "default") -> list[Verb]:
    core = mind.bank(name, tenant=tenant)._core
    return [
        each.verb for each in core.parts.store.journal(mind.bank(name, tenant=tenant).ref, 0, 9)
    ]


def test_every_bank_of_every_tenant_says_that_it_was_copied(mind: Lapse, tmp_path: Path) -> None:
    assert mind.backup(tmp_path / "copy.db", by="anna", reason="every night") == 4
    for tenant in ("default", "other"):
        for name in ("alice", "bob"):
            assert told(mind, name, tenant)[-1] is Verb.BACKUP
            assert mind.bank(name, tenant=tenant).verify_journal().sound
    mind.close()
    with opened(tmp_path / "copy.db", FakeClock("2026-06-02T09:00Z")) as copy:
        assert told(copy, "alice")[-1] is Verb.BACKUP


def test_the_receipt_of_a_later_erasure_names_the_copy_and_no_earlier_one(
    mind: Lapse, tmp_path: Path
) -> None:
    mind.backup(tmp_path / "before.db", by="berta")
    clock = mind.parts.clock
    assert isinstance(clock, FakeClock)
    clock.advance(days=1)
    bank = mind.bank("alice")
    bank.remember("The safe opens with 4711", id="secret")
    mind.backup(tmp_path / "copy.db", by="anna")
    receipt = bank.erase(["secret"], **WHO).receipt
    assert receipt is not None
    assert receipt.copies == ("alice: backup at 2026-06-02T09:00:00Z by anna",)
    mind.close()


def test_where_a_copy_lies_is_told_by_no_entry(mind: Lapse, tmp_path: Path) -> None:
    mind.backup(tmp_path / "the-affair-of-bob.db")
    mind.close()
    assert b"affair" not in (tmp_path / "agent.db").read_bytes()


def test_a_copy_that_is_not_made_is_not_told(mind: Lapse, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(StoreError, match="exists"):
        mind.backup(tmp_path / "mine.txt")
    assert Verb.BACKUP not in told(mind, "alice")
    assert (tmp_path / "mine.txt").read_text() == "mine"
    mind.close()


def test_a_policy_in_contradiction_stops_no_copy(
    mind: Lapse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mind.bank("alice").set_policy({"forgetting.auto_apply": True}, by="anna")
    mind.close()
    monkeypatch.setenv("LAPSE_RETENTION__TWO_PERSON", "true")
    again = opened(tmp_path / "agent.db", FakeClock("2026-06-02T09:00Z"))
    with pytest.raises(PolicyError):
        again.bank("alice").remember("Bees need water")
    assert again.backup(tmp_path / "copy.db") == 4
    assert told(again, "alice")[-1] is Verb.BACKUP
    again.parts.store.close()
