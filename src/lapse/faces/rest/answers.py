"""Answers already given: the same request under the same Idempotency-Key acts once.

    absent ──begin──▶ under way ──finish──▶ given        the same request: given again
                          └─────fail──────▶ free         another request: refused

Decides that a key belongs to one caller, one bank and one request; that an answer is kept for
`server.answer_hours`; that a failure of the server keeps nothing, so that it may be tried again;
and that a request whose server died may be tried again after ten minutes. Refuses to keep text in
the clear (`sealing`).
"""

import hashlib
import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from lapse.errors import ConflictError, ValidationError, fault
from lapse.faces.rest.sealing import Seal
from lapse.model.instants import MINUTE, Instant
from lapse.model.note import Note, Shelf
from lapse.ports import Notes

LONGEST: Final = 255
_UNDER_WAY: Final = b"W"
_FREE: Final = b"F"
_GIVEN: Final = b"G"
_ABANDONED: Final = 10 * MINUTE
_DIGEST_BYTES: Final = 32
_BETWEEN_CLEARINGS: Final = 64
"""Requests under a key between two looks for notes that have had their time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What is sent back.

    Attributes:
        status: Of HTTP.
        body: The document; empty for none.
        headers: What goes with it.
        media_type: Of the body.
    """

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)
    media_type: str = "application/json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """A request that acts under a key, and the note that says so."""

    seal: Seal
    note: Note
    request: bytes


class Given:
    """The answers of one store."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._begun = itertools.count()

    def begin(
        self, seal: Seal, place: str, request: bytes, *, now: Instant, keep: int
    ) -> Begun | Answer:
        """Begin to act, or give the answer that was given before.

        Args:
            seal: Of the key, the caller and the bank.
            place: The bank, so that its answers can be cleared when something in it is erased.
            request: What is asked, exactly.
            keep: For how long the answer is kept, in microseconds.

        Raises:
            ValidationError: Another request was made under the key.
            ConflictError: The same one is under way.
        """
        if next(self._begun) % _BETWEEN_CLEARINGS == 0:
            self._notes.expire(now)
        digest = hashlib.sha256(request).digest()
        before = self._notes.get(Shelf.ANSWER, seal.name)
        if before is not None and (before.until is None or now < before.until):
            answer = _given(seal, before, digest)
            if answer is not None:
                return answer
            if before.body[:1] == _UNDER_WAY and now < self._abandoned(before, keep):
                raise _under_way()
        note = Note(
            shelf=Shelf.ANSWER,
            name=seal.name,
            place=place,
            version=1 if before is None else before.version + 1,
            body=_UNDER_WAY + digest,
            until=Instant(now + keep),
        )
        if not self._notes.put(note):
            raise _under_way()
        return Begun(seal=seal, note=note, request=digest)

    def finish(self, begun: Begun, answer: Answer) -> None:
        """Keep an answer, or after a failure of the server nothing."""
        if answer.status >= 500:
            body = _FREE + begun.request
        else:
            told = [answer.status, dict(answer.headers), answer.media_type, answer.body.hex()]
            body = _GIVEN + begun.request + begun.seal.close(json.dumps(told).encode("ascii"))
        note = replace(begun.note, version=begun.note.version + 1, body=body)
        if not self._notes.put(note):
            # What was under way may have been cleared with the bank's other answers.
            self._notes.put(replace(note, version=1))

    def forget(self, place: str) -> None:
        """Drop the answers of a bank: something they may tell of is gone."""
        self._notes.clear(Shelf.ANSWER, place)

    def _abandoned(self, note: Note, keep: int) -> int:
        assert note.until is not None  # noqa: S101 - begin gives every note an end
        return note.until - keep + _ABANDONED


def _under_way() -> ConflictError:
    return ConflictError(
        "the same request is under way; ask again in a moment", fields={"under_way": "true"}
    )


def check_word(word: str) -> str:
    """An Idempotency-Key that can be one.

    Raises:
        ValidationError: It is empty or too long.
    """
    if not 1 <= len(word.strip()) <= LONGEST:
        problem = f"needs 1 to {LONGEST} characters"
        raise ValidationError([fault("Idempotency-Key", "…", problem)])
    return word


def _given(seal: Seal, note: Note, digest: bytes) -> Answer | None:
    state, told, sealed = note.body[:1], note.body[1 : 1 + _DIGEST_BYTES], note.body[33:]
    if state == _FREE:
        return None
    if told != digest:
        problem = "was used for another request; make a new one for this"
        raise ValidationError([fault("Idempotency-Key", "…", problem)])
    text = seal.open(sealed) if state == _GIVEN else None
    if text is None:
        return None
    status, headers, media_type, body = json.loads(text)
    again = {**headers, "Idempotent-Replayed": "true"}
    return Answer(status=status, body=bytes.fromhex(body), headers=again, media_type=media_type)
