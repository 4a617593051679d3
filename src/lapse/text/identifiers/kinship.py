"""How two identifiers that are not equal may still name one thing.

Decides which differences are a short form or a variant: a tag in a mailbox, a country code left
out, a part of a longer code. Refuses to conclude anything from it: kinship makes a link likely
where a text claims one, and is otherwise only shown. A shared prefix is no kinship.
"""

import re
from enum import StrEnum
from typing import Final

from lapse.model.identifier import IdentifierType, same_thing
from lapse.text.identifiers.reading import Found
from lapse.text.identifiers.shapes import groups_of

_HEXADECIMAL: Final = re.compile(r"[0-9a-f]{7,}")
_BANK_CODES: Final = (8, 11)


class Kinship(StrEnum):
    """What two different identifiers have in common."""

    SAME = "same"
    TAGGED = "tagged"
    NATIONAL = "national"
    PART = "part"
    SHORTENED = "shortened"
    PROFILE = "profile"


def kinship(short: Found, long: Found) -> Kinship | None:
    """How `short` may be another way to write `long`, or None.

    Not symmetric: the first is the shorter or the one that was asked for.
    """
    if same_written(short, long):
        return Kinship.SAME
    a, b = short.identifier, long.identifier
    match a.type, b.type:
        case IdentifierType.EMAIL, IdentifierType.EMAIL:
            return Kinship.TAGGED if _untagged(b.canonical) == a.canonical else None
        case (IdentifierType.EMAIL, _) | (_, IdentifierType.EMAIL):
            return None
        case IdentifierType.DATE | IdentifierType.TIME | IdentifierType.AMOUNT, _:
            return None
        case _, IdentifierType.DATE | IdentifierType.TIME | IdentifierType.AMOUNT:
            return None
        case IdentifierType.PATH | IdentifierType.URL, IdentifierType.PATH:
            return _of_paths(a.canonical, b.canonical)
        case IdentifierType.HANDLE, IdentifierType.URL:
            return Kinship.PROFILE if _page_of(b.canonical) == a.canonical else None
        case (_, IdentifierType.URL) | (IdentifierType.URL, _):
            return None
        case _ if IdentifierType.PHONE in {a.type, b.type}:
            return _of_phones(a.canonical, b.canonical)
        case _:
            return _of_codes(short, long)


def same_written(one: Found, other: Found) -> bool:
    """Whether two spellings are one identifier, groups included.

    Canonical forms leave separators out. Where both writers set digits apart, they must have set
    the same apart, for `12-3` is not `1-23`; a key in groups of one length may be cut at will.
    """
    if not same_thing(one.identifier, other.identifier):
        return False
    if {one.identifier.type, other.identifier.type} != {IdentifierType.CODE}:
        return True
    a, b = groups_of(one.written), groups_of(other.written)
    return a == b or 1 in {len(a), len(b)} or _even(a) or _even(b)


def _even(groups: tuple[str, ...]) -> bool:
    return len({len(each) for each in groups}) == 1 and len(groups[0]) > 2


def suffixed(short: Found, long: Found) -> bool:
    """Whether one is the other with an ending such as `.git`: kin only where a text says so."""
    one, other = short.identifier.canonical, long.identifier.canonical
    return other.startswith(f"{one}.") and "." not in other[len(one) + 1 :]


def _page_of(address: str) -> str | None:
    """What a link of one step leads to on its site: `t.me/ann` to `ann`."""
    _, _, page = address.partition("/")
    return page.lstrip("@") if page and "/" not in page else None


def _untagged(address: str) -> str:
    local, _, host = address.partition("@")
    return f"{local.partition('+')[0]}@{host}"


def _of_paths(short: str, long: str) -> Kinship | None:
    """A path that does not begin at the root may be the end of a longer one."""
    if "/" in short.strip("/") and not short.startswith("/") and long.endswith(f"/{short}"):
        return Kinship.PART
    return None


def _of_phones(short: str, long: str) -> Kinship | None:
    missing = len(long) - len(short)
    if len(short) >= 9 and 1 <= missing <= 3 and long.endswith(short):
        return Kinship.NATIONAL
    return None


def _of_codes(short: Found, long: Found) -> Kinship | None:
    a, b = groups_of(short.written), groups_of(long.written)
    if len(a) < len(b) and any(b[at : at + len(a)] == a for at in range(len(b) - len(a) + 1)):
        return Kinship.PART
    one, other = short.identifier.canonical, long.identifier.canonical
    if (len(one), len(other)) == _BANK_CODES and other.startswith(one) and one.isalpha():
        return Kinship.SHORTENED
    hexadecimal = _HEXADECIMAL.fullmatch(one) and _HEXADECIMAL.fullmatch(other)
    if hexadecimal and len(other) >= 32 and other.startswith(one) and not one.isdigit():
        return Kinship.SHORTENED
    return None
