"""What every field report may ask for: a store in RAM and one in a file, and a clock at T0."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from lapse.testing.fakes import FakeClock
from tests.reports.helping import T0, Place


@pytest.fixture(autouse=True)
def without_settings_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting of whoever runs the tests."""
    for name in [each for each in os.environ if each.startswith("LAPSE_")]:
        if not name.startswith("LAPSE_TEST_"):
            monkeypatch.delenv(name)


@pytest.fixture
def clock() -> FakeClock:
    """A clock that stands at T0."""
    return FakeClock(T0)


@pytest.fixture(params=["memory", "file"])
def place(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> Iterator[Place]:
    """An empty store; each test that asks for it runs over RAM and over a file."""
    target = "memory://" if request.param == "memory" else str(tmp_path / "lapse.db")
    made = Place(target=target, clock=clock)
    with made.opened:
        yield made


@pytest.fixture
def in_file(tmp_path: Path, clock: FakeClock) -> Iterator[Place]:
    """An empty store in a file, for what happens between two openings."""
    made = Place(target=str(tmp_path / "lapse.db"), clock=clock)
    with made.opened:
        yield made
