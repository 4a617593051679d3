"""Correcting: supersede, retract, both undone, and acting on what was found.

Decides the order: find out what is meant, read what hangs on it, prepare what is told, commit with
the judge. Refuses the rules themselves (`truth`, `intake`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from lapse.engine.core import Core
from lapse.engine.embedding import INLINE_LIMIT
from lapse.engine.preparing import Writing, journalled, prepare, reads_of, rules_of, stamped
from lapse.engine.proposing import propose
from lapse.engine.reading import fetch
from lapse.engine.replacing import found_among, found_for, statement_of
from lapse.engine.runtime import BankRuntime
from lapse.engine.surroundings import Around, gather
from lapse.engine.writing import follow_written
from lapse.errors import ConflictError, NotFoundError
from lapse.intake.judging import Intake, Prepared, Telling
from lapse.model.changeset import Changes, Judge
from lapse.model.closing import Undo
from lapse.model.finding import ChangeKind, Finding
from lapse.model.instants import EARLIEST
from lapse.model.memory import Draft, Memory
from lapse.model.outcome import Action, Outcome
from lapse.model.paging import Listing
from lapse.model.record import NewRecord, Record
from lapse.model.retention import Checkpoint, RetentionState
from lapse.model.verbs import Verb
from lapse.model.view import View
from lapse.truth.finding import named_loss
from lapse.truth.reading import read
from lapse.truth.replacing import Replaced, Replacement, judge_replacement
from lapse.truth.undoing import judge_retraction, judge_unretraction, judge_unsupersession

NOTHING_FOUND = "nothing was found that this replaces: it stands beside all else"
"""What a caller should know whose query named nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What a correction is of, as the caller named it: exactly one of these.

    Attributes:
        ids: The memories.
        key: The claim key whose value changes.
        query: What it is about, in words.
    """

    ids: tuple[str, ...] = ()
    key: str | None = None
    query: str | None = None


def supersede(
    core: Core, runtime: BankRuntime, writing: Writing, target: Target, draft: Draft
) -> Outcome:
    """Tell something that takes the place of what the target names.

    Raises:
        NotFoundError: No such memory, or no claim under the key.
        ConflictError: It would take its own place; the key holds several values; or what was named
            does not stand any more.
    """
    runtime.follow()
    olds = _olds(core, runtime, target)
    draft = _inheriting(draft, [each.memory for each in olds], target)
    (main,), trouble = prepare(core, runtime, writing.now, [draft])
    doubtful: list[Finding] = []
    if target.query is not None:
        named = found_for(core, runtime, main.record.memory, target.query, writing.now)
        levels = runtime.rule.policy.truth
        found = [each for each in named if each.confidence >= levels.query_level]
        if not found:
            doubtful = [each for each in named if each.confidence >= levels.propose_level]
        olds = fetch(core, runtime, [one for each in found for one in each.ids])
        inherited = _inheriting(draft, [each.memory for each in olds], target)
        if inherited != draft:
            (main,), trouble = prepare(core, runtime, writing.now, [inherited])
    else:
        found = _kinds(core, runtime, main.record.memory, olds)
    main = replace(main, telling=Telling.CORRECTION)
    if olds and runtime.rule.policy.truth.inherit_strength:
        main = replace(main, record=_with_strength(runtime, main.record, olds[0].state))
    replaced = _replaced(core, runtime, writing, found, olds)
    outcome = _commit(core, runtime, writing, main, replaced)
    if outcome.action is Action.CREATED:
        (new,) = core.contents(runtime.ref, [outcome.memory_id])
        propose(core, runtime, replace(writing, verb=Verb.PROPOSE, reason=None), new, doubtful)
    note = trouble or outcome.note or ("" if olds else NOTHING_FOUND)
    return replace(outcome, note=note)


def link(
    core: Core, runtime: BankRuntime, writing: Writing, new: Memory, found: Sequence[Finding]
) -> tuple[str, ...]:
    """Let a stored memory take the place of what was found. Returns the ids it replaced."""
    if not found:
        return ()
    olds = fetch(core, runtime, [one for each in found for one in each.ids])
    replaced = _replaced(core, runtime, writing, found, olds)
    ids = (new.id, *(each.id for each in replaced))
    around = gather(core, runtime, writing, ids)

    def judge(view: View) -> Changes:
        act = _act(new.id, replaced, writing, Undo.KEEP, around)
        changes = judge_replacement(act, view)
        done = Outcome(memory_id=new.id, action=Action.UPDATED, superseded=_ended(changes, ids))
        return journalled(core, writing, replace(changes, outcomes=(done,)))

    committed = core.commit(writing.verb, runtime.ref, writing.now, around.reads, judge)
    return committed.changes.outcomes[0].superseded


def retract(
    core: Core, runtime: BankRuntime, writing: Writing, ids: Sequence[str]
) -> tuple[Outcome, ...]:
    """Hold that memories were never so.

    Raises:
        NotFoundError: One of them is not in the bank.
    """
    around = gather(core, runtime, writing, ids)

    def judge(view: View) -> Changes:
        changes = judge_retraction(ids, writing.now, view, around.derived)
        return journalled(core, writing, changes)

    return _committed(core, runtime, writing, around, judge)


def unretract(
    core: Core, runtime: BankRuntime, writing: Writing, ids: Sequence[str]
) -> tuple[Outcome, ...]:
    """Hold that memories are so after all.

    Raises:
        NotFoundError: One of them is not in the bank.
    """
    around = gather(core, runtime, writing, ids)

    def judge(view: View) -> Changes:
        return journalled(core, writing, judge_unretraction(ids, writing.now, view))

    return _committed(core, runtime, writing, around, judge)


def unsupersede(core: Core, runtime: BankRuntime, writing: Writing, memory_id: str) -> Outcome:
    """Take back that a memory was replaced.

    Raises:
        NotFoundError: No such memory.
        ConflictError: It was not replaced, or what replaced it was replaced since.
    """
    around = gather(core, runtime, writing, [memory_id])

    def judge(view: View) -> Changes:
        return journalled(core, writing, judge_unsupersession(memory_id, writing.now, view))

    return _committed(core, runtime, writing, around, judge)[0]


def named_by(core: Core, runtime: BankRuntime, writing: Writing, query: str) -> tuple[str, ...]:
    """Ids of the memories that a query names, the surest first and its equals.

    Raises:
        NotFoundError: It names none.
    """
    runtime.follow()
    (asked,), _ = prepare(core, runtime, writing.now, [Draft(text=query)])
    found = found_for(core, runtime, asked.record.memory, query, writing.now)
    # Nothing is told that could be compared: a query alone must be surer of what it means.
    level = runtime.rule.policy.truth.act_level
    ids = [one for each in found if each.confidence >= level for one in each.ids]
    if not ids:
        raise NotFoundError("no memory in this bank is what the query names", fields={})
    return tuple(ids)


def _olds(core: Core, runtime: BankRuntime, target: Target) -> list[Record]:
    if target.key is None:
        return fetch(core, runtime, list(target.ids))
    listing = Listing(key=target.key, latest_only=True)
    claims = list(core.page(runtime.ref, listing).records)
    if not claims:
        raise NotFoundError(
            f"no claim stands under the key {target.key}", fields={"key": target.key}
        )
    if len(claims) > 1 or claims[0].memory.multi:
        raise ConflictError(
            f"the key {target.key} holds several values: name the one that changes by its id",
            fields={"key": target.key, "ids": ", ".join(each.memory.id for each in claims)},
        )
    return claims


def _inheriting(draft: Draft, olds: Sequence[Memory], target: Target) -> Draft:
    """The draft, with what it leaves out taken from what it replaces, if they agree in it."""
    if not olds:
        return draft
    keys = {each.key for each in olds if not each.multi} or {None}
    subjects = {each.subject for each in olds}
    kinds = {each.kind for each in olds}
    first = olds[0]
    key = target.key or (keys.pop() if len(keys) == 1 and len(olds) == 1 else None)
    return replace(
        draft,
        key=draft.key or key,
        subject=draft.subject or (first.subject if len(subjects) == 1 else None),
        kind=draft.kind or (first.kind if len(kinds) == 1 else None),
        tags=draft.tags or (first.tags if len(olds) == 1 else ()),
    )


def _kinds(core: Core, runtime: BankRuntime, new: Memory, olds: Sequence[Record]) -> list[Finding]:
    """How memories that the caller named are replaced.

    Of one sentence a clause may remain. A text of several sentences, or the value of a key, was
    meant as a whole by whoever named it.
    """
    found: dict[str, Finding] = {}
    loose = [
        each.memory
        for each in olds
        if each.memory.key is None and len(read(each.memory.text, runtime.tokeniser)) <= 1
    ]
    said = read(new.text, runtime.tokeniser)
    for memory in loose:
        # Whoever names a memory knows that it is replaced: which clause of it is all that is open.
        found[memory.id] = named_loss(memory.id, said, memory.text, runtime.tokeniser)
    for finding in found_among(core, runtime, new, [statement_of(each) for each in loose]):
        for each in finding.ids:
            found[each] = finding
    return [
        replace(
            found.get(
                each.memory.id,
                Finding(ids=(each.memory.id,), kind=ChangeKind.REPLACEMENT, confidence=1.0),
            ),
            confidence=1.0,
        )
        for each in olds
    ]


def _replaced(
    core: Core,
    runtime: BankRuntime,
    writing: Writing,
    found: Sequence[Finding],
    olds: Sequence[Record],
) -> list[Replaced]:
    by_id = {each.memory.id: each for each in olds}
    rests = [(each.ids[0], each.rest) for each in found if each.rest is not None]
    drafts = [_rest_draft(by_id[old_id].memory, rest) for old_id, rest in rests]
    prepared, _ = prepare(core, runtime, writing.now, drafts) if drafts else ([], "")
    kept = {
        old_id: _with_strength(runtime, each.record, by_id[old_id].state)
        for (old_id, _), each in zip(rests, prepared, strict=True)
    }
    return [
        Replaced(
            id=one,
            change=each.kind,
            confidence=each.confidence,
            evidence=each.evidence,
            until=each.until,
            rest=kept.get(one),
        )
        for each in found
        for one in each.ids
    ]


def _rest_draft(old: Memory, rest: str) -> Draft:
    """What remains of a compound memory: it was met when the whole was."""
    return Draft(
        text=rest,
        kind=old.kind,
        subject=old.subject,
        session=old.session,
        role=old.role,
        source=old.source,
        tags=old.tags,
        metadata=old.metadata,
        created_at=old.created_at,
        occurred_at=old.occurred_at,
        valid_to=old.stated_to,
        confidence=old.confidence,
        proof_count=old.proof_count,
        expires_at=old.expires_at,
        derived_from=(old.id,),
    )


def _with_strength(runtime: BankRuntime, record: NewRecord, held: RetentionState) -> NewRecord:
    """A new record that is held as strongly as another memory, with its importance and marks."""
    state = replace(
        record.state,
        importance=held.importance,
        importance_source=held.importance_source,
        strength=held.strength,
        checkpoint=Checkpoint(strength=held.strength, through=EARLIEST),
        pinned=held.pinned,
        exempt=held.exempt,
        exempt_reason=held.exempt_reason,
        audit_evidence=held.audit_evidence,
    )
    return replace(record, state=state.dated(runtime.rule.date(record.memory, state)))


def _commit(
    core: Core,
    runtime: BankRuntime,
    writing: Writing,
    main: Prepared,
    replaced: Sequence[Replaced],
) -> Outcome:
    ids = [each.id for each in replaced]
    around = gather(core, runtime, writing, ids)
    told = reads_of([main])
    reads = replace(
        around.reads,
        ids=tuple(dict.fromkeys([*around.reads.ids, *told.ids])),
        keys=tuple(dict.fromkeys([*around.reads.keys, *told.keys])),
        fingerprints=told.fingerprints,
    )
    rules = rules_of(runtime, writing)

    def judge(view: View) -> Changes:
        base = Intake(rules, view).take([main])
        outcome = base.outcomes[0]
        undo = Undo.RETRACT if outcome.action is Action.CREATED else Undo.KEEP
        act = _act(outcome.memory_id, replaced, writing, undo, around)
        changes = judge_replacement(act, view, base)
        ended = dict.fromkeys([*outcome.superseded, *_ended(changes, ids)])
        changes = replace(changes, outcomes=(replace(outcome, superseded=tuple(ended)),))
        return stamped(runtime, view, journalled(core, writing, changes))

    committed = core.commit(writing.verb, runtime.ref, writing.now, reads, judge)
    follow_written(core, runtime, limit=INLINE_LIMIT)
    return committed.changes.outcomes[0]


def _act(
    new_id: str,
    replaced: Sequence[Replaced],
    writing: Writing,
    undo: Undo,
    around: Around,
) -> Replacement:
    return Replacement(
        new_id=new_id,
        replaced=replaced,
        now=writing.now,
        by=writing.by,
        undo=undo,
        derived=around.derived,
    )


def _ended(changes: Changes, ids: Iterable[str]) -> tuple[str, ...]:
    """Those of the memories that do not stand any more after the changes."""
    ended = {each.id for each in changes.amended if not each.is_latest}
    return tuple(each for each in ids if each in ended)


def _committed(
    core: Core, runtime: BankRuntime, writing: Writing, around: Around, judge: Judge
) -> tuple[Outcome, ...]:
    committed = core.commit(writing.verb, runtime.ref, writing.now, around.reads, judge)
    return committed.changes.outcomes
