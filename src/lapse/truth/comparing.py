"""Comparing two sentences for the signs of a replacement.

Decides which signs there are between a new sentence and an old one, and how strong each is. Refuses
to weigh them: that is `signs`.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from lapse.text.listing import listed
from lapse.text.tokens import Tokeniser
from lapse.truth.attributes import single, stated
from lapse.truth.reading import Sentence
from lapse.truth.signs import Sign
from lapse.truth.tallies import Tally
from lapse.truth.words import COMMONPLACE, SELF, weight

_EXCLUSIVE: Final = listed("only exclusively solely instead rather entirely never")
_ADDING: Final = listed("also another additionally too")
_STANDING: Final = listed(
    "now far currently already total since just new record best collection own"
)
"""Words by which a count is of how things stand, not of one event."""

_CHANGED: Final = listed(
    "now until switched changed moved migrated replaced anymore longer became converted relocated"
    " transferred"
)
"""Words by which a state is said to have given way to another."""

_ENDS: Final = listed("until till")
"""Words that give an end to what they tell again."""

_THICK: Final = 2.0
_MUCH: Final = 8.0
_CONTEXT: Final = 6.0
_NAMES: Final = 2


def fact_signs(new: Sentence, old: Sentence, tokeniser: Tokeniser) -> dict[Sign, float]:
    """The signs that two statements of one fact would show, without those of their rank.

    Args:
        new: A sentence of the new statement.
        old: A sentence of the old one.
        tokeniser: That of the readings.

    Returns:
        Strengths in [0, 1].
    """
    return _of_whom(new, old) | _of_what(new, old, tokeniser) | _of_wording(new, old)


def _of_whom(new: Sentence, old: Sentence) -> dict[Sign, float]:
    met = bool(new.subject & old.subject)
    return {
        Sign.SUBJECT: float(_same_subject(new, old)),
        Sign.OTHER_SUBJECT: float(_of_another(new, old)),
        Sign.SUBJECT_DENIED: float(bool(old.subject) and old.subject <= new.denied),
        Sign.TURNED: float(met and bool(new.denied) != bool(old.denied)),
        Sign.EXCLUSIVE: float(met and bool(new.folded & _EXCLUSIVE)),
        Sign.OTHER_TIME: float(new.past and old.past and _elsewhen(new, old)),
    }


def _of_what(new: Sentence, old: Sentence, tokeniser: Tokeniser) -> dict[Sign, float]:
    attributes = _attributes(new, old, tokeniser)
    same, met = _same_subject(new, old), bool(new.subject & old.subject)
    verbs, phrases = new.verbs & old.verbs, new.phrases & old.phrases
    by_role = _has_value(new, old)
    own = _of_speaker(new) and _of_speaker(old)
    denied = bool(old.asserted & new.denied)
    thin = same and bool(verbs) and not (by_role or attributes or denied or new.joint)
    gives_way = (bool(attributes) and met) or by_role
    return {
        Sign.VERB: float(bool(verbs)),
        Sign.VERB_OF_SUBJECT: float(bool(verbs) and same),
        Sign.PHRASE: float(any(particle for _, particle in phrases)),
        Sign.ATTRIBUTE: float(bool(attributes) and met),
        Sign.PROPERTY: float(by_role),
        Sign.THIN: thin * (1.0 - min(_common(new, old), _THICK) / _THICK),
        Sign.DOINGS: float(own and not attributes and not denied),
        Sign.CHANGED: float(gives_way and bool(new.folded & _CHANGED)),
    }


def _of_wording(new: Sentence, old: Sentence) -> dict[Sign, float]:
    of_new = new.asserted | new.denied
    of_old = max(1.0, _mass(old.asserted))
    retold = old.asserted <= new.asserted and not (old.denied or new.denied or new.folded & _ENDS)
    return {
        Sign.TOLD_AGAIN: _mass(old.asserted & new.said) / of_old,
        Sign.ON_TOPIC: _mass(of_new & old.asserted) / max(1.0, _mass(of_new)),
        Sign.LACKING: min(_mass(old.asserted - new.said), _MUCH) / _MUCH,
        Sign.DENIED: _mass(old.asserted & new.denied) / of_old,
        Sign.RETOLD: float(retold and new.claims[0].subject == old.claims[0].subject),
        Sign.ADDED: float(bool(new.folded & _ADDING)),
    }


def _same_subject(new: Sentence, old: Sentence) -> bool:
    return bool(new.subject) and new.subject == old.subject


def _of_another(new: Sentence, old: Sentence) -> bool:
    """Whether each is about somebody, or something, that the other does not mention."""
    if new.joint or old.joint:
        return False
    theirs, ours = old.subject - new.subject - {SELF}, new.subject - old.subject - {SELF}
    return bool(theirs and ours) and not theirs & new.said and not ours & old.said


def _attributes(new: Sentence, old: Sentence, tokeniser: Tokeniser) -> frozenset[str]:
    """The matters of which both give a value and of which one has one."""
    if _of_speaker(new) and _of_speaker(old):
        # In talk the verb must carry it: "I'm vegan", not "a vegan friend of mine".
        ours, theirs = new.verbs, old.verbs
    else:
        ours = new.asserted | new.denied | new.subject
        theirs = old.asserted | old.denied | old.subject
    return single(stated(ours, new.phrases, tokeniser) & stated(theirs, old.phrases, tokeniser))


def _common(new: Sentence, old: Sentence) -> float:
    """How much is shared besides who and the verb."""
    shared = (new.asserted | new.denied) & (old.asserted | old.denied)
    return _mass(shared - new.verbs - old.verbs)


def _has_value(new: Sentence, old: Sentence) -> bool:
    """Whether both give the value of one property: "Ann's dentist is", "the rent is"."""
    things = (new.subject & old.subject) - new.names - old.names - {SELF} - COMMONPLACE
    return new.subject == old.subject and bool(things)


def _elsewhen(new: Sentence, old: Sentence) -> bool:
    """Whether both say when, and not the same."""
    return bool(new.times) and bool(old.times) and not new.times & old.times


def _of_speaker(sentence: Sentence) -> bool:
    """Whether the speaker tells it of himself, or leaves out of whom."""
    return "user" not in sentence.folded and sentence.subject <= {SELF}


def tally_signs(new: Sentence, old: Sentence) -> dict[Sign, float] | None:
    """The signs that a number was told again with another value; None where none was."""
    pairs = [
        signs
        for later in new.tallies
        for earlier in old.tallies
        if (signs := _tally_pair(new, old, later, earlier)) is not None
    ]
    return max(pairs, key=_closeness, default=None)


def _tally_pair(
    new: Sentence, old: Sentence, later: Tally, earlier: Tally
) -> dict[Sign, float] | None:
    if (later.record, later.lasting) != (earlier.record, earlier.lasting):
        return None
    if _told_again(new, earlier):
        return None
    shared = (new.said & old.said) - {SELF}
    unit = later.unit & earlier.unit
    told = later.unit | earlier.unit
    elsewhere = told & shared - unit
    if not (later.record or unit or elsewhere):
        return None
    names, others = _names(new), _names(old)
    context = [each for each in shared - told if not each[:1].isdigit()]
    return {
        Sign.TALLY_CONTEXT: min(_mass(context), _CONTEXT) / _CONTEXT,
        Sign.TALLY_NAMES: min(len(names & others), _NAMES) / _NAMES,
        Sign.OTHER_NAMES: float(bool(names and others) and not names & others),
        Sign.STANDING: float(bool(new.folded & _STANDING)),
        Sign.LASTING: float(later.lasting),
        Sign.RECORD: float(later.record),
        Sign.FAR_UNIT: float(not unit and not later.record),
        Sign.VERB: float(bool(new.verbs & old.verbs)),
    }


def _told_again(new: Sentence, earlier: Tally) -> bool:
    """Whether a number still stands in the new sentence, of the same or of nothing said."""
    return any(
        each.value == earlier.value
        and (each.unit & earlier.unit or not each.unit or not earlier.unit)
        for each in new.tallies
    )


def _closeness(signs: Mapping[Sign, float]) -> float:
    return signs[Sign.TALLY_CONTEXT] + signs[Sign.TALLY_NAMES] - signs[Sign.LASTING]


def _names(sentence: Sentence) -> frozenset[str]:
    names = sentence.names - sentence.subject
    return frozenset(each for each in names if not each[:1].isdigit())


def _mass(stems: Iterable[str]) -> float:
    return sum(map(weight, stems))
