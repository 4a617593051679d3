"""What the acceptance cases share: one place to keep memories on each kind of store.

Decides which stores they run on, and how two answers are compared byte for byte.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lapse.model.codec import dumps
from lapse.model.query import Recall
from lapse.testing.fakes import FakeClock
from tests.reports.helping import T0, Place

on_every_store = pytest.mark.parametrize("kind", ["memory", "file"])
"""Runs a test over RAM and over a file."""


@contextmanager
def place_on(kind: str, folder: Path) -> Iterator[Place]:
    """An empty store of a kind, with a clock at T0."""
    target = "memory://" if kind == "memory" else str(folder / "lapse.db")
    place = Place(target=target, clock=FakeClock(T0))
    with place.opened:
        yield place


def tray(recall: Recall) -> str:
    """All that a recall answers, byte for byte, but for its own id and how long it took."""
    return dumps([recall.at, recall.hits, recall.revived, list(recall.exclusions), recall.words])


def order(recall: Recall) -> str:
    """Which memories a recall told, in which order and with which score, byte for byte."""
    return dumps([[each.id, each.score, each.text] for each in recall.hits])
