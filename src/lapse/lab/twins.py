"""Twins of a bank: the same memories in RAM, under a clock and a policy of their own.

Decides that what is tried out is tried out on a whole copy, by the same engine, so that a forecast
is what would happen and not what somebody thinks would. Refuses to touch the bank: it is read, not
even journalled, and nothing of a twin is ever written back.
"""

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

from lapse.bank import Bank
from lapse.engine.attending import Actor
from lapse.engine.core import Core
from lapse.engine.embedding import Progress, no_progress
from lapse.engine.importing import import_
from lapse.engine.parts import Parts
from lapse.engine.products import SharedProduct
from lapse.errors import NotFoundError
from lapse.model.instants import Instant
from lapse.model.memory import BankRef, JsonValue
from lapse.stores.memory import MemoryStore
from lapse.transfer.lines import written

BY = "lab"
"""The actor in the journal of a twin, which nobody reads."""

LET_GO: Mapping[str, JsonValue] = {
    "forgetting.enabled": True,
    "forgetting.mode": "lifecycle",
    "forgetting.auto_apply": True,
    "retention.two_person": False,
}
"""Settings under which sweeps do what they would otherwise only plan."""


@dataclass(slots=True, kw_only=True)
class SetClock:
    """A clock that stands wherever it is set."""

    at: Instant

    def now(self) -> Instant:
        """Give the instant."""
        return self.at


@dataclass(frozen=True, slots=True, kw_only=True)
class Twin:
    """A bank in RAM, and its clock."""

    bank: Bank
    clock: SetClock


@contextmanager
def twin_of(bank: Bank, progress: Progress = no_progress) -> Iterator[Twin]:
    """Copy a bank into RAM, with everything that is kept of it; it is gone afterwards.

    Raises:
        NotFoundError: There is no such bank.
        KeyMissingError: A key that something was erased under is missing.
        CorruptStoreError: A memory lost its state: a drain of the bank gives it one.
    """
    core, ref = bank.engine, bank.ref
    if core.runtime(ref).follow() is None:
        raise NotFoundError(f"there is no bank {ref}", fields={"bank": str(ref)})
    lines = io.BytesIO()
    for line in written(ref, core.parts.store.dump(ref)):
        lines.write(line.encode("ascii"))
    with in_memory(core.parts, ref, core.now()) as twin:
        beside = twin.bank.engine
        actor = Actor(by=BY, reason="to try out what would be")
        import_(beside, beside.runtime(ref), lines, actor, progress)
        yield twin


@contextmanager
def in_memory(parts: Parts, ref: BankRef, at: Instant) -> Iterator[Twin]:
    """An empty bank in RAM with the parts of another: same embedder, same deployment.

    No model is asked: what is tried out costs nothing, and sends no text anywhere.
    """
    clock = SetClock(at=at)
    own = replace(
        parts,
        store=MemoryStore(),
        clock=clock,
        generate=None,
        wake=_nobody,
        product=SharedProduct(1),
    )
    core = Core(own)
    try:
        yield Twin(bank=Bank(core, ref), clock=clock)
    finally:
        core.shut()


def _nobody() -> None:
    """Wake nobody: a twin's upkeep is done when it is asked for."""
