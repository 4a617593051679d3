"""B072: restoring an older backup undoes newer hiding and deletion.

Design differs: a memory has no visibility of its own; what nobody else may read lies in a bank of
its own. In its place a memory is retracted.
"""

from pathlib import Path

from lapse import Lapse
from lapse.faces.restoring import restore_backup
from lapse.model.retention import Lifecycle
from lapse.testing.fakes import FakeClock
from tests.reports.helping import T0, everything, hit_ids

WHO = {"by": "anna", "reason": "asked for"}
FACTS = {
    "a": "The lighthouse was painted white",
    "b": "The lighthouse has a red door",
    "c": "The keeper of the lighthouse is called Zyxquartz",
    "d": "The lighthouse stands on a rock",
}


def test_what_was_decided_since_the_backup_stands_and_is_listed(tmp_path: Path) -> None:
    clock, path = FakeClock(T0), tmp_path / "lapse.db"
    with Lapse.open(path, clock=clock, background=False) as mind:
        for name, text in FACTS.items():
            mind.bank("alice").remember(text, id=name)
        mind.backup(tmp_path / "copy.db", by="anna")
        clock.advance(days=1)
        mind.bank("alice").suppress(["a"], **WHO)
        mind.bank("alice").retract("b", reason="it is green", by="anna")
        mind.bank("alice").erase(["c"], **WHO)
    done = restore_backup(tmp_path / "copy.db", path, by="anna", reason="asked for", clock=clock)
    (bank,) = done.banks
    assert (bank.suppressed, bank.retracted, bank.erased) == (("a",), ("b",), ("c",))
    assert b"Zyxquartz" not in path.read_bytes()
    with Lapse.open(path, clock=clock, background=False) as mind:
        alice = mind.bank("alice")
        assert alice.get("a").state.lifecycle is Lifecycle.SUPPRESSED
        assert not alice.get("b").memory.current
        assert [each.memory.id for each in everything(alice)] == ["a", "b", "d"]
        assert hit_ids(alice.recall("the lighthouse", k=10)) == ["d"]
