"""Consolidating: when a session has gathered enough, one memory is derived from it, off the path.

Decides the order: look what is due, note that a pass is scheduled, have a summary made outside any
transaction, and store it only if the bank is then what it was read as. So a crossing is
consolidated once, whatever other processes do: whoever comes second finds the bank moved on, and
its sessions considered. A lease spares them the double work. Refuses to choose what is said
(`reflection`), and to leave a session waiting for a model that does not answer: after some failures
the built-in summary is made.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from lapse.engine.core import SYSTEM, Core
from lapse.engine.gathered import Work, look
from lapse.engine.preparing import Writing, prepare, reads_of, rules_of, stamped
from lapse.engine.runtime import BankRuntime
from lapse.engine.summaries import Made, Proved, summary_of
from lapse.errors import TombstonedError
from lapse.intake.judging import Intake, Prepared
from lapse.lifecycle.uses import event_id_of
from lapse.model.changeset import Changes
from lapse.model.consolidation import Consolidated, ConsolidationEnding
from lapse.model.instants import MINUTE, Instant
from lapse.model.journal import JournalDraft
from lapse.model.memory import Draft, Kind, Memory, Role
from lapse.model.outcome import Action
from lapse.model.policy import Mode
from lapse.model.retention import UseEvent, UseSource
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View
from lapse.ports import Leasing
from lapse.reflection.corroborating import corroborated, proofs
from lapse.reflection.ledger import ATTEMPTS, DONE, FAILED, SCHEDULED

PASSES_AT_ONCE: Final = 20
"""Sessions consolidated by one round of upkeep; what is left waits for the next."""

TRIES: Final = 20
"""How often a write is prepared anew because another came between."""

LEASE: Final = "consolidate"
LEASE_SPAN: Final = 10 * MINUTE
"""After that a bank is free again whose worker died."""

SOURCE: Final = "reflection"
"""What a memory made by a pass names as its source."""


def consolidate_due(core: Core, runtime: BankRuntime, limit: int | None) -> list[Consolidated]:
    """Consolidate what is due, if the policy asks for it. Upkeep does this."""
    if not runtime.rule.policy.reflection.enabled:
        return []
    writing = Writing(verb=Verb.CONSOLIDATE, now=core.now(), by=SYSTEM)
    done = _Passes(core, runtime, writing).run(limit)
    if limit is not None and len(done) == limit:
        core.parts.wake()
    return done


def consolidate(
    core: Core, runtime: BankRuntime, writing: Writing, session: str | None
) -> list[Consolidated]:
    """Consolidate what is due, or one session whatever it has gathered, now."""
    runtime.follow()
    if runtime.bank is None:
        return []
    passes = _Passes(core, runtime, writing)
    return passes.run(None) if session is None else passes.run_one(session)


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    """What a pass writes.

    Attributes:
        prepared: The memory it makes, if any.
        amended: Observations with their further proof.
        events: The evidence.
        counts: What the journal is told.
    """

    prepared: tuple[Prepared, ...]
    amended: tuple[Memory, ...]
    events: tuple[UseEvent, ...]
    counts: dict[str, int]


class _Passes:
    """The passes of one round over one bank."""

    def __init__(self, core: Core, runtime: BankRuntime, writing: Writing) -> None:
        self._core = core
        self._runtime = runtime
        self._writing = writing
        self._holder = core.parts.new_id(writing.now)
        self._seen: set[str] = set()

    def run(self, limit: int | None) -> list[Consolidated]:
        """Consolidate what is due, a session at a time, at most so many."""
        return self._leased(lambda: list(self._each(limit)))

    def run_one(self, session: str) -> list[Consolidated]:
        """Consolidate one session, whatever it has gathered."""
        return self._leased(lambda: list(self._named(session)))

    def _leased(self, act: Callable[[], list[Consolidated]]) -> list[Consolidated]:
        store, now, ref = self._core.parts.store, self._core.now(), self._runtime.ref
        if not isinstance(store, Leasing):
            return act()
        if not store.take_lease(ref, LEASE, self._holder, now=now, until=Instant(now + LEASE_SPAN)):
            return []
        try:
            return act()
        finally:
            store.leave_lease(ref, LEASE, self._holder)

    def _each(self, limit: int | None) -> Iterator[Consolidated]:
        done = 0
        while limit is None or done < limit:
            work = self._next()
            if work is None:
                return
            yield self._pass(work)
            done += 1

    def _named(self, session: str) -> Iterator[Consolidated]:
        work = look(self._core, self._runtime).of(session)
        if work is not None:
            yield self._pass(work)

    def _next(self) -> Work | None:
        """The first session that is due and was not refused a pass in this round."""
        threshold = self._runtime.rule.policy.reflection.threshold
        waiting = look(self._core, self._runtime)
        for work in waiting.due(threshold):
            until = waiting.ledger.waits_until(work.rows)
            if work.session not in self._seen and (until is None or until <= waiting.now):
                return work
        return None

    def _pass(self, work: Work) -> Consolidated:
        core, runtime = self._core, self._runtime
        waiting = look(core, runtime)
        if not waiting.ledger.announced(work.rows):
            self._note(work, {SCHEDULED: 1})
        given_up = waiting.ledger.attempts(work.rows) >= ATTEMPTS
        generate = None if given_up else core.parts.generate
        made = summary_of(core, runtime, waiting, work, generate)
        if made is None:
            self._seen.add(work.session)
            self._note(work, {FAILED: 1})
            return self._told(work, ConsolidationEnding.FAILED)
        return self._store(work, made)

    def _store(self, work: Work, made: Made) -> Consolidated:
        for _ in range(TRIES):
            waiting = look(self._core, self._runtime)
            again = waiting.of(work.session)
            if again is None or again.ids[: len(work.ids)] != work.ids or not made.holds(again):
                break
            product = self._product(work, made)
            try:
                done = self._commit(work, product, waiting.snapshot.revision)
            except TombstonedError:
                made = made.refused_whole()
                continue
            if done is not None:
                return self._told_of(work, made, product, done)
        self._seen.add(work.session)
        return self._told(work, ConsolidationEnding.LEFT)

    def _product(self, work: Work, made: Made) -> Product:
        now = self._writing.now
        drafts = [] if made.summary is None else [_draft(work, made.summary.text, made.sources)]
        prepared, _ = prepare(self._core, self._runtime, now, drafts)
        events = [each for one in made.proved for each in self._evidence(one)]
        counts = {
            DONE: 1,
            "read": len(work.memories),
            "derived": len(prepared),
            "corroborated": len(made.proved),
            "refused_tombstone": made.refused,
            made.summarised_by.value: 1,
        }
        return Product(
            prepared=tuple(prepared),
            amended=tuple(corroborated(one.observation, one.by) for one in made.proved),
            events=tuple(events),
            counts={name: count for name, count in counts.items() if count},
        )

    def _evidence(self, proved: Proved) -> Iterator[UseEvent]:
        policy = self._runtime.rule.policy
        if policy.forgetting.effective_mode is Mode.OFF or not policy.reinforcement.enabled:
            return
        now, told = self._writing.now, proved.observation.id
        for each in proved.by:
            yield UseEvent(
                event_id=event_id_of(told, UseSource.EVIDENCE, each.id),
                memory_id=told,
                source=UseSource.EVIDENCE,
                weight=policy.reinforcement.weight_evidence,
                at=now,
                enqueued_at=now,
            )

    def _commit(self, work: Work, product: Product, revision: int) -> Action | None:
        """Store it, unless the bank has moved on since. Says what became of the memory."""
        rules = rules_of(self._runtime, self._writing)
        stored: list[Action] = []

        def judge(view: View) -> Changes:
            if view.bank.revision != revision:
                return Changes()
            changes = Intake(rules, view).take(product.prepared)
            stored.extend(each.action for each in changes.outcomes)
            made = [each.memory.id for each in changes.created]
            gained = [each.id for each in product.amended]
            journal = self._entry([*work.ids, *made, *gained], product.counts)
            written = replace(
                changes,
                amended=(*changes.amended, *product.amended),
                enqueued=(*changes.enqueued, *product.events),
                # The bank's own record, as it is: an entry alone would be nothing to write.
                bank=changes.bank or view.bank,
                journal=journal,
            )
            return stamped(self._runtime, view, written)

        reads = _reads(work, product)
        committed = self._core.commit(
            Verb.CONSOLIDATE, self._runtime.ref, self._writing.now, reads, judge
        )
        if committed.journal_seq is None:
            return None
        return stored[0] if stored else Action.UNCHANGED

    def _note(self, work: Work, counts: dict[str, int]) -> None:
        """Journal a stage of a pass; nothing else changes."""
        entry = self._entry(work.ids, counts)

        def judge(view: View) -> Changes:
            known = tuple(each for each in work.ids if each in view.records)
            return Changes(bank=view.bank, journal=replace(entry, memory_ids=known))

        self._core.commit(
            Verb.CONSOLIDATE, self._runtime.ref, self._writing.now, Reads(ids=work.ids), judge
        )

    def _entry(self, ids: Sequence[str], counts: dict[str, int]) -> JournalDraft:
        return JournalDraft(
            verb=Verb.CONSOLIDATE,
            at=self._writing.now,
            by=self._writing.by,
            memory_ids=tuple(dict.fromkeys(ids)),
            counts=tuple(sorted(counts.items())),
        )

    def _told_of(self, work: Work, made: Made, product: Product, done: Action) -> Consolidated:
        self._core.parts.wake()
        record = product.prepared[0].record if product.prepared else None
        new = done is Action.CREATED and record is not None
        ending = ConsolidationEnding.DERIVED if new else ConsolidationEnding.NOTHING
        if record is None and made.refused:
            ending = ConsolidationEnding.REFUSED
        return replace(
            self._told(work, ending),
            memory_id=record.memory.id if new and record is not None else None,
            sources=len(record.memory.derived_from) if new and record is not None else 0,
            corroborated=len(product.amended),
            refused=made.refused,
            summarised_by=made.summarised_by,
        )

    def _told(self, work: Work, ending: ConsolidationEnding) -> Consolidated:
        return Consolidated(
            session=work.session, ending=ending, gathered=work.total, read=len(work.memories)
        )


def _reads(work: Work, product: Product) -> Reads:
    reads = reads_of(product.prepared)
    ids = (*reads.ids, *work.ids, *(each.id for each in product.amended))
    return replace(reads, ids=tuple(dict.fromkeys(ids)))


def _draft(work: Work, text: str, sources: Sequence[Memory]) -> Draft:
    """The memory that a pass makes: as sure as its least sure source, of all their proof."""
    subjects = {each.subject for each in sources}
    happened = [each.occurred_at for each in sources if each.occurred_at is not None]
    return Draft(
        text=text,
        kind=Kind.SEMANTIC,
        session=work.session,
        subject=subjects.pop() if len(subjects) == 1 else None,
        entities=tuple(dict.fromkeys(one for each in sources for one in each.entities)),
        role=Role.MODEL,
        source=SOURCE,
        occurred_at=max(happened, default=None),
        confidence=min(each.confidence for each in sources),
        proof_count=proofs(sources),
        derived_from=tuple(each.id for each in sources),
    )
