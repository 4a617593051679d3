"""Erasing for good: keys, receipts, several processes, and the bytes of the file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lapse.errors import KeyMissingError, TombstonedError
from lapse.faces.keys import HeldKeys, verified
from lapse.model.journal import JournalEntry
from lapse.model.outcome import Action
from lapse.model.receipt import message_of, told_of
from lapse.testing.fakes import SeededEntropy
from tests.unit.engine.erasing import AGAIN, SECRET, WHO
from tests.unit.engine.opening import Opened, opened, store_of


@pytest.fixture(params=["memory", "sqlite"])
def lapse(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    """An engine over each kind of store, with a few memories in one bank."""
    made = opened(store_of(request.param, tmp_path))
    made.alice.remember(SECRET, id="secret", subject="maria", session="s1", tags=["home"])
    made.alice.remember("Ben keeps bees behind the mill.", id="bees", session="s1")
    yield made
    made.mind.close()


def _entries(lapse: Opened) -> list[JournalEntry]:
    return lapse.store.journal(lapse.alice.ref, 0, 1000)


def test_without_the_key_reading_works_and_telling_does_not(tmp_path: Path) -> None:
    first = opened(store_of("sqlite", tmp_path))
    first.alice.remember(SECRET, id="secret")
    first.alice.remember("Ben keeps bees.", id="bees")
    first.alice.erase(["secret"], **WHO)
    first.mind.close()
    poor = opened(store_of("sqlite", tmp_path), keys=HeldKeys(SeededEntropy(99)))
    assert [each.id for each in poor.alice.recall("bees").hits] == ["bees"]
    for tell in (
        lambda: poor.alice.remember("Anything at all"),
        lambda: poor.alice.remember_many([{"text": "Anything at all"}]),
        lambda: poor.alice.update("bees", text="Ben keeps hens."),
        lambda: poor.alice.erase(["bees"], **WHO),
    ):
        with pytest.raises(KeyMissingError, match="LAPSE_TOMBSTONE_KEY"):
            tell()
    poor.alice.pin(["bees"])
    poor.mind.close()


def test_after_a_rotation_old_digests_are_honoured(tmp_path: Path) -> None:
    keys = HeldKeys(SeededEntropy(1))
    made = opened(store_of("sqlite", tmp_path), keys=keys)
    made.alice.remember(SECRET, id="secret")
    made.alice.remember("Ben keeps bees behind the mill.", id="bees")
    first = made.alice.erase(["secret"], **WHO).receipt
    keys.rotate()
    second = made.alice.erase(["bees"], **WHO).receipt
    assert first is not None
    assert second is not None
    assert first.key_id != second.key_id
    for told in (AGAIN, "ben keeps bees behind the mill"):
        with pytest.raises(TombstonedError):
            made.alice.remember(told)
    made.mind.close()


def test_a_receipt_is_signed_over_the_journals_head(lapse: Opened) -> None:
    receipt = lapse.alice.erase(["secret"], **WHO).receipt
    assert receipt is not None
    entry = _entries(lapse)[-1]
    assert (receipt.journal_seq, receipt.journal_hash) == (entry.seq, entry.hash.hex())
    assert (receipt.erased, receipt.residue, receipt.by) == (1, 0, "anna")
    assert any("backups" in each for each in receipt.not_covered)
    told = told_of(receipt)
    public, signature = bytes.fromhex(receipt.public_key), bytes.fromhex(receipt.signature)
    assert verified(public, signature, message_of(told))
    assert not verified(public, signature, message_of({**told, "erased": 2}))
    assert "Maria" not in str(told)


def test_two_processes_agree_on_what_is_erased(tmp_path: Path) -> None:
    keys = HeldKeys(SeededEntropy(1))
    one = opened(store_of("sqlite", tmp_path), keys=keys)
    two = opened(store_of("sqlite", tmp_path), keys=keys)
    one.alice.remember(SECRET, id="secret")
    two.alice.remember("Ben keeps bees.", id="bees")
    one.alice.erase(["secret"], **WHO)
    with pytest.raises(TombstonedError):
        two.alice.remember(AGAIN)
    assert [each.id for each in two.alice.recall("Maria Lisbon bees").hits] == ["bees"]
    one.alice.lift_tombstone(one.alice.tombstones()[0].tombstone.id, **WHO)
    assert two.alice.remember(AGAIN).action is Action.CREATED
    one.mind.close()
    two.mind.close()


def test_no_byte_of_it_is_left_in_the_file(tmp_path: Path) -> None:
    made = opened(store_of("sqlite", tmp_path))
    bank = made.alice
    canary = "Zyxquartz Vombatiform"
    for at in range(300):
        bank.remember(f"Filler number {at} about the mill and its bees", id=f"f{at}")
    bank.remember(f"The code word is {canary} for 7 days", id="secret", tags=["zyxtag"])
    bank.update("secret", text=f"The code word was {canary} for 8 days " + "and on " * 2000)
    bank.used(["secret"])
    bank.drain()
    made.store.backup(str(tmp_path / "before.db"))
    done = bank.erase(["secret"], **WHO)
    assert done.receipt is not None
    assert (done.receipt.residue, done.receipt.log_emptied) == (0, True)
    kept = b"".join(each.read_bytes() for each in tmp_path.glob("lapse.db*"))
    needles = (
        "Zyxquartz",
        "zyxquartz",
        "Vombatiform",
        "vombatiform",
        "zyxtag",
        "yxquar",
        "ombatif",
    )
    assert [each for each in needles if each.encode() in kept] == []
    # Control: they were all there before.
    assert b"Vombatiform" in (tmp_path / "before.db").read_bytes()
    assert b"Filler number 7 " in kept
    made.mind.close()
