"""Which operations an MCP client is offered.

Decides the three profiles, and which operations name files of the machine the server runs on.
Refuses to look at who asks: an API key's role says besides what of a profile its owner may use.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from lapse.faces.operations import TABLE, Operation

AGENT: tuple[str, ...] = (
    "remember",
    "recall",
    "used",
    "why",
    "supersede",
    "retract",
    "forget",
    "restore",
    "conflicts",
    "stats",
)
"""What an agent works with, in the order in which it is listed. Nothing here destroys."""

_OPERATOR_TOO: tuple[str, ...] = (
    "get",
    "list",
    "select",
    "unsupersede",
    "unretract",
    "as_of",
    "accept",
    "dismiss",
    "pin",
    "unpin",
    "exempt",
    "verify_outcome",
    "suppress",
    "archive",
    "suppressed",
    "archived",
    "search_archive",
    "hold",
    "release",
    "holds",
    "erase",
    "suggest",
    "plan",
    "plan_to_budget",
    "plans",
    "get_plan",
    "approve",
    "apply",
    "history",
    "verify_journal",
    "sweep",
    "canaries",
    "policy",
)

BEYOND_ONE_BANK: Final = frozenset({"banks", "share", "erase_everywhere"})
"""Operations that reach other banks than the one a client speaks to."""

FILES_FIELDS = frozenset({"path"})
"""Fields that name a file of the machine the server runs on."""


class Profile(StrEnum):
    """How much of the table a client is offered."""

    DEFAULT = "default"
    """Ten operations for agents: forgetting can always be taken back."""
    OPERATOR = "operator"
    """What governs a bank besides, erasure among it."""
    FULL = "full"
    """The whole table."""


class Reach(StrEnum):
    """Where the client is."""

    LOCAL = "local"
    """On this machine, as whoever started the server: it may name files."""
    REMOTE = "remote"
    """Anywhere: nothing that names a file of this machine, or another bank, is offered."""


def offered(profile: Profile, reach: Reach) -> Mapping[str, Operation]:
    """The operations of a profile by name, those for agents first."""
    names = {
        Profile.DEFAULT: AGENT,
        Profile.OPERATOR: (*AGENT, *_OPERATOR_TOO),
        Profile.FULL: (*AGENT, *(each for each in TABLE if each not in AGENT)),
    }[profile]
    chosen = {each: TABLE[each] for each in names}
    if reach is Reach.REMOTE:
        chosen = {name: each for name, each in chosen.items() if reaches_no_further(each)}
    return MappingProxyType(chosen)


def reaches_no_further(operation: Operation) -> bool:
    """Whether it stays within one bank, and away from the machine's files."""
    return operation.name not in BEYOND_ONE_BANK and not names_files(operation)


def names_files(operation: Operation) -> bool:
    """Whether it is asked with a file of the machine it runs on."""
    return any(each.name in FILES_FIELDS for each in operation.fields)
