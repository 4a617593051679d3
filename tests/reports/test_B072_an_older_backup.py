"""B072: going back to an older backup undoes what was hidden, narrowed or deleted since."""

from pathlib import Path

import pytest

from lapse import Lapse, restore_backup
from lapse.errors import NotFoundError
from lapse.model.retention import Lifecycle

WHO = {"by": "anna", "reason": "asked for"}


def test_newer_decisions_are_kept_and_each_is_listed(tmp_path: Path) -> None:
    store, copy = tmp_path / "agent.db", tmp_path / "copy.db"
    with Lapse.open(store, embedder=None, background=False) as mind:
        bank = mind.bank("anna")
        bank.remember("Anna sings in the evening", id="a")
        bank.remember("Anna sees a doctor on Mondays", id="b")
        bank.remember("Anna keeps her key under the pot", id="c")
        # Seen by the team as well, until it is narrowed to Anna alone.
        ((_, seen),) = bank.share(["b"], "team", **WHO).copies
        mind.backup(copy)
        bank.suppress(["a"], **WHO)
        mind.bank("team").erase([seen], **WHO)
        bank.erase(["c"], **WHO)

    done = restore_backup(copy, store, by="anna", reason="a bad import")

    banks = {each.bank: each for each in done.banks}
    assert banks["anna"].suppressed == ("a",)
    assert banks["anna"].erased == ("c",)
    assert banks["team"].erased == (seen,)
    with Lapse.open(store, embedder=None, background=False) as mind:
        bank = mind.bank("anna")
        assert bank.get("a").state.lifecycle is Lifecycle.SUPPRESSED
        assert bank.get("b").memory.text == "Anna sees a doctor on Mondays"
        for name, gone in (("team", seen), ("anna", "c")):
            with pytest.raises(NotFoundError):
                mind.bank(name).get(gone)
        assert not mind.bank("team").recall("doctor on Mondays").hits
