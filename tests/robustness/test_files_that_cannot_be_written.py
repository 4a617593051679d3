"""Read-only files and full disks: a clear refusal, and all that was acknowledged is still there."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import mkdtemp

import pytest

from lapse.errors import StoreError
from lapse.faces.app import Lapse
from lapse.model.paging import Listing
from tests.project_files import ROOT
from tests.robustness.damage import make, opened
from tests.robustness.held import refused

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs POSIX limits and permissions")

DISK_BYTES = 1_500_000
NOBODY = 65_534


def told_by(path: Path, way: str) -> tuple[list[str], str]:
    """What a process that writes to the file acknowledged, and why it stopped."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.robustness.filling", str(path), way],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    *ids, last = done.stdout.splitlines()
    return ids, last


def kept(path: Path) -> Sequence[str]:
    """Ids of all memories in the file, which has to be sound."""
    with closing(Lapse.open(path, embedder=None, background=False)) as lapse:
        bank = lapse.bank("alice")
        assert list(bank.doctor()) == []
        ids: list[str] = []
        after: int | None = 0
        while after is not None:
            page = bank.list(Listing(after=after, limit=1000))
            ids += [each.memory.id for each in page.records]
            after = page.next_after
    return ids


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk with room for a few hundred memories."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "lapse-test", str(folder)]
    try:
        done = subprocess.run(mount, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("no mount command here")
    if done.returncode != 0:
        pytest.skip(f"a small disk cannot be mounted here: {done.stderr.strip()}")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may look into, unlike those that pytest makes."""
    folder = Path(mkdtemp(prefix="lapse-"))
    folder.chmod(0o755)
    yield folder
    for each in sorted(folder.iterdir()):
        each.unlink()
    folder.rmdir()


def test_a_full_disk_refuses_clearly_and_keeps_what_it_acknowledged(small_disk: Path) -> None:
    path = small_disk / "agent.db"
    told, refusal = told_by(path, "disk")
    assert refusal.startswith("refused: StoreFullError: no room left"), refusal
    assert len(told) > 10
    assert list(kept(path)) == told


def test_a_file_that_may_not_grow_refuses_clearly_and_goes_on_when_it_may(tmp_path: Path) -> None:
    path = tmp_path / "agent.db"
    told, refusal = told_by(path, "limit")
    assert refusal.startswith("refused: StoreFullError: "), refusal
    assert "no room left" in refusal or "check the disk" in refusal
    assert len(told) > 10
    assert list(kept(path)) == told
    with closing(opened(path)) as lapse:
        lapse.bank("alice").remember("there is room again", id="later")
    assert list(kept(path)) == [*told, "later"]


@contextmanager
def without_rights(folder: Path) -> Iterator[None]:
    """Lose the right to write in a folder, as another user or by its mode."""
    if os.geteuid() != 0:
        folder.chmod(0o555)
        yield
        folder.chmod(0o755)
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.parametrize(("mode", "said"), [(0o444, "opened for writing"), (0o666, "cannot be")])
def test_a_read_only_place_is_refused_by_name_and_left_alone(
    open_folder: Path, mode: int, said: str
) -> None:
    path = open_folder / "agent.db"
    make(path, memories=10)
    path.chmod(mode)
    before = path.read_bytes()
    with without_rights(open_folder):
        refusal = refused(lambda: opened(path).bank("alice").remember("more", id="more"))
    assert isinstance(refusal, StoreError)
    assert said in str(refusal)
    assert str(path) in str(refusal)
    assert path.read_bytes() == before
    assert len(kept(path)) == 10


def test_a_folder_in_place_of_a_file_is_refused_by_name(tmp_path: Path) -> None:
    refusal = refused(lambda: opened(tmp_path))
    assert isinstance(refusal, StoreError)
    assert "is a folder" in str(refusal)
