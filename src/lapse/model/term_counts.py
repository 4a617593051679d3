"""How common terms are in a bank.

Decides nothing: it carries two numbers from a store to whoever weighs terms.
"""

from collections.abc import Mapping
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
