"""Erased words in what persons wrote beside memories: why they acted, what a matter is called.

A reason may quote. What was written before an erasure gives up its words with the memory; whoever
acts afterwards is refused, as a memory would be. An erasure is never refused for its own reason: it
is done, and the reason goes with what it repeats. Lifting a tombstone may repeat what it allows.
What comes in from another store, or was approved before, loses its words on the way.

Decides which words repeat what was erased, and for which verbs they stop the act. A single word of
letters alone passes: a reason like `duplicate` says nothing of a memory that said no more. Refuses
to know where words lie (`lapse.model.redaction`).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Final, TypeAlias

from lapse.erasure.marking import kind_and_form
from lapse.erasure.matching import TombstoneIndex
from lapse.erasure.written import names_given, sentence_for_name
from lapse.model.canary import Canary
from lapse.model.changeset import Changes, Judge
from lapse.model.journal import JournalDraft
from lapse.model.redaction import (
    Going,
    Redaction,
    entry_without,
    entry_words,
    going_of,
    hold_without,
    hold_words,
    mark,
    plan_without,
    plan_words,
    proposal_without,
    proposal_words,
    state_without,
    state_words,
)
from lapse.model.verbs import Verb
from lapse.model.view import View
from lapse.text.identifiers.kept import kept_identifiers

_NOT_ASKED: Final = frozenset({Verb.SWEEP, Verb.APPLY, Verb.PRUNE, Verb.DRAIN, Verb.REPAIR})
"""Verbs whose reasons are Lapse's own, or were held against tombstones with the approval."""

Repeats: TypeAlias = Callable[[str], str | None]
"""Gives the tombstone that a text comes under, or None."""

_TAKING_IN: Final = frozenset({Verb.IMPORT, Verb.SHARE, Verb.ADOPT, Verb.RESTORE_BACKUP})
"""Verbs that bring words along which somebody wrote elsewhere."""


def repeated(index: TombstoneIndex, text: str) -> str | None:
    """The tombstone of what a text repeats, or None."""
    if text.strip().isalpha():
        return None
    told = index.told(text)
    if told is not None:
        return told
    return index.identified(kind_and_form(each) for each in kept_identifiers(text))


def repeated_in_words(index: TombstoneIndex, text: str) -> str | None:
    """As `repeated`, for tombstones that were made of no identifier."""
    return None if text.strip().isalpha() else index.told(text)


def redactions(repeats: Repeats, words: Iterable[str]) -> tuple[Redaction, ...]:
    """Which of these words go, each once, in their order."""
    found = ((each, repeats(each)) for each in dict.fromkeys(words))
    return tuple(Redaction(text=text, tombstone=each) for text, each in found if each is not None)


def redacting(repeats: Repeats, canaries: Sequence[Canary], judged: Judge) -> Judge:
    """A judge whose changes take along the words that repeat what the tombstones are of.

    Args:
        repeats: Gives the tombstone of the erasure that a text comes under, or None.
        canaries: Questions that go as well if they repeat it; none of those that the judge drops.
        judged: Asks to see all words of the bank, and gives a journal entry.

    Returns:
        The judge; it changes nothing where the judge does nothing but make an entry and no word
        goes.
    """
    asked = tuple(each.id for each in canaries if repeats(each.query) is not None)

    def judge(view: View) -> Changes:
        changes = judged(view)
        draft = changes.journal
        said = () if draft is None or draft.reason is None else (draft.reason,)
        gone = redactions(repeats, (*view.words, *said))
        if draft is not None:
            draft = replace(draft, counts=(*draft.counts, ("redacted", len(gone))))
        left = (*changes.canaries_gone, *asked)
        return replace(changes, redacted=gone, canaries_gone=left, journal=draft)

    return judge


def noting(draft: JournalDraft) -> Judge:
    """A judge that does nothing but make an entry."""

    def judge(view: View) -> Changes:
        del view
        return Changes(journal=draft)

    return judge


def said(changes: Changes) -> Iterator[str]:
    """Words with which somebody acts, so that the act is refused if they repeat what was erased."""
    draft = changes.journal
    if draft is None or draft.verb in _NOT_ASKED or draft.verb in _TAKING_IN:
        return
    if draft.reason is not None:
        yield draft.reason
    if draft.verb is Verb.HOLD:
        for hold in changes.holds_placed:
            yield from hold_words(hold)
            yield from hold.target.values
    for canary in changes.canaries if draft.verb is Verb.ADD_CANARY else ():
        yield canary.query


def refused_for(index: TombstoneIndex, changes: Changes) -> str | None:
    """The tombstone of what somebody repeats by acting, or None where nobody does."""
    draft = changes.journal
    if draft is not None and (draft.verb is Verb.ERASE or draft.verb in _TAKING_IN):
        return None
    allowed = draft.about if draft is not None and draft.verb is Verb.LIFT_TOMBSTONE else None
    words = (repeated(index, each) for each in said(changes))
    names = (repeated_in_words(index, each) for each in names_given(changes))
    met = (each for each in chain(words, names) if each is not None)
    return next((each for each in met if each != allowed), None)


def without_words(index: TombstoneIndex, draft: JournalDraft) -> JournalDraft:
    """An entry that says nothing of why, nor who acted if they are named in erased words."""
    by, second = (_unnamed(index, each) for each in (draft.by, draft.approved_by))
    return replace(_unreasoned(draft), by=by, approved_by=second)


def _unreasoned(draft: JournalDraft) -> JournalDraft:
    return replace(draft, reason=None, reason_salt=b"")


def _unnamed(index: TombstoneIndex, name: str) -> str:
    met = next((repeated_in_words(index, each) for each in sentence_for_name(name)), None)
    return name if met is None else mark(met)


def arriving(index: TombstoneIndex, changes: Changes) -> Changes:
    """Changes whose words, where they come from elsewhere, no longer repeat what was erased here.

    Those of an erasure stay as they are but for its own reason, which the store lets go of once it
    stands in the chain.
    """
    draft = changes.journal
    if draft is not None and draft.verb is Verb.ERASE:
        own = () if draft.reason is None else redactions(partial(repeated, index), (draft.reason,))
        known = {each.text for each in changes.redacted}
        more = tuple(each for each in own if each.text not in known)
        return replace(changes, redacted=(*changes.redacted, *more)) if more else changes
    if draft is not None and draft.verb not in _TAKING_IN:
        return changes
    going = going_of(redactions(partial(repeated, index), _brought(changes)))
    return _without(changes, going) if going else changes


def _brought(changes: Changes) -> Iterator[str]:
    for entry in changes.adopted:
        yield from entry_words(entry)
    for record in changes.created:
        yield from state_words(record.state)
    for hold in changes.holds_placed:
        yield from hold_words(hold)
    for plan in changes.plans:
        yield from plan_words(plan)
    for proposal in changes.proposed:
        yield from proposal_words(proposal)
    if changes.journal is not None and changes.journal.reason is not None:
        yield changes.journal.reason


def _without(changes: Changes, going: Going) -> Changes:
    draft = changes.journal
    if draft is not None and draft.reason in going:
        draft = _unreasoned(draft)
    return replace(
        changes,
        adopted=tuple(entry_without(each, going) for each in changes.adopted),
        created=tuple(
            replace(each, state=state_without(each.state, going)) for each in changes.created
        ),
        holds_placed=tuple(hold_without(each, going) for each in changes.holds_placed),
        plans=tuple(plan_without(each, going) for each in changes.plans),
        proposed=tuple(proposal_without(each, going) for each in changes.proposed),
        journal=draft,
    )
