"""Signs of weight in a text: what is read off the words themselves, whatever the bank holds.

Decides which small closed lists of words and which shapes of writing say that a text matters more
or less than its rarity tells. Refuses to weigh them (`heuristic` does) and to be a dictionary: what
is not listed says nothing. Numbers, capitals and question marks are read in any language; the lists
cover English and the commonest words of a few others, shared in one set.
"""

import re
from dataclasses import dataclass
from typing import Final

SPEAKER: Final = re.compile(r"\s*[^\W\d_][^\s:]{0,29}(?: [^\s:]{1,30}){0,2}:\s+")
"""A speaker's name before what is said: three words at most, a colon, white space."""

_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_FIGURE: Final = re.compile(r"\d")
_NAME: Final = re.compile(r"(?<=[^\W\d_A-Z,;)] )[A-Z][^\W\d_]+|(?<=[,;] )[A-Z][^\W\d_]+")
_QUESTION: Final = re.compile(r"[?？؟;՞]\s*[\"'”’)\]]*\s*\Z")
_LONGEST_CHATTER: Final = 8
_MOST_NAMES: Final = 3


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


DECIDED: Final = _listed(
    "decided decide decision agreed agree chose chosen approved rejected settled confirmed"
    " concluded adopted policy rule must mandatory required requirement deadline due"
    " entschieden beschlossen vereinbart décidé convenu decidido acordado deciso decidiu besloten"
    " решили решено uzgodniono 決定 决定"
)
"""Words of decisions and of what binds."""

CORRECTED: Final = _listed(
    "correction corrected correct actually instead anymore changed wrong mistaken mistake moved"
    " renamed replaced switched cancelled canceled postponed rescheduled no-longer"
    " korrektur stattdessen falsch geändert corrigé finalement changé corrección cambiado corretto"
    " исправление 訂正 更正"
)
"""Words of corrections and of change."""

COMMITTED: Final = _listed(
    "promise promised promises commit committed commitment owe owes remind reminder remember"
    " appointment booked scheduled signed subscribe subscribed pledge guarantee"
    " versprochen versprochen termin promis rendez-vous prometí cita promesso appuntamento"
    " обещал обещала 約束 承诺"
)
"""Words of commitments."""

PERSONAL: Final = _listed(
    "allergic allergy prefer prefers preferred preference favorite favourite always never hate"
    " hates love loves diagnosed pregnant married divorced engaged born died birthday anniversary"
    " vegan vegetarian password address medication surgery moved quit hired fired promoted"
    " allergisch bevorzugt immer lieblings geburtstag allergique préfère toujours anniversaire"
    " alérgico prefiere siempre cumpleaños allergico preferisce compleanno"
    " аллергия предпочитает 好き 喜欢 过敏"
)
"""Words of lasting traits, tastes and turns of a life."""

CHATTER: Final = _listed(
    "ok okay k yes no yeah yep yup nope nah sure thanks thank thx ty cheers hi hey hello hiya bye"
    " goodbye goodnight wow cool great nice awesome lovely perfect good fine alright right indeed"
    " lol ha haha hmm hm oh ah aw aww welcome congrats congratulations please sorry sounds sound"
    " definitely absolutely totally exactly agreed got gotcha glad happy morning evening night day"
    " you i me my we us it it's that that's this so very really too much just all well for to the"
    " a an and is are am was be of on in at do did have had not your see later talk soon care take"
    " luck problem worries np done noted understood roger ack haha's i'm you're"
    " danke bitte ja nein gut hallo tschüss merci oui non salut bonjour gracias sí hola vale"
    " grazie sì ciao prego obrigado obrigada sim não olá dank hoi tack takk tak hej dzięki tak nie"
    " спасибо да нет привет ладно ок 谢谢 好的 好 是 ありがとう はい 네 감사합니다"
)
"""Words that a mere acknowledgement or greeting is made of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """What a text shows.

    Attributes:
        decided, corrected, committed, personal: Whether a word of that list stands in it.
        figures: Whether it holds a number or a date in digits.
        names: Distinct words written as names within a sentence, up to 3, as a share in [0, 1].
        question: Whether it ends by asking.
        chatter: Whether it is an acknowledgement or a greeting and nothing else.
    """

    decided: bool = False
    corrected: bool = False
    committed: bool = False
    personal: bool = False
    figures: bool = False
    names: float = 0.0
    question: bool = False
    chatter: bool = False


def said(text: str) -> str:
    """The text without the speaker's name before it: who says it makes it no more important."""
    found = SPEAKER.match(text)
    return text if found is None or found.end() == len(text) else text[found.end() :]


def signs_of(text: str) -> Signs:
    """Read the signs of a text, in time linear in its length."""
    words = [each.casefold().replace("’", "'") for each in _WORD.findall(text)]
    known = frozenset(words)
    names = {each.casefold() for each in _NAME.findall(text)} - {"i"}
    chatter = len(words) <= _LONGEST_CHATTER and known <= CHATTER
    return Signs(
        decided=not known.isdisjoint(DECIDED),
        corrected=not known.isdisjoint(CORRECTED),
        committed=not known.isdisjoint(COMMITTED),
        personal=not known.isdisjoint(PERSONAL),
        figures=_FIGURE.search(text) is not None,
        names=min(len(names), _MOST_NAMES) / _MOST_NAMES,
        question=_QUESTION.search(text) is not None,
        chatter=chatter,
    )
