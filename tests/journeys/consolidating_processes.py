"""Processes that consolidate one file at the same moment."""

from multiprocessing.synchronize import Barrier
from pathlib import Path

from lapse import Lapse
from lapse.model.instants import Instant
from lapse.testing.fakes import FakeClock


def consolidate_together(path: Path | str, now: Instant, together: Barrier) -> None:
    """Do the upkeep of the bank at the same moment as others."""
    with Lapse.open(path, embedder=None, clock=FakeClock(now), background=False) as mind:
        bank = mind.bank("alice")
        bank.policy()
        together.wait()
        bank.drain()
