"""K28: what is in RAM and what is in a folder go apart, by hand or by another process."""

from contextlib import closing
from pathlib import Path

import pytest

from lapse import Lapse
from lapse.errors import CorruptStoreError
from lapse.stores.files import names
from lapse.testing.fakes import ALICE, FakeClock
from tests.reports.helping import T0, hit_ids


def opened(folder: Path) -> Lapse:
    return Lapse.open(f"file://{folder}", embedder=None, clock=FakeClock(T0), background=False)


def file_of(folder: Path, name: str) -> Path:
    return folder / names.sharded(names.bank_folder(ALICE), names.MEMORIES, name)


def test_two_that_have_a_folder_open_recall_what_the_other_wrote(tmp_path: Path) -> None:
    with closing(opened(tmp_path / "f")) as one, closing(opened(tmp_path / "f")) as other:
        for at in range(6):
            writer, reader = (one, other) if at % 2 else (other, one)
            writer.bank("alice").remember(f"harbour number{at}", id=f"m{at}")
            found = hit_ids(reader.bank("alice").recall("harbour", k=20))
            assert set(found) == {f"m{each}" for each in range(at + 1)}
        one.bank("alice").erase(["m0"], by="anna", reason="asked for")
        assert "m0" not in hit_ids(other.bank("alice").recall("harbour", k=20))


def test_a_file_edited_by_hand_is_out_of_recall_and_told_by_doctor(tmp_path: Path) -> None:
    with closing(opened(tmp_path / "f")) as mind:
        for each in ("m1", "m2"):
            mind.bank("alice").remember(f"harbour of {each}", id=each)
    path = file_of(tmp_path / "f", "m1")
    path.write_text(path.read_text().replace("harbour", "airport"))
    with closing(opened(tmp_path / "f")) as mind:
        bank = mind.bank("alice")
        assert hit_ids(bank.recall("harbour airport", k=20)) == ["m2"]
        assert any(path.name in each for each in bank.doctor())
        with pytest.raises(CorruptStoreError, match=r"m1\.json"):
            bank.remember("harbour of m1", id="m1")


def test_what_was_erased_is_in_no_file_of_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "f"
    with closing(opened(folder)) as mind:
        bank = mind.bank("alice")
        bank.remember("The code word is Zyxquartz", id="secret", tags=["vombatiform"])
        bank.update("secret", text="The code word was Zyxquartz")
        bank.used(["secret"], event_id="e1")
        bank.drain()
        bank.remember("The harbour is quiet", id="other")
        bank.erase(["secret"], by="anna", reason="asked for")
        for each in folder.rglob("*"):
            data = b"" if each.is_dir() else each.read_bytes().lower()
            assert b"zyxquartz" not in data, each
            assert b"vombatiform" not in data, each
        assert hit_ids(bank.recall("harbour", k=20)) == ["other"]
