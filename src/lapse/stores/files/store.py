"""The store that is a folder of readable files.

What the in-memory reference holds is kept in a folder as well: one document for each memory, one
for its state, one for its vectors, logs of one line for each event and each entry of the journal.
All reads are the reference's own. A commit is judged under the folder's lock, written whole to the
log of writes, and only then to the files; others that have the folder open learn from that log.

Decides when the folder is read and written. Refuses to decide how a bank changes (`memory_bank`),
what a file says (`forms`) and which of them a commit changes (`changing`).
"""

import fcntl
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from lapse.errors import CorruptStoreError, StoreError, StoreFullError
from lapse.model.changeset import Changes, ChangeSet, Committed
from lapse.model.instants import Instant
from lapse.model.memory import BankRef
from lapse.model.redaction import mark, tombstone_words
from lapse.model.scrubbing import Scrubbed
from lapse.stores.files import names
from lapse.stores.files.ahead import Ahead
from lapse.stores.files.changing import Changing
from lapse.stores.files.folder import Folder, total_bytes
from lapse.stores.files.leases import LEASES, lease_text
from lapse.stores.files.loading import Loading
from lapse.stores.files.looking import folder_faults
from lapse.stores.files.notes import FiledNotes
from lapse.stores.files.opening import LOCK, make_ready
from lapse.stores.files.private import FILE_MODE
from lapse.stores.files.record import Draft
from lapse.stores.files.scrubbing import search
from lapse.stores.memory import MemoryStore
from lapse.stores.memory_bank import BankData
from lapse.stores.memory_graves import Graves
from lapse.stores.room import NO_ROOM

LOG_BYTES: Final = 16 * 1024 * 1024
"""How long the log of writes grows before it is begun anew."""


class FileStore(MemoryStore):
    """A store in a folder. Threads and processes of one machine may share it."""

    def __init__(self, root: Path) -> None:
        """Read a folder that is ready; `open` makes it so."""
        self._folder = Folder(root)
        self._ahead = Ahead(root)
        self._loading = Loading(self._folder)
        self._depth = 0
        self._lock_file = -1
        self._behind = False
        self._owed = False
        self._draft = Draft()
        super().__init__()
        self.notes: FiledNotes = FiledNotes(self._transaction)
        with self._transaction():
            pass

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> "FileStore":
        """Open a folder, and make it a store when it is empty or missing.

        Raises:
            StoreError: It is something else, or cannot be read and written.
            SchemaError: It was written by another version.
            CorruptStoreError: Its log of writes cannot be read.
        """
        root = Path(path).expanduser().absolute()
        make_ready(root)
        with _told(root):
            return cls(root)

    def begin_anew(self) -> None:
        """Let go of what a thread of the parent may hold, in a forked process."""
        if self._lock_file >= 0:
            os.close(self._lock_file)
        self._lock_file, self._depth = -1, 0
        super().begin_anew()

    def commit(self, change: ChangeSet) -> Committed:
        """See `lapse.ports.Store.commit`."""
        with self._transaction():
            return self._carry_out(change)

    def commit_each(self, changes: Iterable[ChangeSet]) -> list[Committed]:
        """See `lapse.ports.Store.commit_each`."""
        with self._transaction():
            return [self._carry_out(each) for each in changes]

    def take_lease(
        self, ref: BankRef, name: str, holder: str, *, now: Instant, until: Instant
    ) -> bool:
        """See `lapse.ports.Leasing.take_lease`."""
        with self._transaction() as draft:
            taken = super().take_lease(ref, name, holder, now=now, until=until)
            draft.write(LEASES, lease_text(self._leases))
            return taken

    def leave_lease(self, ref: BankRef, name: str, holder: str) -> None:
        """See `lapse.ports.Leasing.leave_lease`."""
        with self._transaction() as draft:
            super().leave_lease(ref, name, holder)
            draft.write(LEASES, lease_text(self._leases))

    def faults(self, ref: BankRef) -> Iterator[str]:
        """See `lapse.ports.Store.faults`: what RAM holds, and every file of the bank anew."""
        unlisted = self._loading.damaged_tenants.get(names.tenant_folder(ref.tenant))
        if unlisted is not None:
            yield unlisted
            return
        if self._loading.damage_of(ref) is None:
            yield from super().faults(ref)
        with self._transaction():
            self._folder.catch_up()
            found = folder_faults(self._folder, ref, self._banks.get(ref))
        yield from found

    def read_again(self) -> None:
        """Forget what is in RAM and read the folder anew, after somebody changed its files."""
        with self._transaction():
            self._checkpoint()
            self._read_all()

    def scrub(self, needles: Sequence[bytes]) -> Scrubbed:
        """See `lapse.ports.Store.scrub`."""
        with self._transaction():
            self._checkpoint()
            return search(self._folder.root, needles)

    def size_bytes(self) -> int:
        """See `lapse.ports.Store.size_bytes`."""
        with self._transaction():
            return total_bytes(self._folder.root)

    def backup(self, path: str) -> None:
        """Copy the folder to one that does not exist yet. See `lapse.ports.Store.backup`.

        Raises:
            StoreError: There is something of that name.
        """
        target = Path(path).expanduser().absolute()
        if target.exists():
            raise StoreError(f"{target} exists: name another place", fields={"path": str(target)})
        new = target.with_name(f"{target.name}.part")
        with self._transaction():
            self._checkpoint()
            shutil.rmtree(new, ignore_errors=True)
            shutil.copytree(self._folder.root, new, symlinks=True)
            new.rename(target)

    def close(self) -> None:
        """See `lapse.ports.Store.close`."""
        if not self._closed:
            with self._transaction():
                self._checkpoint()
            self._ahead.close()
        super().close()

    def _note(self, before: BankData, after: BankData, changes: Changes) -> None:
        changing = Changing(self._draft, self._folder.sizes)
        changing.note(before, after, changes, self._next_row)
        ref, tenant = after.record.ref, after.record.ref.tenant
        marks = {mark(each.tombstone) for each in changes.redacted}
        if marks and any(marks & {*tombstone_words(each)} for each in self._graves.made_in(ref)):
            changing.rewrite_tombstones(tenant, self._graves.of_tenant(tenant))
        elif changes.tombstones:
            ids = dict.fromkeys(each.id for each in changes.tombstones)
            kept = self._graves.named(tenant, ids)
            changing.note_tombstones(tenant, kept)

    def _data(self, ref: BankRef, now: Instant) -> BankData:
        found = super()._data(ref, now)
        damaged = self._loading.damage_of(ref)
        if damaged is not None:
            raise CorruptStoreError(
                f"the bank {ref} cannot be read: {damaged}", fields={"bank": str(ref)}
            )
        return found

    def _stand_ready(self) -> None:
        super()._stand_ready()
        if not self._depth and self._ahead.moved():
            with self._transaction():
                pass

    @contextmanager
    def _transaction(self) -> Iterator[Draft]:
        """Hold the folder's lock; what the draft says at the end is written, or nothing is."""
        with self._lock:
            super()._stand_ready()
            if self._depth:
                yield self._draft
                return
            with _told(self._folder.root), self._held():
                self._catch_up()
                before = (dict(self._banks), self._graves.copy(), self._next_row)
                leases, notes = dict(self._leases), self.notes.held()
                self._draft = Draft()
                try:
                    yield self._draft
                    self._write()
                except BaseException:
                    self._banks, self._graves, self._next_row = before
                    self._leases = leases
                    self.notes.hold(notes)
                    raise

    @contextmanager
    def _held(self) -> Iterator[None]:
        self._lock_file = os.open(
            self._folder.root / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE
        )
        try:
            fcntl.flock(self._lock_file, fcntl.LOCK_EX)
            self._depth = 1
            yield
        finally:
            self._depth = 0
            os.close(self._lock_file)
            self._lock_file = -1

    def _write(self) -> None:
        draft = self._draft
        if draft.empty:
            return
        self._loading.refuse_damaged(draft)
        self._ahead.append(draft)
        # From here on it is written: what fails now is made up for from the log.
        try:
            self._folder.carry_out(draft)
        except OSError:
            self._folder.note(draft)
            self._behind = True
        self._owed |= bool(draft.gone)
        if self._owed or self._ahead.size > LOG_BYTES:
            with suppress(OSError):
                self._checkpoint()

    def _checkpoint(self) -> None:
        if self._behind:
            self._folder.make_up_for(self._ahead.read_all()[1])
            self._behind = False
        self._folder.settle()
        self._ahead.restart()
        self._owed = False

    def _catch_up(self) -> None:
        if not self._ahead.moved():
            return
        if not self._ahead.begun_anew():
            self._take_in(self._ahead.read_on())
            return
        if missed := self._ahead.missed():
            self._folder.catch_up()  # nobody else has it any more
        self._folder.leave_waiting()
        known = self._ahead.sequence
        before, drafts = self._ahead.read_all()
        if before == known and self._banks and not missed:
            self._take_in(drafts)
            return
        self._folder.make_up_for(drafts)
        self._owed |= any(each.gone for each in drafts)
        self._read_all()

    def _take_in(self, drafts: Sequence[Draft]) -> None:
        for each in drafts:
            self._folder.note(each)
        # Whoever wrote this may have been ended before it came to the files, and so before the log
        # was begun anew, which what went must not stay in.
        self._behind |= bool(drafts)
        self._owed |= any(each.gone for each in drafts)
        loaded = self._loading.take_in(drafts, self._banks, self._graves, self.notes)
        self._next_row = max(self._next_row, loaded.next_row)
        if loaded.leases is not None:
            self._leases = loaded.leases

    def _read_all(self) -> None:
        self._banks, self._graves = {}, Graves()
        self.notes.leave_all()
        self._folder.forget()
        loaded = self._loading.read_all(self._banks, self._graves, self.notes)
        self._next_row = loaded.next_row
        self._leases = loaded.leases or {}


@contextmanager
def _told(root: Path) -> Iterator[None]:
    """Translate what the operating system says."""
    try:
        yield
    except OSError as error:
        if error.errno in NO_ROOM:
            raise StoreFullError(
                f"no room left to write to {root}: free some, then try again",
                fields={"path": str(root)},
            ) from error
        raise StoreError(
            f"the folder {root} cannot be used: {error.strerror}: {error.filename or root}",
            fields={"path": str(root)},
        ) from error
