"""B176: the store is not where the volume is mounted, and a new container has lost everything.

Waits: the published compose file and an image upgrade, for the server.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lapse import Lapse
from tests.reports.helping import everything

CONTAINER = """
import sys
from lapse.faces.cli import main
sys.exit(main(sys.argv[1:]))
"""


def run(folder: Path, volume: Path, *arguments: str) -> str:
    """A command in a process of its own, in a folder of its own, with one lasting folder."""
    environment = {name: value for name, value in os.environ.items() if "LAPSE_" not in name}
    environment |= {"LAPSE_DB": str(volume / "memories.db"), "LAPSE_MEMORY__EMBEDDER": "none"}
    done = subprocess.run(
        [sys.executable, "-c", CONTAINER, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_one_process_told_the_next_one_lists_from_the_named_file(tmp_path: Path) -> None:
    volume, first, second = tmp_path / "volume", tmp_path / "first", tmp_path / "second"
    for each in (volume, first, second):
        each.mkdir()
    log = volume / "log.jsonl"
    log.write_text("".join(f'{{"text": "note {at}", "id": "m{at}"}}\n' for at in range(3)))

    run(first, volume, "remember-many", str(log))

    assert list(first.iterdir()) == []
    listed = run(second, volume, "list", "--json")
    assert [listed.count(f'"m{at}"') for at in range(3)] == [1, 1, 1]
    assert list(second.iterdir()) == []
    assert (volume / "memories.db").stat().st_size > 0


def test_a_store_opened_by_a_relative_path_stays_where_it_was_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    with Lapse.open("notes.db", embedder=None, background=False) as mind:
        mind.bank("alice").remember("before")
        monkeypatch.chdir(tmp_path / "elsewhere")
        mind.bank("alice").remember("after")
        mind.bank("bob").remember("from another connection")
        mind.backup(tmp_path / "copy.db")
    assert list((tmp_path / "elsewhere").iterdir()) == []
    for name in ("notes.db", "copy.db"):
        with Lapse.open(tmp_path / name, embedder=None, background=False) as again:
            assert len(everything(again.bank("alice"))) == 2
            assert len(everything(again.bank("bob"))) == 1
