"""A bank's own record, and the spaces its vectors lie in.

Decides what is kept of a bank besides its memories. Refuses to say how revisions grow: stores do.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from lapse.model.instants import Instant
from lapse.model.memory import BankRef, JsonValue

NO_IDF: Final = b""
"""The IDF of a space whose embedder pools without it, or whose bank has no epoch yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """A vector space of a bank: vectors of different spaces are never compared.

    Attributes:
        number: 1, 2, 3 … within the bank.
        embedder: Identity of model, version and dimension.
        dimension: Length of a vector.
        epoch: Number of memories at the snapshot its IDF was taken at; 0 for none.
        idf: What the IDF is computed from, as `embed.snapshots` writes it, or `NO_IDF`.
    """

    number: int
    embedder: str
    dimension: int
    epoch: int = 0
    idf: bytes = NO_IDF


@dataclass(frozen=True, slots=True, kw_only=True)
class Bank:
    """A bank's own record.

    Attributes:
        ref: Its name.
        created_at: When it was first opened.
        revision: Grows by one with every committed write; the index follows it.
        policy: The bank's stored policy, as a diff over the deployment's.
        policy_version: Grows by one with every change of the policy.
        space: The vector space that recall uses, or None before the first vector.
        building: A space that is being filled and will replace `space`, or None.
        overlay: Whether the bank was first made by `rank()`, beside another store.
        late_events: Events refused because they were too old when enqueued.
        tokeniser: Identity of the tokeniser that the terms were read by, so that another language
            or stemmer is noticed; empty before the first memory.
        law: The law that the strengths were last computed under (its name and parameters), so that
            a change of law is noticed.
        redating: The law that a pass under way brings them to, or empty; strengths lie under one
            of the two.
        redated_through: Internal number of the last memory that the pass has seen.
        shift: How far its internal numbers lie above those that its journal names: 0 but for a bank
            that was taken over whole from another store. Stores set it.
    """

    ref: BankRef
    created_at: Instant
    revision: int = 0
    policy: Mapping[str, JsonValue] = field(default_factory=lambda: MappingProxyType({}))
    policy_version: int = 0
    space: Space | None = None
    building: Space | None = None
    overlay: bool = False
    late_events: int = 0
    tokeniser: str = ""
    law: str = ""
    redating: str = ""
    redated_through: int = 0
    shift: int = 0
