"""Exporting: a bank as lines of text, of one moment, while it stays in use.

Decides that an export is journalled before the first line is given, so that a receipt can name it.
Refuses the written form (`lapse.transfer.lines`) and to open files.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from lapse.engine.attending import Actor, entry_of
from lapse.engine.core import Core
from lapse.engine.embedding import Progress
from lapse.engine.runtime import BankRuntime
from lapse.errors import NotFoundError
from lapse.model.changeset import Changes
from lapse.model.journal import JournalDraft
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View
from lapse.transfer.lines import written

TOLD_EVERY = 1_000
"""Lines between two words about how far it is."""


class Sink(Protocol):
    """Takes bytes, as a file opened for writing does."""

    def write(self, data: bytes, /) -> object:
        """Take some bytes."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """What an export gave.

    Attributes:
        memories: Memories written.
        lines: Lines written, the first and the last among them.
        bytes: Their length.
        sha256: Digest of the whole, in hexadecimal; equal banks have equal exports.
    """

    memories: int
    lines: int
    bytes: int
    sha256: str


def export(
    core: Core, runtime: BankRuntime, sink: Sink, actor: Actor, progress: Progress
) -> Exported:
    """Write a bank, line by line; nothing but one line is held in RAM.

    Raises:
        NotFoundError: The bank does not exist.
    """
    store, ref = core.parts.store, runtime.ref
    if store.stateless(ref):
        core.repair(ref)
    runtime.follow()
    if runtime.bank is None:
        raise NotFoundError(f"there is no bank {ref}", fields={"bank": str(ref)})
    memories = store.count(ref)
    note_copy(core, runtime, Verb.EXPORT, actor, memories)
    digest, lines, size = hashlib.sha256(), 0, 0
    for line in written(ref, store.dump(ref)):
        data = line.encode("ascii")
        sink.write(data)
        digest.update(data)
        lines, size = lines + 1, size + len(data)
        if lines % TOLD_EVERY == 0:
            progress(min(lines, memories), memories)
    progress(memories, memories)
    return Exported(memories=memories, lines=lines, bytes=size, sha256=digest.hexdigest())


def note_copy(core: Core, runtime: BankRuntime, verb: Verb, actor: Actor, memories: int) -> None:
    """Journal that a copy of a bank is made."""
    now = core.now()
    draft = entry_of(core, verb, now, actor)
    core.commit(verb, runtime.ref, now, Reads(), noting(draft, memories))


def noting(
    draft: JournalDraft, memories: int, ids: tuple[str, ...] = ()
) -> Callable[[View], Changes]:
    """A judge that changes nothing and journals that so many memories were copied."""
    counted = replace(draft, counts=(("memories", memories),), memory_ids=ids)
    # The bank's own record, as it is: an entry alone would be nothing to write.
    return lambda view: Changes(bank=view.bank, journal=counted)
