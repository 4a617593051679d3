"""The verbs that correct what is held true, and list what nobody has decided.

Decides their signatures. Refuses arithmetic, SQL and rules.
"""

from collections.abc import Iterable, Sequence
from typing import Unpack

from lapse.bank.base import HOST, BankBase
from lapse.engine import correcting, deciding
from lapse.engine.corrections import read_named, read_target
from lapse.engine.requests import read_told
from lapse.engine.results import Remembered, remembered
from lapse.engine.untyped import as_name
from lapse.intake.drafts import CorrectionFields, read_draft
from lapse.model.proposal import Proposal, ProposalStatus
from lapse.model.verbs import Verb


class Truths(BankBase):
    """Supersede, retract, both undone, conflicts."""

    def supersede(
        self,
        *,
        new: str,
        old: str | Iterable[str] | None = None,
        key: str | None = None,
        query: str | None = None,
        by: str = HOST,
        reason: str | None = None,
        **fields: Unpack[CorrectionFields],
    ) -> Remembered:
        """Tell something that takes the place of what was told before.

        What is replaced stays stored, with the strength it has, closed where the new begins. Of a
        compound memory only the clause that changed is replaced; the rest stays, as a memory made
        from it. What is older than what it names takes its place in the past.

        Args:
            new: What is so now.
            old: The memory it replaces, by id, or several. Either this, `key` or `query`.
            key: The claim key whose value changes.
            query: What is replaced, in words: "where Ann lives". Where nothing is found, the new
                memory is stored beside all else, and a note says so.
            by: Who corrects, for the journal.
            reason: Why, for the journal.
            fields: See `CorrectionFields`.

        Raises:
            NotFoundError: No such memory, or no claim under the key.
            ConflictError: It would take its own place or that of its successor, the key holds
                several values, or the memory named does not stand any more.
            ValidationError: Every fault of the input at once.
        """
        target = read_target(old, key, query)
        draft = read_told(lambda: read_draft({"text": new, **fields}, self._limit), by)
        writing = self._writing(Verb.SUPERSEDE, by, reason)
        outcome = correcting.supersede(self._core, self._runtime, writing, target, draft)
        return remembered(self._core, self._runtime, [outcome])[0]

    def unsupersede(
        self,
        id: str,  # noqa: A002 - the field's own name, as everywhere
        *,
        by: str = HOST,
        reason: str | None = None,
    ) -> Remembered:
        """Take back that a memory was replaced: it stands exactly as before.

        What replaced it goes if it was told by `supersede`, or holds the same key; a memory that
        stood for itself stays.

        Raises:
            NotFoundError: No such memory.
            ConflictError: It was not superseded, or what replaced it was itself superseded since.
        """
        writing = self._writing(Verb.UNSUPERSEDE, by, reason)
        memory_id = as_name("id", id)
        outcome = correcting.unsupersede(self._core, self._runtime, writing, memory_id)
        return remembered(self._core, self._runtime, [outcome])[0]

    def retract(
        self,
        ids: str | Iterable[str] = (),
        *,
        query: str | None = None,
        reason: str,
        by: str = HOST,
    ) -> Sequence[Remembered]:
        """Hold that memories were never so; nothing is asserted in their place.

        What they had replaced holds again, and what was made from them alone goes with them.

        Args:
            ids: The memories. Either these or `query`.
            query: What is taken back, in words.
            reason: Why, for the journal.
            by: Who takes it back, for the journal.

        Raises:
            NotFoundError: No such memory.
        """
        named = read_named(ids, query)
        writing = self._writing(Verb.RETRACT, by, reason)
        if named.query is not None:
            found = correcting.named_by(self._core, self._runtime, writing, named.query)
        else:
            found = named.ids
        outcomes = correcting.retract(self._core, self._runtime, writing, found)
        return remembered(self._core, self._runtime, outcomes)

    def unretract(
        self, ids: str | Iterable[str], *, by: str = HOST, reason: str | None = None
    ) -> Sequence[Remembered]:
        """Hold that memories are so after all: they stand exactly as before.

        Raises:
            NotFoundError: No such memory.
        """
        writing = self._writing(Verb.UNRETRACT, by, reason)
        named = read_named(ids, None).ids
        outcomes = correcting.unretract(self._core, self._runtime, writing, named)
        return remembered(self._core, self._runtime, outcomes)

    def conflicts(
        self, *, status: ProposalStatus | None = ProposalStatus.OPEN
    ) -> Sequence[Proposal]:
        """What nobody has decided: doubtful replacements, and what was told again in vain.

        Args:
            status: Only these; None for decided ones, too.
        """
        return self._core.parts.store.proposals(self.ref, status)

    def accept(
        self,
        id: str,  # noqa: A002 - the field's own name, as everywhere
        *,
        by: str = HOST,
        reason: str | None = None,
    ) -> Proposal:
        """Do what a listed conflict proposes.

        Raises:
            NotFoundError: No such proposal.
            ConflictError: It was decided before, or what it names has changed since.
        """
        writing = self._writing(Verb.ACCEPT, by, reason)
        return deciding.accept(self._core, self._runtime, writing, as_name("id", id))

    def dismiss(
        self,
        id: str,  # noqa: A002 - the field's own name, as everywhere
        *,
        by: str = HOST,
        reason: str | None = None,
    ) -> Proposal:
        """Decide against what a listed conflict proposes; it does not come up again.

        Raises:
            NotFoundError: No such proposal.
            ConflictError: It was decided before.
        """
        writing = self._writing(Verb.DISMISS, by, reason)
        return deciding.dismiss(self._core, self._runtime, writing, as_name("id", id))
