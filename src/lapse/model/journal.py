"""The journal: an append-only, hash-chained record of what was decided, without any content.

Decides what an entry holds and how entries are chained. Refuses to hold text: a memory appears as
its internal number, where it stood on the axis of attention before and after, and salted digests of
its text before and after (the salt is destroyed with the memory); a reason as a salted hash beside
the redactable reason itself.

    hash_n = SHA-256(hash_(n-1) ‖ canonical JSON of entry n without its redactable parts)
"""

import hashlib
import hmac
import json
from dataclasses import dataclass
from typing import Final

from lapse.model.instants import Instant
from lapse.model.retention import Lifecycle
from lapse.model.verbs import Verb

GENESIS: Final = bytes(32)
"""The hash before a bank's first entry."""

NO_DIGEST: Final = bytes(32)
"""Stands for the text of a memory that is not there yet, or no longer."""

_CANONICAL: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalDraft:
    """What a verb asks to have journalled; the store adds numbers and hashes.

    Attributes:
        verb: The verb that acted.
        at: Its one reading of the clock.
        by: The actor, as the caller named them.
        approved_by: Who stands for it beside the actor, where a direct act names one; or empty.
        via: The face it came through, such as `rest`; empty for a program's own call.
        memory_ids: Memories it touched, in order.
        counts: Named counts, e.g. {"refused_late": 2}.
        about: Id of the plan or name of the hold that it concerns, or empty.
        reason: Why, or None; redactable.
        reason_salt: 16 random bytes when there is a reason.
    """

    verb: Verb
    at: Instant
    by: str
    approved_by: str = ""
    via: str = ""
    memory_ids: tuple[str, ...] = ()
    counts: tuple[tuple[str, int], ...] = ()
    about: str = ""
    reason: str | None = None
    reason_salt: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalItem:
    """One memory that an entry concerns.

    Attributes:
        row: Its internal number, never reused.
        was: Where it stood before, or None for one that did not exist.
        now: Where it stands after; erased for one that is gone.
        before: Salted digest of its text before, 32 bytes; `NO_DIGEST` for none.
        after: Salted digest of its text after; `NO_DIGEST` for none.
    """

    row: int
    was: Lifecycle | None
    now: Lifecycle
    before: bytes
    after: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalEntry:
    """One entry as it stands in the chain.

    Attributes:
        seq: 1, 2, 3 … within the bank, without gaps.
        items: The memories touched, in order.
        reason_hash: Salted hash of the reason, or empty.
        reason, reason_salt: Redactable; not chained.
        previous, hash: The chain.
    """

    seq: int
    verb: Verb
    at: Instant
    by: str
    approved_by: str
    via: str
    items: tuple[JournalItem, ...]
    counts: tuple[tuple[str, int], ...]
    about: str
    reason_hash: bytes
    reason: str | None
    reason_salt: bytes
    previous: bytes
    hash: bytes


def chain(
    previous: bytes, seq: int, draft: JournalDraft, items: tuple[JournalItem, ...]
) -> JournalEntry:
    """Make the entry that follows `previous`."""
    reason_hash = b"" if draft.reason is None else salted_digest(draft.reason_salt, draft.reason)
    return JournalEntry(
        seq=seq,
        verb=draft.verb,
        at=draft.at,
        by=draft.by,
        approved_by=draft.approved_by,
        via=draft.via,
        items=items,
        counts=draft.counts,
        about=draft.about,
        reason_hash=reason_hash,
        reason=draft.reason,
        reason_salt=draft.reason_salt,
        previous=previous,
        hash=_entry_hash(previous, seq, draft, items, reason_hash),
    )


def follows(entry: JournalEntry, previous: bytes) -> bool:
    """Whether `entry` is unaltered and stands directly after the entry with hash `previous`.

    A redacted reason (None) is no alteration; another reason than the hashed one is.
    """
    if entry.reason is not None:
        told = salted_digest(entry.reason_salt, entry.reason)
        if not hmac.compare_digest(told, entry.reason_hash):
            return False
    draft = JournalDraft(
        verb=entry.verb,
        at=entry.at,
        by=entry.by,
        approved_by=entry.approved_by,
        via=entry.via,
        counts=entry.counts,
        about=entry.about,
    )
    computed = _entry_hash(previous, entry.seq, draft, entry.items, entry.reason_hash)
    return hmac.compare_digest(computed, entry.hash) and entry.previous == previous


def salted_digest(salt: bytes, text: str) -> bytes:
    """HMAC-SHA-256 of `text` under `salt`: meaningless once the salt is gone."""
    return hmac.digest(salt, text.encode("utf-8"), "sha256")


def _entry_hash(
    previous: bytes,
    seq: int,
    draft: JournalDraft,
    items: tuple[JournalItem, ...],
    reason_hash: bytes,
) -> bytes:
    body = {
        "seq": seq,
        "verb": draft.verb.value,
        "at": draft.at,
        "by": draft.by,
        "approved_by": draft.approved_by,
        "via": draft.via,
        "items": [
            [each.row, each.was, each.now, each.before.hex(), each.after.hex()] for each in items
        ],
        "counts": draft.counts,
        "about": draft.about,
        "reason": reason_hash.hex(),
    }
    return hashlib.sha256(previous + _CANONICAL.encode(body).encode("ascii")).digest()
