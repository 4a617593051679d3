"""Rows of a large bank's own index, in PostgreSQL's binary form.

Decides what a memory is to the index: ids of its distinct terms as lexemes, what it is of (kind,
session, tags, subject, metadata) and where it stands as lexemes beside them, its number of terms,
and its vector at half precision. No word of a text is in it. Refuses to run a statement.
"""

import json
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from itertools import starmap
from typing import Final

import numpy as np

from lapse.model.memory import JsonValue, Kind
from lapse.model.retention import Lifecycle
from lapse.model.written_form import written_form
from lapse.stores.sql.rows import json_object, names, read_terms

HEADER: Final = b"PGCOPY\n\xff\r\n\0" + bytes(8)
"""What a binary COPY begins with."""

TRAILER: Final = b"\xff\xff"
"""What it ends with."""

_FIELDS: Final = struct.pack(">h", 4)
_NULL: Final = struct.pack(">i", -1)
_NUMBER: Final = struct.Struct(">iq")
_SIZE: Final = struct.Struct(">ii")
_INT: Final = struct.Struct(">i")
_VECTOR: Final = struct.Struct(">HH")
_NO_PLACES: Final = b"\0\0\0"
_DIGEST_BYTES: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class NearRow:
    """A memory as it is read for the index.

    Attributes:
        row: Its internal number.
        terms: BLOB of its term ids, with repeats.
        kind, session, tags, subject, metadata: As they are stored.
        lifecycle: Where it stands.
        vector: BLOB of its float32 vector, or None.
    """

    row: int
    terms: bytes
    kind: str
    session: str | None
    tags: str | None
    subject: str | None
    metadata: str | None
    lifecycle: str
    vector: bytes | None


def term_lexeme(number: int) -> str:
    """What stands for a term."""
    return str(number)


def kind_lexeme(kind: Kind | str) -> str:
    """What stands for a kind."""
    return f"k{Kind(kind).value}"


def session_lexeme(session: str) -> str:
    """What stands for a session."""
    return f"s{_digest(session)}"


def tag_lexeme(tag: str) -> str:
    """What stands for a tag."""
    return f"t{_digest(tag)}"


def subject_lexeme(subject: str) -> str:
    """What stands for a subject."""
    return f"u{_digest(subject)}"


def metadata_lexeme(name: str, value: JsonValue) -> str:
    """What stands for a value under a name."""
    return f"m{_digest(json.dumps((name, written_form(value))))}"


def lifecycle_lexeme(lifecycle: Lifecycle | str) -> str:
    """What stands for a place in mind or out of it."""
    return f"l{Lifecycle(lifecycle).value}"


def encoded(rows: Iterable[NearRow]) -> Iterator[bytes]:
    """Give each row as (row bigint, size integer, terms tsvector, vector halfvec)."""
    for each in rows:
        ids = read_terms(each.terms)
        lexemes = _lexemes(each, ids)
        body = b"".join(word.encode() + _NO_PLACES for word in lexemes)
        yield b"".join(
            (
                _FIELDS,
                _NUMBER.pack(8, each.row),
                _SIZE.pack(4, len(ids)),
                _INT.pack(4 + len(body)),
                _INT.pack(len(lexemes)),
                body,
                _half(each.vector),
            )
        )


def _lexemes(each: NearRow, ids: tuple[int, ...]) -> list[str]:
    found = {kind_lexeme(each.kind), *map(term_lexeme, ids), *map(tag_lexeme, names(each.tags))}
    found.add(lifecycle_lexeme(each.lifecycle))
    if each.session is not None:
        found.add(session_lexeme(each.session))
    if each.subject is not None:
        found.add(subject_lexeme(each.subject))
    if each.metadata is not None:
        found.update(starmap(metadata_lexeme, json_object(each.metadata).items()))
    return sorted(found)


def _half(data: bytes | None) -> bytes:
    if data is None or not data.strip(b"\0"):
        return _NULL
    numbers = np.frombuffer(data, dtype="<f4").astype(">f2")
    return _INT.pack(4 + numbers.nbytes) + _VECTOR.pack(len(numbers), 0) + numbers.tobytes()


def _digest(text: str) -> str:
    data = text.encode("utf-8", "surrogatepass")
    return blake2b(data, digest_size=_DIGEST_BYTES).hexdigest()
