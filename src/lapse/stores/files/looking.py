"""What `doctor` finds in the files of one bank.

Decides what is told: every file that is not as it was written, lies where it does not belong, or
belongs to nothing, by name. Refuses to mend anything, and to show what is in a file.
"""

import os
from collections.abc import Iterator

from lapse.errors import ValidationError
from lapse.model.memory import BankRef
from lapse.model.tombstone import KeptTombstone
from lapse.stores.files import names
from lapse.stores.files.ahead import MISSED, MISSED_TOLD
from lapse.stores.files.documents import DamagedError, lines, read
from lapse.stores.files.folder import Folder
from lapse.stores.files.forms import read_form
from lapse.stores.files.loading import BARRED, UNLISTED
from lapse.stores.files.taking import BankTaking, in_order
from lapse.stores.memory_bank import BankData


def folder_faults(folder: Folder, ref: BankRef, held: BankData | None) -> list[str]:
    """Read every file of a bank anew; nothing of what is in RAM changes.

    Args:
        folder: The store's files.
        ref: The bank.
        held: What RAM holds of it, or None.
    """
    missed = [MISSED_TOLD] if folder.read(MISSED) is not None else []
    return [*missed, *_bank_faults(folder, ref, held), *_tombstone_faults(folder, ref)]


def _bank_faults(folder: Folder, ref: BankRef, held: BankData | None) -> Iterator[str]:
    place = names.bank_folder(ref)
    found: list[str] = []
    taking = BankTaking(place, lambda path, problem: found.append(f"the file {path} {problem}"))
    try:
        paths = list(folder.below(place))
    except PermissionError as error:
        yield f"the folder {os.path.relpath(str(error.filename), folder.root)} {UNLISTED}"
        return
    for path in in_order(place, paths):
        text = folder.read(path)
        if text is None:
            found.append(f"the file {path} cannot be read as text")
        else:
            taking.take(path, text)
    yield from (f"the file {path} {BARRED}" for path in folder.barred(place))
    yield from found
    kept = {} if taking.data is None else taking.data.rows
    for name in () if held is None else held.rows:
        path = names.sharded(place, names.MEMORIES, name)
        if name not in kept and path not in paths:
            yield f"the file {path} is not there"


def _tombstone_faults(folder: Folder, ref: BankRef) -> Iterator[str]:
    path = f"{names.tenant_folder(ref.tenant)}/{names.TOMBSTONES}"
    for number, each in lines(folder.read(path) or ""):
        try:
            read_form(KeptTombstone, read(each))
        except (DamagedError, ValidationError):
            yield f"the file {path}, line {number} was changed: a tombstone is out of force"
