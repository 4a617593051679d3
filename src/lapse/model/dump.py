"""All that a store keeps of one bank, as it is handed on: piece by piece, of one moment.

Decides what a piece is and in which order pieces come: what protects the bank before what it
protects. Refuses to know a file or a form of writing.
"""

from dataclasses import dataclass
from typing import TypeAlias

from lapse.model.bank import Bank
from lapse.model.canary import Canary
from lapse.model.closing import Closing
from lapse.model.hold import Hold
from lapse.model.journal import JournalEntry
from lapse.model.memory import Memory
from lapse.model.plan import Plan
from lapse.model.proposal import Proposal
from lapse.model.record import Vector
from lapse.model.retention import RetentionState, UseEvent
from lapse.model.sweep import SweepReport
from lapse.model.tombstone import Tombstone


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptUse:
    """An event of use, and whether it waits to be folded in."""

    event: UseEvent
    pending: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptMemory:
    """A memory with all that is kept beside it.

    Attributes:
        number: The number that the bank's journal gives it.
        memory: Its current content.
        state: Its state.
        salt: Salt of its digests in the journal.
        versions: Earlier content versions, oldest first.
        vectors: Vectors of the current content, by space.
        uses: Events of use, in order of arrival.
    """

    number: int
    memory: Memory
    state: RetentionState
    salt: bytes
    versions: tuple[Memory, ...] = ()
    vectors: tuple[Vector, ...] = ()
    uses: tuple[KeptUse, ...] = ()


Piece: TypeAlias = (
    Bank
    | Tombstone
    | Hold
    | Canary
    | SweepReport
    | JournalEntry
    | KeptMemory
    | Closing
    | Proposal
    | Plan
)
"""One piece of a dump. They come in this order, those of one kind in the order kept."""
