"""The verbs that destroy for good, and the one that allows again.

Decides their signatures. Refuses arithmetic, SQL and rules.
"""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Unpack

from lapse.bank.base import BankBase
from lapse.engine import erasing, subject_report
from lapse.engine.attending import Actor
from lapse.engine.choosing import Where, read_choosing
from lapse.engine.erasing import Erasure
from lapse.engine.subject_report import SubjectReport
from lapse.engine.untyped import as_count, as_name
from lapse.model.tombstone import KeptTombstone, Lift


class Erasing(BankBase):
    """Erase, and lift a tombstone."""

    def preview_erasure(self, ids: Iterable[str] | str = (), **where: Unpack[Where]) -> Erasure:
        """What erasing these would take, and what a hold would keep. Changes nothing.

        Args:
            ids: The memories, or one wish in plain words; or else
            where: What they have in common. See `Where`.

        Raises:
            NotFoundError: Some ids are not in this bank.
            ValidationError: Nothing is chosen.
        """
        if isinstance(ids, str):
            where, ids = {**where, "query": ids}, ()
        return erasing.preview_erasure(self._core, self._runtime, read_choosing(ids, where))

    def erase(
        self,
        ids: Iterable[str] = (),
        *,
        by: str,
        reason: str,
        approved_by: str | None = None,
        **where: Unpack[Where],
    ) -> Erasure:
        """Destroy memories for good, with all that was derived from them alone.

        Only a hold refuses it, and a missing second person. A tombstone without content stays of
        each, and refuses the same, nearly the same, and whatever holds it, on every path that
        writes. What was erased for a subject or an identifier may not come back in any bank of the
        tenant.

        Args:
            ids: The memories; or else
            by: Who asks for it.
            reason: Why; never the text of a memory.
            approved_by: Who else stands for it; needed, and another person than `by`, where
                `retention.two_person` is on.
            where: What they have in common. See `Where`.

        Raises:
            GuardedError: A hold keeps some of it; nothing was erased.
            KeyMissingError: There is no key to make tombstones with.
            NotFoundError: Some ids are not in this bank; nothing was done.
            ValidationError: Nothing is chosen, or name, reason or a second person are missing.
        """
        actor = Actor(by=by, reason=reason, approved_by=approved_by)
        return erasing.erase(self._core, self._runtime, read_choosing(ids, where), actor)

    def subject_report(self, subject: str) -> SubjectReport:
        """Everything this bank keeps of a subject: what `erase(subject=…)` would destroy.

        Memories of every kind and wherever they stand, what was made of them alone, and what each
        said before. Looking changes nothing and counts as no use.

        Args:
            subject: Of whom, exactly as memories name them.

        Raises:
            ValidationError: A blank name.
        """
        name = as_name("subject", subject)
        return subject_report.report_subject(self._core, self._runtime, name)

    def lift_tombstone(self, id: str, *, by: str, reason: str) -> Lift:  # noqa: A002 - the field's own name, as everywhere
        """Allow erased content to be told again; that it was allowed stays on record.

        Args:
            id: The tombstone, as the error of a refused write names it.
            by: Who allows it.
            reason: Why; never the text of a memory.

        Raises:
            NotFoundError: No tombstone in force has that id.
            ValidationError: Name or reason are missing.
        """
        actor = Actor(by=by, reason=reason)
        lift = erasing.lift(self._core, self._runtime, as_name("id", id), actor).lift
        assert lift is not None  # noqa: S101 - that is what lifting is
        return lift

    def tombstones(self, *, after: int = 0, limit: int | None = None) -> Sequence[KeptTombstone]:
        """The tombstones that apply to this bank, lifted ones among them, as they came or changed.

        Args:
            after: Only those of a higher number, such as that of the last one seen; 0 for all.
            limit: Most that are given, from 1; all if left out.

        Raises:
            ValidationError: No number, or none from 1.
        """
        most = None if limit is None else as_count("limit", limit)
        first = as_count("after", after, least=0)
        return tuple(islice(erasing.tombstones(self._core, self._runtime, first), most))
