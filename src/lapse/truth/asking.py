"""What a caller says is replaced: the words of a query held against an old statement.

Decides how well a candidate answers to a query such as "where Ann works". Refuses to doubt that
something is replaced: whoever asks knows that.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from lapse.text.tokens import Tokeniser
from lapse.truth.attributes import asked, stated
from lapse.truth.comparing import fact_signs
from lapse.truth.reading import Sentence
from lapse.truth.signs import Sign
from lapse.truth.words import HOLLOW, SELF, weight, words_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A query, read.

    Attributes:
        words: Stems of what it asks for, the subject among them.
        subject: Stems of whom or what it is about: names, or the user.
        attributes: The matters it may mean.
    """

    words: frozenset[str]
    subject: frozenset[str]
    attributes: frozenset[str]


def question_of(query: str, said: Sequence[Sentence], tokeniser: Tokeniser) -> Question:
    """Read a query beside the new statement, whose subject it may leave unsaid."""
    words = list(words_of(query, tokeniser))
    stems = frozenset(each.stem for each in words if each.folded not in HOLLOW)
    named = frozenset(each.stem for each in words if each.named)
    own = frozenset({SELF}) if any(each.stem == SELF for each in words) else frozenset[str]()
    subjects = frozenset().union(*(each.subject for each in said))
    return Question(
        words=stems,
        subject=own or (stems & subjects) or named or subjects,
        attributes=asked(stems, tokeniser),
    )


def asked_signs(
    question: Question, new: Sentence, old: Sentence, tokeniser: Tokeniser
) -> dict[Sign, float]:
    """The signs that a sentence is what a query means."""
    told = old.said | old.verbs
    wanted = question.words - question.subject
    matters = stated(told, old.phrases, tokeniser)
    met = question.subject & (told | old.subject)
    of_it = bool(met) or not question.subject or not old.subject
    if not of_it:
        # Pet day in the office is no pet of the user's.
        matters = frozenset()
    signs = fact_signs(new, old, tokeniser)
    named = wanted & told or met - {SELF} or question.attributes & matters
    return {
        Sign.ASKED: _mass(wanted & told) / max(1.0, _mass(wanted)),
        Sign.ASKED_ATTRIBUTE: float(bool(question.attributes & matters)),
        Sign.ASKED_SUBJECT: float(of_it),
        Sign.UNASKED: 0.0 if named or signs[Sign.TOLD_AGAIN] else _OF_SELF if met else 1.0,
        Sign.TOLD_AGAIN: signs[Sign.TOLD_AGAIN],
        Sign.ATTRIBUTE: float(bool(matters & asked(new.said | new.verbs, tokeniser, new.phrases))),
    }


_OF_SELF: Final = 0.25
"""How little a query names what shares only whose memory it is: most memories do."""


def _mass(stems: Iterable[str]) -> float:
    return sum(map(weight, stems))
