"""Going back to a backup of the embedded file.

Decides which files there are on the way, and that the store has to itself what it works on: the
present content and the backup are copied into a folder beside the file, the backup's copy is
brought up to what was decided since (`lapse.engine.restoring`), and then takes the file's place in
one transaction. Whatever fails or dies before that leaves the file as it was. Refuses the rules.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from lapse.engine.attending import Actor
from lapse.engine.backing_up import note_backup
from lapse.engine.core import Core
from lapse.engine.embedding import Progress, no_progress
from lapse.engine.restoring import BankRestored, bring_up
from lapse.errors import CorruptStoreError, StoreError, ValidationError
from lapse.faces.app import outside
from lapse.faces.bare import bare_core
from lapse.faces.folders import is_files
from lapse.faces.opening import IN_MEMORY, keys_of, path_of
from lapse.faces.outside import SystemClock, named_target
from lapse.faces.postgres import is_postgres
from lapse.model.note import Note, Shelf
from lapse.ports import Clock, Entropy, KeepsNotes, Store, TombstoneKeys
from lapse.stores.memory import MemoryStore
from lapse.stores.sql.opening import make_file, make_new_file, parse_location
from lapse.stores.sql.replacing import (
    beyond_reading,
    copied,
    copied_file,
    exchange,
    held,
)
from lapse.stores.sql.sqlite import SqliteStore

_LOOKING: Final = Actor(by="preview", reason="a look beforehand")
_WORKING: Final = ".restoring-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """What going back to a backup did, or would do.

    Attributes:
        applied: Whether it was done; a preview changes nothing.
        path: The file.
        banks: Each bank of the file or of the backup, by tenant and name.
        keys: How many keys to a served store stand: those of the file that was replaced.
        residue: How many byte sequences of what went are still found: elsewhere it may stand yet.
        kept: Where what was replaced lies now, or None.
    """

    applied: bool
    path: str
    banks: tuple[BankRestored, ...]
    keys: int
    residue: int
    kept: str | None = None


def preview_restore(
    backup: str | Path,
    target: str | Path = "lapse.db",
    *,
    clock: Clock | None = None,
    entropy: Entropy | None = None,
) -> Restored:
    """What `restore_backup` would do now. Changes nothing, and the store may be in use.

    Raises:
        CorruptStoreError: The backup or the file is damaged.
        KeyMissingError: A key that something was erased under is not here.
        StoreError: A file cannot be read, or there is no room for copies.
        ValidationError: The target is no embedded file, or is the backup itself.
    """
    work = _work(backup, target, clock, entropy)
    with _folder(work.path) as folder:
        if work.path.is_file():
            copied_file(work.path, folder / "now")
        return work.brought_up(folder, _LOOKING)


def restore_backup(
    backup: str | Path,
    target: str | Path = "lapse.db",
    *,
    by: str,
    reason: str,
    keep: str | Path | None = None,
    progress: Progress = no_progress,
    clock: Clock | None = None,
    entropy: Entropy | None = None,
) -> Restored:
    """Go back to a backup of the embedded file, without what was erased since.

    Tombstones, holds and keys to a served store stand as they do now; what was put out of mind or
    taken back since is so again. Memories stored since are lost: look with `preview_restore`.

    Args:
        backup: What `Lapse.backup` wrote.
        target: The file, which nobody may have open; made where there is none.
        by: Who goes back.
        reason: Why; never the text of a memory.
        keep: A new file for what is replaced. It is a copy that later erasures do not reach, and
            their receipts name it. Left out, what is replaced is gone.
        progress: Called with (done, total) while the file is written.
        clock, entropy: For tests and simulations.

    Raises:
        StoreBusyError: Somebody has the file open.
        CorruptStoreError: The backup is damaged or its journal is not whole; or the file is.
        KeyMissingError: A key that something was erased under is not here.
        StoreError: A file cannot be read or written.
        ValidationError: The target is no embedded file, or is the backup; `keep` exists.
    """
    work = _work(backup, target, clock, entropy)
    actor = Actor(by=by, reason=reason)
    aside = None if keep is None else Path(keep)
    if aside is not None and aside.exists():
        raise ValidationError.of("keep", str(aside), "exists, and nothing is overwritten")
    with _made(work.path), held(work.path) as alone:
        _clear(work.path)
        with _folder(work.path) as folder:
            if alone.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                copied(alone, folder / "now")
            done = work.brought_up(folder, actor, noted=aside is not None)
            if aside is not None:
                _keep(folder / "now", aside)
            exchange(folder / "then", alone, progress)
    kept = None if aside is None else str(aside)
    return replace(done, applied=True, kept=kept)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Work:
    """A backup, the file it is to take the place of, and what is needed to read them."""

    backup: Path
    path: Path
    keys: TombstoneKeys
    clock: Clock
    entropy: Entropy

    def brought_up(self, folder: Path, actor: Actor, *, noted: bool = False) -> Restored:
        """Copy the backup into the folder and bring it up to what was decided since."""
        copied_file(self.backup, folder / "then")
        present = self._present(folder / "now")
        copy = SqliteStore.open(folder / "then")
        try:
            core = self._core(copy)
            done = bring_up(core, present, actor)
            keys = _take_notes(present, copy)
            if noted:
                for each in (core, self._core(present)):
                    note_backup(each, actor)
        finally:
            copy.close()
            present.close()
        return Restored(
            applied=False,
            path=str(self.path),
            banks=done.banks,
            keys=keys,
            residue=done.residue,
        )

    def _present(self, path: Path) -> Store:
        if not path.exists():
            return MemoryStore()
        try:
            return SqliteStore.open(path)
        except CorruptStoreError as error:
            raise beyond_reading(self.path) from error

    def _core(self, store: Store) -> Core:
        return bare_core(store, self.keys, self.clock, self.entropy)


def _work(
    backup: str | Path, target: str | Path, clock: Clock | None, entropy: Entropy | None
) -> _Work:
    place = named_target(target)
    if place == IN_MEMORY or is_postgres(place) or is_files(place):
        problem = (
            "needs the path of an embedded file: migrate this store into one, and go back there"
        )
        raise ValidationError.of("target", place.partition("://")[0] + "://…", problem)
    path, source = parse_location(path_of(place)), Path(backup)
    if path.exists() and source.exists() and path.samefile(source):
        raise ValidationError.of("backup", str(source), "is the store itself")
    around = outside()
    chance = entropy or around.entropy
    return _Work(
        backup=source,
        path=path,
        keys=keys_of(place, chance, around.environment),
        clock=clock or SystemClock(),
        entropy=chance,
    )


def _take_notes(present: Store, copy: KeepsNotes) -> int:
    """Keep the present keys, so that one revoked since stays so, and no answers given before."""
    for shelf in Shelf:
        for place in {each.place for each in copy.notes.on(shelf)}:
            if shelf is not Shelf.KEY or isinstance(present, SqliteStore):
                copy.notes.clear(shelf, place)
    if isinstance(present, SqliteStore):
        for each in present.notes.on(Shelf.KEY):
            copy.notes.put(Note(shelf=each.shelf, name=each.name, place=each.place, body=each.body))
    return len(copy.notes.on(Shelf.KEY))


@contextmanager
def _made(path: Path) -> Iterator[None]:
    """An empty file where there is none, for as long as it takes to fill it."""
    there = path.exists()
    make_file(path)
    try:
        yield
    except BaseException:
        if not there:
            path.unlink(missing_ok=True)
        raise


def _keep(now: Path, aside: Path) -> None:
    """Put what is replaced where it is to lie; an empty file where there was nothing."""
    make_new_file(aside)
    if now.exists():
        shutil.copyfile(now, aside)


@contextmanager
def _folder(path: Path) -> Iterator[Path]:
    """A folder beside the file, for its owner alone, that is gone at the end."""
    try:
        folder = Path(tempfile.mkdtemp(prefix=f"{path.name}{_WORKING}", dir=path.parent))
    except OSError as error:
        raise StoreError(
            f"no folder can be made in {path.parent}: {error.strerror}",
            fields={"path": str(path.parent)},
        ) from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _clear(path: Path) -> None:
    """Remove what an attempt left that died on the way: it may hold what was erased since."""
    for each in path.parent.glob(f"{path.name}{_WORKING}*"):
        with suppress(OSError):
            shutil.rmtree(each)
