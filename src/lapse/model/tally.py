"""How many memories of a bank stand how, and how many tombstones it left.

Decides nothing: it carries counts from a store to whoever shows them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from lapse.model.memory import Kind
from lapse.model.retention import ImportanceSource, Lifecycle


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Counts of a bank's memories. Whatever is counted as 0 is left out of the three divisions.

    Attributes:
        memories: All stored memories.
        by_kind: The same, divided.
        by_lifecycle, by_rater: Those that have a retention state, divided; by who rated them.
        current: Memories that hold: latest and not retracted.
        faded: Active memories whose `fades_at` has passed.
        pinned: Memories with a pin.
        without_vector: Memories without a vector of their current content in the space asked about.
        tombstones: In force, of memories that were in this bank; one that reaches the whole tenant
            counts here alone.
    """

    memories: int = 0
    by_kind: Mapping[Kind, int] = field(default_factory=lambda: MappingProxyType({}))
    by_lifecycle: Mapping[Lifecycle, int] = field(default_factory=lambda: MappingProxyType({}))
    by_rater: Mapping[ImportanceSource, int] = field(default_factory=lambda: MappingProxyType({}))
    current: int = 0
    faded: int = 0
    pinned: int = 0
    without_vector: int = 0
    tombstones: int = 0
