"""What speaks for a new statement taking the place of an old one, and how much.

Decides the weight of each sign and how weights become a confidence. Refuses to look at a statement:
that is `comparing`.

A confidence is 1 / (1 + exp(-(b + Σ w·x))): b the log-odds before anything is seen, x ∈ [0, 1] the
strength of a sign, w its weight in nats. The weights were fitted by logistic regression to the
development halves of public update corpora and rounded; `docs/explanation/benchmarks.md` has the
curves on the other halves.
"""

import math
from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class Sign(StrEnum):
    """One thing that may speak for or against a replacement. Its name is shown as evidence."""

    SUBJECT = "same subject"
    VERB = "same verb"
    VERB_OF_SUBJECT = "same verb of the same subject"
    PHRASE = "same verb and particle"
    ATTRIBUTE = "same attribute"
    TOLD_AGAIN = "old words told again"
    ON_TOPIC = "new words on the old topic"
    DENIED = "old words denied"
    TURNED = "denial against assertion"
    EXCLUSIVE = "says only or instead"
    ADDED = "says also"
    LACKING = "old words untold"
    RETOLD = "told again whole"
    DOINGS = "the speaker's doings"
    CHANGED = "says that the state changed"
    OTHER_SUBJECT = "another subject"
    SUBJECT_DENIED = "old subject denied"
    THIN = "little in common"
    OTHER_TIME = "another time"
    PROPERTY = "same property"
    SIMILAR = "similar"
    NEAREST = "nearest candidate"
    AHEAD = "ahead of the next"
    TALLY_CONTEXT = "same thing counted"
    TALLY_NAMES = "same names"
    OTHER_NAMES = "other names"
    STANDING = "says so far or now"
    LASTING = "counts time"
    RECORD = "a record"
    FAR_UNIT = "unit told elsewhere"
    ASKED = "words of the query"
    ASKED_ATTRIBUTE = "attribute of the query"
    ASKED_SUBJECT = "subject of the query"
    UNASKED = "nothing of the query"


FACT_PRIOR: Final = -5.7
FACT: Final[Mapping[Sign, float]] = {
    # Who it is about: without that, a shared wording is two people doing the same.
    Sign.SUBJECT: 0.7,
    Sign.OTHER_SUBJECT: -3.7,
    # "Ann, not Bob, wrote it": it is told of Bob no longer.
    Sign.SUBJECT_DENIED: 3.0,
    # What is said of it: one verb with one particle mostly has one object at a time.
    Sign.VERB: 1.4,
    Sign.VERB_OF_SUBJECT: 1.3,
    Sign.PHRASE: 1.0,
    # Where one lives, what one eats; Ann's dentist, the rent: one value at a time.
    Sign.ATTRIBUTE: 1.6,
    Sign.PROPERTY: 2.8,
    # Only who and a verb that may have many objects: he bought this and he bought that.
    Sign.THIN: -3.0,
    # What one did is not undone by what one does next.
    Sign.DOINGS: -4.0,
    # What happened on Monday and what happened on Tuesday both happened.
    Sign.OTHER_TIME: -4.0,
    # How much of the one is in the other: an update repeats the frame and changes the filling.
    Sign.TOLD_AGAIN: 2.5,
    Sign.ON_TOPIC: 1.7,
    Sign.LACKING: -2.2,
    # Nothing of the old one is missing or denied: it is told again, not replaced.
    Sign.RETOLD: -12.0,
    # Contradiction in so many words.
    Sign.DENIED: 0.5,
    Sign.TURNED: 0.6,
    Sign.EXCLUSIVE: 1.6,
    Sign.CHANGED: 4.0,
    # "Also" adds; it does not replace.
    Sign.ADDED: -1.2,
    # Of several candidates, the nearest by far is the one that is meant.
    Sign.SIMILAR: 2.6,
    Sign.NEAREST: 0.7,
    Sign.AHEAD: 1.6,
}
"""Weights for a statement about somebody or something."""

TALLY_PRIOR: Final = -3.2
TALLY: Final[Mapping[Sign, float]] = {
    Sign.TALLY_CONTEXT: 2.0,
    Sign.TALLY_NAMES: 1.0,
    # Courses on one site are not courses on another.
    Sign.OTHER_NAMES: -3.0,
    Sign.STANDING: 1.5,
    # Hours and weeks belong to events, of which there are many.
    Sign.LASTING: -2.2,
    # Any two scores look alike; that it is the same one must come from the rest.
    Sign.RECORD: -1.5,
    Sign.FAR_UNIT: -2.2,
    Sign.VERB: 0.7,
    Sign.NEAREST: 1.8,
}
"""Weights for a number told again with another value."""

ASKED_PRIOR: Final = -4.0
ASKED: Final[Mapping[Sign, float]] = {
    # Whoever asks for a replacement says that there is one: only which is open.
    Sign.ASKED: 2.5,
    Sign.ASKED_ATTRIBUTE: 1.5,
    # Another person's fact is not meant, however near it is.
    Sign.ASKED_SUBJECT: 2.5,
    # A query that shares nothing with it names it only if it is near by far.
    Sign.UNASKED: -2.0,
    Sign.TOLD_AGAIN: 1.0,
    Sign.ATTRIBUTE: 1.0,
    Sign.SIMILAR: 3.0,
    Sign.NEAREST: 1.0,
    Sign.AHEAD: 1.0,
}
"""Weights where the caller says in words what is replaced."""


def confidence(
    strengths: Mapping[Sign, float], weights: Mapping[Sign, float], prior: float
) -> float:
    """The probability of a replacement, 1 / (1 + exp(-(b + Σ w·x))).

    Args:
        strengths: x of each sign, in [0, 1]; absent is 0.
        weights: w.
        prior: b.

    Returns:
        In (0, 1).
    """
    total = prior + sum(w * strengths.get(sign, 0.0) for sign, w in weights.items())
    return 1.0 / (1.0 + math.exp(-total))


def evidence(strengths: Mapping[Sign, float], weights: Mapping[Sign, float]) -> tuple[str, ...]:
    """Names of the signs that carried it, strongest first, without those that spoke against it."""
    carried = {sign: w * strengths.get(sign, 0.0) for sign, w in weights.items()}
    told = [sign for sign, value in carried.items() if value >= _TOLD]
    return tuple(str(each) for each in sorted(told, key=lambda each: (-carried[each], each)))


_TOLD: Final = 0.25
"""Nats from which a sign is worth telling."""
