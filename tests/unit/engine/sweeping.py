"""What the tests of sweeps share: a policy that applies, trivia to sweep, and how a bank stands."""

from lapse.bank import Bank
from lapse.model.guards import Guard
from lapse.model.retention import Lifecycle
from lapse.model.sweep import SweepOutcome, SweepReport

AUTO: dict[str, object] = {
    "forgetting.mode": "lifecycle",
    "forgetting.auto_apply": True,
    "retention.max_active": "none",
}
ASKING: dict[str, object] = AUTO | {"forgetting.auto_apply": False}


def tell(bank: Bank, count: int, *, importance: float = 0.0, start: int = 0) -> None:
    """Tell trivia that falls below the level within days."""
    bank.remember_many(
        [
            {"text": f"Ship number{at} docked", "id": f"m{at:04}", "importance": importance}
            for at in range(start, start + count)
        ]
    )


def swept(bank: Bank, limit: int | None = None) -> SweepReport:
    """The report of a sweep that must not be refused."""
    done = bank.sweep(limit=limit)
    assert done.outcome is SweepOutcome.SWEPT
    assert done.report is not None
    return done.report


def standing(bank: Bank) -> dict[str, Lifecycle]:
    return {each.memory.id: each.state.lifecycle for each in bank.list().records}


def active(bank: Bank) -> list[str]:
    return [name for name, where in standing(bank).items() if where is Lifecycle.ACTIVE]


def spared(report: SweepReport) -> dict[Guard, int]:
    return {each.guard: each.count for each in report.spared}
