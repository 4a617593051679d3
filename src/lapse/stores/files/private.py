"""Files and folders that only their owner may read.

Decides the modes of everything a folder of memories gets: its files hold texts, and its names tell
of banks. Refuses to change the mode of what is there already, which is its owner's to choose.
"""

import os
from pathlib import Path
from typing import Final

FILE_MODE: Final = 0o600
"""Mode of a file that is made."""

FOLDER_MODE: Final = 0o700
"""Mode of a folder that is made."""


def rewritten(path: Path) -> int:
    """An open, empty file to write, never one that a link points to; whoever asks closes it.

    Raises:
        OSError: It cannot be made.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW
    return os.open(path, flags, FILE_MODE)


def made(folder: Path) -> None:
    """Make a folder, and those above it that are missing.

    Raises:
        OSError: It cannot be made.
    """
    # `parents` of mkdir would give those above the usual mode.
    if not folder.is_dir():
        made(folder.parent)
        folder.mkdir(mode=FOLDER_MODE, exist_ok=True)
