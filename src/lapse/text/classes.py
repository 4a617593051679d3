"""The classes of things that a text tells of and a question may ask for: persons, and the user.

"Tell me about people" shares no word with "Olivia works at the mill". A text that says of somebody
named what only people do carries a term that no word can be, and so does a question for people. How
much that counts is left to the term's IDF: much in a bank with few such texts, little among many.
"Left the navy in 2019" leaves out of whom, as notes do: it tells of whoever is called the user.

Decides by one verb and the word before it, in English. Refuses to know any name, to parse, and to
tell Olivia from the mill where both may do the same ("Olivia moved", "the mill moved").
"""

from typing import Final

from lapse.text.listing import listed
from lapse.text.verbs import FORMS, PASTS

PERSON: Final = "\u2042person"
"""What stands for persons among terms; a term made from a text begins with no asterism."""

USER: Final = "\u2042user"
"""What stands for the user, named so or left out."""

# What people do and hardly anything else, said of one person, or in the past.
_DOES: Final = listed(
    "likes liked loves loved hates hated dislikes disliked enjoys enjoyed prefers preferred adores"
    " wants wanted hopes hoped wishes wished thinks thought believes believed knows knew remembers"
    " lives lived resides works worked commutes commuted speaks spoke says said told talks talked"
    " reads read writes wrote studies studied learns learned learnt teaches taught graduated"
    " eats ate drinks drank cooks cooked sings sang plays played swims swam jogs hikes hiked"
    " practises practices practised practiced wears wore drives drove owns owned bought"
    " married divorced joined attends attended visits visited volunteers volunteered leads led"
    " manages managed mentors mentored met submitted finished completed retired resigned quit"
)
# The same of two, where a name stands on either side of "and".
_DO: Final = listed(
    "like love hate dislike enjoy prefer adore want hope wish think believe know remember live"
    " reside work commute speak say talk read write study learn teach eat drink cook sing play swim"
    " jog hike practise practice wear drive own attend visit volunteer lead manage mentor share"
)
_VERBS: Final = _DOES | _DO

# Capitals at the head of a sentence that name nobody.
_NO_NAMES: Final = listed(
    "A An The This That These Those It I You We There Here What Which Where When How Why If And But"
    " Or So Then Also Just Still Never Always Already Recently Not Nothing Everything Something My"
    " Your Our Their Its Some Many Most Few All Both Each Every Any Please"
)
_BETWEEN: Final = listed("also still really just recently usually often always never only now")

_ASKS: Final = listed(
    "who whom people person persons anyone anybody everyone everybody someone somebody folks"
    " colleague colleagues coworker coworkers co-worker co-workers teammate teammates"
)
_USER: Final = listed("user user's user’s")
# What may stand before the verb of a note that leaves out of whom it tells.
_DATED: Final = listed("in since by on during after before")
_ENDS: Final = ".,;:!?\"'()[]“”‘’…"


def classes_told(text: str) -> tuple[str, ...]:
    """The class terms of a text to be stored, each at most once."""
    words = text.split()
    told = not _VERBS.isdisjoint(words) and any(_says(words, at) for at in range(1, len(words)))
    of_user = _names_user(words) or _leaves_out(words)
    return (*((PERSON,) if told else ()), *((USER,) if of_user else ()))


def classes_asked(text: str) -> tuple[str, ...]:
    """The class terms of a question: `PERSON` where it asks for people, `USER` for the user."""
    words = text.casefold().split()
    asked = any(each.strip(_ENDS) in _ASKS for each in words)
    return (*((PERSON,) if asked else ()), *((USER,) if _names_user(words) else ()))


def _names_user(words: list[str]) -> bool:
    return any(each.strip(_ENDS).casefold() in _USER for each in words)


def _leaves_out(words: list[str]) -> bool:
    """Whether a text begins with what was done, after a date at most: "In 2019 left the navy"."""
    at = 0
    if words and words[0].casefold() in _DATED:
        dates = [
            each for each in range(1, min(4, len(words))) if words[each].strip(_ENDS).isdigit()
        ]
        if not dates:
            return False
        at = dates[0] + 1
    if at + 1 >= len(words):
        return False
    verb = words[at].casefold()
    return verb in PASTS or (verb.endswith("ed") and verb in FORMS)


def _says(words: list[str], at: int) -> bool:
    """Whether the word at a place is what somebody named does."""
    if words[at] not in _VERBS:
        return False
    before = at - 1
    if words[before] in _BETWEEN and before:
        before -= 1
    if not _may_name(words[before]):
        return False
    if words[at] in _DOES:
        return True
    return before > 1 and words[before - 1] in {"and", "&"} and _may_name(words[before - 2])


def _may_name(word: str) -> bool:
    # "read" is in both tables; a name may follow a quote, but no stop may follow a name.
    return word.lstrip(_ENDS)[:1].isupper() and word not in _NO_NAMES and word[-1] not in _ENDS
