"""B193: bookkeeping, or a chain of internal searches, sits on the user's path.

Waits: raters and summarisers that take seconds, for importance and reflection.
"""

import sqlite3
import threading
from contextlib import closing

import pytest

from lapse.model.changeset import ChangeSet, Committed
from lapse.model.verbs import Verb
from lapse.stores.memory import MemoryStore
from tests.reports.helping import Place, ago, hit_ids
from tests.reports.helping_b import store_of, with_faults
from tests.unit.engine.opening import opened

BOOKKEEPING: dict[str, dict[str, object]] = {
    "nothing kept": {},
    "access log": {"reinforcement.access_log": True},
    "returned counts": {"reinforcement.weight_returned": 0.2},
}


class StuckStore(MemoryStore):
    """A store whose writes take as long as the test wants, once it says so."""

    def __init__(self) -> None:
        super().__init__()
        self.stuck = False
        self.waiting, self.released = threading.Event(), threading.Event()

    def commit(self, change: ChangeSet) -> Committed:
        if self.stuck:
            self.waiting.set()
            assert self.released.wait(20)
        return super().commit(change)


@pytest.mark.parametrize("kept", BOOKKEEPING)
def test_a_recall_writes_nothing_whatever_is_kept_of_it(
    place: Place, monkeypatch: pytest.MonkeyPatch, kept: str
) -> None:
    mind = place.open(BOOKKEEPING[kept])
    bank, faults = mind.bank("alice"), with_faults(store_of(mind), monkeypatch)
    bank.remember("The harbour is quiet", id="m1", created_at=ago(days=9))
    faults.commits.clear()
    for _ in range(20):
        assert hit_ids(bank.recall("harbour")) == ["m1"]
        bank.rank([{"id": "m1", "text": "The harbour is quiet"}], query="harbour")
    assert not faults.commits
    bank.used(["m1"])
    assert faults.commits == {Verb.USED: 1}


def test_what_recalls_left_to_be_written_survives_a_clean_stop(in_file: Place) -> None:
    mind = in_file.open(BOOKKEEPING["returned counts"])
    bank = mind.bank("alice")
    bank.remember("The harbour is quiet", id="m1", created_at=ago(days=9))
    for _ in range(5):
        bank.recall("harbour")
        in_file.clock.advance(days=2)
    assert bank.get("m1").state.strength.reinforcement_count == 0
    mind.close()
    state = in_file.bank().get("m1").state
    assert state.strength.access_count == 5
    assert state.strength.reinforcement_count == 5
    assert state.last_recalled_at == ago(days=-8)


def test_a_recall_does_not_wait_for_a_write_that_takes_for_ever() -> None:
    store = StuckStore()
    lapse = opened(store, policy={"reinforcement.weight_returned": 0.2})
    lapse.alice.remember("The harbour is quiet", id="m1", created_at=ago(days=9))
    store.stuck = True
    writing = threading.Thread(target=lambda: lapse.alice.used(["m1"]))
    writing.start()
    assert store.waiting.wait(20)
    try:
        for _ in range(10):
            assert hit_ids(lapse.alice.recall("harbour")) == ["m1"]
        assert writing.is_alive()
    finally:
        store.released.set()
        writing.join(20)
    assert lapse.alice.stats().pending_events == 1


def test_a_recall_does_not_wait_for_another_process_that_writes(in_file: Place) -> None:
    bank = in_file.bank()
    bank.remember("The harbour is quiet", id="m1")
    with closing(sqlite3.connect(in_file.target, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("UPDATE memory SET text = 'half written'")
        recall = bank.recall("harbour")
        assert [each.text for each in recall.hits] == ["The harbour is quiet"]
        other.execute("ROLLBACK")
    assert bank.remember("The harbour is loud").action == "created"
