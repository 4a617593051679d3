"""What the build server is told: `.ci/run` with a stand-in for the command that it calls."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.project_files import ROOT

PASSED = "======== 12 passed, 1 skipped in 3.21s ========"
FAILED = "==== 2 failed, 10 passed in 75.02s (0:01:15) ===="


def ci(folder: Path, output: str, status: int) -> tuple[int, str]:
    """Run `.ci/run` where `make` only prints; its exit status and its last line."""
    make = folder / "make"
    make.write_text(f"#!/bin/sh\ncat <<'END'\n{output}\nmake said goodbye\nEND\nexit {status}\n")
    make.chmod(0o755)
    done = subprocess.run(
        [ROOT / ".ci" / "run"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"},
    )
    return done.returncode, done.stdout.splitlines()[-1]


def test_a_good_run_ends_with_the_runners_closing_line(tmp_path: Path) -> None:
    assert ci(tmp_path, PASSED, 0) == (0, PASSED)


def test_a_coloured_closing_line_is_understood(tmp_path: Path) -> None:
    coloured = f"\x1b[32m{PASSED}\x1b[0m"
    assert ci(tmp_path, coloured, 0) == (0, PASSED)


def test_a_failed_run_fails_and_still_ends_with_the_closing_line(tmp_path: Path) -> None:
    assert ci(tmp_path, FAILED, 2) == (2, FAILED)


@pytest.mark.parametrize(
    "output",
    [
        "======== no tests ran in 0.01s ========",
        "======== 9 skipped in 0.01s ========",
        "======== 0 passed, 9 skipped in 0.01s ========",
        "nothing at all",
    ],
)
def test_a_run_in_which_no_test_passed_fails(tmp_path: Path, output: str) -> None:
    status, last_line = ci(tmp_path, output, 0)
    assert status != 0
    assert last_line.startswith("no test passed")
