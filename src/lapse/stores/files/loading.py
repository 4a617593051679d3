"""Reading a folder into RAM, whole or as far as others have changed it.

Decides what can be left out: a damaged file of a memory costs that memory, a damaged record of a
bank that bank; either is told by name and stays where it is. Refuses to mend anything.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from lapse.errors import CorruptStoreError, ValidationError
from lapse.model.memory import BankRef
from lapse.model.note import Note
from lapse.model.tombstone import KeptTombstone
from lapse.stores.files import names
from lapse.stores.files.documents import DamagedError, lines, read
from lapse.stores.files.folder import Folder
from lapse.stores.files.forms import read_form
from lapse.stores.files.leases import LEASES, Leases, read_leases
from lapse.stores.files.notes import NOTES, FiledNotes
from lapse.stores.files.record import Draft
from lapse.stores.files.taking import BankTaking, in_order
from lapse.stores.memory_bank import BankData
from lapse.stores.memory_graves import Graves

_DEPTH: Final = 3

BARRED: Final = "is a link or a folder: put the file itself there"
"""What is said of what stands in the place of a bank's file."""

UNLISTED: Final = "may not be listed: allow it, and open the store again"
"""What is said of a folder whose files nobody may ask for."""


@dataclass(slots=True, kw_only=True)
class Loaded:
    """What belongs to the whole store.

    Attributes:
        next_row: An internal number that no bank has given yet.
        leases: None where nothing was said of them.
    """

    next_row: int = 1
    leases: Leases | None = None


class Loading:
    """Reads one folder, and remembers what of it could not be read."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self.damaged: dict[str, str] = {}
        self.damaged_banks: dict[str, str] = {}
        self.damaged_tenants: dict[str, str] = {}

    def damage_of(self, ref: BankRef) -> str | None:
        """Why a bank cannot be read, or None."""
        of_bank = self.damaged_banks.get(names.bank_folder(ref))
        return of_bank or self.damaged_tenants.get(names.tenant_folder(ref.tenant))

    def refuse_damaged(self, draft: Draft) -> None:
        """Refuse a commit that would write over a memory that could not be read.

        Raises:
            CorruptStoreError: It would.
        """
        for path in draft.put:
            if path in self.damaged and f"/{names.MEMORIES}/" in path:
                raise CorruptStoreError(
                    f"the file {path} {self.damaged[path]}: mend it or take it away first",
                    fields={"file": path},
                )

    def read_all(self, banks: dict[BankRef, BankData], graves: Graves, notes: FiledNotes) -> Loaded:
        """Read every file into values that are empty before."""
        self.damaged, self.damaged_banks, self.damaged_tenants = {}, {}, {}
        loaded = Loaded()
        for tenant in self._folder.folders(names.BANKS):
            try:
                inner = self._folder.folders(tenant)
            except PermissionError:
                self.damaged_tenants[tenant] = f"the folder {tenant} {UNLISTED}"
                continue
            path = f"{tenant}/{names.TOMBSTONES}"
            text = self._folder.read(path)
            if text is not None:
                self._note_size(path, text)
                self._take_tombstones(path, text, graves)
            for folder in inner:
                self._read_bank(folder, banks, loaded)
        for path in self._folder.below(NOTES):
            self._take_other(path, self._folder.read(path) or "", notes, loaded)
        text = self._folder.read(LEASES)
        if text is not None:
            self._take_other(LEASES, text, notes, loaded)
        return loaded

    def take_in(
        self,
        drafts: Sequence[Draft],
        banks: dict[BankRef, BankData],
        graves: Graves,
        notes: FiledNotes,
    ) -> Loaded:
        """Take in what others wrote; each bank in `banks` is replaced, none is changed."""
        loaded = Loaded()
        refs = {names.bank_folder(each): each for each in banks}
        making: dict[str, BankTaking] = {}
        for draft in drafts:
            for path in (*draft.gone, *_ordered(draft.put), *draft.added):
                self.damaged.pop(path, None)
                folder = _bank_of(path)
                if folder is None:
                    self._take_draft_other(path, draft, graves, notes, loaded)
                    continue
                if folder not in making:
                    ref = refs.get(folder)
                    data = None if ref is None else banks[ref].copy()
                    making[folder] = BankTaking(folder, self._report, data)
                _take_draft(making[folder], path, draft)
        for folder, taking in making.items():
            self._end(folder, taking, banks, loaded)
        return loaded

    def _read_bank(self, folder: str, banks: dict[BankRef, BankData], loaded: Loaded) -> None:
        taking = BankTaking(folder, self._report)
        try:
            paths = in_order(folder, self._folder.below(folder))
        except PermissionError as error:
            self._leave_out(folder, taking, loaded, str(error.filename))
            return
        for path in paths:
            text = self._folder.read(path)
            if text is None:
                self._report(path, "cannot be read as text")
                continue
            self._note_size(path, text)
            taking.take(path, text)
        barred = self._folder.barred(folder)
        if barred:
            # A log begun anew in its stead would be written to where the link points.
            loaded.next_row = max(loaded.next_row, taking.next_row)
            self.damaged_banks[folder] = f"the file {barred[0]} {BARRED}"
            return
        self._end(folder, taking, banks, loaded)

    def _leave_out(self, folder: str, taking: BankTaking, loaded: Loaded, place: str) -> None:
        """Leave out a bank of which not everything may be listed: some of it would be missing."""
        path = f"{folder}/{names.BANK}"
        with suppress(PermissionError):
            taking.take(path, self._folder.read(path) or "")
        loaded.next_row = max(loaded.next_row, taking.next_row)
        told = os.path.relpath(place, self._folder.root)
        self.damaged_banks[folder] = f"the folder {told} {UNLISTED}"

    def _end(
        self,
        folder: str,
        taking: BankTaking,
        banks: dict[BankRef, BankData],
        loaded: Loaded,
    ) -> None:
        loaded.next_row = max(loaded.next_row, taking.next_row)
        if taking.data is None:
            path = f"{folder}/{names.BANK}"
            if path in self.damaged or next(self._folder.below(folder), None) is not None:
                why = self.damaged.get(path, "is not there")
                self.damaged_banks[folder] = f"the file {path} {why}"
            return
        taking.settle()
        loaded.next_row = max(loaded.next_row, taking.next_row)
        banks[taking.data.record.ref] = taking.data

    def _take_draft_other(
        self, path: str, draft: Draft, graves: Graves, notes: FiledNotes, loaded: Loaded
    ) -> None:
        if path in draft.put and path.endswith(f"/{names.TOMBSTONES}"):
            self._take_tombstones(path, draft.put[path], graves)
        elif path in draft.put:
            self._take_other(path, draft.put[path], notes, loaded)
        elif path in draft.added:
            self._take_tombstones(path, draft.added[path].text, graves)
        else:
            notes.leave(path)

    def _take_other(self, path: str, text: str, notes: FiledNotes, loaded: Loaded) -> None:
        try:
            if path == LEASES:
                loaded.leases = read_leases(text)
            else:
                notes.take(read_form(Note, read(text)))
        except (DamagedError, ValidationError) as error:
            self._report(path, str(error))

    def _take_tombstones(self, path: str, text: str, graves: Graves) -> None:
        for number, each in lines(text):
            try:
                graves.take(read_form(KeptTombstone, read(each)))
            except (DamagedError, ValidationError) as error:
                self._report(f"{path}, line {number}", str(error))

    def _note_size(self, path: str, text: str) -> None:
        if path.endswith(".jsonl"):
            self._folder.sizes[path] = len(text.encode())

    def _report(self, path: str, problem: str) -> None:
        self.damaged[path] = problem


def _take_draft(taking: BankTaking, path: str, draft: Draft) -> None:
    if path in draft.put:
        taking.take(path, draft.put[path])
    elif path in draft.added:
        taking.take_lines(path, draft.added[path].text)
    elif draft.gone[path]:
        taking.drop(draft.gone[path])


def _ordered(paths: dict[str, str]) -> list[str]:
    by_bank: dict[str, list[str]] = {}
    for path in paths:
        by_bank.setdefault(_bank_of(path) or "", []).append(path)
    return [path for folder, found in by_bank.items() for path in in_order(folder, found)]


def _bank_of(path: str) -> str | None:
    parts = path.split("/")
    if parts[0] != names.BANKS or len(parts) <= _DEPTH:
        return None
    return "/".join(parts[:_DEPTH])
