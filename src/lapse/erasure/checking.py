"""Holding every write against what was erased, inside its transaction.

Decides that a write which would bring back erased content is not done at all, and leaves in the
journal that it was refused; and that nothing is written while a key is missing that an erasure was
made under. Refuses to know any verb: it looks at what would be stored, whoever asks for it. What is
written beside memories is looked at by `lapse.erasure.words`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TypeAlias

from lapse.erasure.answering import erased_in
from lapse.erasure.marking import kind_and_form, value_of
from lapse.erasure.matching import FindKey, TombstoneIndex
from lapse.erasure.words import arriving, refused_for, without_words
from lapse.erasure.written import labels_of, texts_within
from lapse.errors import KeyMissingError
from lapse.model.answer import CachedAnswer
from lapse.model.changeset import Changes, Judge
from lapse.model.identifier import Identifier
from lapse.model.memory import Memory
from lapse.model.query import Candidate
from lapse.model.record import ContentChange, NewRecord
from lapse.model.verbs import VERBS
from lapse.model.view import View

Told: TypeAlias = NewRecord | ContentChange
"""What would be stored: a memory with what the text layer reads off it."""


class Met(StrEnum):
    """What of a memory was erased before."""

    TEXT = "text"
    CLAIM = "claim"
    IDENTIFIER = "identifier"
    ID = "id"
    DERIVED = "derived"
    """Nothing of itself: all that it was made of."""
    WORDS = "words"
    """What somebody wrote beside memories: why they act, what a matter is called, a question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """One memory that would bring back what was erased, or words that repeat it.

    Attributes:
        memory_id: Its id, or that of a cached answer; empty for words.
        tombstone: Id of the tombstone it comes under.
        met: By what.
        telling: Whether its id itself says what was erased, so that no error may show it.
    """

    memory_id: str
    tombstone: str
    met: Met
    telling: bool = False


@dataclass(slots=True, kw_only=True)
class Watch:
    """The watch over one write.

    Attributes:
        index: Tombstones of the bank, brought up to date inside the transaction.
        find_key: Finds keys by name.
        refused: Filled when the write was refused. Nothing was written.
    """

    index: TombstoneIndex
    find_key: FindKey
    refused: tuple[Refusal, ...] = field(default=())

    def around(self, judged: Judge) -> Judge:
        """The judge, with the watch before and behind it."""

        def judge(view: View) -> Changes:
            self.index.advance(view.tombstones, self.find_key)
            return self._pass(view, judged(view))

        return judge

    def _pass(self, view: View, changes: Changes) -> Changes:
        if not len(self.index):
            return changes
        changes = arriving(self.index, changes)
        told = list(_told(view, changes))
        named = list(_relabelled(view, changes))
        put = changes.answers.put
        refused = refusals(self.index, told) if told or named or put else ()
        refused = (
            *refused,
            *_label_refusals(self.index, named),
            *_answer_refusals(self.index, put),
        )
        words = refused_for(self.index, changes)
        if words is not None:
            refused = (*refused, Refusal(memory_id="", tombstone=words, met=Met.WORDS))
        if not refused:
            return changes
        self.refused = refused
        draft = changes.journal
        if draft is None or not VERBS[draft.verb].journalled:
            return Changes()
        if words is not None:
            draft = without_words(self.index, draft)
        entry = replace(
            draft,
            memory_ids=(),
            counts=(("refused_tombstone", len(refused)),),
            about=refused[0].tombstone,
        )
        return Changes(turned_away=len(refused), journal=entry)


def refusals(index: TombstoneIndex, told: Sequence[Told]) -> tuple[Refusal, ...]:
    """Which of these would bring back what was erased, each by the first thing that is met.

    Raises:
        KeyMissingError: A key is missing, so that nobody can tell.
    """
    check_keys(index)
    found = (refusal_of(index, each.memory, each.facets.identifiers) for each in told)
    return tuple(each for each in found if each is not None)


def refusal_of(
    index: TombstoneIndex, memory: Memory, identifiers: Iterable[Identifier]
) -> Refusal | None:
    """What of a memory was erased before, or None.

    Args:
        identifiers: Those in its text.
    """
    for met, tombstone in _meetings(index, memory, identifiers):
        if tombstone is not None:
            telling = any(index.told(each) is not None for each in texts_within(memory.id))
            return Refusal(memory_id=memory.id, tombstone=tombstone, met=met, telling=telling)
    return None


def erased_among(index: TombstoneIndex, candidates: Sequence[Candidate]) -> frozenset[int]:
    """Places of those candidates of another store whose content, claim or id was erased here."""
    if not len(index):
        return frozenset()
    return frozenset(place for place, each in enumerate(candidates) if _was_erased(index, each))


def check_keys(index: TombstoneIndex) -> None:
    """Make sure that every key is here.

    Raises:
        KeyMissingError: Some are not; the error names them.
    """
    missing = ", ".join(index.unknown_keys)
    if missing:
        raise KeyMissingError(
            f"erasures were made under keys that are not here ({missing}): put the key file back"
            " beside the database, or set LAPSE_TOMBSTONE_KEY, before anything is written",
            fields={"keys": missing},
        )


def _meetings(
    index: TombstoneIndex, memory: Memory, identifiers: Iterable[Identifier]
) -> Iterator[tuple[Met, str | None]]:
    if memory.content_version == 1:
        yield Met.ID, index.named(memory.id)
    if memory.key is not None:
        yield Met.CLAIM, index.claimed(memory.key, value_of(memory))
    yield Met.TEXT, index.told(memory.text)
    yield Met.IDENTIFIER, index.identified(kind_and_form(each) for each in identifiers)
    if memory.value is not None:
        yield Met.TEXT, index.told(memory.value)
    for text in texts_within(memory.metadata):
        yield Met.TEXT, index.told(text)
    for text in texts_within(labels_of(memory)):
        yield Met.TEXT, index.told(text)


def _label_refusals(
    index: TombstoneIndex, named: Sequence[tuple[str, Sequence[str]]]
) -> Iterator[Refusal]:
    """Memories whose new labels say in words what was erased."""
    for memory_id, labels in named:
        for text in texts_within(labels):
            tombstone = index.told(text)
            if tombstone is not None:
                yield Refusal(memory_id=memory_id, tombstone=tombstone, met=Met.TEXT)
                break


def _answer_refusals(index: TombstoneIndex, put: Sequence[CachedAnswer]) -> Iterator[Refusal]:
    for answer in put:
        tombstone = erased_in(index, answer)
        if tombstone is not None:
            yield Refusal(memory_id=answer.id, tombstone=tombstone, met=Met.TEXT)


def _was_erased(index: TombstoneIndex, candidate: Candidate) -> bool:
    value = candidate.text if candidate.value is None else candidate.value
    claimed = candidate.key is not None and index.claimed(candidate.key, value) is not None
    named = claimed or index.named(candidate.id) is not None
    return named or index.told(candidate.text) is not None


def _told(view: View, changes: Changes) -> Iterator[Told]:
    """What would be stored that is not stored already."""
    yield from changes.created
    for revision in changes.revised:
        record = view.records.get(revision.memory.id)
        if record is None or _content(record.memory) != _content(revision.memory):
            yield revision


def _relabelled(view: View, changes: Changes) -> Iterator[tuple[str, Sequence[str]]]:
    """The labels that a memory of the same content did not have before."""
    for revision in changes.revised:
        record = view.records.get(revision.memory.id)
        if record is not None and _content(record.memory) == _content(revision.memory):
            had = labels_of(record.memory)
            yield (
                revision.memory.id,
                [each for each in labels_of(revision.memory) if each not in had],
            )


def _content(memory: Memory) -> tuple[object, ...]:
    return memory.text, memory.key, memory.value, memory.metadata
