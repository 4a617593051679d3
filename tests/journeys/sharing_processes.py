"""The processes that write to one file and read it at the same time.

Each writer adds one to a counter and one memory to the bank in every write, so that a revision says
exactly how much must be there.
"""

from contextlib import closing
from dataclasses import replace
from multiprocessing.sharedctypes import Synchronized
from multiprocessing.synchronize import Barrier
from pathlib import Path

from lapse.model.changeset import Changes, ChangeSet
from lapse.model.memory import BankRef
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View
from lapse.stores.sql.sqlite import SqliteStore
from lapse.testing.fakes import START, memory, record, use, writes
from lapse.testing.store_contract_writes import entry

REF = BankRef(name="shared")
COUNTER = "counter"


def begin(path: Path) -> int:
    """Make the file with the counter in it, and give its revision."""
    with closing(SqliteStore.open(path)) as store:
        created = (record(memory(COUNTER, ref=REF)),)
        return store.commit(writes(Changes(created=created), ref=REF)).revision


def open_together(paths: list[Path], name: str, together: Barrier) -> None:
    """Open files that do not exist at the same moment as others, and write one memory to each."""
    for path in paths:
        together.wait()
        with closing(SqliteStore.open(path)) as store:
            store.commit(writes(Changes(created=(record(memory(name, ref=REF)),)), ref=REF))


def write(path: Path, name: str, times: int, published: "Synchronized[int]") -> None:
    """Write so many times, and publish the revision after each write."""
    with closing(SqliteStore.open(path)) as store:
        for at in range(times):
            done = store.commit(_counting(f"{name}{at}"))
            with published.get_lock():
                published.value = max(published.value, done.revision)


def read(path: Path, times: int, published: "Synchronized[int]") -> None:
    """Read so many times, and hold each answer against what was published before it began.

    Raises:
        AssertionError: A read missed a write, or saw half of one.
    """
    known = 0
    contents: set[int] = set()
    with closing(SqliteStore.open(path)) as store:
        for at in range(times):
            least = published.value
            revision = store.revision(REF)
            assert revision >= least, f"read {at} saw {revision}, {least} was committed before"
            (counter,) = store.get(REF, [COUNTER])
            assert counter.state.strength.access_count >= revision - 1
            delta = store.changes(REF, known)
            assert delta.revision >= revision
            contents |= set(delta.content.rows.tolist())
            known = delta.revision
            assert len(contents) == known, "a revision without its memory"
            assert store.count(REF) >= known
            assert store.pending_count(REF) >= known - 1


def _counting(memory_id: str) -> ChangeSet:
    def judge(view: View) -> Changes:
        held = view.records[COUNTER].state
        strength = replace(held.strength, access_count=held.strength.access_count + 1)
        return Changes(
            created=(record(memory(memory_id, ref=REF)),),
            states=((COUNTER, replace(held, strength=strength)),),
            enqueued=(use(COUNTER, memory_id),),
            journal=entry(Verb.REMEMBER, memory_id),
        )

    return ChangeSet(
        verb=Verb.REMEMBER, ref=REF, now=START, reads=Reads(ids=(COUNTER,)), judge=judge
    )
