"""Taking back: a memory that was never so, a replacement that was wrong, and both undone.

Decides what each of these four acts does to the memory, to what it had replaced, and to what was
made from it. Nothing is deleted: history keeps what was believed and when that changed. Refuses to
touch any state.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from lapse.errors import ConflictError
from lapse.model.changeset import Changes
from lapse.model.closing import Closing, ClosingKind, Undo
from lapse.model.instants import Instant
from lapse.model.memory import Memory
from lapse.model.outcome import Action, Outcome
from lapse.model.view import View
from lapse.text.clauses import sentences_of
from lapse.text.normalise import fold
from lapse.truth.ledger import Ledger

_WORDS_QUOTED: Final = 3
"""Words of a sentence from which its being there is a quotation."""


def judge_retraction(
    ids: Sequence[str], now: Instant, view: View, derived: Mapping[str, Sequence[str]]
) -> Changes:
    """Decide that memories were never so: what they had replaced holds again.

    Args:
        ids: The memories.
        now: The act's one reading of the clock.
        view: They, what they replaced, and their keys, with closings.
        derived: By id, the sources of each memory made from others; for all that may have been made
            from these. What was made from retracted memories alone, or says in the same words what
            they said, is retracted along with them.

    Raises:
        NotFoundError: One of them is not in the bank.
    """
    ledger = Ledger(view)
    outcomes, fresh = [], list[str]()
    for each in ids:
        known = ledger.memory(each).recorded_to is not None
        outcomes.append(_outcome(each, Action.UNCHANGED if known else Action.UPDATED))
        if not known:
            _retract(ledger, each, None, now)
            fresh.append(each)
    along = _taken_along(ledger, fresh, derived)
    for derived_id, source in along.items():
        _retract(ledger, derived_id, source, now)
    ledger.restate(_and_replaced(ledger, [*fresh, *along]))
    return replace(ledger.changes(), outcomes=tuple(outcomes))


def judge_unretraction(ids: Sequence[str], now: Instant, view: View) -> Changes:
    """Decide that memories hold after all, with all that was taken along.

    Raises:
        NotFoundError: One of them is not in the bank.
    """
    ledger = Ledger(view)
    outcomes, back = [], list[str]()
    for each in ids:
        known = ledger.memory(each).recorded_to is None
        outcomes.append(_outcome(each, Action.UNCHANGED if known else Action.UPDATED))
        if not known:
            back.append(each)
    for each in list(back):
        back += [
            closing.memory_id
            for closing in ledger.closings(ClosingKind.RETRACTED, by=each)
            if ledger.knows(closing.memory_id)
        ]
    for each in back:
        for closing in ledger.closings(ClosingKind.RETRACTED, of=each):
            ledger.close(replace(closing, recorded_to=now))
        ledger.put(replace(ledger.memory(each), recorded_to=None))
    ledger.restate(_and_replaced(ledger, back))
    return replace(ledger.changes(), outcomes=tuple(outcomes))


def judge_unsupersession(memory_id: str, now: Instant, view: View) -> Changes:
    """Decide that a replaced memory was not replaced.

    What took its place goes, if it was told by that very act; else it stays and stands beside it.

    Raises:
        NotFoundError: No such memory.
        ConflictError: It was not replaced, or what took its place was itself replaced since.
    """
    ledger = Ledger(view)
    old = ledger.memory(memory_id)
    if old.superseded_by is None and not ledger.closings(ClosingKind.SUPERSEDED, of=old.id):
        raise ConflictError(f"memory {old.id} was not superseded", fields={"id": old.id})
    by = old.superseded_by
    if by is not None and ledger.knows(by) and not ledger.memory(by).is_latest:
        newer = ledger.memory(by).superseded_by or ""
        raise ConflictError(
            f"what took the place of {old.id} was itself superseded, by {newer}: undo that first",
            fields={"id": old.id, "superseded_by": newer},
        )
    ended = [
        each for each in ledger.closings(ClosingKind.SUPERSEDED, of=old.id) if each.by_id == by
    ]
    if ended:
        touched = _reopen(ledger, ended, now)
    elif by is not None:
        # The claims of a key: only one holds at a time, so the newer one goes.
        _retract(ledger, by, None, now)
        touched = [by]
    else:
        touched = []
    ledger.restate(dict.fromkeys([*_and_replaced(ledger, touched), old.id]))
    return replace(ledger.changes(), outcomes=(_outcome(old.id, Action.UPDATED),))


def _reopen(ledger: Ledger, ended: Iterable[Closing], now: Instant) -> list[str]:
    touched = []
    for closing in ended:
        along = [
            each
            for each in ledger.closings(ClosingKind.SUPERSEDED, by=closing.by_id)
            if each.recorded_from == closing.recorded_from
            and each.memory_id != closing.memory_id
            and closing.memory_id in ledger.memory(each.memory_id).derived_from
        ]
        for each in (closing, *along):
            ledger.close(replace(each, recorded_to=now))
            touched.append(each.memory_id)
        if closing.rest_id is not None and ledger.knows(closing.rest_id):
            _retract(ledger, closing.rest_id, None, now)
        if closing.by_id is not None and ledger.knows(closing.by_id):
            _release(ledger, closing.by_id, closing.undo, now)
            touched.append(closing.by_id)
    return touched


def _release(ledger: Ledger, successor_id: str, undo: Undo, now: Instant) -> None:
    """What becomes of a memory that replaces one less."""
    left = ledger.closings(ClosingKind.SUPERSEDED, by=successor_id)
    successor = ledger.memory(successor_id)
    if left:
        ledger.put(replace(successor, supersedes=left[0].memory_id))
    elif undo is Undo.RETRACT:
        _retract(ledger, successor_id, None, now)
    else:
        start = None if undo is Undo.REOPEN else successor.valid_from
        ledger.put(replace(successor, supersedes=None, valid_from=start))


def _retract(ledger: Ledger, memory_id: str, along_with: str | None, now: Instant) -> None:
    memory = ledger.memory(memory_id)
    if memory.recorded_to is not None:
        return
    # A clock that stepped back must not make an interval that ends before it begins.
    ledger.put(replace(memory, recorded_to=Instant(max(now, memory.recorded_from))))
    ledger.close(
        Closing(
            memory_id=memory_id, kind=ClosingKind.RETRACTED, recorded_from=now, by_id=along_with
        )
    )


def _taken_along(
    ledger: Ledger, ids: Sequence[str], derived: Mapping[str, Sequence[str]]
) -> dict[str, str]:
    """Memories made from retracted ones alone, or in their words, by which each goes with."""
    root = {each: each for each in ids}
    taken: dict[str, str] = {}
    growing = True
    while growing:
        growing = False
        for derived_id, sources in derived.items():
            gone = [each for each in sources if each in root]
            if not gone or derived_id in root or not ledger.knows(derived_id):
                continue
            alone = all(each in root or not _lives(ledger, each) for each in sources)
            if alone or _quotes(ledger, derived_id, gone):
                root[derived_id] = taken[derived_id] = root[gone[0]]
                growing = True
    return taken


def _quotes(ledger: Ledger, derived_id: str, gone: Iterable[str]) -> bool:
    """Whether a memory says in the same words what one of its retracted sources said."""
    said = fold(ledger.memory(derived_id).text)
    return any(
        fold(text[start:end]) in said
        for text in (ledger.memory(each).text for each in gone)
        for start, end in sentences_of(text)
        if len(text[start:end].split()) >= _WORDS_QUOTED
    )


def _lives(ledger: Ledger, memory_id: str) -> bool:
    return ledger.knows(memory_id) and ledger.stands(memory_id)


def _and_replaced(ledger: Ledger, ids: Iterable[str]) -> list[str]:
    """The memories, and all that they replace: how those stand depends on them."""
    found: dict[str, None] = {}
    for each in ids:
        found[each] = None
        for closing in ledger.closings(ClosingKind.SUPERSEDED, by=each):
            if ledger.knows(closing.memory_id):
                found[closing.memory_id] = None
    return list(found)


def _outcome(memory_id: str, action: Action) -> Outcome:
    return Outcome(memory_id=memory_id, action=action)


def is_claim(memory: Memory) -> bool:
    """Whether its key settles which of its values holds."""
    return memory.key is not None and not memory.multi
