"""Whether anything of what was removed is still in a folder's files.

A memory's files go with it, and logs that named it are written anew without it. What may be left is
what a writer that was killed left half done, and what a person put there.

Decides that leftovers go. Refuses to remove what a person may have put there: it is counted.
"""

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NoReturn

from lapse.model.scrubbing import Scrubbed
from lapse.stores.files.folder import NEW


def search(root: Path, needles: Sequence[bytes]) -> Scrubbed:
    """Remove leftovers and search every file, byte by byte.

    Args:
        root: The store's folder; its log of writes is empty.
        needles: What must not be found. A text is looked for as JSON writes it as well.
    """
    wanted = {each: _spellings(each) for each in needles if each}
    left: set[bytes] = set()
    places: set[str] = set()
    for path in _files(root):
        if path.name.endswith(NEW):
            path.unlink(missing_ok=True)
            continue
        places.add(path.relative_to(root).parts[0])
        data = path.read_bytes() if wanted else b""
        left |= {each for each, spelt in wanted.items() if any(one in data for one in spelt)}
    return Scrubbed(places=tuple(sorted(places)), residue=len(left))


def _files(root: Path) -> Iterator[Path]:
    # A folder that may not be listed was not searched: that is an error, and no clean search.
    found = os.walk(root, onerror=_refuse)
    paths = (Path(folder) / each for folder, _, inner in found for each in inner)
    yield from (each for each in sorted(paths) if each.is_file())


def _refuse(error: OSError) -> NoReturn:
    raise error


def _spellings(needle: bytes) -> set[bytes]:
    spelt = {needle, needle.hex().encode()}
    try:
        text = needle.decode()
    except UnicodeDecodeError:
        return spelt
    for plain in (True, False):
        spelt.add(json.dumps(text, ensure_ascii=plain)[1:-1].encode())
    return spelt
