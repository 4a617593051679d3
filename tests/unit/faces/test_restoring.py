"""Going back to a backup, without going back on what was decided since."""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from lapse.engine.embedding import Progress, no_progress
from lapse.engine.restoring import BankRestored
from lapse.errors import (
    CorruptStoreError,
    KeyMissingError,
    NotFoundError,
    StoreBusyError,
    StoreError,
    TombstonedError,
    ValidationError,
)
from lapse.faces.access.keyring import KeyRing
from lapse.faces.access.keys import Grant
from lapse.faces.access.roles import Role
from lapse.faces.app import Lapse
from lapse.faces.restoring import Restored, preview_restore, restore_backup
from lapse.model.retention import Lifecycle
from lapse.model.verbs import Verb
from lapse.testing.fakes import FakeClock, SeededEntropy, SequentialIds

WHO = {"by": "anna", "reason": "asked for"}
SECRET = "The code word of the harbour gate is Zyxquartz Vombatiform."
CLOCK = FakeClock("2026-06-01T09:00Z")


def opened(path: Path) -> Lapse:
    return Lapse.open(
        path, clock=CLOCK, entropy=SeededEntropy(7), new_id=SequentialIds(), background=False
    )


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """A store with a copy of it beside: three banks of two tenants."""
    path = tmp_path / "agent.db"
    with opened(path) as mind:
        alice = mind.bank("alice")
        for at in range(6):
            alice.remember(f"Ship {at} lies at pier {at * 3} of the harbour", id=f"m{at}")
        alice.remember(SECRET, id="secret")
        alice.remember("Gates have words", id="made", derived_from=["secret"])
        alice.remember("Gates and ships", id="both", derived_from=["secret", "m1"])
        mind.bank("team").remember("The team meets at nine", id="nine")
        alice.share(["secret"], "team", **WHO)
        mind.bank("zoe", tenant="other").remember("Zoe likes plums", id="plums")
        mind.backup(tmp_path / "copy.db", by="anna")
    return path


def later(db: Path, act: Callable[[Lapse], object]) -> None:
    CLOCK.advance(days=1)
    with opened(db) as mind:
        act(mind)


def restored(
    db: Path, backup: str = "copy.db", keep: Path | None = None, progress: Progress = no_progress
) -> Restored:
    return restore_backup(
        db.parent / backup,
        db,
        by="anna",
        reason="asked for",
        keep=keep,
        progress=progress,
        clock=CLOCK,
        entropy=SeededEntropy(9),
    )


def of(done: Restored, name: str) -> BankRestored:
    return next(each for each in done.banks if each.bank == name)


def ids(mind: Lapse, name: str = "alice") -> list[str]:
    return sorted(each.memory.id for each in mind.bank(name).list().records)


def test_what_was_erased_since_stays_gone_with_what_was_made_of_it(db: Path) -> None:
    later(db, lambda mind: mind.bank("alice").erase(["secret"], **WHO))
    assert SECRET.encode() in (db.parent / "copy.db").read_bytes()
    done = restored(db)
    alice, team = of(done, "alice"), of(done, "team")
    assert (alice.erased, alice.derived, alice.tombstones) == (("secret", "made"), (), 2)
    assert len(team.erased) == 1
    assert done.residue == 0
    assert b"Zyxquartz" not in db.read_bytes()
    with opened(db) as mind:
        assert ids(mind) == ["both", "m0", "m1", "m2", "m3", "m4", "m5"]
        assert ids(mind, "team") == ["nine"]
        assert mind.bank("alice").get("both").memory.derived_from == ("m1",)
        assert mind.bank("alice").recall("code word of the harbour gate").hits[0].id != "secret"
        for bank in ("alice", "team"):
            with pytest.raises(TombstonedError):
                mind.bank(bank).remember(SECRET)
            assert mind.bank(bank).verify_journal().sound
            assert list(mind.bank(bank).doctor()) == []
    assert [each.name for each in db.parent.iterdir() if "restoring" in each.name] == []


def test_what_was_made_of_it_goes_although_it_was_itself_allowed_again(db: Path) -> None:
    def act(mind: Lapse) -> None:
        alice = mind.bank("alice")
        alice.erase(["made"], **WHO)
        with pytest.raises(TombstonedError) as caught:
            alice.remember("Gates have words")
        alice.lift_tombstone(caught.value.fields["tombstones"], **WHO)
        alice.erase(["secret"], **WHO)

    later(db, act)
    alice = of(restored(db), "alice")
    assert (alice.erased, alice.derived) == (("secret",), ("made",))


def test_words_that_repeat_what_was_erased_since_are_taken_out_of_the_backup_too(
    db: Path,
) -> None:
    def act(mind: Lapse) -> None:
        bank = mind.bank("alice")
        bank.suppress(["m5"], by="anna", reason=SECRET)
        bank.hold("gate", ids=["m1"], by="anna", reason=SECRET)
        mind.backup(db.parent / "second.db")
        bank.erase(["secret"], **WHO)

    later(db, act)
    assert (db.parent / "second.db").read_bytes().count(b"Zyxquartz") > 2
    done = restored(db, "second.db")
    assert done.residue == 0
    assert b"Zyxquartz" not in db.read_bytes()
    with opened(db) as mind:
        assert mind.bank("alice").verify_journal().sound
        assert [each.name for each in mind.bank("alice").holds()] == ["gate"]


def test_the_journal_tells_who_went_back_why_and_from_where(db: Path) -> None:
    heads: dict[str, str] = {}

    def act(mind: Lapse) -> None:
        mind.bank("alice").erase(["secret"], **WHO)
        heads["alice"] = mind.bank("alice").verify_journal().head

    later(db, act)
    restored(db)
    with opened(db) as mind:
        ref = mind.bank("alice").ref
        entry = mind.parts.store.journal(ref, 0, 999)[-1]
        assert (entry.verb, entry.by, entry.reason) == (
            Verb.RESTORE_BACKUP,
            "anna",
            "asked for",
        )
        assert entry.about == heads["alice"]
        assert dict(entry.counts)["erased"] == 2
        assert len(entry.items) == 3


def test_a_preview_tells_the_same_and_changes_nothing(db: Path) -> None:
    later(db, lambda mind: mind.bank("alice").erase(["secret"], **WHO))
    before = db.read_bytes()
    with opened(db):  # somebody may have it open
        told = preview_restore(db.parent / "copy.db", db, clock=CLOCK)
    assert not told.applied
    assert db.read_bytes() == before
    done = restored(db)
    assert done.banks == told.banks
    assert done.applied


def test_what_was_put_out_of_mind_or_taken_back_since_is_so_again(db: Path) -> None:
    def act(mind: Lapse) -> None:
        alice = mind.bank("alice")
        alice.suppress(["m0"], by="berta", reason="no longer wanted")
        alice.archive(["m1"], **WHO)
        alice.retract("m2", reason="never so")
        alice.supersede(old="m3", new="Ship 3 was sold to Malta")
        alice.remember("Ship 9 lies in the roads", id="m9")

    later(db, act)
    alice = of(restored(db), "alice")
    assert (alice.suppressed, alice.archived, alice.retracted) == (("m0",), ("m1",), ("m2",))
    assert alice.open == ("m3",)
    assert alice.lost == 2
    with opened(db) as mind:
        bank = mind.bank("alice")
        assert bank.get("m0").state.lifecycle is Lifecycle.SUPPRESSED
        transition = bank.get("m0").state.transition
        assert transition is not None
        assert transition.reason == "no longer wanted"
        assert bank.get("m1").state.lifecycle is Lifecycle.ARCHIVED
        assert bank.get("m2").memory.recorded_to is not None
        assert bank.restore(["m0"], **WHO).ids == ("m0",)
        assert bank.unretract("m2")


def test_holds_stand_as_they_do_now(db: Path) -> None:
    def act(mind: Lapse) -> None:
        mind.bank("alice").erase(["secret"], **WHO)
        mind.bank("alice").hold("matter", everything=True, by="anna", reason="asked for")
        mind.bank("alice").hold("ended", ids=["m1"], by="anna", reason="asked for")
        mind.backup(db.parent / "second.db")
        mind.bank("alice").release("ended", **WHO)

    later(db, act)
    done = restored(db)
    assert of(done, "alice").holds == ("matter",)
    assert of(done, "alice").erased == ("secret", "made")
    again = restored(db, "second.db")
    assert of(again, "alice").holds == ("matter",)
    with opened(db) as mind:
        assert [each.name for each in mind.bank("alice").holds()] == ["matter"]


def test_content_that_was_allowed_again_comes_back(db: Path) -> None:
    def act(mind: Lapse) -> None:
        alice = mind.bank("alice")
        alice.erase(["m4"], **WHO)
        with pytest.raises(TombstonedError) as caught:
            alice.remember("Ship 4 lies at pier 12 of the harbour")
        alice.lift_tombstone(caught.value.fields["tombstones"], **WHO)

    later(db, act)
    assert of(restored(db), "alice").erased == ()
    with opened(db) as mind:
        assert "m4" in ids(mind)
        assert mind.bank("alice").remember("Ship 4 lies at pier 12 of the harbour").id


def test_what_stands_now_in_the_same_words_is_not_taken_out(db: Path) -> None:
    twin = "Ship 5 lies at pier 15 of the harbour"

    def act(mind: Lapse) -> None:
        mind.bank("alice").remember(f"It rained. {twin}", id="twin")
        mind.backup(db.parent / "second.db")
        mind.bank("alice").erase(["m5"], **WHO)

    later(db, act)
    with opened(db) as mind:
        stood = "twin" in ids(mind)
    restored(db, "second.db")
    with opened(db) as mind:
        assert ("twin" in ids(mind)) == stood
        with pytest.raises(NotFoundError):
            mind.bank("alice").get("m5")


def test_a_bank_that_the_backup_does_not_know_keeps_its_tombstones(db: Path) -> None:
    def act(mind: Lapse) -> None:
        new = mind.bank("new")
        new.remember("Nobody may know that Ada was here", id="ada")
        new.remember("The new bank is new", id="rest")
        new.erase(["ada"], **WHO)

    later(db, act)
    assert of(restored(db), "new").lost == 1
    with opened(db) as mind, pytest.raises(TombstonedError):
        mind.bank("new").remember("Nobody may know that Ada was here")


def test_a_key_that_was_revoked_since_opens_nothing(db: Path) -> None:
    with opened(db) as mind:
        ring = KeyRing(mind.notes)
        grant = Grant(owner="anna", tenant="default", role=Role.READER, banks=("*",))
        old = ring.create(grant, now=CLOCK.now(), entropy=os.urandom).key
        mind.backup(db.parent / "second.db")
        ring.revoke(old.id, now=CLOCK.now())
        new = ring.create(grant, now=CLOCK.now(), entropy=os.urandom).key
    done = restored(db, "second.db")
    assert done.keys == 2
    with opened(db) as mind:
        found = {each.id: each.revoked_at for each in KeyRing(mind.notes).all()}
        assert found[old.id] is not None
        assert found[new.id] is None


def test_a_store_that_somebody_has_open_is_left_alone(db: Path) -> None:
    with opened(db) as mind:
        mind.bank("alice").list()
        with pytest.raises(StoreBusyError, match="end every program"):
            restored(db)
        assert ids(mind)
    assert restored(db).applied


def test_what_is_replaced_can_be_kept_and_receipts_name_it(db: Path) -> None:
    later(db, lambda mind: mind.bank("alice").remember("Ship 9 lies in the roads", id="m9"))
    done = restored(db, keep=db.parent / "before.db")
    assert done.kept == str(db.parent / "before.db")
    with opened(db.parent / "before.db") as before:
        assert "m9" in ids(before)
    assert (db.parent / "before.db").stat().st_mode & 0o777 == 0o600
    with opened(db) as mind:
        receipt = mind.bank("alice").erase(["m1"], **WHO).receipt
        assert receipt is not None
        assert len(receipt.copies) == 2
    with pytest.raises(ValidationError, match="overwritten"):
        restored(db, keep=db.parent / "before.db")


def test_a_backup_makes_a_store_where_there_is_none(db: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError):
        restored(tmp_path / "fresh.db", "nothing.db")
    assert not (tmp_path / "fresh.db").exists()
    restored(tmp_path / "fresh.db")
    with opened(tmp_path / "fresh.db") as mind:
        assert "secret" in ids(mind)
    assert (tmp_path / "fresh.db").stat().st_mode & 0o777 == 0o600


def test_damage_is_told_and_nothing_is_replaced(db: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    whole = copy.read_bytes()
    before = db.read_bytes()
    copy.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(CorruptStoreError, match="copy"):
        restored(db)
    copy.write_bytes(whole)
    with sqlite3.connect(copy) as connection:
        connection.execute("UPDATE journal SET by = 'somebody else' WHERE seq = 2")
    with pytest.raises(CorruptStoreError, match="not whole"):
        restored(db)
    with opened(db) as mind:
        assert "secret" in ids(mind)
    copy.write_bytes(whole)
    db.write_bytes(before[:1000] + b"\0" * 3000 + before[4000:])
    with pytest.raises(CorruptStoreError):
        restored(db)


def test_without_the_key_of_an_erasure_nothing_is_restored(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    later(db, lambda mind: mind.bank("alice").erase(["secret"], **WHO))
    Path(f"{db}.keys").rename(db.parent / "elsewhere")
    with pytest.raises(KeyMissingError):
        restored(db)


@pytest.mark.parametrize("target", ["memory://", "file:///tmp/x", "postgresql://u@h/d"])
def test_another_store_is_told_its_own_way(db: Path, target: str) -> None:
    with pytest.raises(ValidationError, match="migrate"):
        restore_backup(db.parent / "copy.db", target, by="anna", reason="asked for")


def test_a_store_is_not_restored_from_itself(db: Path) -> None:
    with pytest.raises(ValidationError, match="itself"):
        restored(db, db.name)
