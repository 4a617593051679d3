"""DE2: shared, exported and backed up, then erased: absent there too, and no copy brings it back.

Control: the second bank's own rows remain, and what else the copies hold comes back.
"""

import io
from pathlib import Path

import pytest

from lapse.errors import TombstonedError
from lapse.faces.restoring import restore_backup
from tests.journeys.acceptance import on_every_store, place_on
from tests.reports.helping import everything, hit_ids

WHO = {"by": "anna", "reason": "she asked for it"}
SECRET = "The code word of the harbour gate is Zyxquartz."
ASKED = "What is the code word of the harbour gate, Zyxquartz?"


@on_every_store
def test_what_was_shared_and_exported_is_gone_there_and_does_not_come_back(
    kind: str, tmp_path: Path
) -> None:
    with place_on(kind, tmp_path) as place:
        mind = place.open()
        bank, team = mind.bank("alice"), mind.bank("team")
        bank.remember(SECRET, id="secret")
        bank.remember("Anna likes green olives", id="olives")
        team.remember("The team meets at the harbour gate at nine", id="nine")
        bank.share(["secret"], "team", **WHO)
        exports = {each: io.BytesIO() for each in ("alice", "team")}
        for name, sink in exports.items():
            mind.bank(name).export(sink, by="anna", reason="a copy")
        done = bank.erase(["secret"], **WHO)
        assert [each.ref.name for each in done.copies] == ["team"]
        assert done.receipt is not None
        assert [each.split(":")[0] for each in done.receipt.copies] == ["alice", "team"]
        for name, sink in exports.items():
            brought = mind.bank(name).import_(sink, by="anna")
            assert len(brought.refused) == 1
            assert "Zyxquartz" not in str(everything(mind.bank(name)))
            with pytest.raises(TombstonedError):
                mind.bank(name).remember(SECRET)
        assert [each.memory.id for each in everything(bank)] == ["olives"]
        assert [each.memory.id for each in everything(team)] == ["nine"]
        assert hit_ids(team.recall(ASKED)) == ["nine"]


def test_an_older_backup_does_not_bring_it_back_either(tmp_path: Path) -> None:
    with place_on("file", tmp_path) as place:
        with place.open() as mind:
            mind.bank("alice").remember(SECRET, id="secret")
            mind.bank("alice").remember("Anna likes green olives", id="olives")
            mind.bank("alice").share(["secret"], "team", **WHO)
            mind.bank("team").remember("The team meets at nine", id="nine")
            mind.backup(tmp_path / "copy.db", by="anna")
            mind.bank("alice").erase(["secret"], **WHO)
            mind.bank("alice").remember("A boat came later", id="boat")
        done = restore_backup(
            tmp_path / "copy.db",
            Path(place.target),
            clock=place.clock,
            by="anna",
            reason="asked for",
        )
        assert sum(len(each.erased) for each in done.banks) == 2
        assert b"Zyxquartz" in (tmp_path / "copy.db").read_bytes()
        assert b"Zyxquartz" not in Path(place.target).read_bytes()
        with place.open() as mind:
            assert [each.memory.id for each in everything(mind.bank("alice"))] == ["olives"]
            assert [each.memory.id for each in everything(mind.bank("team"))] == ["nine"]
            for name in ("alice", "team"):
                with pytest.raises(TombstonedError):
                    mind.bank(name).remember(SECRET)
