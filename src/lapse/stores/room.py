"""Whether a write failed for want of room: a full disk, a used-up quota, or a limit of file size.

Decides which of the system's answers mean that, and how it is found out where a driver says that a
write failed and does not say why. Refuses to free anything, and to touch a store's own files.
"""

import errno
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""What the system answers when there is none."""
_PIECE: Final = 8192
"""Bytes that are tried: more than a page of any store of ours with what stands before it."""


def room_beside(files: Iterable[Path]) -> bool:
    """Whether a file could be as long as the longest of these, in the same folder, and still grow.

    A file without a name is written there, at that place alone, and is gone on return.
    """
    there = [each for each in files if each.exists()]
    if not there:
        return True
    end = max(each.stat().st_size for each in there)
    try:
        with tempfile.TemporaryFile(dir=there[0].parent, buffering=0) as probe:
            return os.pwrite(probe.fileno(), bytes(_PIECE), end) == _PIECE
    except OSError as error:
        return error.errno not in NO_ROOM
