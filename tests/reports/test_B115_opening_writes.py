"""B115: opening for a read writes, so that readers wait for whoever holds the store.

Run over a file, a folder and PostgreSQL. What lies in RAM alone is opened by nobody a second time.
Design differs: whoever opens a folder waits for the end of the one write under way, since what a
killed writer left has to be carried out first. A write is milliseconds long. Whoever has the folder
open waits for nobody.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event, Thread

from lapse import Lapse
from lapse.bank import Bank
from lapse.model.changeset import Changes
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View
from lapse.testing.fakes import FakeClock
from tests.reports.helping import T0, Place, hit_ids

CLIENTS, PATIENCE_S = 4, 20.0


def opened(target: str) -> Lapse:
    return Lapse.open(target, embedder=None, clock=FakeClock(T0), background=False)


def look(mind: Lapse) -> list[str]:
    """Recall, list and get; a writer that had to be waited for would let this fail."""
    bank = mind.bank("alice")
    found = hit_ids(bank.recall("ship"))
    assert bank.list().records
    assert bank.get("m1").memory.id == "m1"
    return found


def open_and_look(target: str) -> list[str]:
    with opened(target) as mind:
        return look(mind)


@contextmanager
def held_by_a_writer(bank: Bank) -> Iterator[Callable[[], None]]:
    """Hold the store inside a write that ends when what is given is called, or afterwards."""
    inside, over = Event(), Event()

    def judge(_: View) -> Changes:
        inside.set()
        assert over.wait(2 * PATIENCE_S)
        return Changes()

    writer = Thread(
        target=lambda: bank.engine.commit(Verb.PIN, bank.ref, T0, Reads(), judge), daemon=True
    )
    writer.start()
    try:
        assert inside.wait(PATIENCE_S)
        yield over.set
    finally:
        over.set()
        writer.join(PATIENCE_S)


def told(mind: Lapse) -> Bank:
    bank = mind.bank("alice")
    bank.remember_many({"text": f"Ship number{at} docked", "id": f"m{at}"} for at in range(3))
    return bank


def test_readers_read_while_somebody_holds_the_store_for_writing(in_file: Place) -> None:
    with opened(in_file.target) as mind, opened(in_file.target) as reader:
        bank = told(mind)
        before = look(reader)
        with held_by_a_writer(bank), ThreadPoolExecutor(max_workers=CLIENTS) as pool:
            asked = [pool.submit(look, reader) for _ in range(CLIENTS)]
            assert [each.result(PATIENCE_S) for each in asked] == [before] * CLIENTS


def test_readers_open_it_while_somebody_holds_it_for_writing(in_file: Place) -> None:
    with opened(in_file.target) as mind:
        bank = told(mind)
        # Whoever wrote would wait for 30 seconds, and then say that the store is busy.
        with held_by_a_writer(bank) as end, ThreadPoolExecutor(max_workers=CLIENTS) as pool:
            asked = [pool.submit(open_and_look, in_file.target) for _ in range(CLIENTS)]
            if in_file.target.startswith("file://"):
                end()
            answers = [each.result(PATIENCE_S) for each in asked]
    assert answers == [answers[0]] * CLIENTS
    assert sorted(answers[0]) == ["m0", "m1", "m2"]
