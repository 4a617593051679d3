"""A bank: the memories of one person, team or agent, with a policy of their own.

This is the façade that a user holds. Every verb reads its input, hands it to the engine and gives
back a value. Decides the signatures. Refuses arithmetic, SQL and rules.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Unpack

from lapse.engine import overlaying, reading, recalling, upkeep, using, writing
from lapse.engine.candidates import read_candidates, read_query_vector
from lapse.engine.core import Core
from lapse.engine.embedding import Progress, no_progress, rebuild
from lapse.engine.governing import set_policy
from lapse.engine.reading import Stats
from lapse.engine.recalling import Asked, Why
from lapse.engine.requests import (
    RANK_FILTERS,
    RECALL_FILTERS,
    WHY_FILTERS,
    Overrides,
    read_scope,
    read_target,
    read_told,
    request_of,
)
from lapse.engine.results import Remembered, remembered
from lapse.engine.runtime import BankRuntime
from lapse.engine.untyped import as_given, as_name, as_names
from lapse.engine.upkeep import Upkeep
from lapse.engine.using import Reflection, UseReport
from lapse.engine.writing import Writing
from lapse.intake.drafts import DraftFields, RevisionFields, read_draft, read_drafts
from lapse.intake.messages import drafts_of_messages
from lapse.lifecycle import marks
from lapse.model.changeset import Action, Record
from lapse.model.instants import InstantLike
from lapse.model.memory import BankRef, Draft, JsonValue, Kind
from lapse.model.paging import Listing, Page
from lapse.model.policy_layers import Resolved
from lapse.model.query import AsOf, Candidate, NumberRow, Recall
from lapse.model.retention import UseSource
from lapse.model.verbs import Verb

HOST = "host"
"""The actor when the caller names none."""


class Bank:
    """One bank of one tenant. Thread-safe; cheap to make, so it need not be kept.

    Nothing is written before the first verb that writes.
    """

    def __init__(self, core: Core, ref: BankRef) -> None:
        """Name the bank; `Lapse.bank` does this."""
        self.ref = ref
        self._core = core

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
        outcome = writing.write_revision(
            self._core, self._runtime, self._writing(Verb.UPDATE, by), target, fields, if_version
        )
        return remembered(self._core, self._runtime, [outcome])[0]

    def recall(
        self,
        query: str,
        *,
        kinds: Iterable[Kind | str] = (),
        session: str | None = None,
        subject: str | None = None,
        tags: Iterable[str] = (),
        metadata: Mapping[str, JsonValue] | None = None,
        as_of: AsOf | None = None,
        **overrides: Unpack[Overrides],
    ) -> Recall:
        """What comes to mind for a question, what does not, and why.

        Args:
            query: The question; its punctuation is plain text.
            kinds: Only these kinds; none for all.
            session: The current session.
            subject: Only memories about exactly this.
            tags: Only memories that carry all of these.
            metadata: Only memories whose metadata holds these values.
            as_of: The two times to ask at; None for now.
            overrides: What this request lays over the policy. See `Overrides`.

        Raises:
            ValidationError: A blank or over-long query, an unknown kind.
            PolicyError: An override out of range, or a mode above the one in force.
        """
        scope = read_scope(kinds, session, subject, tags, metadata)
        asked = Asked(
            query=query,
            scope=scope,
            as_of=as_given("as_of", as_of, AsOf()),
            overrides=request_of(overrides, beside=RECALL_FILTERS),
        )
        return recalling.answer(self._core, self._runtime, asked)

    def why(
        self,
        query: str,
        id: str,  # noqa: A002 - the field's own name, as everywhere
        *,
        session: str | None = None,
        as_of: AsOf | None = None,
        **overrides: Unpack[Overrides],
    ) -> Why:
        """Why one memory is or is not among the answers to a question.

        Raises:
            NotFoundError: No such memory in this bank.
        """
        scope = read_scope((), session, None, (), None)
        asked = Asked(
            query=query,
            scope=scope,
            as_of=as_given("as_of", as_of, AsOf()),
            overrides=request_of(overrides, beside=WHY_FILTERS),
        )
        return recalling.explain(self._core, self._runtime, asked, as_name("id", id))

    def rank(
        self,
        candidates: Iterable[Candidate | Mapping[str, object]],
        *,
        query: str,
        query_vector: Sequence[float] | NumberRow | None = None,
        session: str | None = None,
        **overrides: Unpack[Overrides],
    ) -> Recall:
        """Lapse beside another store: order what it found by relevance and strength.

        States are kept under the candidates' own ids and dated from their own `created_at`. A bank
        first made this way starts in mode `observe`, and the result says so.

        Args:
            candidates: `Candidate`s, or mappings with at least `id` and `text`. Vectors are best
                given as NumPy arrays: they are not copied.
            query: The question they were found for.
            query_vector: Its vector in the other store's space; then the candidates' own `vector`s
                are compared with it, whatever their lengths, and nothing is embedded.
            session: The current session.
            overrides: What this request lays over the policy. See `Overrides`.

        Raises:
            ValidationError: Faults of the candidates by position, repeated ids among them; a
                query vector that is no list of finite numbers.
        """
        asked = Asked(
            query=query,
            scope=read_scope((), session, None, (), None),
            overrides=request_of(overrides, beside=RANK_FILTERS),
            vector=read_query_vector(query_vector),
        )
        return overlaying.rank(self._core, self._runtime, asked, read_candidates(candidates))

    def used(
        self,
        ids: Iterable[str],
        *,
        source: UseSource | str = UseSource.CITED,
        recall: str | None = None,
        event_id: str | None = None,
        at: InstantLike | None = None,
    ) -> UseReport:
        """Report that memories were used: the evidence that makes them stronger.

        The events are durable when this returns; folding them into strengths follows off the path.
        The same report twice counts once.

        Args:
            ids: What was used.
            source: What it is evidence of; `rejected` is evidence against.
            recall: Id of the recall it answers.
            event_id: Your own name for the event, for retries.
            at: When it happened; now if left out, and never later.

        Raises:
            NotFoundError: Some ids are not in this bank; nothing was counted.
            ValidationError: An unknown source.
        """
        use = using.read_use(self._core, ids, source, recall=recall, event_id=event_id, at=at)
        return using.report_uses(self._core, self._runtime, [use])

    @contextmanager
    def reflect(self, *, limit: int | None = None) -> Iterator[Reflection]:
        """Collect what an answer cites, and count it once, only if the block succeeds.

        Args:
            limit: Most memories that one reflection reinforces; the policy's if left out.

        Raises:
            NotFoundError: On leaving the block: some ids are not in this bank; nothing was counted.
            ValidationError: `limit` is below 1.
        """
        policy = self._runtime.rule.policy.reinforcement
        reflection = Reflection(
            limit=policy.reflect_limit if limit is None else limit,
            occasion=self._core.parts.new_id(self._core.now()),
        )
        yield reflection
        using.report_uses(self._core, self._runtime, using.collected_uses(self._core, reflection))

    def get(self, id: str) -> Record:  # noqa: A002 - the field's own name, as everywhere
        """One memory with its state, whatever its lifecycle. Looking changes nothing.

        Raises:
            NotFoundError: No such memory in this bank.
        """
        return reading.fetch(self._core, self._runtime, [as_name("id", id)])[0]

    def list(self, listing: Listing | None = None) -> Page:
        """Memories page by page, in the order they were stored; stable while others write."""
        return self._core.page(self.ref, as_given("listing", listing, Listing()))

    def pin(self, ids: Iterable[str], *, by: str = HOST) -> int:
        """Keep memories from fading. Returns how many were not pinned before."""
        return self._mark(Verb.PIN, ids, marks.pin, by, None)

    def unpin(self, ids: Iterable[str], *, by: str = HOST) -> int:
        """Let memories fade again. Returns how many were pinned before."""
        return self._mark(Verb.UNPIN, ids, marks.unpin, by, None)

    def exempt(self, ids: Iterable[str], *, reason: str | None, by: str = HOST) -> int:
        """Keep memories from fading for a stated reason; None ends the exemption."""
        return self._mark(Verb.EXEMPT, ids, marks.exempt_for(reason), by, reason)

    def verify_outcome(
        self, ids: Iterable[str], *, reason: str | None = None, by: str = HOST
    ) -> int:
        """Record that what the memories say came true: importance 1, and no fading."""
        return self._mark(Verb.VERIFY_OUTCOME, ids, marks.verify, by, reason)

    def policy(self) -> Resolved:
        """The policy in force, with the origin of every setting."""
        self._runtime.follow()
        return self._runtime.rule.resolved

    def set_policy(self, diff: Mapping[str, JsonValue], *, by: str = HOST) -> Resolved:
        """Change the bank's policy by a diff; a blank value is inherited again.

        Raises:
            PolicyError: Every fault of the result; the previous policy stays in force.
        """
        return set_policy(self._core, self._runtime, diff, by)

    def stats(self) -> Stats:
        """What can be counted about the bank."""
        return reading.count(self._core, self._runtime)

    def drain(self, *, progress: Progress = no_progress) -> Upkeep:
        """Do all that waits off the path: fold in uses, date, embed."""
        return upkeep.keep_up_whole(self._core, self._runtime, progress)

    def reembed(self, *, progress: Progress = no_progress) -> int:
        """Make every vector anew with the configured embedder. Returns how many were made.

        Recall goes on meanwhile; interrupted, it goes on where it stopped.

        Raises:
            EmbedderError: No embedder is configured, or it gave up.
        """
        return rebuild(self._core, self._runtime, progress)

    def doctor(self) -> Sequence[str]:
        """One sentence for each thing that contradicts another; none when all is well."""
        return reading.diagnose(self._core, self._runtime)

    @property
    def _runtime(self) -> BankRuntime:
        return self._core.runtime(self.ref)

    @property
    def _limit(self) -> int:
        return self._runtime.rule.policy.memory.max_text_bytes

    def _writing(self, verb: Verb, by: str, reason: str | None = None) -> Writing:
        return Writing(verb=verb, now=self._core.now(), by=by, reason=reason)

    def _write(
        self, verb: Verb, drafts: Sequence[Draft], by: str, progress: Progress
    ) -> Sequence[Remembered]:
        told = writing.write_drafts(
            self._core, self._runtime, self._writing(verb, by), drafts, progress
        )
        return remembered(self._core, self._runtime, told.outcomes, told.written)

    def _mark(
        self, verb: Verb, ids: Iterable[str], mark: marks.Mark, by: str, reason: str | None
    ) -> int:
        told = self._writing(verb, by, reason)
        outcomes = writing.write_mark(self._core, self._runtime, told, as_names("ids", ids), mark)
        return sum(each.action is Action.UPDATED for each in outcomes)
