"""What an answer shows of memories.

Decides nothing: it carries what they say, and what is undecided about them, from a store to whoever
asked.
"""

from dataclasses import dataclass

from lapse.model.memory import Memory
from lapse.model.proposal import Proposal


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """Memories as they are shown.

    Attributes:
        memories: What they say, in the order asked.
        proposals: Open proposals that name any of them, in the order in which they came up.
    """

    memories: tuple[Memory, ...] = ()
    proposals: tuple[Proposal, ...] = ()
