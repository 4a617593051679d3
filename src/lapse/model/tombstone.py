"""Tombstones: what stays of an erased memory, so that it cannot come back, and nothing of it.

Decides what a tombstone holds: keyed digests, which say nothing without the key and cannot be
turned back with it. Refuses to hold content, and to say how digests are made and compared
(`lapse.erasure`).

Two kinds of digest. `exact` are HMACs: of the text's letters and digits, of each sentence's, of the
claim's key with its value, of identifiers, and of the memory's id. `sums` are sums of one keyed
digest for each word, so that a sentence is found in whatever stands around it, and so that one word
can be left open; `slips` then say, for the word left open, what it may be if it is written badly.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from lapse.errors import Fault, fault, raise_all
from lapse.model.instants import Instant
from lapse.model.memory import BankRef, line_faults, name_faults

EXACT_BYTES: Final = 16
"""Length of one of the `exact` digests."""

SUM_BYTES: Final = 14
"""Length of one record of `sums`: 8 of sum, 2 of length, 2 of the word left open, 1 of reach, 1 of
slips."""

SLIP_BYTES: Final = 4
"""Length of one of the `slips`."""


class TombstoneScope(StrEnum):
    """Where the content may not come back."""

    BANK = "bank"
    TENANT = "tenant"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lift:
    """Who allowed the content again, when and why."""

    at: Instant
    by: str
    reason: str

    def __post_init__(self) -> None:
        raise_all([*name_faults("by", self.by), *line_faults("reason", self.reason)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """What stays of one erased memory.

    Attributes:
        id: Its own name, of chance alone.
        tenant, bank: Where the memory was.
        scope: Where it may not come back.
        key_id: Name of the key that the digests were made under.
        salt: 16 random bytes that the slips were made with.
        exact: Digests of `EXACT_BYTES` each, one after the other.
        sums: Records of `SUM_BYTES` each.
        slips: Digests of `SLIP_BYTES` each, in the order of the records that have any.
        at: When the memory was erased.
        by: Who asked for it.
        lift: Who allowed the content again, or None while it is refused.
    """

    id: str
    tenant: str
    bank: str
    scope: TombstoneScope
    key_id: str
    salt: bytes
    exact: bytes
    sums: bytes
    slips: bytes
    at: Instant
    by: str
    lift: Lift | None = None

    def __post_init__(self) -> None:
        raise_all(self._faults())

    @property
    def ref(self) -> BankRef:
        """The bank that the memory was in."""
        return BankRef(tenant=self.tenant, name=self.bank)

    def applies_to(self, ref: BankRef) -> bool:
        """Whether writes to that bank are held against it."""
        same_bank = self.bank == ref.name or self.scope is TombstoneScope.TENANT
        return self.tenant == ref.tenant and same_bank

    def _faults(self) -> Iterator[Fault]:
        yield from name_faults("id", self.id)
        yield from name_faults("by", self.by)
        yield from name_faults("key_id", self.key_id)
        for name, size in (("exact", EXACT_BYTES), ("sums", SUM_BYTES), ("slips", SLIP_BYTES)):
            length = len(getattr(self, name))
            if length % size:
                yield fault(name, length, f"needs a multiple of {size} bytes")


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptTombstone:
    """A tombstone as it is stored.

    Attributes:
        number: Its place in the order in which tombstones were stored or lifted: whoever has seen
            all up to one number asks for those above it.
    """

    number: int
    tombstone: Tombstone


@dataclass(frozen=True, slots=True, kw_only=True)
class TombstoneKey:
    """A key for digests.

    Attributes:
        id: Its name, which tells nothing of it.
        secret: 32 bytes or more.
    """

    id: str
    secret: bytes

    def __repr__(self) -> str:
        return f"TombstoneKey(id={self.id!r})"
