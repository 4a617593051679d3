"""Names of files and folders, made of names that callers chose.

An id may hold any character, may differ from another in case alone and may be as long as a file's
name. So lower case letters, digits, `-` and `_` stand for themselves and everything else for its
bytes, as `%2f`; a name that would become too long ends in a digest instead. No two names become
one, on a file system that folds case either; none leaves its folder; none has another meaning.

Decides where what is kept lies below the store's folder. Refuses to open anything, and to read a
name back: what is in a file says whose it is.
"""

import hashlib
from typing import Final

from lapse.model.memory import BankRef

BANKS: Final = "banks"
"""Folder of the banks, by tenant."""

BANK: Final = "bank.json"
"""A bank's own record."""

MEMORIES: Final = "memories"
STATES: Final = "states"
VECTORS: Final = "vectors"
PLANS: Final = "plans"
SPACES: Final = "spaces"

TOMBSTONES: Final = "tombstones.jsonl"
"""A tenant's tombstones."""

_PLAIN: Final = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789-_")
_LONGEST: Final = 120
_KEPT: Final = 40


def file_name(name: str) -> str:
    """Give the name of a file or folder for any name; 1 to 120 characters of `a-z0-9-_%~`."""
    written = "".join(chr(each) if each in _PLAIN else f"%{each:02x}" for each in name.encode())
    if len(written) <= _LONGEST:
        return written
    return f"{written[:_KEPT]}~{hashlib.sha256(name.encode()).hexdigest()}"


def tenant_folder(tenant: str) -> str:
    """Where a tenant's banks and tombstones lie."""
    return f"{BANKS}/{file_name(tenant)}"


def bank_folder(ref: BankRef) -> str:
    """Where a bank lies."""
    return f"{tenant_folder(ref.tenant)}/{file_name(ref.name)}"


def sharded(folder: str, kind: str, name: str) -> str:
    """Where one of a bank's many documents lies: in one of 256 folders."""
    shard = hashlib.sha256(name.encode()).hexdigest()[:2]
    return f"{folder}/{kind}/{shard}/{file_name(name)}.json"


def single(folder: str, kind: str, name: str) -> str:
    """Where one of a bank's few documents of a kind lies."""
    return f"{folder}/{kind}/{file_name(name)}.json"
