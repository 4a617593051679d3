"""The files below a store's folder: reading, replacing and removing them.

Decides that a file is replaced as a whole, by one of another name that takes its place, what must
reach the disk before the log of writes may be begun anew, and that a bank's own document waits
until then: every commit changes it, and putting one file in another's place costs more than the
rest of a commit. Refuses to follow a link, and to know what is in a file.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from lapse.stores.files import names
from lapse.stores.files.private import FILE_MODE, made, rewritten
from lapse.stores.files.record import Draft, merged

NEW: Final = ".new"
"""How the name of a file ends that is to take another's place."""

_FEW: Final = 64
_APPENDED: Final = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW


class Folder:
    """The files of a store."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.sizes: dict[str, int] = {}
        self._folders: set[str] = set()
        self._unsafe: set[str] = set()
        self._waiting: dict[str, str] = {}

    def carry_out(self, draft: Draft) -> None:
        """Write what a commit writes; once more does no harm. What may wait is only noted."""
        for path in draft.gone:
            (self.root / path).unlink(missing_ok=True)
        for path, text in draft.put.items():
            if not (_may_wait(path) and (self.root / path).exists()):
                self._put(path, text.encode())
        for path, each in draft.added.items():
            self._add(path, each.at, each.text.encode())
        self.note(draft)

    def make_up_for(self, drafts: Sequence[Draft]) -> None:
        """Write what a writer may not have come to; a file that says so already is left alone."""
        whole = merged(drafts)
        for path in [each for each, text in whole.put.items() if self.read(each) == text]:
            if path not in whole.gone:
                del whole.put[path]
        self.carry_out(whole)
        for each in drafts:
            self.note(each)
        self.catch_up()

    def note(self, draft: Draft) -> None:
        """Note how long its logs are now, and what may not have reached its file or the disk."""
        for path in draft.gone:
            self.sizes.pop(path, None)
            self._waiting.pop(path, None)
        for path, text in draft.put.items():
            if path.endswith(".jsonl"):
                self.sizes[path] = len(text.encode())
            elif _may_wait(path):
                self._waiting[path] = text
        for path, each in draft.added.items():
            self.sizes[path] = each.at + len(each.text.encode())
        self._unsafe.update(draft.put, draft.added, (_folder_of(each) for each in draft.gone))

    def catch_up(self) -> None:
        """Write what was left to wait."""
        for path, text in self._waiting.items():
            self._put(path, text.encode())
        self._waiting.clear()

    def leave_waiting(self) -> None:
        """Forget what was left to wait: another process wrote it, and perhaps more since."""
        self._waiting.clear()

    def settle(self) -> None:
        """Write what was left to wait, and wait until every file has reached the disk."""
        self.catch_up()
        if len(self._unsafe) > _FEW:
            os.sync()
        else:
            # A new folder is kept when the one it lies in is.
            folders = {str(up) for each in self._unsafe for up in Path(each).parents}
            for each in sorted(self._unsafe | folders):
                with suppress(FileNotFoundError):
                    _sync(self.root / each)
        self._unsafe.clear()

    def read(self, path: str) -> str | None:
        """A file's text; None for one that is not there or is not text that may be read.

        Raises:
            PermissionError: A log may not be read: without it, what it forbids would be allowed.
        """
        try:
            return (self.root / path).read_bytes().decode()
        except PermissionError:
            if path.endswith(".jsonl"):
                raise
            return None
        except (FileNotFoundError, UnicodeDecodeError):
            return None

    def barred(self, path: str) -> list[str]:
        """What stands in a bank's own folder in the place of its files: links, folders."""
        try:
            with os.scandir(self.root / path) as entries:
                found = [each.name for each in entries if _stands_for_a_file(each)]
        except FileNotFoundError:
            return []
        return [f"{path}/{each}" for each in sorted(found)]

    def below(self, path: str) -> Iterator[str]:
        """Every file below a folder, by path; leftovers and links are left out."""
        yield from _walk(self.root, path)

    def folders(self, path: str) -> list[str]:
        """The folders in a folder, by path."""
        try:
            with os.scandir(self.root / path) as entries:
                found = [each.name for each in entries if each.is_dir(follow_symlinks=False)]
        except FileNotFoundError:
            return []
        return [f"{path}/{each}" for each in sorted(found)]

    def forget(self) -> None:
        """Forget what was noted: everything is read anew."""
        self.sizes = {}
        self._folders = set()

    def _put(self, path: str, data: bytes) -> None:
        place = self._place(path)
        new = place.with_name(f"{place.name}{NEW}")
        with os.fdopen(rewritten(new), "wb", buffering=0) as file:
            file.write(data)
        new.replace(place)

    def _add(self, path: str, at: int, data: bytes) -> None:
        file = os.open(self._place(path), _APPENDED, FILE_MODE)
        try:
            os.pwrite(file, data, at)
            os.ftruncate(file, at + len(data))
        finally:
            os.close(file)

    def _place(self, path: str) -> Path:
        folder = _folder_of(path)
        if folder not in self._folders:
            made(self.root / folder)
            self._folders.add(folder)
        return self.root / path


def total_bytes(root: Path) -> int:
    """Bytes of every file below a folder, but for folders that may not be listed."""
    found = (Path(folder) / each for folder, _, inner in os.walk(root) for each in inner)
    return sum(each.lstat().st_size for each in found)


def _walk(root: Path, path: str) -> Iterator[str]:
    try:
        with os.scandir(root / path) as found:
            entries = sorted(found, key=lambda each: each.name)
    except FileNotFoundError:
        return
    for each in entries:
        inner = f"{path}/{each.name}" if path else each.name
        if each.is_dir(follow_symlinks=False):
            yield from _walk(root, inner)
        elif each.is_file(follow_symlinks=False) and not each.name.endswith(NEW):
            yield inner


def _stands_for_a_file(entry: "os.DirEntry[str]") -> bool:
    return entry.name.endswith((".json", ".jsonl")) and not entry.is_file(follow_symlinks=False)


def _may_wait(path: str) -> bool:
    return path.endswith(f"/{names.BANK}")


def _folder_of(path: str) -> str:
    return path.rpartition("/")[0]


def _sync(path: Path) -> None:
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(file)
    finally:
        os.close(file)
