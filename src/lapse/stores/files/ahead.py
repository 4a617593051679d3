"""The log of writes: every commit stands in it, whole, before any other file is touched.

Each line is one commit. One that was not written to its end is none: its sum is missing or wrong.
Whoever opens the folder carries out again what stands here, and whoever has it open learns here
what others wrote. Once all other files have reached the disk, the log begins anew.

Decides what counts as written. Refuses to know what a commit says, and to lock: whoever calls
holds the folder's lock, except for `moved`.
"""

import os
from pathlib import Path
from typing import Final

from lapse.errors import CorruptStoreError
from lapse.stores.files import names
from lapse.stores.files.documents import DamagedError, line, read
from lapse.stores.files.private import rewritten
from lapse.stores.files.record import Draft, read_draft

NAME: Final = "commits.jsonl"
"""The log's file."""

MISSED: Final = "commits.missing"
"""The file that says that the log was not where it had been; who has seen to it takes it away."""

MISSED_TOLD: Final = (
    f"the log of writes {NAME} was taken away: writes that had reached it alone are lost; compare"
    f" with a backup, then take {MISSED} away"
)
"""What is said as long as it is there."""

_NEW: Final = f"{NAME}.new"


class Ahead:
    """The log of writes of one folder, read up to some place."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._path = root / NAME
        self._file = -1
        self._read_to = 0
        self.sequence = 0

    def moved(self) -> bool:
        """Whether somebody wrote since it was last read; cheap."""
        if self._file < 0:
            return True
        try:
            found = self._path.stat()
        except FileNotFoundError:
            return True
        # A number of a file is not given again while the file is open.
        return found.st_size != self._read_to or found.st_ino != os.fstat(self._file).st_ino

    def missed(self) -> bool:
        """Whether it is not there though there are banks; that is noted in a file."""
        if self._path.exists() or not (self._root / names.BANKS).exists():
            return False
        with os.fdopen(rewritten(self._root / MISSED), "w", encoding="utf-8") as file:
            file.write(f"{MISSED_TOLD}\n")
        return True

    def begun_anew(self) -> bool:
        """Whether it is another file than the one that was read; then `read_all` comes next."""
        if self._file < 0:
            return True
        try:
            return self._path.stat().st_ino != os.fstat(self._file).st_ino
        except FileNotFoundError:
            return True

    def read_all(self) -> tuple[int, list[Draft]]:
        """Read it from its beginning; one that is missing is begun.

        Returns:
            Number of the last commit that stands in the other files alone, and the commits here.

        Raises:
            CorruptStoreError: It does not begin as such a log does, or a commit that others follow
                was changed.
        """
        self.close()
        if not self._path.exists():
            self._begin(self.sequence)
        self._file = os.open(self._path, os.O_RDWR | os.O_CLOEXEC)
        first, *rest = self._lines(0) or [{}]
        before = first.get("sequence")
        if not isinstance(before, int):
            raise CorruptStoreError(
                f"the log of writes {NAME} does not begin as one", fields={"file": NAME}
            )
        self.sequence = before
        return before, [self._draft(each) for each in rest]

    def read_on(self) -> list[Draft]:
        """Read the commits that others wrote since."""
        return [self._draft(each) for each in self._lines(self._read_to)]

    def append(self, draft: Draft) -> None:
        """Write a commit; on return it has reached the disk."""
        text = line({"sequence": self.sequence + 1, **draft.plain()}).encode()
        # What a writer left that was killed meanwhile goes.
        os.ftruncate(self._file, self._read_to)
        _write_whole(self._file, text, self._read_to)
        os.fsync(self._file)
        self._read_to += len(text)
        self.sequence += 1

    def restart(self) -> None:
        """Begin anew: everything that stands here has reached the other files."""
        self._begin(self.sequence)
        os.close(self._file)
        self._file = os.open(self._path, os.O_RDWR | os.O_CLOEXEC)
        self._lines(0)

    @property
    def size(self) -> int:
        """Bytes of what is written here."""
        return self._read_to

    def close(self) -> None:
        """Let go of the file."""
        if self._file >= 0:
            os.close(self._file)
        self._file = -1

    def _begin(self, sequence: int) -> None:
        new = self._root / _NEW
        with os.fdopen(rewritten(new), "wb") as file:
            file.write(line({"sequence": sequence}).encode())
            file.flush()
            os.fsync(file.fileno())
        new.replace(self._path)
        folder = os.open(self._root, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def _lines(self, start: int) -> list[dict[str, object]]:
        size = os.fstat(self._file).st_size
        found: list[dict[str, object]] = []
        self._read_to = start
        whole = os.pread(self._file, max(size - start, 0), start).split(b"\n")[:-1]
        for place, each in enumerate(whole):
            body = _read(each)
            if body is None:
                _refuse_followed(whole[place + 1 :])
                break
            found.append(body)
            self._read_to += len(each) + 1
        return found

    def _draft(self, plain: dict[str, object]) -> Draft:
        self.sequence += 1
        if plain.pop("sequence", None) != self.sequence:
            raise CorruptStoreError(
                f"the log of writes {NAME} misses commit {self.sequence}", fields={"file": NAME}
            )
        return read_draft(plain)


def _read(written: bytes) -> dict[str, object] | None:
    try:
        return read(written.decode())
    except (DamagedError, UnicodeDecodeError):
        return None


def _refuse_followed(later: list[bytes]) -> None:
    """Refuse a damaged commit that others follow: a writer that was cut off leaves the last one."""
    if any(_read(each) is not None for each in later):
        raise CorruptStoreError(
            f"the log of writes {NAME} was changed before its end: put it back as it was",
            fields={"file": NAME},
        )


def _write_whole(file: int, text: bytes, at: int) -> None:
    # Where room runs out the system writes a part and says so, and only the next write fails.
    while text:
        written = os.pwrite(file, text, at)
        text, at = text[written:], at + written
