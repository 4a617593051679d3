"""Rating what is stored: once, by whoever the memory waits for.

Decides when a rating may still be put in: the memory says the same as when it was rated, and the
rating in its place is the one that was to give way. So of two processes that rated it one wins, a
verified outcome stays, and a rating that was settled is never replaced. Refuses to rate.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from lapse.intake.composing import Rating, Setting, initial_strength
from lapse.model.changeset import Changes
from lapse.model.journal import JournalDraft
from lapse.model.record import Record
from lapse.model.retention import ImportanceSource, RetentionState
from lapse.model.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Rerating:
    """A rating that is to take the place of another.

    Attributes:
        content_version: Of the text that was rated.
        before: Who rated it so far.
        rating: The new rating; an importance of None leaves the number as it is and settles it.
    """

    content_version: int
    before: ImportanceSource
    rating: Rating


def judge_ratings(
    setting: Setting, given: Mapping[str, Rerating], journal: JournalDraft, view: View
) -> Changes:
    """Put in the ratings that may still be put in. What is gone or changed is passed over."""
    states = tuple(
        (each, _rated(setting, view.records[each], one.rating))
        for each, one in given.items()
        if each in view.records and _open(view.records[each], one)
    )
    if not states:
        return Changes()
    sources = [state.importance_source for _, state in states]
    counts = tuple(sorted((each.value, sources.count(each)) for each in set(sources)))
    entry = replace(journal, memory_ids=tuple(each for each, _ in states), counts=counts)
    return Changes(states=states, journal=entry)


def _open(record: Record, given: Rerating) -> bool:
    return (
        record.state.importance_source is given.before
        and record.memory.content_version == given.content_version
    )


def _rated(setting: Setting, record: Record, rating: Rating) -> RetentionState:
    memory, state = record.memory, record.state
    importance = state.importance if rating.importance is None else rating.importance
    changed = replace(state, importance=importance, importance_source=rating.source)
    if state.strength == initial_strength(setting, memory, state.importance):
        # Nothing happened to it since it was told: it starts as if it had been rated then.
        strength = initial_strength(setting, memory, importance)
        checkpoint = replace(state.checkpoint, strength=strength)
        changed = replace(changed, strength=strength, checkpoint=checkpoint)
    return replace(changed.dated(setting.dating(memory, changed)), updated_at=setting.now)
