"""A move that is killed at any point goes on when it is asked for again, and doubles nothing."""

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from lapse.faces.migrating import Outcome, migrate
from lapse.faces.opening import store_of
from lapse.transfer.digest import content_digest
from lapse.transfer.lines import written
from tests.unit.faces.test_migrating import full

KILLED = """
import os, signal, sys
from lapse.faces import migrating

source, target, count = sys.argv[1:]
seen = [0]

def reached():
    seen[0] += 1
    if seen[0] == int(count):
        os.kill(os.getpid(), signal.SIGKILL)

digest = migrating._digest

def counted(*found):
    reached()
    made = digest(*found)
    reached()
    return made

migrating._digest = counted
migrating.migrate(source, target, progress=lambda done, total: reached())
"""


def digests(address: str) -> dict[str, str]:
    with closing(store_of(address)) as store:
        return {str(ref): content_digest(written(ref, store.dump(ref))) for ref in store.refs()}


@pytest.mark.parametrize("kind", ["file://{}/folder", "{}/other.db"])
def test_a_move_that_is_killed_again_and_again_ends_with_everything_once(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    source, target = str(tmp_path / "source.db"), kind.format(tmp_path)
    full(source)
    before = digests(source)
    for count in (3, 9):
        asked = [sys.executable, "-c", KILLED, source, target, str(count)]
        ended = subprocess.run(asked, capture_output=True, text=True, check=False)
        assert ended.returncode == -9, ended.stderr
    done = migrate(source, target)
    assert done.whole
    assert {each.outcome for each in done.banks} <= {Outcome.MOVED, Outcome.THERE}
    assert Outcome.THERE in {each.outcome for each in done.banks}
    assert digests(source) == before
    assert {each.outcome for each in migrate(source, target).banks} == {Outcome.THERE}
    with closing(store_of(source)) as one, closing(store_of(target)) as other:
        assert one.refs() == other.refs()
        for ref in one.refs():
            assert other.count(ref) == one.count(ref)
            assert list(other.faults(ref)) == []
