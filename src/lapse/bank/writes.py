"""The verbs that put memories in.

Decides their signatures. Refuses arithmetic, SQL and rules.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Unpack

from lapse.bank.base import HOST, BankBase
from lapse.engine import writing
from lapse.engine.embedding import Progress, no_progress
from lapse.engine.requests import (
    read_target,
    read_told,
)
from lapse.engine.results import Remembered
from lapse.intake.drafts import DraftFields, RevisionFields, read_draft, read_drafts
from lapse.intake.messages import drafts_of_messages
from lapse.model.verbs import Verb


class Writes(BankBase):
    """Remember, ingest, update."""

    def remember(self, text: str, *, by: str = HOST, **fields: Unpack[DraftFields]) -> Remembered:
        """Store one memory, or recognise it as told again.

        The same text, or the same value under the same key, told again is `reconfirmed` and makes
        no second row; another value under the key supersedes. The same `id` with the same content
        is `unchanged`, so a retry is safe.

        Args:
            text: What to remember.
            by: Who tells it, for the journal.
            fields: See `DraftFields`.

        Raises:
            ValidationError: Every fault of the input at once.
            ConflictError: The id exists with other content.
            NotFoundError: `derived_from` names a memory that does not exist.
        """
        draft = read_told(lambda: read_draft({"text": text, **fields}, self._limit), by)
        return self._write(Verb.REMEMBER, [draft], by, no_progress)[0]

    def remember_many(
        self,
        drafts: Iterable[Mapping[str, object]],
        *,
        by: str = HOST,
        progress: Progress = no_progress,
    ) -> Sequence[Remembered]:
        """Store many memories in order, a transaction for every 1,000.

        Args:
            drafts: Mappings with `text` and any of `DraftFields`.
            by: Who tells it, for the journal.
            progress: Called with (done, total).

        Raises:
            ValidationError: Faults by position, such as `[3].importance`; nothing was stored.
            ConflictError: An id exists with other content; the transactions before it stand.
            NotFoundError: `derived_from` names a memory that does not exist; the same holds.
        """
        read = read_told(lambda: read_drafts(drafts, self._limit), by)
        return self._write(Verb.REMEMBER_MANY, read, by, progress)

    def ingest(
        self,
        messages: Iterable[Mapping[str, object]],
        *,
        session: str | None = None,
        by: str = HOST,
        progress: Progress = no_progress,
    ) -> Sequence[Remembered]:
        """Store a chat log: `{role, content, at}` messages become memories, in order.

        Raises:
            ValidationError: Faults by position; nothing was stored.
        """
        kind = self._runtime.rule.policy.memory.ingest_kind
        drafts = read_told(
            lambda: drafts_of_messages(
                messages, session=session, kind=kind, max_text_bytes=self._limit
            ),
            by,
        )
        return self._write(Verb.INGEST, drafts, by, progress)

    def update(
        self,
        id: str,  # noqa: A002 - the field's own name, as everywhere
        *,
        if_version: int | None = None,
        by: str = HOST,
        **fields: Unpack[RevisionFields],
    ) -> Remembered:
        """Write a new content version; the old ones stay for `as_of`. Strength stays as it is.

        Args:
            id: The memory.
            if_version: Content version you have read; another one stored is a conflict.
            by: Who changes it, for the journal.
            fields: New values; None empties a field. See `RevisionFields`.

        Raises:
            NotFoundError: No such memory.
            VersionConflictError: It has another version than `if_version`.
            ValidationError: Every fault of the input at once.
        """
        target = read_target(id, if_version)
        told = writing.write_revision(
            self._core, self._runtime, self._writing(Verb.UPDATE, by), target, fields, if_version
        )
        return self._read_back(told.outcomes, {}, told)[0]
