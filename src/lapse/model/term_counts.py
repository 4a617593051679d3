"""How common terms are in a bank.

Decides what is left of the counts without one memory. Refuses to weigh: it carries two numbers from
a store to whoever does.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True, slots=True, kw_only=True)
class TermCounts:
    """In how many of a bank's memories terms occur.

    Attributes:
        memory_count: Memories of the bank, whatever their lifecycle.
        frequency: By term, in how many of them it occurs; a term that occurs in none is left out.
    """

    memory_count: int = 0
    frequency: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))

    def without(self, terms: Collection[str]) -> "TermCounts":
        """The counts of the other memories, seen from one that holds these terms."""
        others = {
            each: count - (each in terms) for each, count in self.frequency.items() if count > 0
        }
        return TermCounts(
            memory_count=max(self.memory_count - 1, 0),
            frequency={each: count for each, count in others.items() if count > 0},
        )
