"""Preparing a write: what drafts become if they are new, and what every write is journalled as.

Decides what a transaction that tells something must read, and the rules that judging is handed.
Refuses to judge and to commit.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from lapse.engine.core import Core, check_actor, facets_of
from lapse.engine.embedding import vectors_for
from lapse.engine.rating import rated
from lapse.engine.runtime import BankRuntime, Rule
from lapse.intake.composing import Additions, Setting, compose
from lapse.intake.judging import Prepared, Rules
from lapse.lifecycle.moving import Move, told_again
from lapse.lifecycle.reinforcement import too_late
from lapse.lifecycle.uses import event_id_of
from lapse.model.changeset import Changes
from lapse.model.instants import Instant
from lapse.model.journal import JournalDraft
from lapse.model.memory import Draft, Memory
from lapse.model.outcome import Outcome
from lapse.model.retention import UNDATED, Dates, RetentionState
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View
from lapse.reflection.corroborating import proved
from lapse.truth.supersession import settle

TOLD_AGAIN = "told again"
"""Why a memory is active again that somebody with the right to say so told again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """One call of a writing verb: which, when, by whom."""

    verb: Verb
    now: Instant
    by: str
    reason: str | None = None

    def __post_init__(self) -> None:
        check_actor(self.by, self.reason)


def rules_of(runtime: BankRuntime, writing: Writing) -> Rules:
    """What judging is told from outside."""
    rule = runtime.rule
    return Rules(
        now=writing.now,
        by=writing.by,
        policy=rule.policy,
        settle=settle,
        event_id=lambda memory_id, source, at: event_id_of(memory_id, source, str(at)),
        too_late=partial(_too_late, rule, writing.now),
        bring_back=partial(
            told_again,
            move=Move(at=writing.now, by=writing.by, reason=TOLD_AGAIN),
            grace_days=rule.policy.retention.grace_days,
        ),
        prove=proved,
    )


def stamped(runtime: BankRuntime, view: View, changes: Changes) -> Changes:
    """The changes, noting in a bank's first write what its strengths and its terms come from."""
    if changes.empty or (view.bank.law and view.bank.tokeniser):
        return changes
    bank = changes.bank or view.bank
    law, tokeniser = bank.law or runtime.rule.stamp, bank.tokeniser or runtime.tokeniser.id
    return replace(changes, bank=replace(bank, law=law, tokeniser=tokeniser))


def prepare(
    core: Core, runtime: BankRuntime, now: Instant, drafts: Sequence[Draft]
) -> tuple[list[Prepared], str]:
    """The records that the drafts become if they are new, and why some have no vector."""
    rule = runtime.rule
    texts = [each.text for each in drafts]
    facets = facets_of(runtime, texts)
    embedded = vectors_for(core, runtime, texts)
    ratings = rated(core, runtime, drafts, facets)
    # Dating one by one would take most of the time of a long batch.
    setting = Setting(ref=runtime.ref, now=now, policy=rule.policy, law=rule.law, dating=_undated)
    records = [
        compose(
            setting,
            draft,
            one,
            Additions(
                memory_id=core.parts.new_id(now) if draft.id is None else draft.id,
                salt=core.parts.entropy(16),
                vector=vector,
                rating=rating,
            ),
        )
        for draft, one, vector, rating in zip(
            drafts, facets, embedded.vectors, ratings, strict=True
        )
    ]
    dates = rule.date_each([(each.memory, each.state) for each in records])
    prepared = [
        Prepared(draft=draft, record=replace(each, state=each.state.dated(due)))
        for draft, each, due in zip(drafts, records, dates, strict=True)
    ]
    return prepared, embedded.trouble


def _undated(_memory: Memory, _state: RetentionState) -> Dates:
    return UNDATED


def reads_of(prepared: Sequence[Prepared]) -> Reads:
    """What judging these drafts must see."""
    ids = [each.record.memory.id for each in prepared]
    sources = [one for each in prepared for one in each.draft.derived_from]
    keys = [each.draft.key for each in prepared if each.draft.key is not None]
    return Reads(
        ids=tuple(dict.fromkeys([*ids, *sources])),
        fingerprints=tuple(dict.fromkeys(each.record.memory.fingerprint for each in prepared)),
        keys=tuple(dict.fromkeys(keys)),
    )


def reads_of_told(core: Core, runtime: BankRuntime, prepared: Sequence[Prepared]) -> Reads:
    """`reads_of`, and the sources of observations that are told again from others."""
    reads = reads_of(prepared)
    derived = [each.record.memory.fingerprint for each in prepared if each.draft.derived_from]
    if not derived:
        return reads
    snapshot = runtime.refresh()
    known = [each for each in map(snapshot.id_with, derived) if each is not None]
    sources = [one for each in core.contents(runtime.ref, known) for one in each.derived_from]
    return replace(reads, ids=tuple(dict.fromkeys((*reads.ids, *sources))))


def journalled(core: Core, writing: Writing, changes: Changes) -> Changes:
    """The changes with their entry in the journal; nothing is written of nothing."""
    if changes.empty:
        return changes
    touched = [each.memory.id for each in changes.created]
    touched += [each.memory.id for each in changes.revised]
    touched += [each.id for each in changes.amended]
    touched += [memory_id for memory_id, _ in changes.states]
    counts = _counts(changes.outcomes)
    salt = b"" if writing.reason is None else core.parts.entropy(16)
    draft = JournalDraft(
        verb=writing.verb,
        at=writing.now,
        by=writing.by,
        memory_ids=tuple(dict.fromkeys(touched)),
        counts=counts,
        reason=writing.reason,
        reason_salt=salt,
    )
    return replace(changes, journal=draft)


def _counts(outcomes: Sequence[Outcome]) -> tuple[tuple[str, int], ...]:
    tally: dict[str, int] = {}
    for each in outcomes:
        tally[each.action.value] = tally.get(each.action.value, 0) + 1
    return tuple(sorted(tally.items()))


def _too_late(rule: Rule, now: Instant, at: Instant) -> bool:
    return too_late(at, now, rule.policy.reinforcement.event_horizon_days)
