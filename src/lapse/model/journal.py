"""The journal: an append-only, hash-chained record of what was decided, without any content.

Decides what an entry holds and how entries are chained. Refuses to hold text: a memory appears as
its internal number, where it stood on the axis of attention before and after, and salted digests of
its text before and after (the salt is destroyed with the memory). What a person may have put into
words (why, and the name of a matter) enters the chain as one salted digest and stands beside it, so
that the words can go, with their salt, and the chain holds.

    hash_n = SHA-256(hash_(n-1) ‖ canonical JSON of entry n with the digest in place of its words)
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
        about: Id of the plan or name of the hold that it concerns, or empty; redactable.
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
        words_hash: Salted digest of `about` and `reason`, or empty where there is neither.
        about, reason, reason_salt: Gone from an entry that was redacted.
        previous, hash: The chain.
        redacted_by: Id of the tombstone of what the words repeated, or empty; not chained, as the
            words are not.
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
    words_hash: bytes
    reason: str | None
    reason_salt: bytes
    previous: bytes
    hash: bytes
    redacted_by: str = ""


def chain(
    previous: bytes, seq: int, draft: JournalDraft, items: tuple[JournalItem, ...]
) -> JournalEntry:
    """Make the entry that follows `previous`."""
    words_hash = _words_hash(draft.reason_salt, draft.about, draft.reason)
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
        words_hash=words_hash,
        reason=draft.reason,
        reason_salt=draft.reason_salt,
        previous=previous,
        hash=_entry_hash(previous, seq, draft, items, words_hash),
    )


def follows(entry: JournalEntry, previous: bytes) -> bool:
    """Whether `entry` is unaltered and stands directly after the entry with hash `previous`.

    Words that went by a redaction, all of them, are no alteration; other words are.
    """
    words = (entry.about, entry.reason, entry.reason_salt)
    if entry.redacted_by:
        if words != ("", None, b""):
            return False
    elif not hmac.compare_digest(
        _words_hash(entry.reason_salt, entry.about, entry.reason), entry.words_hash
    ):
        return False
    draft = JournalDraft(
        verb=entry.verb,
        at=entry.at,
        by=entry.by,
        approved_by=entry.approved_by,
        via=entry.via,
        counts=entry.counts,
    )
    computed = _entry_hash(previous, entry.seq, draft, entry.items, entry.words_hash)
    return hmac.compare_digest(computed, entry.hash) and entry.previous == previous


def salted_digest(salt: bytes, text: str) -> bytes:
    """HMAC-SHA-256 of `text` under `salt`: meaningless once the salt is gone."""
    return hmac.digest(salt, text.encode("utf-8"), "sha256")


def _words_hash(salt: bytes, about: str, reason: str | None) -> bytes:
    if not about and reason is None:
        return b""
    return salted_digest(salt, _CANONICAL.encode([about, reason]))


def _entry_hash(
    previous: bytes,
    seq: int,
    draft: JournalDraft,
    items: tuple[JournalItem, ...],
    words_hash: bytes,
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
        "words": words_hash.hex(),
    }
    return hashlib.sha256(previous + _CANONICAL.encode(body).encode("ascii")).digest()
