"""What a preview of something destructive showed, so exactly that a yes to it is a yes to that.

Decides that a preview stands for the memories it named in the content they had then: one that is
written anew between the look and the yes makes it another preview; and that a yes stands for one
act: what was put back since is not taken away again by it, nor by a second person's consent to it.
Refuses to name previews (each face does) and to judge whether anything may go.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from lapse.engine.attending import Moved
from lapse.engine.erasing import Erasure
from lapse.engine.erasing_widely import WideErasure
from lapse.errors import ConflictError
from lapse.faces.app import Lapse
from lapse.model.instants import SECOND, Instant
from lapse.model.memory import BankRef, MemoryRef
from lapse.model.note import Note, Shelf
from lapse.ports import KeepsNotes

Version = tuple[str, str, int]
"""Bank, memory, content version."""

PREVIEW_S: Final = 900
"""Seconds for which what was shown may be confirmed, by whichever face."""

_AT_ONCE = 500


def versions_shown(lapse: Lapse, ref: BankRef, preview: object) -> list[Version]:
    """The memories that a preview touches, as they are now, in order; none for anything else.

    Args:
        lapse: The store.
        ref: The bank that was asked about; of a wide erasure its tenant counts.
        preview: What was shown.
    """
    by_bank: dict[BankRef, set[str]] = {}
    for each in _touched(ref, preview):
        by_bank.setdefault(each.ref, set()).add(each.id)
    found: list[Version] = []
    for bank, ids in by_bank.items():
        wanted = sorted(ids)
        for at in range(0, len(wanted), _AT_ONCE):
            part = lapse.parts.store.contents(bank, wanted[at : at + _AT_ONCE])
            found += [(bank.name, each.id, each.content_version) for each in part]
    return sorted(found)


@contextmanager
def carried_out(lapse: Lapse, name: str) -> Iterator[None]:
    """Carry a preview out meanwhile, and no other time: at no server of the store.

    What fails has not been carried out. A store that keeps no notes does not tell the times apart.

    Args:
        lapse: The store.
        name: Of the preview, which holds at this moment; no more than its digest is kept.

    Raises:
        ConflictError: It was carried out before, or is at this moment.
    """
    if not isinstance(lapse.parts.store, KeepsNotes):
        yield
        return
    notes, digest = lapse.notes, hashlib.sha256(name.encode("utf-8")).hexdigest()
    now = lapse.parts.clock.now()
    notes.expire(now)
    until = Instant(now + PREVIEW_S * SECOND)
    note = Note(shelf=Shelf.CONFIRMED, name=digest, place=digest, body=b"", until=until)
    if not notes.put(note):
        raise ConflictError(
            "this preview was confirmed before, and a yes stands for one act: look again, and"
            " confirm what is shown then",
            fields={"field": "confirm"},
        )
    try:
        yield
    except BaseException:
        notes.clear(Shelf.CONFIRMED, digest)
        raise


def _touched(ref: BankRef, preview: object) -> Iterator[MemoryRef]:
    match preview:
        case Moved():
            yield from (MemoryRef(ref=ref, id=each) for each in preview.ids)
        case Erasure():
            own = (*preview.erased, *preview.derived, *preview.cut)
            yield from (MemoryRef(ref=ref, id=each) for each in own)
            yield from preview.copies
        case WideErasure():
            for bank in preview.banks:
                there = BankRef(tenant=ref.tenant, name=bank.bank)
                ids = (*bank.erased, *bank.derived, *bank.cut)
                yield from (MemoryRef(ref=there, id=each) for each in ids)
        case _:
            pass
