"""Keys to the door, kept in the store that they open, so that every server of it knows them.

Decides how a key is kept as a note, and that revoking leaves its record. Refuses to let anybody in
(`door`).
"""

from dataclasses import replace
from functools import lru_cache

from lapse.errors import ConflictError, NotFoundError
from lapse.faces.access.keys import ApiKey, Grant, Issued, issue
from lapse.model.codec import dumps, loads
from lapse.model.instants import Instant
from lapse.model.note import Note, Shelf
from lapse.ports import Entropy, Notes


class KeyRing:
    """The keys of one store."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes

    def create(self, grant: Grant, *, now: Instant, entropy: Entropy) -> Issued:
        """Make a key and keep its record. What is given back is seen only once.

        Raises:
            ConflictError: Chance made an id that is there already; do it again.
        """
        issued = issue(grant, now, entropy)
        if not self._notes.put(_note(issued.key, 1)):
            raise ConflictError("a key of that id is there already: make it again")
        return issued

    def find(self, key_id: str) -> ApiKey | None:
        """The record of a key, whether it still opens anything or not; None for none."""
        note = self._notes.get(Shelf.KEY, key_id)
        return None if note is None else _read(note.body)

    def all(self) -> list[ApiKey]:
        """Every record, the oldest first."""
        keys = [loads(ApiKey, each.body) for each in self._notes.on(Shelf.KEY)]
        return sorted(keys, key=lambda each: (each.created_at, each.id))

    def revoke(self, key_id: str, *, now: Instant) -> ApiKey:
        """Let a key open nothing from now on. Revoked twice, the first time stays.

        Raises:
            NotFoundError: No key of that id.
            ConflictError: Somebody else changed it at the same moment; do it again.
        """
        note = self._notes.get(Shelf.KEY, key_id)
        if note is None:
            raise NotFoundError("no such key; `lapse keys list` shows all", fields={"key": key_id})
        key = loads(ApiKey, note.body)
        if key.revoked_at is not None:
            return key
        key = replace(key, revoked_at=now)
        if not self._notes.put(_note(key, note.version + 1)):
            raise ConflictError("the key was changed at the same moment: do it again")
        return key


@lru_cache(maxsize=1024)
def _read(body: bytes) -> ApiKey:
    """A key's record, read once for as long as it stays as it is: each request asks for one."""
    return loads(ApiKey, body)


def _note(key: ApiKey, version: int) -> Note:
    body = dumps(key).encode("ascii")
    return Note(shelf=Shelf.KEY, name=key.id, version=version, body=body)
