"""Telling drafts to the in-memory store, the way the engine does, without an engine.

Decides nothing of intake: it composes, hands the judge to a store's transaction, and shows what is
stored afterwards.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from lapse.intake.composing import Additions, Setting, compose, rating_by_caller
from lapse.intake.drafts import read_draft
from lapse.intake.judging import Intake, Prepared, Rules
from lapse.intake.revising import Revision, judge_revision
from lapse.laws import law_for
from lapse.lifecycle.dating import dates
from lapse.lifecycle.moving import Move, told_again
from lapse.lifecycle.reinforcement import too_late
from lapse.lifecycle.uses import event_id_of
from lapse.model.changeset import Changes, ChangeSet
from lapse.model.instants import Instant
from lapse.model.journal import JournalDraft
from lapse.model.memory import Draft, TextFacets
from lapse.model.outcome import Outcome
from lapse.model.policy import Policy
from lapse.model.record import Record
from lapse.model.retention import Lifecycle, RetentionState, UseEvent
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View
from lapse.reflection.corroborating import proved
from lapse.stores.memory import MemoryStore
from lapse.testing.fakes import ALICE, START, SequentialIds, writes
from lapse.text.fingerprints import fingerprint
from lapse.truth.supersession import alone, settle

LIMIT = 64 * 1024


class Teller:
    """A bank that is told things, at an instant that the test sets."""

    def __init__(self, policy: Policy | None = None) -> None:
        self.store = MemoryStore()
        self.policy = policy or Policy()
        self.law = law_for(self.policy.law)
        self.now = START
        self._ids = SequentialIds()

    def tell(self, *drafts: Mapping[str, object]) -> list[Outcome]:
        """Tell all drafts in one transaction."""
        return self.take([read_draft(each, LIMIT) for each in drafts])

    def take(self, drafts: Sequence[Draft]) -> list[Outcome]:
        """Tell drafts that were read already, in one transaction."""
        prepared = [self._prepared(each) for each in drafts]
        rules = Rules(
            now=self.now,
            by="test",
            policy=self.policy,
            settle=settle,
            event_id=lambda name, source, at: event_id_of(name, source, str(at)),
            too_late=self._too_late,
            bring_back=partial(
                told_again,
                move=Move(at=self.now, by="test", reason="told again"),
                grace_days=self.policy.retention.grace_days,
            ),
            prove=proved,
        )

        def judge(view: View) -> Changes:
            changes = Intake(rules, view).take(prepared)
            entry = JournalDraft(verb=Verb.REMEMBER, at=self.now, by="test")
            return changes if changes.empty else replace(changes, journal=entry)

        change = ChangeSet(
            verb=Verb.REMEMBER, ref=ALICE, now=self.now, reads=_reads(prepared), judge=judge
        )
        return list(self.store.commit(change).changes.outcomes)

    def revise(
        self, memory_id: str, fields: Mapping[str, object], if_version: int | None = None
    ) -> list[Outcome]:
        """Write a new content version, as `update` does."""
        revision = Revision(
            memory_id=memory_id,
            fields=fields,
            if_version=if_version,
            now=self.now,
            max_text_bytes=LIMIT,
        )

        def judge(view: View) -> Changes:
            changes = judge_revision(
                revision,
                view,
                settle=settle,
                alone=alone,
                facets=facets_of,
                date=self.setting.dating,
            )
            entry = JournalDraft(verb=Verb.UPDATE, at=self.now, by="test")
            return changes if changes.empty else replace(changes, journal=entry)

        keys = {each.memory.key for each in self.store.get(ALICE, [memory_id])}
        named = sorted(filter(None, [*keys, fields.get("key")]), key=str)
        reads = revision.reads(map(str, named))
        change = ChangeSet(verb=Verb.UPDATE, ref=ALICE, now=self.now, reads=reads, judge=judge)
        return list(self.store.commit(change).changes.outcomes)

    def stored(self) -> list[Record]:
        """Every memory with its state, in order of internal number."""
        ids = self.store.changes(ALICE, 0).content.ids
        return self.store.get(ALICE, ids)

    def record(self, memory_id: str) -> Record:
        """One memory with its state."""
        return self.store.get(ALICE, [memory_id])[0]

    def events(self) -> list[UseEvent]:
        """Every event enqueued so far."""
        return self.store.events(ALICE, self.store.changes(ALICE, 0).content.ids)

    def put_state(self, memory_id: str, **changes: object) -> RetentionState:
        """Overwrite fields of a state, as a verb of another issue would."""
        state = replace(self.record(memory_id).state, **changes)  # type: ignore[arg-type]  # named by the test
        self.store.commit(writes(Changes(states=((memory_id, state),)), now=self.now))
        return state

    def suppress(self, memory_id: str) -> RetentionState:
        """Suppress a memory."""
        return self.put_state(memory_id, lifecycle=Lifecycle.SUPPRESSED)

    def retract(self, memory_id: str) -> None:
        """Retract a memory at the present instant."""
        memory = replace(self.record(memory_id).memory, recorded_to=self.now)
        self.store.commit(writes(Changes(amended=(memory,)), now=self.now))

    def lose_state(self, memory_id: str) -> None:
        """Lose a memory's state, as no verb ever does."""
        rows = self.store._banks[ALICE].rows
        rows[memory_id] = replace(rows[memory_id], state=None)

    @property
    def setting(self) -> Setting:
        """What composing is told."""
        dating = partial(dates, self.law, self.policy)
        return Setting(ref=ALICE, now=self.now, policy=self.policy, law=self.law, dating=dating)

    def _prepared(self, draft: Draft) -> Prepared:
        memory_id = self._ids(self.now) if draft.id is None else draft.id
        facets = facets_of(draft.text)
        record = compose(
            self.setting,
            draft,
            facets,
            Additions(memory_id=memory_id, salt=b"salt", rating=rating_by_caller(draft)),
        )
        return Prepared(draft=draft, record=record)

    def _too_late(self, at: Instant) -> bool:
        return too_late(at, self.now, self.policy.reinforcement.event_horizon_days)


def facets_of(text: str) -> TextFacets:
    """Facets with the real fingerprint."""
    words = tuple(text.lower().split())
    return TextFacets(
        terms=words, fingerprint=fingerprint(text), distinctions=b"", word_count=len(words)
    )


def _reads(prepared: Sequence[Prepared]) -> Reads:
    return Reads(
        ids=tuple(
            dict.fromkeys(
                name
                for each in prepared
                for name in (each.record.memory.id, *each.draft.derived_from)
            )
        ),
        fingerprints=tuple(dict.fromkeys(each.record.memory.fingerprint for each in prepared)),
        keys=tuple(dict.fromkeys(each.draft.key for each in prepared if each.draft.key)),
    )
