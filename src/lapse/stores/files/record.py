"""What one commit writes: the files as they are after it, so that writing them twice does no harm.

Decides the order: what goes, what is put in place, what is added to the end of a log. Refuses to
write anything.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from lapse.errors import CorruptStoreError
from lapse.model.codec import Plain

_DAMAGED: Final = "the log of writes holds a record of another form"


@dataclass(slots=True, kw_only=True)
class Addition:
    """Text that a log ends with.

    Attributes:
        at: How long the log is before it, in bytes.
        text: Whole lines.
    """

    at: int
    text: str


@dataclass(slots=True, kw_only=True)
class Draft:
    """The files of one commit, by path below the store's folder.

    Attributes:
        gone: Files that go; by path, the memory whose they were.
        put: Whole texts.
        added: Ends of logs.
    """

    gone: dict[str, str] = field(default_factory=dict)
    put: dict[str, str] = field(default_factory=dict)
    added: dict[str, Addition] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to write."""
        return not (self.gone or self.put or self.added)

    def write(self, path: str, text: str) -> None:
        """Put a file in place."""
        self.added.pop(path, None)
        self.put[path] = text

    def add(self, path: str, at: int, text: str) -> None:
        """Add lines to a log that is `at` bytes long before this commit."""
        if path in self.put:
            self.put[path] += text
        elif path in self.added:
            self.added[path].text += text
        else:
            self.added[path] = Addition(at=at, text=text)

    def remove(self, path: str, memory_id: str) -> None:
        """Let a file go."""
        self.put.pop(path, None)
        self.added.pop(path, None)
        self.gone[path] = memory_id

    def plain(self) -> dict[str, Plain]:
        """Give it as JSON values."""
        added: dict[str, Plain] = {path: [each.at, each.text] for path, each in self.added.items()}
        return {"gone": {**self.gone}, "put": {**self.put}, "added": added}


def merged(drafts: Iterable[Draft]) -> Draft:
    """What the files are after all of these: what goes first, then what is put, then added."""
    whole = Draft()
    for each in drafts:
        for path, memory_id in each.gone.items():
            whole.remove(path, memory_id)
        for path, text in each.put.items():
            whole.write(path, text)
        for path, end in each.added.items():
            whole.add(path, end.at, end.text)
    return whole


def read_draft(plain: Mapping[str, object]) -> Draft:
    """Read a commit's files from JSON values.

    Raises:
        CorruptStoreError: They have another form.
    """
    draft = Draft()
    for path, memory_id in _texts(plain.get("gone")):
        draft.gone[path] = memory_id
    for path, text in _texts(plain.get("put")):
        draft.put[path] = text
    added = plain.get("added")
    for path, each in added.items() if isinstance(added, dict) else ():
        match each:
            case [int() as at, str() as text] if isinstance(path, str):
                draft.added[path] = Addition(at=at, text=text)
            case _:
                raise CorruptStoreError(_DAMAGED)
    return draft


def _texts(found: object) -> list[tuple[str, str]]:
    if not isinstance(found, dict):
        raise CorruptStoreError(_DAMAGED)
    pairs = [(a, b) for a, b in found.items() if isinstance(a, str) and isinstance(b, str)]
    if len(pairs) < len(found):
        raise CorruptStoreError(_DAMAGED)
    return pairs
