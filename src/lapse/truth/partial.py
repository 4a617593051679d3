"""What of an old statement no longer holds: all of it, or one clause of it, and in which way.

Decides which clauses a new statement bears on, what remains of the rest, and the kind of the
change. Refuses to decide whether anything is replaced at all: that is `finding`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from lapse.errors import ValidationError
from lapse.model.finding import ChangeKind
from lapse.model.instants import Instant, parse_instant
from lapse.text.clauses import without
from lapse.text.listing import listed
from lapse.text.tokens import Tokeniser
from lapse.truth.attributes import asked, stated
from lapse.truth.reading import Claim, Sentence
from lapse.truth.words import weight

_RESTATED: Final = 0.75
"""Share of a clause's words told again from which the new statement has taken it over."""

_SOLE: Final = listed("only exclusively solely entirely")
_ENDING: Final = listed("longer anymore stopped quit never ceased ended cancelled canceled")

_MONTHS: Final = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_UNTIL: Final = re.compile(
    rf"\b(?:until|till|up to|through)\s+(?:(?:early|late|mid|the end of)[ -])?"
    rf"(?:({'|'.join(_MONTHS)})\s+)?((?:19|20)\d\d)(?:-(\d\d)(?:-(\d\d))?)?\b",
    re.IGNORECASE,
)

_SINCE: Final = re.compile(
    rf"\b(?:since|as of|starting|beginning)\s+(?:in\s+)?(?:(?:early|late|mid)[ -])?"
    rf"(?:({'|'.join(_MONTHS)})\s+)?((?:19|20)\d\d)(?:-(\d\d)(?:-(\d\d))?)?\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """What an old statement loses.

    Attributes:
        kind: How.
        clause: The part that no longer holds, where something else remains.
        rest: What remains, able to stand alone; goes with `clause`.
        until: When it ended, where the new statement says so: the end it gives, or its own start.
    """

    kind: ChangeKind
    clause: str | None = None
    rest: str | None = None
    until: Instant | None = None


def loss(
    new: Sequence[Sentence],
    old_text: str,
    old: Sequence[Sentence],
    hit: Sentence,
    query: frozenset[str],
    tokeniser: Tokeniser,
) -> Loss:
    """Say what is lost of an old statement that a new one replaces.

    Args:
        new: The new statement, read.
        old_text: The old one.
        old: The same, read.
        hit: The sentence of it that the new statement bears on.
        query: Stems by which a caller said what is replaced; none where nobody did.
        tokeniser: That of the readings.
    """
    clauses = [claim.clause for sentence in old for claim in sentence.claims]
    gone = _gone(new, hit, query, tokeniser)
    lost = [each.clause for each in gone]
    others = [
        claim
        for sentence in old
        for claim in sentence.claims
        if claim.clause not in lost and (sentence is hit or sentence.claiming)
    ]
    rest = without(old_text, clauses, lost) if others else None
    if rest is not None and not all(_restated(each, new) for each in others):
        clause = "; ".join(each.text for each in lost)
        return Loss(kind=ChangeKind.PARTIAL, clause=clause, rest=rest, until=_since(new))
    return _whole(new, gone)


def _gone(
    new: Sequence[Sentence], hit: Sentence, query: frozenset[str], tokeniser: Tokeniser
) -> list[Claim]:
    """The clause that the new statement bears on most, and those that stand or fall with it."""
    said = frozenset().union(*(each.said | each.verbs for each in new))
    phrases = frozenset().union(*(each.phrases for each in new))
    matter = asked(query or said, tokeniser, () if query else phrases)
    told = frozenset[str]() if query else stated(said, phrases, tokeniser)
    open_ = [each for each in hit.claims if not _restated(each, new)]
    if not open_:
        return list(hit.claims)

    def bearing(claim: Claim) -> tuple[float, int]:
        words = _words(claim)
        met = 2.0 * _mass(words & query) + _mass(words & said)
        matters = stated(words, _phrases(claim), tokeniser)
        of_matter = float(bool(matters & matter)) + float(bool(matters & told))
        return met / max(1.0, _mass(words)) + of_matter, -claim.clause.start

    if len(open_) == len(hit.claims) and not any(bearing(each)[0] for each in open_):
        # Nothing says that only a part of it is meant.
        return open_
    chosen = max(open_, key=bearing)
    of = stated(_words(chosen), _phrases(chosen), tokeniser)
    return [each for each in hit.claims if each is chosen or _follows(each, chosen, of, tokeniser)]


def _follows(claim: Claim, chosen: Claim, matters: frozenset[str], tokeniser: Tokeniser) -> bool:
    """Whether a clause stands or falls with another.

    It does if it is of the same matter ("owns no car and uses transit"), if it only says what ended
    before ("left Acme, took a role at Initech"), or if it says what alone was done instead
    ("refuses to phone and only writes").
    """
    if not claim.asserted:
        return True
    if chosen.denied and claim.folded & _SOLE:
        return True
    return bool(stated(_words(claim), _phrases(claim), tokeniser) & matters)


def _phrases(claim: Claim) -> tuple[tuple[str, str], ...]:
    return () if claim.phrase is None else (claim.phrase,)


def _words(claim: Claim) -> frozenset[str]:
    verb = frozenset({claim.verb}) if claim.verb else frozenset[str]()
    return claim.asserted | claim.denied | verb


def _restated(claim: Claim, new: Sequence[Sentence]) -> bool:
    """Whether the new statement says the same of its own accord."""
    asserted = frozenset().union(*(each.asserted | each.subject for each in new))
    mass = _mass(claim.asserted)
    return mass > 0 and _mass(claim.asserted & asserted) / mass >= _RESTATED


def _whole(new: Sequence[Sentence], gone: Sequence[Claim]) -> Loss:
    until = _until(new, gone)
    if until is not None:
        return Loss(kind=ChangeKind.BOUNDED, until=until)
    old_asserted = frozenset().union(*(each.asserted for each in gone))
    old_denied = frozenset().union(*(each.denied for each in gone))
    asserted = frozenset().union(*(each.asserted for each in new))
    denied = frozenset().union(*(each.denied for each in new))
    folded = frozenset().union(*(each.folded for each in new))
    if old_denied & asserted:
        return Loss(kind=ChangeKind.POLARITY, until=_since(new))
    if denied and not asserted - old_asserted:
        ended = bool(folded & _ENDING)
        return Loss(kind=ChangeKind.RETRACTION if ended else ChangeKind.POLARITY)
    return Loss(kind=ChangeKind.REPLACEMENT, until=_since(new))


def _until(new: Sequence[Sentence], gone: Sequence[Claim]) -> Instant | None:
    """The end that a new statement gives the old: the start of the year, month or day named."""
    matter = frozenset().union(*(each.asserted for each in gone))
    for claim in (each for sentence in new for each in sentence.claims):
        match = _UNTIL.search(claim.clause.text)
        if match is None or not claim.asserted & matter:
            continue
        found = _instant(match)
        if found is not None:
            return found
    return None


def _since(new: Sequence[Sentence]) -> Instant | None:
    """The start that the only claim of a new statement gives itself: what was before ended then."""
    claims = [each for sentence in new for each in sentence.claims]
    match = _SINCE.search(claims[0].clause.text) if len(claims) == 1 else None
    return None if match is None else _instant(match)


def _instant(match: re.Match[str]) -> Instant | None:
    name, year, month, day = match.groups()
    number = _MONTHS.index(name.lower()) + 1 if name else int(month or 1)
    try:
        return parse_instant(f"{year}-{number:02}-{int(day or 1):02}", "until")
    except ValidationError:
        return None


def _mass(stems: Iterable[str]) -> float:
    return sum(map(weight, stems))
