"""What every field report may ask for: a store in RAM and one in a file, and a clock at T0."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from lapse.testing.fakes import FakeClock
from tests.postgres_server import PARTITIONS, empty
from tests.reports.helping import T0, Place

SCHEMA = "reports"

# Concurrency, change of embedding model, growth, stores out of step, parity of stores.
KINDS = ("K15", "K23", "K27", "K28", "K29")
REPORTS = (
    113, 115, 117, 118, 119, 162, 164, 165, 166, 178, 189, 191, 193, 194, 195, 197, 198, 200,
)  # fmt: skip
ON_EVERY_STORE = (
    *(f"test_own_{each}_" for each in KINDS),
    *(f"test_B{each}_" for each in REPORTS),
)

# What these do, they do to the file itself.
OF_FILES = (
    "test_a_recall_does_not_wait_for_another_process_that_writes",
    "test_a_row_deleted_by_hand_is_skipped_the_next_ones_move_up_and_health_tells",
    "test_states_and_vectors_deleted_by_hand_are_told_of_and_made_anew",
)


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


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run what is about stores over a folder and over PostgreSQL as well."""
    name = metafunc.module.__name__.rsplit(".", 1)[-1]
    served = ["files", "postgres"] if name.startswith(ON_EVERY_STORE) else []
    if "place" in metafunc.fixturenames:
        metafunc.parametrize("place", ["memory", "file", *served], indirect=True)
    if "in_file" in metafunc.fixturenames and metafunc.function.__name__ not in OF_FILES:
        metafunc.parametrize("in_file", ["file", *served], indirect=True)


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> Iterator[Place]:
    """An empty store; each test that asks for it runs over RAM and over a file."""
    made = Place(target=_target(request, tmp_path), clock=clock)
    with made.opened:
        yield made


@pytest.fixture
def in_file(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> Iterator[Place]:
    """An empty store that lasts, for what happens between two openings."""
    made = Place(target=_target(request, tmp_path), clock=clock)
    with made.opened:
        yield made


def _target(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    match getattr(request, "param", "file"):
        case "memory":
            return "memory://"
        case "postgres":
            served: str = request.getfixturevalue("postgres_url")
            request.getfixturevalue("monkeypatch").setenv("HOME", str(tmp_path))
            empty(served, SCHEMA)
            return f"{served}&schema={SCHEMA}&partitions={PARTITIONS}"
        case "files":
            return f"file://{tmp_path / 'folder'}"
        case _:
            return str(tmp_path / "lapse.db")
