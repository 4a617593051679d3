"""Own case of K25: a path is a path, whatever signs of an address or a pattern are in it."""

import subprocess
import sys
from pathlib import Path

import pytest

from lapse import Lapse
from lapse.errors import LapseError, ValidationError
from tests.reports.helping import everything

NAMES = (
    "my notes.db",
    "50%.db",
    "%41.db",
    "what?mode=memory&cache=shared",
    "a#b.db",
    "a;b'c\".db",
    "[ab]*.db",
    "файл 会议 😀.db",
    ".hidden",
    "file:notes.db",
)


@pytest.mark.parametrize("prefix", ["", "sqlite:///"])
@pytest.mark.parametrize("name", NAMES)
def test_a_store_is_the_file_that_was_named_and_no_other(
    tmp_path: Path, name: str, prefix: str
) -> None:
    target = f"{prefix}{tmp_path / name}"
    if prefix and "?" in name:
        # In an address this begins its options, and a file has none.
        with pytest.raises(ValidationError, match="options"):
            Lapse.open(target, embedder=None, background=False)
        assert list(tmp_path.iterdir()) == []
        return
    with Lapse.open(target, embedder=None, background=False) as mind:
        mind.bank("alice").remember("The harbour is quiet")
    assert [each.name for each in tmp_path.iterdir()] == [name]
    with Lapse.open(tmp_path / name, embedder=None, background=False) as again:
        assert len(everything(again.bank("alice"))) == 1


def test_a_folder_that_does_not_exist_is_named_and_not_made(tmp_path: Path) -> None:
    with pytest.raises(LapseError, match="missing") as caught:
        Lapse.open(tmp_path / "missing" / "notes.db", embedder=None)
    assert "folder" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_place_of_a_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LapseError, match="folder"):
        Lapse.open(tmp_path, embedder=None)
    assert list(tmp_path.iterdir()) == []


def test_importing_writes_nothing_anywhere(tmp_path: Path) -> None:
    code = "import lapse; from lapse import Lapse, presets; Lapse.open('memory://').close()"
    home = tmp_path / "home"
    home.mkdir()
    subprocess.run(
        [sys.executable, "-B", "-c", code],
        cwd=tmp_path,
        env={"HOME": str(home), "PYTHONPATH": ":".join(filter(None, sys.path))},
        check=True,
    )
    assert list(home.iterdir()) == []
    assert list(tmp_path.iterdir()) == [home]
