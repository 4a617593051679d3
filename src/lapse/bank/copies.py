"""The verbs by which a bank's memories leave it and come in whole.

Decides their signatures. Refuses arithmetic, SQL and rules.
"""

from collections.abc import Iterable

from lapse.bank.base import HOST, BankBase
from lapse.engine import exporting, importing, sharing
from lapse.engine.attending import Actor
from lapse.engine.embedding import Progress, no_progress
from lapse.engine.exporting import Exported, Sink
from lapse.engine.importing import Imported, Source
from lapse.engine.sharing import Shared
from lapse.engine.untyped import as_name, as_names, require
from lapse.model.memory import BankRef


class Copies(BankBase):
    """Export, import, share."""

    def share(self, ids: Iterable[str], to_bank: str, *, by: str, reason: str) -> Shared:
        """Copy memories into another bank of the same tenant.

        A copy is a memory of its own there, and knows where it is from: what erases the one here
        erases it too. Holds that cover the one here cover it. To end a sharing, erase or suppress
        the copy.

        Args:
            ids: The memories; one that is there already is not copied again.
            to_bank: Name of the other bank.
            by: Who shares.
            reason: Why; never the text of a memory.

        Raises:
            NotFoundError: Some ids are not in this bank; nothing was shared.
            TombstonedError: One was erased in the other bank; nothing was shared.
            ValidationError: The same bank, or a memory that is out of mind or no longer so.
        """
        target = self._core.runtime(
            BankRef(tenant=self.ref.tenant, name=as_name("to_bank", to_bank))
        )
        named = as_names("ids", ids)
        actor = Actor(by=by, reason=reason)
        return sharing.share(self._core, self._runtime, named, target, actor)

    def export(
        self,
        sink: Sink,
        *,
        by: str = HOST,
        reason: str = "asked for",
        progress: Progress = no_progress,
    ) -> Exported:
        """Write the whole bank, one JSON object on each line, as it is at this moment.

        With memories, states and events of use, truth and its history, vectors, policy, journal,
        holds and tombstones; without any key. It is journalled, so that the receipt of a later
        erasure names it.

        Args:
            sink: A file opened for writing bytes.
            by: Who exports it.
            reason: Why; never the text of a memory.
            progress: Called with (done, total).

        Raises:
            NotFoundError: The bank does not exist.
            ValidationError: `sink` takes no bytes.
        """
        require("sink", sink, ("write",), "needs a file opened for writing bytes")
        actor = Actor(by=by, reason=reason)
        return exporting.export(self._core, self._runtime, sink, actor, progress)

    def import_(
        self,
        source: Source,
        *,
        by: str = HOST,
        reason: str = "asked for",
        progress: Progress = no_progress,
    ) -> Imported:
        """Take in what `export` wrote: all of it, or nothing.

        A bank that is not there yet is taken over whole, with its journal. Into one that is there,
        memories are taken in beside its own: the same ones are left as they are. What was erased
        here stays out, and is named.

        Args:
            source: A file opened for reading bytes; it is read twice.
            by: Who imports it.
            reason: Why; never the text of a memory.
            progress: Called with (done, total).

        Raises:
            ConflictError: Something of the same name is here with other content.
            KeyMissingError: A tombstone was made under a key that is not here.
            PolicyError: The bank's policy contradicts this deployment's.
            ValidationError: Faults of the file, all of them, by line and field.
        """
        require("source", source, ("seek", "readline"), "needs a file opened for reading bytes")
        actor = Actor(by=by, reason=reason)
        return importing.import_(self._core, self._runtime, source, actor, progress)
