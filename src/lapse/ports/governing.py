"""What a store says of what governs attention: dates, uses, holds, plans, tombstones."""

from collections.abc import Sequence
from typing import Protocol

from lapse.model.canary import Canary
from lapse.model.due import Due, DueAfter, DueBy
from lapse.model.hold import Hold
from lapse.model.instants import Instant
from lapse.model.memory import BankRef
from lapse.model.plan import Plan, PlanHead
from lapse.model.retention import UseEvent
from lapse.model.sweep import SweepReport
from lapse.model.tombstone import KeptTombstone


class Governing(Protocol):
    """Reads of what decides what fades, stays and never comes back."""

    def due(
        self, ref: BankRef, by: DueBy, until: Instant, after: DueAfter, limit: int
    ) -> list[Due]:
        """Active memories whose date has come by `until`, inclusive, in order of date and row.

        By `DueBy.ARCHIVED`, archived memories in order of when they were archived; one whose last
        move nobody noted has no date. Costs what it gives, whatever the bank holds: memories that
        stand elsewhere, whose date has not come or that have none are not read.
        """
        ...

    def sweeps(self, ref: BankRef, limit: int) -> list[SweepReport]:
        """The latest reports of sweeps, oldest first."""
        ...

    def canaries(self, ref: BankRef) -> list[Canary]:
        """Every canary, in the order they were first added."""
        ...

    def holds(self, ref: BankRef) -> list[Hold]:
        """The bank's legal holds, by name."""
        ...

    def plan(self, ref: BankRef, plan_id: str) -> Plan | None:
        """A plan with what has become of it, or None."""
        ...

    def plans(self, ref: BankRef, limit: int) -> list[PlanHead]:
        """The bank's latest plans without their items, the newest first, then by id."""
        ...

    def events(self, ref: BankRef, memory_ids: Sequence[str]) -> list[UseEvent]:
        """All kept events of these memories, in order of (at, memory id, event id)."""
        ...

    def pending_count(self, ref: BankRef) -> int:
        """How many events wait to be folded in."""
        ...

    def pending_since(self, ref: BankRef) -> Instant | None:
        """When the first of them, by arrival, was enqueued; None where none waits."""
        ...

    def tombstones(self, ref: BankRef, after: int, limit: int) -> list[KeptTombstone]:
        """Tombstones that apply to the bank with a number above `after`, by number.

        Those of the bank, and those of the tenant's other banks that apply to all of them; lifted
        ones are among them. A bank that does not exist may have some.
        """
        ...
