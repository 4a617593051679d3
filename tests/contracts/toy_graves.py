"""Where the toy store keeps tombstones: one list, read from the end."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence

from lapse.model.memory import BankRef
from lapse.model.scrubbing import Scrubbed
from lapse.model.tombstone import KeptTombstone, Tombstone
from tests.contracts.toy_shelf import Shelf


class ToyGraves:
    def __init__(self) -> None:
        self._stones: list[Tombstone | None] = []

    def bury(self, stones: Sequence[Tombstone]) -> None:
        for stone in stones:
            known = [None if each is None else (each.tenant, each.id) for each in self._stones]
            if (stone.tenant, stone.id) in known:
                self._stones[known.index((stone.tenant, stone.id))] = None
            self._stones.append(stone)

    def since(self, ref: BankRef, number: int | None) -> tuple[KeptTombstone, ...]:
        if number is None:
            return ()
        return tuple(
            KeptTombstone(number=at, tombstone=each)
            for at, each in enumerate(self._stones, start=1)
            if at > number and each is not None and each.applies_to(ref)
        )

    def buried_in(self, ref: BankRef) -> list[Tombstone]:
        return [each for each in self._stones if each is not None and each.ref == ref]

    def standing(self, ref: BankRef) -> int:
        return len([each for each in self.buried_in(ref) if each.lift is None])

    def change(self, ref: BankRef, how: Callable[[Tombstone], Tombstone]) -> None:
        mine = {each.id for each in self.buried_in(ref)}
        self._stones = [
            how(each) if each is not None and each.id in mine else each for each in self._stones
        ]

    def copy(self) -> "ToyGraves":
        twin = ToyGraves()
        twin._stones = list(self._stones)
        return twin


class Buried(ABC):
    """What a store says of tombstones and of what is derived."""

    _graves: ToyGraves

    @abstractmethod
    def _read(self, ref: BankRef) -> Shelf:
        """The shelf of a bank."""

    def tombstones(self, ref: BankRef, after: int, limit: int) -> list[KeptTombstone]:
        self._read(ref)
        return list(self._graves.since(ref, after)[:limit])

    def derived(self, ref: BankRef, ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        kept = self._read(ref).contents
        found = {
            i: tuple(n for n, each in kept.items() if i in each.derived_from and n != i)
            for i in ids
        }
        return {i: names for i, names in found.items() if names}

    def scrub(self, needles: Sequence[bytes]) -> Scrubbed:  # noqa: ARG002 - RAM has no residue
        return Scrubbed()
