"""Whoever is killed while going back to a backup leaves the old store or the new one, whole."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lapse import Lapse
from lapse.errors import NotFoundError
from lapse.model.paging import Listing
from tests.journeys.dying_restorer import HALF, STEPS

SECRET = "The code word of the harbour gate is Zyxquartz Vombatiform."


def opened(path: Path) -> Lapse:
    return Lapse.open(path, embedder=None, background=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A store of some pages, a copy of it, and what was told and erased since."""
    with opened(tmp_path / "agent.db") as mind:
        bank = mind.bank("alice")
        bank.remember(SECRET, id="secret")
        bank.remember_many(
            [{"text": f"Ship {at} lies at pier {at * 3}", "id": f"m{at}"} for at in range(60)]
        )
        mind.backup(tmp_path / "copy.db")
        bank.erase(["secret"], by="anna", reason="asked for")
        bank.remember("Ship 99 came in since", id="since")
    return tmp_path


@pytest.mark.parametrize("step", STEPS)
def test_killed_at_any_step_the_store_is_the_old_one_or_the_new_one(
    folder: Path, step: str
) -> None:
    command = [sys.executable, "-m", "tests.journeys.dying_restorer", step, str(folder)]
    ended = subprocess.run(command, capture_output=True, check=False, timeout=120)
    assert ended.returncode == -signal.SIGKILL, ended.stderr.decode()
    if step == HALF:  # what it has written is taken back by the next who opens the file
        assert (folder / "agent.db-journal").stat().st_size

    with opened(folder / "agent.db") as mind:
        bank = mind.bank("alice")
        there = {each.memory.id for each in bank.list(Listing(limit=100)).records}
        old = step != "exchanged"
        assert ("since" in there) == old
        assert there - {"since"} == {f"m{at}" for at in range(60)}
        assert bank.verify_journal().sound
        assert list(bank.doctor()) == []
        with pytest.raises(NotFoundError):
            bank.get("secret")
    assert b"Zyxquartz" not in (folder / "agent.db").read_bytes()


def test_the_next_attempt_clears_away_what_a_dead_one_left(folder: Path) -> None:
    command = [sys.executable, "-m", "tests.journeys.dying_restorer", "brought up", str(folder)]
    subprocess.run(command, capture_output=True, check=False, timeout=120)
    left = [each for each in folder.iterdir() if "restoring" in each.name]
    assert len(left) == 1
    assert left[0].stat().st_mode & 0o777 == 0o700

    subprocess.run([*command[:3], "exchanged", str(folder)], check=False, timeout=120)
    assert left[0] not in list(folder.iterdir())
