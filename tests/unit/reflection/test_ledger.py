"""What the journal tells of consolidation."""

from lapse.model.instants import MINUTE, Instant
from lapse.model.journal import GENESIS, NO_DIGEST, JournalDraft, JournalEntry, JournalItem, chain
from lapse.model.retention import Lifecycle
from lapse.model.verbs import Verb
from lapse.reflection.ledger import DONE, FAILED, FIRST_PAUSE, SCHEDULED, Ledger
from lapse.testing.fakes import START


def _entry(stage: str, *rows: int, made: int | None = None, at: int = START) -> JournalEntry:
    items = [_item(row, Lifecycle.ACTIVE) for row in rows]
    items += [] if made is None else [_item(made, None)]
    draft = JournalDraft(
        verb=Verb.CONSOLIDATE, at=Instant(at), by="test", counts=((stage, 1), ("read", len(rows)))
    )
    return chain(GENESIS, 1, draft, tuple(items))


def _item(row: int, was: Lifecycle | None) -> JournalItem:
    return JournalItem(row=row, was=was, now=Lifecycle.ACTIVE, before=NO_DIGEST, after=NO_DIGEST)


def test_what_a_finished_pass_read_and_made_is_considered() -> None:
    ledger = Ledger()
    ledger.take([_entry(SCHEDULED, 1, 2), _entry(DONE, 1, 2, made=9)])
    assert ledger.considered == {1, 2, 9}
    assert ledger.made == [9]


def test_a_pass_is_announced_until_it_is_done() -> None:
    ledger = Ledger()
    assert not ledger.announced([1, 2])
    ledger.take([_entry(SCHEDULED, 1, 2)])
    assert ledger.announced([2, 3])
    assert not ledger.announced([3])
    ledger.take([_entry(DONE, 1, 2)])
    assert not ledger.announced([2, 3])


def test_each_failure_doubles_the_pause() -> None:
    ledger = Ledger()
    assert ledger.waits_until([1]) is None
    ledger.take([_entry(FAILED, 1)])
    assert ledger.waits_until([1, 5]) == START + FIRST_PAUSE
    ledger.take([_entry(FAILED, 1, 5, at=START + MINUTE)])
    assert ledger.attempts([1, 5]) == 2
    assert ledger.waits_until([1, 5]) == START + MINUTE + 2 * FIRST_PAUSE
    assert ledger.attempts([7]) == 0
