"""Where the toy store keeps tombstones: one list, read from the end."""

from collections.abc import Sequence

from lapse.model.memory import BankRef
from lapse.model.scrubbing import Scrubbed
from lapse.model.tombstone import KeptTombstone, Tombstone


class ToyGraves:
    def __init__(self) -> None:
        self._stones: list[Tombstone | None] = []

    def bury(self, stones: Sequence[Tombstone]) -> None:
        for stone in stones:
            known = [None if each is None else each.id for each in self._stones]
            if stone.id in known:
                self._stones[known.index(stone.id)] = None
            self._stones.append(stone)

    def since(self, ref: BankRef, number: int | None) -> tuple[KeptTombstone, ...]:
        if number is None:
            return ()
        return tuple(
            KeptTombstone(number=at, tombstone=each)
            for at, each in enumerate(self._stones, start=1)
            if at > number and each is not None and each.applies_to(ref)
        )


class Scrubless:
    def scrub(self, needles: Sequence[bytes]) -> Scrubbed:  # noqa: ARG002 - RAM has no residue
        return Scrubbed()
