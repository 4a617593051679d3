"""Whether a folder is a store's, and making it one.

Decides that an empty or missing folder becomes a store, that one with other things in it does not,
and that one written by another version is refused. Refuses to read what is kept.
"""

import json
import os
from pathlib import Path
from typing import Final

from lapse.errors import SchemaError, StoreError
from lapse.stores.files.private import FOLDER_MODE, rewritten

MARK: Final = "lapse.json"
"""The file that says that the folder is a store."""

VERSION: Final = 1
"""The one version of the form that is read and written."""


def make_ready(root: Path) -> None:
    """Make sure that the folder is a store's.

    Raises:
        StoreError: It cannot be made or read, or holds something else.
        SchemaError: It was written by another version.
    """
    try:
        root.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        mark = root / MARK
        if not mark.exists():
            # Whoever opens it at the same time makes the same file.
            if any(each.name not in (LOCK, f"{MARK}.new") for each in root.iterdir()):
                raise _other(root, "is not empty and holds no store")
            new = root / f"{MARK}.new"
            with os.fdopen(rewritten(new), "w", encoding="utf-8") as file:
                file.write(json.dumps({"form": "lapse-files", "version": VERSION}) + "\n")
            new.replace(mark)
        found = mark.read_text()
    except OSError as error:
        raise _other(root, f"cannot be used: {error.strerror}") from None
    _check(root, found)


LOCK: Final = "lock"
"""The file that whoever writes has locked; there is nothing in it."""


def _check(root: Path, text: str) -> None:
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    match found:
        case {"form": "lapse-files", "version": version}:
            if version == VERSION:
                return
            raise SchemaError(
                f"the folder {root} was written in form {version}, this is form {VERSION}:"
                " use the version of Lapse that wrote it",
                fields={"path": str(root)},
            )
        case _:
            raise _other(root, f"is no store: its {MARK} was not written by Lapse")


def _other(root: Path, problem: str) -> StoreError:
    return StoreError(
        f"the folder {root} {problem}: name an empty or missing folder",
        fields={"path": str(root)},
    )
