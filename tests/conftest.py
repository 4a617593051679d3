"""What every test may ask for. Decides where test data lies and how long Hypothesis may search."""

import logging
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.postgres_server import serve

ROOT = Path(__file__).resolve().parents[1]

# The same examples on every run, so that a red build is red for the next reader too.
settings.register_profile(
    "ci",
    derandomize=True,
    max_examples=50,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
# Run by hand when looking for trouble: HYPOTHESIS_PROFILE=explore make test
settings.register_profile("explore", max_examples=2000, deadline=None)
# `make deep`: what callers, clocks and files may do, other examples on every run.
settings.register_profile(
    "deep",
    max_examples=1000,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@pytest.fixture(autouse=True)
def _logging_as_it_was() -> Iterator[None]:
    """Take away what a command in this process logs to: its stream ends with its test."""
    found = [logging.getLogger(), logging.getLogger("lapse")]
    before = [(each, each.handlers[:], each.level, each.propagate) for each in found]
    yield
    for each, handlers, level, propagate in before:
        each.handlers[:] = handlers
        each.setLevel(level)
        each.propagate = propagate


@pytest.fixture(scope="session")
def project_root() -> Path:
    """The folder that holds pyproject.toml."""
    return ROOT


@pytest.fixture(scope="session")
def shared_data() -> Callable[[str], Path]:
    """Find a data set that is not part of the project, or skip the test that needs it.

    The folder is `$LAPSE_TEST_SHARED`, or `../shared` beside the project.
    """
    folder = Path(os.environ.get("LAPSE_TEST_SHARED") or ROOT.parent / "shared")

    def find(name: str) -> Path:
        if not folder.is_dir():
            pytest.skip(f"no data folder {folder}: set LAPSE_TEST_SHARED to one")
        path = folder / name
        if not path.exists():
            pytest.skip(f"{name} is not in the data folder {folder}")
        return path

    return find


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A PostgreSQL server for this run, or skip the test that needs one."""
    yield from serve()
