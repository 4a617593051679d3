"""The tombstones of the in-memory reference: beside the banks, since some outlive theirs.

Decides nothing but what the protocol says. Refuses to compare them with anything.
"""

from collections.abc import Iterable
from dataclasses import replace

from lapse.model.memory import BankRef
from lapse.model.redaction import Going, tombstone_without
from lapse.model.tombstone import KeptTombstone, Tombstone


class Graves:
    """Tombstones in the order in which they were stored or lifted, by tenant and id."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], KeptTombstone] = {}
        self._next = 1

    def copy(self) -> "Graves":
        """Give a copy to go back to."""
        copied = Graves()
        copied._kept, copied._next = dict(self._kept), self._next
        return copied

    def keep(self, tombstones: Iterable[Tombstone]) -> None:
        """Keep each under a new number, in place of one of the same tenant and id."""
        for each in tombstones:
            place = (each.tenant, each.id)
            self._kept.pop(place, None)
            self._kept[place] = KeptTombstone(number=self._next, tombstone=each)
            self._next += 1

    def after(self, ref: BankRef, number: int | None) -> tuple[KeptTombstone, ...]:
        """Those that apply to a bank and have a higher number; none for None."""
        if number is None:
            return ()
        return tuple(
            each for each in self._all() if each.number > number and each.tombstone.applies_to(ref)
        )

    def made_in(self, ref: BankRef) -> list[Tombstone]:
        """Those of memories that were in a bank, in the order in which they were stored."""
        return [each.tombstone for each in self._all() if each.tombstone.ref == ref]

    def of_tenant(self, tenant: str) -> list[KeptTombstone]:
        """Those of all banks of a tenant, in the order in which they were stored or lifted."""
        return [each for each in self._all() if each.tombstone.tenant == tenant]

    def reword(self, ref: BankRef, going: Going) -> None:
        """Let words go of why those of a bank were lifted; their numbers stay."""
        for place, each in self._kept.items():
            if each.tombstone.ref == ref:
                told = tombstone_without(each.tombstone, going)
                self._kept[place] = replace(each, tombstone=told)

    def named(self, tenant: str, ids: Iterable[str]) -> list[KeptTombstone]:
        """Those of a tenant with these ids, in the order asked."""
        return [self._kept[tenant, each] for each in ids if (tenant, each) in self._kept]

    def take(self, kept: KeptTombstone) -> None:
        """Take one in as another place kept it, in place of one of the same tenant and id."""
        place = (kept.tombstone.tenant, kept.tombstone.id)
        self._kept.pop(place, None)
        self._kept[place] = kept
        self._next = max(self._next, kept.number + 1)

    def _all(self) -> list[KeptTombstone]:
        # One step: another thread may keep one meanwhile.
        return list(self._kept.values())
