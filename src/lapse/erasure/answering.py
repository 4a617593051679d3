"""Cached answers and what was erased.

Decides that an answer may not say, in question, answer or label, what was erased: neither be kept
with it, nor outlive it, whatever it names as its sources. Refuses to know where answers are kept.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from lapse.erasure.marking import kind_and_form
from lapse.erasure.matching import TombstoneIndex
from lapse.model.answer import CachedAnswer, KeptAnswer
from lapse.model.changeset import Changes, Judge
from lapse.model.view import View
from lapse.text.identifiers.kept import kept_identifiers


def erased_in(index: TombstoneIndex, answer: CachedAnswer) -> str | None:
    """The tombstone that an answer comes under, or None."""
    texts = (answer.query, answer.answer, answer.domain)
    return next(_tombstones(index, texts), None)


def _nothing(_: CachedAnswer) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFate:
    """Which answers an erasure takes besides those of the memories that go.

    Attributes:
        numbers: Answers that were read beforehand and say what goes.
        seen: Number of the last answer that was read beforehand.
        says: Whether an answer put since says what goes.
        everything: Whether all of them go.
    """

    numbers: frozenset[int] = frozenset()
    seen: int = 0
    says: Callable[[CachedAnswer], bool] = _nothing
    everything: bool = False


def answer_fate(
    index: TombstoneIndex,
    answers: Sequence[KeptAnswer],
    everything: bool,  # noqa: FBT001 - a fact about what was chosen
) -> AnswerFate:
    """Read the answers against the tombstones of an erasure, before its transaction."""

    def says(answer: CachedAnswer) -> bool:
        return erased_in(index, answer) is not None

    return AnswerFate(
        numbers=frozenset(each.number for each in answers if says(each.answer)),
        seen=max((each.number for each in answers), default=0),
        says=says,
        everything=everything,
    )


def answers_going(
    answers: Sequence[KeptAnswer], removed: Collection[str], fate: AnswerFate
) -> tuple[str, ...]:
    """Ids of the answers that go, of those that are kept when the erasure is carried out."""
    return tuple(
        each.answer.id
        for each in answers
        if fate.everything
        or not frozenset(each.answer.sources).isdisjoint(removed)
        or each.number in fate.numbers
        or (each.number > fate.seen and fate.says(each.answer))
    )


def taking_answers(says: Callable[[CachedAnswer], bool], judged: Judge) -> Judge:
    """A judge whose changes take along the cached answers of a bank that say what is erased.

    Args:
        says: Whether an answer does.
        judged: Asks to see all answers of the bank, and gives a journal entry.
    """

    def judge(view: View) -> Changes:
        changes = judged(view)
        draft = changes.journal
        said = (each.answer.id for each in view.answers if says(each.answer))
        gone = tuple(dict.fromkeys((*changes.answers.gone, *said)))
        if not gone or draft is None:
            return changes
        counts = tuple(sorted((dict(draft.counts) | {"answers": len(gone)}).items()))
        answers = replace(changes.answers, gone=gone)
        return replace(changes, answers=answers, journal=replace(draft, counts=counts))

    return judge


def _tombstones(index: TombstoneIndex, texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        named = (kind_and_form(each) for each in kept_identifiers(text))
        for found in (index.told(text), index.identified(named)):
            if found is not None:
                yield found
