"""Going back to a backup does not bring back words that repeat what was erased since."""

from pathlib import Path

import pytest

from lapse.model.redaction import mark
from tests.unit.faces.test_restoring import SECRET, WHO, db, later, opened, restored

__all__ = ["db"]

QUOTE = f"The harbour master told us: {SECRET}"
PLAIN = "by the ticket of 3 March"


@pytest.fixture
def quoting(db: Path) -> Path:
    """A backup, `words.db`, in which reasons repeat what is in the bank."""
    with opened(db) as mind:
        bank = mind.bank("alice")
        bank.exempt(["m1"], reason=QUOTE, by="anna")
        bank.archive(["m2"], by="anna", reason=QUOTE)
        bank.archive(["m3"], by="anna", reason=PLAIN)
        mind.backup(db.parent / "words.db", by="anna")
    return db


def test_words_of_a_backup_go_with_what_was_erased_since(quoting: Path) -> None:
    later(quoting, lambda mind: mind.bank("alice").erase(["secret"], **WHO))
    done = restored(quoting, "words.db")
    assert done.residue == 0
    assert b"Zyxquartz" not in quoting.read_bytes()
    with opened(quoting) as mind:
        bank = mind.bank("alice")
        exempt, moved = bank.get("m1").state.exempt_reason, bank.get("m2").state.transition
        assert exempt is not None
        assert moved is not None
        assert (exempt, moved.reason) == (mark(exempt.split()[-1]), exempt)
        kept = bank.get("m3").state.transition
        assert kept is not None
        assert kept.reason == PLAIN
        assert bank.verify_journal().sound
        told = [each.reason for each in bank.history("m2").happenings if each.what == "archive"]
        assert told == [exempt]


def test_words_of_a_backup_stay_where_nothing_was_erased_since(quoting: Path) -> None:
    restored(quoting, "words.db")
    with opened(quoting) as mind:
        assert mind.bank("alice").get("m1").state.exempt_reason == QUOTE
