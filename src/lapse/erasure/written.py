"""Where a text could stand in what a caller writes that is no text: labels, fields, names.

Decides which of these are long enough to say something, so that they are held against tombstones.
Refuses to hold them.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from lapse.model.changeset import Changes
from lapse.model.memory import JsonValue, Memory
from lapse.model.verbs import Verb

_JOINED_WORDS: Final = re.compile(r"(?<![^\W_])[^\W_]++[\W_]++[^\W_]++[\W_]++[^\W_]")

_WORDS_OF_A_NAME: Final = 4
"""Most words of which a name of a person is made; what has more is a sentence."""


def texts_within(value: JsonValue) -> Iterator[str]:
    """Every text of several words within a JSON value, the names of its fields among them.

    Words may be joined by other signs than spaces, as in labels and addresses; two joined words are
    a label like `door-code`, and say too little to be held against anything.
    """
    match value:
        case str():
            if " " in value.strip() or _JOINED_WORDS.search(value) is not None:
                yield value
        case Mapping():
            for name, each in value.items():
                yield from texts_within(name)
                yield from texts_within(each)
        case list() | tuple():
            for each in value:
                yield from texts_within(each)
        case _:
            return


def labels_of(memory: Memory) -> tuple[str, ...]:
    """What a caller wrote beside the content, where a text could stand as well."""
    written = (memory.id, memory.key, memory.source, memory.session, memory.subject)
    return (*(each for each in written if each is not None), *memory.tags, *memory.entities)


def sentence_for_name(name: str) -> Iterator[str]:
    """What is given as somebody's name, if it is longer than any."""
    if len(name.split()) > _WORDS_OF_A_NAME:
        yield name


def names_given(changes: Changes) -> Iterator[str]:
    """What a caller gives for a name or a setting, where it could be a sentence.

    Who acts and who stands for it, names of events of use and of the recalls they answer, and
    settings that are free text.
    """
    for event in changes.enqueued:
        yield from texts_within((event.event_id, event.recall_id))
    draft = changes.journal
    if draft is None:
        return
    yield from sentence_for_name(draft.by)
    yield from sentence_for_name(draft.approved_by)
    if draft.verb is Verb.SET_POLICY and changes.bank is not None:
        yield from texts_within(changes.bank.policy)
    if draft.verb is Verb.PLAN:
        for plan in changes.plans:
            yield from texts_within(plan.ask.sessions)
