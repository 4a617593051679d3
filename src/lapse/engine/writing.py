"""Writing memories: remember, ingest, update, and the marks pin, exempt and verify.

Decides the order: read the drafts, prepare what each becomes, commit with the judge, and let the
vectors follow. Refuses the rules themselves (`intake`, `truth`, `lifecycle`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from lapse.engine.core import Core, check_actor, facets_of
from lapse.engine.embedding import (
    INLINE_LIMIT,
    WORDS_ONLY,
    Progress,
    epoch_due,
    fill_missing,
    move,
    vectors_for,
)
from lapse.engine.runtime import BankRuntime, Rule
from lapse.errors import EmbedderError
from lapse.intake.composing import Setting, compose
from lapse.intake.judging import Intake, Prepared, Rules
from lapse.intake.revising import Revision, judge_revision
from lapse.lifecycle.marks import Mark, judge_mark
from lapse.lifecycle.moving import Move, told_again
from lapse.lifecycle.reinforcement import too_late
from lapse.lifecycle.uses import event_id_of
from lapse.model.changeset import Action, Changes, Committed, Outcome, Reads, View
from lapse.model.instants import Instant
from lapse.model.journal import JournalDraft
from lapse.model.memory import Draft, Memory
from lapse.model.retention import UNDATED, Dates, RetentionState
from lapse.model.verbs import Verb
from lapse.truth.supersession import alone, settle

TOLD_AGAIN = "told again"
"""Why a memory is active again that somebody with the right to say so told again."""

BATCH = 1000
"""Drafts judged by one transaction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What became of drafts.

    Attributes:
        outcomes: One for each, in order.
        written: Memories that this created or changed, by id, as it left them.
    """

    outcomes: list[Outcome]
    written: Mapping[str, Memory]


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """What became of the epoch that was due, if one was.

    Attributes:
        moved: Whether the bank moved to it.
        trouble: Why it could not, or empty.
    """

    moved: bool = False
    trouble: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """One call of a writing verb: which, when, by whom."""

    verb: Verb
    now: Instant
    by: str
    reason: str | None = None

    def __post_init__(self) -> None:
        check_actor(self.by, self.reason)


def write_drafts(
    core: Core, runtime: BankRuntime, writing: Writing, drafts: Sequence[Draft], progress: Progress
) -> Told:
    """Store drafts in order, a transaction for every 1,000."""
    outcomes: list[Outcome] = []
    written: dict[str, Memory] = {}
    trouble = ""
    for start in range(0, len(drafts), BATCH):
        runtime.follow()
        part = drafts[start : start + BATCH]
        prepared, met = _prepare(core, runtime, writing.now, part)
        committed = _commit_prepared(core, runtime, writing, prepared)
        runtime.wrote(committed)
        outcomes.extend(committed.changes.outcomes)
        written.update((each.memory.id, each.memory) for each in committed.changes.created)
        written.update((each.id, each) for each in committed.changes.amended)
        trouble = met or trouble
        progress(start + len(part), len(drafts))
    single = writing.verb is Verb.REMEMBER
    followed = follow_epoch(core, runtime, limit=INLINE_LIMIT if single else None)
    core.parts.wake()
    # A move gives a vector to whatever lacked one.
    trouble = followed.trouble or ("" if followed.moved else trouble)
    return Told(outcomes=[_noted(each, trouble) for each in outcomes], written=written)


def follow_epoch(core: Core, runtime: BankRuntime, limit: int | None) -> Followed:
    """Move to the epoch that is due, unless the bank is larger than `limit`.

    A failing embedder changes nothing that was remembered: the move is tried again later.
    """
    runtime.follow()
    count = core.parts.store.count(runtime.ref)
    epoch = epoch_due(runtime.bank, core.parts.embedder, count)
    if epoch is None or (limit is not None and count > limit):
        return Followed()
    try:
        move(core, runtime, epoch)
    except EmbedderError as error:
        return Followed(trouble=WORDS_ONLY.format(error))
    return Followed(moved=True)


def write_revision(
    core: Core,
    runtime: BankRuntime,
    writing: Writing,
    memory_id: str,
    fields: Mapping[str, object],
    if_version: int | None,
) -> Outcome:
    """Write a new content version of one memory."""
    runtime.follow()
    rule = runtime.rule
    revision = Revision(
        memory_id=memory_id,
        fields=fields,
        if_version=if_version,
        now=writing.now,
        max_text_bytes=rule.policy.memory.max_text_bytes,
    )
    keys = _keys_of(core, runtime, memory_id, fields)

    def judge(view: View) -> Changes:
        changes = judge_revision(
            revision,
            view,
            settle=settle,
            alone=alone,
            facets=lambda text: facets_of(runtime, [text])[0],
            date=rule.date,
        )
        return _journalled(core, writing, changes)

    reads = revision.reads(keys)
    committed = core.commit(writing.verb, runtime.ref, writing.now, reads, judge)
    return _noted(committed.changes.outcomes[0], _embed_revised(core, runtime, committed))


def write_mark(
    core: Core, runtime: BankRuntime, writing: Writing, ids: tuple[str, ...], mark: Mark
) -> tuple[Outcome, ...]:
    """Put a mark on every memory named."""
    runtime.follow()
    rule = runtime.rule

    def judge(view: View) -> Changes:
        changes = judge_mark(ids, mark, rule.date, writing.now, view)
        return _journalled(core, writing, changes)

    committed = core.commit(writing.verb, runtime.ref, writing.now, Reads(ids=ids), judge)
    return committed.changes.outcomes


def _commit_prepared(
    core: Core, runtime: BankRuntime, writing: Writing, prepared: Sequence[Prepared]
) -> Committed:
    rule = runtime.rule
    rules = Rules(
        now=writing.now,
        policy=rule.policy,
        settle=settle,
        event_id=lambda memory_id, source, at: event_id_of(memory_id, source, str(at)),
        too_late=partial(_too_late, rule, writing.now),
        bring_back=partial(
            told_again,
            move=Move(at=writing.now, by=writing.by, reason=TOLD_AGAIN),
            grace_days=rule.policy.retention.grace_days,
        ),
    )

    def judge(view: View) -> Changes:
        changes = _journalled(core, writing, Intake(rules, view).take(prepared))
        return stamped(runtime, view, changes)

    return core.commit(writing.verb, runtime.ref, writing.now, _reads(prepared), judge)


def stamped(runtime: BankRuntime, view: View, changes: Changes) -> Changes:
    """The changes, noting in a bank's first write what its strengths and its terms come from."""
    if changes.empty or (view.bank.law and view.bank.tokeniser):
        return changes
    bank = changes.bank or view.bank
    law, tokeniser = bank.law or runtime.rule.stamp, bank.tokeniser or runtime.tokeniser.id
    return replace(changes, bank=replace(bank, law=law, tokeniser=tokeniser))


def _prepare(
    core: Core, runtime: BankRuntime, now: Instant, drafts: Sequence[Draft]
) -> tuple[list[Prepared], str]:
    """The records that the drafts become if they are new, and why some have no vector."""
    rule = runtime.rule
    texts = [each.text for each in drafts]
    facets = facets_of(runtime, texts)
    embedded = vectors_for(core, runtime, texts)
    # Dating one by one would take most of the time of a long batch.
    setting = Setting(ref=runtime.ref, now=now, policy=rule.policy, law=rule.law, dating=_undated)
    records = [
        compose(
            setting,
            draft,
            one,
            core.parts.new_id(now) if draft.id is None else draft.id,
            core.parts.entropy(16),
            vector,
        )
        for draft, one, vector in zip(drafts, facets, embedded.vectors, strict=True)
    ]
    dates = rule.date_each([(each.memory, each.state) for each in records])
    prepared = [
        Prepared(draft=draft, record=replace(each, state=each.state.dated(due)))
        for draft, each, due in zip(drafts, records, dates, strict=True)
    ]
    return prepared, embedded.trouble


def _undated(_memory: Memory, _state: RetentionState) -> Dates:
    return UNDATED


def _reads(prepared: Sequence[Prepared]) -> Reads:
    ids = [each.record.memory.id for each in prepared]
    sources = [one for each in prepared for one in each.draft.derived_from]
    keys = [each.draft.key for each in prepared if each.draft.key is not None]
    return Reads(
        ids=tuple(dict.fromkeys([*ids, *sources])),
        fingerprints=tuple(dict.fromkeys(each.record.memory.fingerprint for each in prepared)),
        keys=tuple(dict.fromkeys(keys)),
    )


def _journalled(core: Core, writing: Writing, changes: Changes) -> Changes:
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


def _keys_of(
    core: Core, runtime: BankRuntime, memory_id: str, fields: Mapping[str, object]
) -> tuple[str, ...]:
    stored = core.get(runtime.ref, [memory_id])
    keys = [each.memory.key for each in stored]
    wanted = fields.get("key")
    keys.append(wanted if isinstance(wanted, str) else None)
    return tuple(dict.fromkeys(each for each in keys if each is not None))


def _embed_revised(core: Core, runtime: BankRuntime, committed: Committed) -> str:
    """Give a new text its vector, or say why it has none."""
    if not any(each.action is Action.UPDATED for each in committed.changes.outcomes):
        return ""
    try:
        fill_missing(core, runtime)
    except EmbedderError as error:
        return WORDS_ONLY.format(error)
    return ""


def _noted(outcome: Outcome, trouble: str) -> Outcome:
    stored = outcome.action in (Action.CREATED, Action.UPDATED)
    return replace(outcome, note=trouble) if trouble and stored and not outcome.note else outcome


def _too_late(rule: Rule, now: Instant, at: Instant) -> bool:
    return too_late(at, now, rule.policy.reinforcement.event_horizon_days)
