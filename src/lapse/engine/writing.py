"""Writing memories: remember, ingest, update, and the marks pin, exempt and verify.

Decides the order: read the drafts, prepare what each becomes, commit with the judge, and let the
vectors follow. Refuses the rules themselves (`intake`, `truth`, `lifecycle`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from lapse.engine.core import Core, facets_of
from lapse.engine.embedding import (
    INLINE_LIMIT,
    WORDS_ONLY,
    Progress,
    epoch_due,
    fill_missing,
    move,
)
from lapse.engine.preparing import (
    Writing,
    journalled,
    prepare,
    reads_of_told,
    rules_of,
    stamped,
)
from lapse.engine.runtime import BankRuntime
from lapse.engine.screening import refused_of, screen_of
from lapse.errors import EmbedderError, StoreError
from lapse.intake.judging import Intake, Prepared
from lapse.intake.revising import Revision, judge_revision
from lapse.lifecycle.marks import Mark, judge_mark
from lapse.model.changeset import Changes, Committed
from lapse.model.memory import Draft, Memory
from lapse.model.outcome import Action, Outcome
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View
from lapse.truth.supersession import alone, settle

BATCH = 1000
"""Drafts judged by one transaction."""

FOLLOWS_LATER = "written; what follows from it waits for the next upkeep: {}"
"""Told of what was written where the store failed after it, with the reason."""


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
        prepared, met = prepare(core, runtime, writing.now, part)
        committed = _commit_prepared(core, runtime, writing, prepared)
        outcomes.extend(committed.changes.outcomes)
        written.update((each.memory.id, each.memory) for each in committed.changes.created)
        written.update((each.id, each) for each in committed.changes.amended)
        written.update(refused_of(prepared, committed.changes.outcomes))
        trouble = met or trouble
        progress(start + len(part), len(drafts))
    single = writing.verb is Verb.REMEMBER
    followed = follow_written(core, runtime, limit=INLINE_LIMIT if single else None)
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


def follow_written(core: Core, runtime: BankRuntime, limit: int | None) -> Followed:
    """After a write that took place: move to the epoch that is due, and wake upkeep.

    A store that fails here does not make the write fail: whoever was told so would write again what
    is there. Upkeep tries the move once more.
    """
    try:
        return follow_epoch(core, runtime, limit)
    except StoreError as error:
        return Followed(trouble=FOLLOWS_LATER.format(error))
    finally:
        core.parts.wake()


def write_revision(
    core: Core,
    runtime: BankRuntime,
    writing: Writing,
    memory_id: str,
    fields: Mapping[str, object],
    if_version: int | None,
) -> Told:
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
        return journalled(core, writing, changes)

    reads = revision.reads(keys)
    committed = core.commit(writing.verb, runtime.ref, writing.now, reads, judge)
    outcome = _noted(committed.changes.outcomes[0], _embed_revised(core, runtime, committed))
    written = {each.memory.id: each.memory for each in committed.changes.revised}
    written.update((each.id, each) for each in committed.changes.amended)
    return Told(outcomes=[outcome], written=written)


def write_mark(
    core: Core, runtime: BankRuntime, writing: Writing, ids: tuple[str, ...], mark: Mark
) -> tuple[Outcome, ...]:
    """Put a mark on every memory named."""
    runtime.follow()
    rule = runtime.rule

    def judge(view: View) -> Changes:
        changes = judge_mark(ids, mark, rule.date, writing.now, view)
        return journalled(core, writing, changes)

    committed = core.commit(writing.verb, runtime.ref, writing.now, Reads(ids=ids), judge)
    return committed.changes.outcomes


def _commit_prepared(
    core: Core, runtime: BankRuntime, writing: Writing, prepared: Sequence[Prepared]
) -> Committed:
    rules = rules_of(runtime, writing)
    reads = reads_of_told(core, runtime, prepared)
    screen = screen_of(runtime, writing)

    def judge(view: View) -> Changes:
        screened = screen(prepared)
        changes = screened.told_of(Intake(rules, view).take(screened.passing))
        return stamped(runtime, view, journalled(core, writing, changes))

    return core.commit(writing.verb, runtime.ref, writing.now, reads, judge)


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
    except StoreError as error:
        return FOLLOWS_LATER.format(error)
    return ""


def _noted(outcome: Outcome, trouble: str) -> Outcome:
    stored = outcome.action in (Action.CREATED, Action.UPDATED)
    return replace(outcome, note=trouble) if trouble and stored and not outcome.note else outcome
