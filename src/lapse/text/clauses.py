"""Sentences and clauses: the parts of a text that can hold or cease to hold one by one.

Decides where a statement divides, which subject a part without one takes from the part before it,
and how what remains reads when parts are taken out. Refuses to say what any of it means.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from lapse.text.listing import listed
from lapse.text.verbs import is_verb

WORD: Final = re.compile(r"[$€£#@]?\w+(?:[-'’.,@/+:]\w+)*[+#%]*")
"""A word, a number or an identifier, with the signs within it."""

# A full stop after a title or an initial ends no sentence.
_TITLES: Final = listed("dr mr mrs ms prof st jr sr vs etc no inc ltd co e.g i.e approx")
_BREAK: Final = re.compile(r"[.!?…]+[\"'”’)\]]*\s+|\s*\n\s*|[。！？]")

# What may part two clauses, if a verb follows. Longest first.
_JOINT: Final = re.compile(
    r"\s*[;—]\s*(?:and |but |instead, |however, )?"
    r"|\s*,\s*(?:and |but |while |whereas |though |although |yet |so )?"
    r"|\s+(?:and|but|while|whereas|though|although|yet)\s+",
    re.IGNORECASE,
)
# Adverbs that may stand between the joint and the verb, or before the verb of any clause.
_ADVERBS: Final = listed(
    "now also then still only often always usually never currently no longer instead"
    " recently once sometimes both not just already actually really mostly mainly primarily since"
    " previously formerly all strictly exclusively"
)
_AGENT: Final = listed("i we he she they it you")
# A verb that its pronoun is written together with.
_OWNERS: Final = listed("the my your his her its our their")
"""What stands before a thing or a person that begins a clause: "her sister runs a shop"."""

_CONTRACTED: Final = re.compile(
    r"(i|we|he|she|they|it|you|that|there|here|what|who)['’]", re.IGNORECASE
)
_LEADS: Final = listed(
    "in on at by from since until till during throughout starting beginning after before as now"
    " today currently recently lately last this next"
)
_BESIDE: Final = listed("while whereas")
_PARTICIPLE: Final = re.compile(r"(?:based|located|born|married|engaged|known|\w+ing)\b")


_REACH: Final = 4
"""How many words may stand between a joint and the verb of the clause it opens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One part of a text.

    Attributes:
        text: As it stands there, without the joint before it.
        start, end: Where it stands, in characters; half-open.
        sentence: Number of its sentence in the text, from 0.
        subject: Who or what it is about, as written: its own subject, or that of the clause before
            it in the sentence. Empty where none is named.
        bears_subject: Whether the subject stands in this clause.
        verb_at: Where its verb begins, counted from `start`; None without a verb.
    """

    text: str
    start: int
    end: int
    sentence: int
    subject: str
    bears_subject: bool
    verb_at: int | None


def sentences_of(text: str) -> list[tuple[int, int]]:
    """Where each sentence of a text begins and ends, its closing signs included."""
    found: list[tuple[int, int]] = []
    start = 0
    for match in _BREAK.finditer(text):
        if _ends_no_sentence(text, start, match.start()):
            continue
        end = match.start() + len(match.group().rstrip())
        if text[start:end].strip():
            found.append((start, end))
        start = match.end()
    if text[start:].strip():
        found.append((start, len(text)))
    return found


def clauses_of(text: str) -> list[Clause]:
    """The clauses of a text, in order. A text without a verb is one clause per sentence."""
    found: list[Clause] = []
    for number, (start, end) in enumerate(sentences_of(text)):
        subject = ""
        for piece_start, piece_end in _pieces(text, start, end):
            piece = text[piece_start:piece_end]
            verb_at = _verb_at(piece)
            own = _subject_of(piece, verb_at)
            subject = own or subject
            found.append(
                Clause(
                    text=piece,
                    start=piece_start,
                    end=piece_end,
                    sentence=number,
                    subject=subject,
                    bears_subject=bool(own),
                    verb_at=verb_at,
                )
            )
    return found


def without(text: str, clauses: Sequence[Clause], gone: Sequence[Clause]) -> str | None:
    """What remains of a text when some of its clauses are taken out, as sentences of their own.

    Args:
        text: The text.
        clauses: All its clauses, from `clauses_of`.
        gone: Those to take out.

    Returns:
        The rest, or None where nothing is left. Sentences that lose nothing stay as they were.
    """
    taken = {each.start for each in gone}
    touched = {each.sentence for each in gone}
    kept: list[str] = []
    for number, (start, end) in enumerate(sentences_of(text)):
        if number not in touched:
            kept.append(text[start:end].strip())
            continue
        parts = [each for each in clauses if each.sentence == number and each.start not in taken]
        if parts:
            kept.append(_sentence(parts, text[start:end].rstrip()[-1:]))
    return " ".join(kept) if kept else None


def _ends_no_sentence(text: str, start: int, at: int) -> bool:
    if text[at] != ".":
        return False
    words = text[start:at].split()
    if not words:
        return True
    last = words[-1].lstrip("(\"'“‘").casefold()
    return last in _TITLES or (len(last) == 1 and last.isalpha() and last != "i")


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where the clauses of one sentence stand: each joint that a verb follows parts two."""
    sentence = text[start:end].rstrip()
    sentence = sentence.rstrip(".!?… \"'”’")
    left = 0
    for joint in _JOINT.finditer(sentence):
        beside = joint.group().strip(" ,").casefold() in _BESIDE
        if joint.start() <= left or not _opens_clause(sentence[joint.end() :], beside=beside):
            continue
        if _verb_at(sentence[left : joint.start()]) is None:
            continue
        yield start + left, start + joint.start()
        left = joint.end()
    yield start + left, start + len(sentence)


def _opens_clause(rest: str, *, beside: bool) -> bool:
    """Whether a clause begins here: a verb within reach, with nothing but its subject before it.

    After "while" the verb may be in -ing: "while writing prose".
    """
    before: str | None = None
    for at, match in enumerate(WORD.finditer(rest)):
        written, word = match.group(), match.group().casefold()
        if at > _REACH or (at > 0 and _parted(rest, match.start())):
            return False
        if word not in _ADVERBS and is_verb(word, before):
            return at > 0 or beside or not word.endswith("ing")
        if at == 0 and _PARTICIPLE.match(word) and not word.endswith("ing"):
            return True
        named = written[:1].isupper() or word in _AGENT or word in _OWNERS or word == "user"
        if not named and word not in _ADVERBS and before not in _OWNERS:
            return False
        before = word
    return False


def _parted(text: str, at: int) -> bool:
    return text[:at].rstrip()[-1:] in {",", ";"}


def _verb_at(piece: str) -> int | None:
    """Where the first verb of a clause begins; a form in -ing only where there is no other."""
    before: str | None = None
    gerund: int | None = None
    for match in WORD.finditer(piece):
        word = match.group().casefold().replace("’", "'")
        if is_verb(word, before):
            if not word.endswith("ing"):
                return match.start()
            gerund = match.start() if gerund is None else gerund
        before = word
    return gerund


def _subject_of(piece: str, verb_at: int | None) -> str:
    """What stands before the verb, without the adverbs and the dating phrase that may lead it."""
    if verb_at is None:
        return ""
    contracted = _CONTRACTED.match(piece[verb_at:])
    if contracted is not None:
        return contracted[1]
    lead = piece[:verb_at].rstrip(" ,")
    before, comma, after = lead.rpartition(",")
    if (comma and (before.split()[:1] or [""])[0].casefold() in _LEADS) or _opens_with_agent(after):
        lead = after
    words = [each for each in lead.split() if each.casefold().strip(",") not in _ADVERBS - {"not"}]
    if words and words[0].casefold() in _LEADS:
        # "Throughout 2022 user was ...": the word before the verb is the subject.
        words = [each for each in words[1:] if not any(map(str.isdigit, each))][-1:]
    return " ".join(words)


def _opens_with_agent(text: str) -> bool:
    return (text.split() or [""])[0].casefold() in _AGENT


def _sentence(parts: Sequence[Clause], closing: str) -> str:
    pieces = [_standing(parts[0])]
    pieces += [each.text for each in parts[1:]]
    joined = pieces[0] if len(pieces) == 1 else ", ".join(pieces[:-1]) + " and " + pieces[-1]
    end = closing if closing in ".!?…" else "."
    return joined[:1].upper() + joined[1:] + end


def _standing(clause: Clause) -> str:
    """A clause with its subject in front, so that it can stand alone."""
    if clause.bears_subject or not clause.subject:
        return clause.text
    linked = _PARTICIPLE.match(clause.text.casefold())
    return f"{clause.subject} {'is ' if linked else ''}{clause.text}"
