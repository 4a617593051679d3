"""What the tests of the engine share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lapse.ports import Store
from tests.unit.engine.opening import Opened, opened, store_of


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store; each test runs over the reference and over SQLite."""
    made = store_of(str(request.param), tmp_path)
    yield made
    made.close()


@pytest.fixture
def lapse(store: Store) -> Opened:
    """An engine over that store, without vectors and without a thread of its own."""
    return opened(store)
