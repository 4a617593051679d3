"""The text of a file: JSON that a person can read, with a sum that tells whether it was changed.

A document is one JSON object over several lines, a log one object on each line. The last member of
each is `sum`, a digest of all that stands before it, white space included.

Decides how that is written and checked. Refuses to know what is in one.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Final

from lapse.model.codec import Plain

_SUM_BYTES: Final = 8
_MARK: Final = '"sum": "'
_ENCODER: Final = json.JSONEncoder(sort_keys=True, ensure_ascii=False, allow_nan=False)


class DamagedError(Exception):
    """A text is not as it was written; its message says how, and shows nothing of it."""


def document(body: Mapping[str, Plain]) -> str:
    """Write a document. `body` is not empty and has no member `sum`."""
    text = _readable(body)
    return f"{_summed(text[:-2], ' ')}\n}}\n"


def line(body: Mapping[str, Plain]) -> str:
    """Write one line of a log, its end included."""
    text = _dumped(dict(body))
    return f"{_summed(text[:-1], '', ' ')}}}\n"


def read(text: str) -> dict[str, object]:
    """Read a document or a line, without its sum.

    Raises:
        DamagedError: It is not as it was written.
    """
    body, mark, rest = text.rpartition(_MARK)
    if not mark:
        raise DamagedError("has no sum: it was not written by Lapse")
    body = body.rstrip().removesuffix(",")
    if rest.partition('"')[0] != _digest(body):
        raise DamagedError("was changed: its sum is that of another text")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise DamagedError("is not JSON") from None
    if not isinstance(found, dict):
        raise DamagedError("holds no object")
    del found["sum"]
    return found


def lines(text: str) -> Iterator[tuple[int, str]]:
    """Give the lines of a log that are not empty, with their numbers from 1."""
    for number, each in enumerate(text.split("\n"), start=1):
        if each.strip():
            yield number, each


def _readable(body: Mapping[str, Plain]) -> str:
    # A member of a member stands on a line of its own, and no deeper: quicker to write than what
    # the standard library indents, and a row of numbers stays one line.
    members = (f" {_dumped(key)}: {_inner(body[key])}" for key in sorted(body))
    return "{\n" + ",\n".join(members) + "\n}"


def _inner(value: Plain) -> str:
    if not isinstance(value, dict) or not value:
        return _dumped(value)
    members = (f"  {_dumped(key)}: {_dumped(value[key])}" for key in sorted(value))
    return "{\n" + ",\n".join(members) + "\n }"


def _dumped(value: Plain) -> str:
    text = _ENCODER.encode(value)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a character: no file can hold it but by its number
        return json.dumps(value, sort_keys=True, allow_nan=False)
    return text


def _summed(body: str, indent: str, before: str = "\n") -> str:
    return f'{body},{before}{indent}{_MARK}{_digest(body)}"'


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=_SUM_BYTES).hexdigest()
