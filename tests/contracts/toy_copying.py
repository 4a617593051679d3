"""What the toy store hands on and takes over, written from the protocol alone."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence

from lapse.model.changeset import ChangeSet, Committed
from lapse.model.dump import KeptMemory, KeptUse, Piece
from lapse.model.journal import JournalEntry
from lapse.model.memory import BankRef, MemoryRef
from lapse.model.record import Vector
from tests.contracts.toy_graves import Buried, ToyGraves
from tests.contracts.toy_shelf import Shelf, shelved

COPYING = ("export", "share", "backup")


class Copied(Buried):
    """The part of the toy that copies need."""

    _graves: ToyGraves
    _shelves: dict[object, Shelf]
    _next_number: int

    @abstractmethod
    def commit(self, change: ChangeSet) -> Committed: ...

    @abstractmethod
    def _check_open(self) -> None: ...

    def commit_each(self, changes: Iterable[ChangeSet]) -> list[Committed]:
        self._check_open()
        shelves = {name: each.copy() for name, each in self._shelves.items()}
        number, graves = self._next_number, self._graves.copy()
        try:
            return [self.commit(each) for each in changes]
        except BaseException:
            self._shelves, self._next_number, self._graves = shelves, number, graves
            raise

    def dump(self, ref: BankRef) -> Iterator[Piece]:
        shelf = self._read(ref)
        if not shelf.bank.revision:
            return
        yield shelf.bank
        yield from (each.tombstone for each in self._graves.since(ref, 0))
        yield from shelved(shelf)
        yield from shelf.canaries.values()
        yield from shelf.reports
        yield from shelf.entries
        for name in sorted(shelf.contents, key=lambda each: shelf.numbers[each]):
            yield _kept(shelf, name)
        closings = list(shelf.closings.values())
        closings.sort(key=lambda c: (c.recorded_from, c.memory_id, c.kind.value, c.by_id or ""))
        yield from closings
        yield from shelf.proposals.values()
        yield from sorted(shelf.plans.values(), key=lambda each: (each.created_at, each.id))

    def copied(self, ref: BankRef) -> list[JournalEntry]:
        return [each for each in self._read(ref).entries if each.verb.value in COPYING]

    def copies(self, ref: BankRef, ids: Sequence[str]) -> Mapping[str, tuple[MemoryRef, ...]]:
        self._check_open()
        found: dict[str, list[MemoryRef]] = {}
        mine = [each for each in self._shelves.values() if each.bank.ref.tenant == ref.tenant]
        for shelf in sorted(mine, key=lambda each: each.bank.ref.name):
            for name in sorted(shelf.contents, key=shelf.numbers.__getitem__):
                source = shelf.contents[name].shared_from
                if source is not None and source.bank == ref.name and source.id in ids:
                    found.setdefault(source.id, []).append(MemoryRef(ref=shelf.bank.ref, id=name))
        return {each: tuple(names) for each, names in found.items()}


def _kept(shelf: Shelf, name: str) -> KeptMemory:
    vectors = sorted((space, data) for (at, space), data in shelf.vectors.items() if at == name)
    return KeptMemory(
        number=shelf.numbers[name] - shelf.bank.shift,
        memory=shelf.contents[name],
        state=shelf.states[name],
        salt=shelf.salts[name],
        versions=tuple(shelf.history[name]),
        vectors=tuple(Vector(space=space, data=data) for space, data in vectors),
        uses=tuple(
            KeptUse(event=each, pending=key in shelf.waiting)
            for key, each in shelf.events.items()
            if key[0] == name
        ),
    )
