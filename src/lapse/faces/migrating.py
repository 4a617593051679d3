"""Moving all that a store keeps into another store, of whatever kind.

Decides the order: the keys of tombstones, then bank by bank, then the keys to a served store
and what policies were or may become. Each bank comes over whole or not at all, with what protects
it first, and is compared with where it is from; one that is there already is passed over, so that a
move that was cut off goes on when it is asked for again. Refuses to mix: a bank of the
same name with other content is left as it is.
"""

import tempfile
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Final

from lapse.bank import HOST
from lapse.engine.attending import Actor
from lapse.engine.core import Core
from lapse.engine.embedding import Progress, no_progress
from lapse.engine.exporting import export
from lapse.engine.importing import import_
from lapse.engine.policy_history import noted_at
from lapse.errors import KeyMissingError, NotFoundError, ValidationError
from lapse.faces.app import outside
from lapse.faces.bare import bare_core
from lapse.faces.folders import files_path, is_files
from lapse.faces.keys import FileKeys
from lapse.faces.opening import IN_MEMORY, keys_of, may_be_there, path_of, store_of
from lapse.faces.outside import SystemClock, named_target
from lapse.faces.postgres import is_postgres, place_of, shown
from lapse.model.memory import BankRef
from lapse.model.note import Shelf
from lapse.model.tombstone import Tombstone
from lapse.ports import Clock, Entropy, KeepsNotes, Store, TombstoneKeys
from lapse.transfer.digest import content_digest
from lapse.transfer.lines import written

_AT_ONCE: Final = 1_000


class Outcome(StrEnum):
    """What became of a bank."""

    MOVED = "moved"
    """It came over, and is equal by its digest."""
    THERE = "there already"
    """An equal one was there."""
    LEFT_OUT = "left out"
    """It came over but for memories that say what was erased."""
    DIFFERS = "differs"
    """One of its name with other content is there: nothing of it was changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BankMigrated:
    """What became of one bank.

    Attributes:
        tenant, bank: Which.
        outcome: What became of it.
        memories: How many it has where it is from.
        sha256: Digest of it there, in hexadecimal.
        refused: Ids of memories that say what was erased, and did not come along.
    """

    tenant: str
    bank: str
    outcome: Outcome
    memories: int
    sha256: str
    refused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Migrated:
    """What a move did.

    Attributes:
        source, target: The stores, without what is secret in their addresses.
        banks: Each bank, by tenant and name.
        keys: How many keys to a served store came over; they open what they opened before.
        tombstone_keys: How many keys of tombstones came over.
    """

    source: str
    target: str
    banks: tuple[BankMigrated, ...]
    keys: int
    tombstone_keys: int

    @property
    def whole(self) -> bool:
        """Whether everything is over there now."""
        return all(each.outcome in (Outcome.MOVED, Outcome.THERE) for each in self.banks)


def migrate(
    source: str | Path,
    target: str | Path,
    *,
    by: str = HOST,
    reason: str = "moved to another store",
    progress: Progress = no_progress,
    clock: Clock | None = None,
    entropy: Entropy | None = None,
) -> Migrated:
    """Move every bank of every tenant into another store. Nothing is taken out of the first.

    Stop what writes to either store first: a bank that changes meanwhile differs afterwards.

    Args:
        source: The store to read; see `Lapse.open` for how stores are named.
        target: The store to write, made where there is none.
        by: Who moves it, for the journals.
        reason: Why; never the text of a memory.
        progress: Called with (done, total), in memories.
        clock, entropy: For tests and simulations.

    Raises:
        KeyMissingError: A key of tombstones is not with the first store either.
        NotFoundError: There is no store to read.
        ValidationError: An address that names no store, or twice the same; a bank that cannot be
            read back.
    """
    addresses = _addresses(named_target(source), named_target(target))
    actor = Actor(by=by, reason=reason)
    around = outside()
    chance = entropy or around.entropy
    time = clock or SystemClock()
    keys_there, keys_here = (keys_of(each, chance, around.environment) for each in addresses)
    with closing(store_of(addresses[0])) as there, closing(store_of(addresses[1])) as here:
        taken = _take_keys(there, keys_there, keys_here)
        banks = _move_all(
            bare_core(there, keys_there, time, chance),
            bare_core(here, keys_here, time, chance),
            actor,
            progress,
        )
        notes = _take_notes(there, here, banks)
    return Migrated(
        source=shown_target(addresses[0]),
        target=shown_target(addresses[1]),
        banks=banks,
        keys=notes,
        tombstone_keys=taken,
    )


def shown_target(target: str) -> str:
    """An address without what is secret in it."""
    return shown(target) if is_postgres(target) else target


def _addresses(source: str, target: str) -> tuple[str, str]:
    for name, each in (("source", source), ("target", target)):
        if each == IN_MEMORY:
            raise ValidationError.of(name, each, "needs a store that keeps something")
    if _place(source) == _place(target):
        raise ValidationError.of("target", shown_target(target), "is the store to read from")
    if not may_be_there(source):
        raise NotFoundError(f"there is no store {source}", fields={"source": source})
    return source, target


def _place(target: str) -> str | tuple[str, ...]:
    if is_postgres(target):
        return place_of(target)
    return str(Path(files_path(target) if is_files(target) else path_of(target)).resolve())


def _move_all(
    source: Core, target: Core, actor: Actor, progress: Progress
) -> tuple[BankMigrated, ...]:
    store = source.parts.store
    refs = store.refs()
    counts = [store.count(each) for each in refs]
    total, before, found = sum(counts), 0, []
    for ref, count in zip(refs, counts, strict=True):
        found.append(_move(source, target, ref, actor, _from(before, total, progress)))
        before += count
        progress(before, total)
    return tuple(found)


def _from(before: int, total: int, progress: Progress) -> Progress:
    return lambda done, _: progress(before + done, total)


def _move(
    source: Core, target: Core, ref: BankRef, actor: Actor, progress: Progress
) -> BankMigrated:
    if source.parts.store.stateless(ref):
        source.repair(ref)
    store = source.parts.store
    count, digest = store.count(ref), _digest(store, ref, store)
    told = BankMigrated(
        tenant=ref.tenant, bank=ref.name, outcome=Outcome.THERE, memories=count, sha256=digest
    )
    if target.parts.store.bank(ref) is not None:
        same = _digest(target.parts.store, ref, store) == digest
        return told if same else replace(told, outcome=Outcome.DIFFERS)
    # A file without a name: whatever ends this, nothing of it is left.
    with tempfile.TemporaryFile() as file:
        export(source, source.runtime(ref), file, actor, no_progress)
        done = import_(target, target.runtime(ref), file, actor, progress)
    if done.refused:
        refused = tuple(each.memory_id for each in done.refused)
        return replace(told, outcome=Outcome.LEFT_OUT, refused=refused)
    same = _digest(target.parts.store, ref, store) == digest
    return replace(told, outcome=Outcome.MOVED if same else Outcome.DIFFERS)


def _digest(store: Store, ref: BankRef, source: Store) -> str:
    """Digest of a bank, but for what was erased in other banks of a store that it came to."""
    known = set(_tombstones(source, [ref]))
    pieces = (
        each for each in store.dump(ref) if not isinstance(each, Tombstone) or each.id in known
    )
    return content_digest(written(ref, pieces))


def _tombstones(store: Store, refs: Iterable[BankRef]) -> dict[str, str]:
    """Every tombstone that applies to these banks, with the name of its key."""
    found: dict[str, str] = {}
    for ref in refs:
        after = 0
        while part := store.tombstones(ref, after, _AT_ONCE):
            found |= {each.tombstone.id: each.tombstone.key_id for each in part}
            after = part[-1].number
    return found


def _take_keys(store: Store, source: TombstoneKeys, target: TombstoneKeys) -> int:
    """See to it that the target has every key that something was erased under.

    Raises:
        KeyMissingError: The source has not got one, or the target's are told by the environment.
    """
    ids = dict.fromkeys(_tombstones(store, store.refs()).values())
    missing = [each for each in ids if target.find(each) is None]
    found = [key for key in map(source.find, missing) if key is not None]
    if len(found) < len(missing) or (missing and not isinstance(target, FileKeys)):
        named = ", ".join(missing)
        raise KeyMissingError(
            f"erasures were made under keys that are not here ({named}): put the key file back"
            " beside the first store, or set LAPSE_TOMBSTONE_KEY to them",
            fields={"keys": named},
        )
    if found and isinstance(target, FileKeys):
        target.take(found)
    return len(found)


def _take_notes(source: Store, target: Store, banks: Iterable[BankMigrated]) -> int:
    """Bring the keys to a served store over, and what policies were or may become.

    Of answers given and work under way nothing comes along, nor of a bank that differs.
    """
    if not (isinstance(source, KeepsNotes) and isinstance(target, KeepsNotes)):
        return 0
    notes = target.notes
    over = {
        noted_at(BankRef(tenant=each.tenant, name=each.bank))
        for each in banks
        if each.outcome is not Outcome.DIFFERS
    }
    for shelf in (Shelf.POLICY, Shelf.PROPOSAL):
        for each in source.notes.on(shelf):
            if each.place in over:
                notes.put(replace(each, version=1))
    return sum(notes.put(replace(each, version=1)) for each in source.notes.on(Shelf.KEY))
