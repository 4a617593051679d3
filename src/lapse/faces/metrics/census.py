"""The census: how every bank of a store stands, in numbers.

Decides which bank is counted anew. Counting passes over every row of a bank, so that one which is
large would be counted without end: its numbers stand until a hundred times as long has passed as
counting it took. Refuses to name a bank: numbers are by the mode of banks.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from lapse.bank import Bank
from lapse.errors import LapseError
from lapse.faces.app import Lapse
from lapse.faces.metrics import catalogue
from lapse.model.instants import SECOND
from lapse.model.memory import BankRef

Figures = Counter[tuple[str, tuple[str, ...]]]
"""Counts by name of a metric and its labels."""

QUICK_S: Final = 0.25
"""A bank that is counted within so many seconds is counted each time."""
REST: Final = 100
"""Any other rests this many times as long as counting it took."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Census:
    """What was counted.

    Attributes:
        figures: Sums over all banks.
        canary_recall: By mode, the least recall after its last sweep of any bank that has canaries.
        lag_s: By mode, the most seconds that a use has waited to be folded in, in any bank.
    """

    figures: Figures = field(default_factory=Counter)
    canary_recall: Mapping[str, float] = field(default_factory=dict)
    lag_s: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counted:
    mode: str
    figures: Figures
    canary_recall: float | None
    ended: float
    took_s: float

    def rests(self, at: float) -> bool:
        return self.took_s > QUICK_S and at - self.ended < REST * self.took_s


class Counting:
    """Counts the banks of one store, time and again. For one thread."""

    def __init__(self, stopwatch: Callable[[], float]) -> None:
        """Count nothing yet."""
        self._stopwatch = stopwatch
        self._counted: dict[BankRef, _Counted] = {}

    def take(self, lapse: Lapse) -> Census:
        """Count. A bank that cannot be read, as one with a bad policy, hides none of the others."""
        figures: Figures = Counter()
        least: dict[str, float] = {}
        longest: dict[str, float] = {}
        before, self._counted = self._counted, {}
        for ref in lapse.parts.store.refs():
            with suppress(LapseError):
                counted = self._of(lapse.bank(ref.name, tenant=ref.tenant), before.get(ref))
                self._counted[ref] = counted
                figures.update(counted.figures)
                pending = lapse.parts.store.pending_count(ref)
                figures[catalogue.PENDING_USES.name, (counted.mode,)] += pending
                lag_s = _lag_s(lapse, ref)
                longest[counted.mode] = max(longest.get(counted.mode, 0.0), lag_s)
                if counted.canary_recall is not None:
                    known = least.get(counted.mode, 1.0)
                    least[counted.mode] = min(counted.canary_recall, known)
        figures[catalogue.STORE_BYTES.name, ()] = lapse.parts.store.size_bytes()
        return Census(figures=figures, canary_recall=least, lag_s=longest)

    def _of(self, bank: Bank, before: _Counted | None) -> _Counted:
        began = self._stopwatch()
        if before is not None and before.rests(began):
            return before
        stats = bank.stats(history=True)
        mode = str(stats.mode)
        figures: Figures = Counter()
        figures[catalogue.BANKS.name, (mode,)] = 1
        figures[catalogue.DUE.name, (mode,)] = stats.faded
        figures[catalogue.CACHED_ANSWERS.name, (mode,)] = stats.cache.answers
        figures[catalogue.TOMBSTONES.name, (mode,)] = stats.tombstones
        for lifecycle, count in stats.by_lifecycle.items():
            figures[catalogue.MEMORIES.name, (mode, str(lifecycle))] = count
        for source, count in stats.by_rater.items():
            figures[catalogue.RATINGS.name, (mode, str(source))] = count
        after = [each.recall_after for each in stats.sweeps or () if each.recall_after is not None]
        ended = self._stopwatch()
        return _Counted(
            mode=mode,
            figures=figures,
            canary_recall=after[-1] if after else None,
            ended=ended,
            took_s=ended - began,
        )


def _lag_s(lapse: Lapse, ref: BankRef) -> float:
    since = lapse.parts.store.pending_since(ref)
    return 0.0 if since is None else max(lapse.parts.clock.now() - since, 0) / SECOND
