"""Legal holds: named matters for which memories must be kept as they are, whatever else is asked.

Decides what a hold is and what it may be placed on. Refuses to say which memories it covers:
`lapse.lifecycle.holds` does.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from lapse.errors import Fault, fault, raise_all
from lapse.model.instants import Instant
from lapse.model.memory import name_faults


class HoldScope(StrEnum):
    """What a hold is placed on; `BANK` is everything in it."""

    IDS = "ids"
    SUBJECT = "subject"
    KEY_PREFIX = "key_prefix"
    TAG = "tag"
    SESSION = "session"
    BANK = "bank"


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldTarget:
    """What a hold is placed on.

    Attributes:
        scope: By what it finds its memories.
        values: The ids, or the one subject, key prefix, tag or session; empty for the whole bank.
    """

    scope: HoldScope
    values: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        raise_all(self._faults())

    def _faults(self) -> Iterator[Fault]:
        count = len(self.values)
        if self.scope is HoldScope.BANK and count:
            yield fault("values", self.values, "a hold on a whole bank names nothing else")
        elif self.scope is HoldScope.IDS and not count:
            yield fault("ids", self.values, "needs at least one id")
        elif self.scope not in (HoldScope.BANK, HoldScope.IDS) and count != 1:
            yield fault(self.scope.value, self.values, "needs exactly one value")
        for each in self.values:
            yield from name_faults(self.scope.value, each)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """A named matter that keeps memories from being suppressed, archived, pruned or erased.

    Attributes:
        name: Name of the matter, unique in its bank.
        target: What it is placed on, now and for what arrives later.
        holder: Who placed it.
        reason: Why.
        placed_at: When.
        attached: Ids of memories it covered that have been changed since so that the target no
            longer finds them: a memory does not leave a hold by being relabelled.
    """

    name: str
    target: HoldTarget
    holder: str
    reason: str
    placed_at: Instant
    attached: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        raise_all(self._faults())

    def _faults(self) -> Iterator[Fault]:
        yield from name_faults("name", self.name)
        yield from name_faults("holder", self.holder)
        if not self.reason.strip():
            yield fault("reason", self.reason, "a hold needs a reason")
