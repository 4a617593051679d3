"""Reading the identifiers of a text.

Decides what is a chunk, what punctuation is not part of it, and which of two overlapping readings
counts: the longer. Refuses to know any type (`shapes` and `spread` do), and to say what an
identifier is about.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from lapse.model.identifier import Identifier
from lapse.text.identifiers.shapes import of_chunk
from lapse.text.identifiers.spelling import plain
from lapse.text.identifiers.spread import spread_out

_CHUNK: Final = re.compile(r"\S+")
_OPENING: Final = "\"'`«‹„“‘‚([{<¿¡*…,;:"
_CLOSING: Final = "\"'`»›”’“)]}>*…,;:.!?。、！？；：؟،۔।/\\"
_SIGNS: Final = frozenset("0123456789@/\\_#%")
_SPELLED: Final = ("dot", "at]", "at)", "at}", "at>")
_MARKED: Final = re.compile(r"[.-]\w")
_INNER: Final = re.compile(r"\w[.-]\w")
_CAPITALS: Final = re.compile(r"[A-Z]{8}")
_POSSESSIVE: Final = re.compile(r"['’]s?$")
_PARTED: Final = re.compile(r"(?:[;|()\[\]{}<>\"“”«»=]|,(?!\d))+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An identifier and where it stands.

    Attributes:
        identifier: What it is.
        written: How it is written there.
        start, end: Where, in `spelling.plain` of the text; half-open.
    """

    identifier: Identifier
    written: str
    start: int
    end: int


def identifiers_of(text: str) -> tuple[Identifier, ...]:
    """The identifiers of a text, each once, in order of appearance."""
    return tuple(dict.fromkeys(each.identifier for each in find_identifiers(text)))


def find_identifiers(text: str) -> list[Found]:
    """The identifiers of a text with their places, in order; none overlaps another."""
    readable = plain(text)
    if readable.isascii() and not _needs_a_look(readable):
        return []
    taken: list[Found] = []
    for start, end, identifier in sorted(
        spread_out(readable), key=lambda each: (each[0], -each[1])
    ):
        if not taken or start >= taken[-1].end:
            taken.append(
                Found(identifier=identifier, written=readable[start:end], start=start, end=end)
            )
    return sorted([*taken, *_in_chunks(readable, taken)], key=lambda each: each.start)


def _needs_a_look(text: str) -> bool:
    """Whether a plain text may hold anything: most hold nothing, and that is seen at once."""
    if not _SIGNS.isdisjoint(text):
        return True
    # Two searches, since the first alone is five times as fast and mostly finds nothing.
    if _MARKED.search(text) is not None and _INNER.search(text) is not None:
        return True
    lower = text.lower()
    return any(each in lower for each in _SPELLED) or _CAPITALS.search(text) is not None


def _in_chunks(text: str, taken: list[Found]) -> Iterator[Found]:
    spans = iter(taken)
    current = next(spans, None)
    for match in _CHUNK.finditer(text):
        while current is not None and current.end <= match.start():
            current = next(spans, None)
        if current is not None and current.start < match.end():
            # What is joined to its neighbours says nothing by itself.
            continue
        if match[0].isalpha() and not (match[0].isupper() and len(match[0]) in {8, 11}):
            continue
        yield from _of_whole(text, match.start(), match.end())


def _of_whole(text: str, start: int, end: int) -> Iterator[Found]:
    """Read a chunk; where inner punctuation parts it ("a@b.io,c@d.io"), read its parts."""
    inner = _PARTED.search(text[start:end].strip(_OPENING + _CLOSING))
    if inner is None:
        yield from _of_part(text, start, end)
        return
    at = start
    for gap in _PARTED.finditer(text, start, end):
        yield from _of_part(text, at, gap.start())
        at = gap.end()
    yield from _of_part(text, at, end)


def _of_part(text: str, start: int, end: int) -> Iterator[Found]:
    written = text[start:end]
    bare = written.lstrip(_OPENING)
    start += len(written) - len(bare)
    bare = bare.rstrip(_CLOSING)
    bare = _POSSESSIVE.sub("", bare)
    if not bare or (bare.isalpha() and not bare.isupper()):
        return
    found = of_chunk(bare)
    if found is not None:
        yield Found(identifier=found, written=bare, start=start, end=start + len(bare))
