"""Identifiers: what names exactly one thing, in one canonical form for all its spellings.

Decides which types there are and when two canonical forms name the same thing. Refuses to find them
in a text (`text.identifiers`) or to choose memories by them (`selecting`).
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

IDENTIFIER_LIMIT: Final = 255
"""Longest canonical form, in characters; a longer one is kept as a digest."""


class IdentifierType(StrEnum):
    """What kind of thing an identifier names."""

    EMAIL = "email"
    PHONE = "phone"
    UUID = "uuid"
    URL = "url"
    HANDLE = "handle"
    IBAN = "iban"
    CARD = "card"
    NATIONAL_ID = "national_id"
    NETWORK = "network"
    DATE = "date"
    TIME = "time"
    AMOUNT = "amount"
    PATH = "path"
    NUMBER = "number"
    CODE = "code"
    NAME = "name"


_OF_THEIR_OWN: Final = frozenset(
    {IdentifierType.DATE, IdentifierType.TIME, IdentifierType.AMOUNT, IdentifierType.NAME}
)


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Identifier:
    """One identifier.

    Attributes:
        type: What it names.
        canonical: The form that all its spellings share: folded, without separators and signs that
            a writer may choose, 1 to 255 characters.
    """

    type: IdentifierType
    canonical: str


def same_thing(one: Identifier, other: Identifier) -> bool:
    """Whether two identifiers name the same thing.

    A handle written without its sign is a code, and a telephone number without separators a number:
    the type only parts dates, times, amounts and names from everything else.
    """
    if one.canonical != other.canonical:
        return False
    return one.type is other.type or _OF_THEIR_OWN.isdisjoint({one.type, other.type})
