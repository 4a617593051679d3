"""Signs of weight in a text: what is read off the words themselves, whatever the bank holds.

Decides which small closed lists of words and which shapes of writing say that a text matters more
or less than its rarity tells. Refuses to weigh them (`heuristic` does) and to be a dictionary: what
is not listed says nothing. Numbers, capitals and question marks are read in any script that has
them; the lists cover English and the commonest words of a few others, shared in one set. Words of a
language that writes no spaces are sought within the text.
"""

import re
from dataclasses import dataclass
from typing import Final

SPEAKER: Final = re.compile(
    r"\s*[^\W\d_][^\s:：]{0,29}(?: [^\s:：]{1,30}){0,2}(?::\s+|：\s*)",
)
"""A speaker's name before what is said: three words at most, a colon, white space."""

_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_LETTERS: Final = re.compile(r"(?<= )[^\W\d_]{2,}")
_FIGURE: Final = re.compile(r"\d")
# A semicolon asks in Greek alone, where composing a text turns the mark of a question into one.
_QUESTION: Final = re.compile(
    r"(?:[?？؟՞\u037e]|(?<=[\u0370-\u03ff\u1f00-\u1fff]);)\s*[\"'”’)\]]*\s*\Z"
)
_UNSPACED: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_LONGEST_CHATTER: Final = 8
_MOST_NAMES: Final = 3


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


DECIDED: Final = _listed(
    "decided decide decision agreed chose chosen approved rejected settled confirmed"
    " concluded adopted policy rule must mandatory required requirement deadline due"
    " entschieden beschlossen vereinbart décidé convenu decidido acordado deciso decidiu besloten"
    " решили решено uzgodniono 決定 决定"
)
"""Words of decisions and of what binds."""

CORRECTED: Final = _listed(
    "correction corrected correct actually instead anymore changed wrong mistaken mistake moved"
    " renamed replaced switched cancelled canceled postponed rescheduled"
    " korrektur stattdessen falsch geändert corrigé finalement changé corrección cambiado corretto"
    " исправление 訂正 更正"
)
"""Words of corrections and of change."""

COMMITTED: Final = _listed(
    "promise promised promises commit committed commitment owe owes remind reminder remember"
    " appointment booked scheduled signed subscribe subscribed pledge guarantee"
    " versprochen termin promis prometí cita promesso appuntamento"
    " обещал обещала 約束 承诺"
)
"""Words of commitments."""

_SAYING_CHANGE: Final = " no longer "
_SAYING_APPOINTMENT: Final = " rendez vous "

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
    " a an and is are am was be of on in at do did have had your see later talk soon care take"
    " luck np done noted understood roger ack haha's i'm you're agree"
    " danke schön sehr vielen dank bitte ja nein gut hallo tschüss merci beaucoup oui non salut"
    " bonjour gracias muchas sí hola vale grazie mille sì ciao prego obrigado obrigada sim não olá"
    " hoi tack takk tak hej dzięki nie спасибо большое да нет привет ладно ок 谢谢 谢谢你 谢谢您"
    " 好的 好 是 是的"
    " ありがとう ありがとうございます はい 네 감사합니다"
)
"""Words that a mere acknowledgement or greeting is made of."""

_NOTHING_WRONG: Final = _listed("problem problems worries")
"""Words that are chatter beside a "no", and something else without one."""


DATED: Final = _listed(
    "monday tuesday wednesday thursday friday saturday sunday weekend yesterday tomorrow tonight"
    " january february april june july august september october november december"
    " ago week weeks month months year years"
    " montag dienstag mittwoch donnerstag freitag samstag sonntag gestern morgen wochenende"
    " januar februar märz juni juli oktober dezember woche wochen monat monate jahr jahre"
    " lundi mardi mercredi jeudi vendredi samedi dimanche demain janvier février avril juin"
    " juillet août septembre octobre novembre décembre semaine semaines année années"
    " lunes martes miércoles jueves viernes sábado domingo ayer mañana enero febrero abril junio"
    " julio agosto septiembre octubre noviembre diciembre semana semanas meses año años"
    " вчера завтра понедельник вторник среда четверг пятница суббота воскресенье"
    " 昨日 明日 昨天 明天"
)
"""Words that date what is said, apart from those that mean other things more often."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """What a text shows.

    Attributes:
        decided, corrected, committed, personal: Whether a word of that list stands in it.
        figures: Whether it holds a number, or a date in digits or in words.
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


def speaker_of(text: str) -> str:
    """The speaker's name before what is said, with its colon; empty where there is none.

    A label that says what follows ("Decision:", "Correction:") is nobody's name.
    """
    found = SPEAKER.match(text)
    if found is None or found.end() == len(text):
        return ""
    name = frozenset(_words(found.group()))
    labels = (DECIDED, CORRECTED, COMMITTED, PERSONAL)
    return found.group() if all(name.isdisjoint(each) for each in labels) else ""


def said(text: str) -> str:
    """The text without the speaker's name before it: who says it makes it no more important."""
    return text[len(speaker_of(text)) :]


def signs_of(text: str) -> Signs:
    """Read the signs of a text, in time linear in its length."""
    words = _words(text)
    known = frozenset(words)
    spaced = f" {' '.join(words)} "
    chatter = CHATTER | _NOTHING_WRONG if "no" in known else CHATTER
    return Signs(
        decided=_says(known, text, DECIDED),
        corrected=_says(known, text, CORRECTED) or _SAYING_CHANGE in spaced,
        committed=_says(known, text, COMMITTED) or _SAYING_APPOINTMENT in spaced,
        personal=_says(known, text, PERSONAL),
        figures=_FIGURE.search(text) is not None or _says(known, text, DATED),
        names=min(len(_names(text)), _MOST_NAMES) / _MOST_NAMES,
        question=_QUESTION.search(text) is not None,
        chatter=len(words) <= _LONGEST_CHATTER and known <= chatter,
    )


def _words(text: str) -> list[str]:
    return [each.casefold().replace("’", "'") for each in _WORD.findall(text)]


def _says(known: frozenset[str], text: str, listed: frozenset[str]) -> bool:
    """Whether a word of a list stands in a text; one of a language without spaces, anywhere."""
    if not known.isdisjoint(listed):
        return True
    if _UNSPACED.search(text) is None:
        return False
    return any(each in text for each in listed if _UNSPACED.match(each))


def _names(text: str) -> set[str]:
    """Words written as names: a capital after a small letter, or after a comma or semicolon."""
    found = set()
    for match in _LETTERS.finditer(text):
        before = text[max(match.start() - 2, 0) : match.start() - 1]
        within = before in {",", ";"} or (before.isalpha() and not before.isupper())
        if within and match.group()[0].isupper():
            found.add(match.group().casefold())
    return found
