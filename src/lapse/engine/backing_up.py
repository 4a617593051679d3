"""Copying a whole store, known to every bank in it.

Decides that each bank's journal says so before the copy is begun: a receipt that names a copy which
was never finished is better than one that misses a copy. Refuses to tell the file's name: a name is
text, an entry of the journal is for ever, and where copies lie is for the reason to say.
"""

from lapse.engine.attending import Actor
from lapse.engine.core import Core
from lapse.engine.exporting import note_copy
from lapse.model.verbs import Verb


def back_up(core: Core, path: str, actor: Actor) -> int:
    """Write a consistent copy of the whole store, and journal it in every bank of every tenant.

    Returns:
        How many banks are in it.

    Raises:
        StoreError: The path exists already or cannot be written, or there is nothing to copy.
    """
    store = core.parts.store
    banks = note_backup(core, actor) if store.size_bytes() else 0
    store.backup(path)
    return banks


def note_backup(core: Core, actor: Actor) -> int:
    """Journal in every bank of every tenant that the whole store is copied. Returns how many."""
    store = core.parts.store
    refs = store.refs()
    for ref in refs:
        note_copy(core, core.runtime(ref), Verb.BACKUP, actor, store.count(ref))
    return len(refs)
