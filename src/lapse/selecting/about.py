"""Which memories a wish in plain words means, why, and which it nearly meant.

Decides by equality of identifiers, names and words at their boundaries, and by statements that say
two names are one. Refuses to decide by likeness: a memory that shares an attribute, a prefix or a
spelling in another case with what is meant is shown as near, and not taken.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from lapse.model.selector import Certainty, Chosen, Ground, Match, Passage, Reason
from lapse.selecting.asking import (
    Asked,
    Breadth,
    Wanted,
    is_exact,
    read_entity,
    read_identifier,
    read_wish,
    tail_of,
)
from lapse.selecting.clauses import rest_without
from lapse.selecting.links import Link, equations_among, is_equation, links_among
from lapse.selecting.nearness import nearest_of
from lapse.selecting.ordinary import is_used_as_name
from lapse.selecting.reading import Reading, Terms, names_name, read_passage
from lapse.selecting.sieve import sieve_for
from lapse.text.identifiers.apart import spelled_apart
from lapse.text.identifiers.kinship import kinship, same_written
from lapse.text.identifiers.reading import Found
from lapse.text.identifiers.spelling import plain
from lapse.text.names import Name, mentions

_ENOUGH: Final = 0.6
_AS_GOOD: Final = 0.9
_ROUNDS: Final = 8


def about(passages: Iterable[Passage], query: str, *, terms: Terms) -> Chosen:
    """The memories that a wish in plain words means.

    Args:
        passages: The memories to choose among; their order changes the order of the answer only.
        query: The wish: names, identifiers and words, such as "everything about Alice" or
            "card 5500-0000-0000-0004".
        terms: From a text to its stemmed terms, as `Tokeniser.terms`.

    Returns:
        Matches with their reasons, and the nearest of the others with the difference.
    """
    return chosen_by(list(passages), read_wish(query, terms), terms)


def all_about(passages: Iterable[Passage], entity: str, *, terms: Terms) -> Chosen:
    """The memories about one name or identifier, which is taken as it is written.

    Arguments and answer are those of `about`.
    """
    return chosen_by(list(passages), read_entity(entity, terms), terms)


def all_naming(passages: Iterable[Passage], identifier: str, *, terms: Terms) -> Chosen:
    """The memories that name exactly this identifier, in any spelling, and nothing by kinship.

    Arguments and answer are those of `about`.
    """
    return chosen_by(list(passages), read_identifier(identifier), terms)


def chosen_by(passages: Sequence[Passage], asked: Asked, terms: Terms) -> Chosen:
    """The memories that a wish means, once it is read."""
    sieve = sieve_for(asked)
    read: dict[str, Reading] = {}
    for _ in range(_ROUNDS):
        fresh = [
            each for each in passages if each.id not in read and sieve.lets_through(_all_of(each))
        ]
        read |= {each.id: read_passage(each, terms) for each in fresh}
        finder = _Finder(
            asked=asked, readings=[read[each.id] for each in passages if each.id in read]
        )
        finder.seek()
        wider = sieve.wider(finder.claims())
        if wider == sieve:
            break
        sieve = wider
    return _answer(finder)


def _all_of(passage: Passage) -> str:
    return " ".join((passage.text, passage.subject or "", *passage.entities))


def _answer(finder: "_Finder") -> Chosen:
    others = [each for each in finder.readings if each.id not in finder.reasons]
    return Chosen(
        matches=tuple(
            Match(
                id=each.id,
                reasons=tuple(finder.reasons[each.id]),
                rest=_rest_of(each, finder.asked),
            )
            for each in finder.readings
            if each.id in finder.reasons
        ),
        nearest=nearest_of(finder.asked, others),
    )


def _rest_of(reading: Reading, asked: Asked) -> str | None:
    for wanted in asked.wanted:
        if wanted.name is not None:
            rest = rest_without(wanted.name, reading.passage.text)
            if rest is not None:
                return rest
    return None


@dataclass(slots=True)
class _Finder:
    """Collects matches: first what the wish names, then what statements say is the same."""

    asked: Asked
    readings: Sequence[Reading]
    reasons: dict[str, list[Reason]] = field(default_factory=dict)
    followed: set[Name | Found] = field(default_factory=set)

    def seek(self) -> None:
        if self.asked.exact:
            self._by_exact()
        elif not self._by_apart():
            self._by_loose_or_words()
        if self.asked.breadth is Breadth.MEANT:
            self._follow()

    def claims(self) -> list[Reading]:
        """The chosen statements that say two names are one."""
        return [
            each
            for each in self.readings
            if each.id in self.reasons and (each.same_from is not None or is_equation(each))
        ]

    def _names(self) -> list[Name]:
        return [each.name for each in self.asked.wanted if each.name is not None]

    # --- identifiers ----------------------------------------------------------------------

    def _by_exact(self) -> None:
        for at, wanted in enumerate(self.asked.exact):
            tail = self.asked.tails[at] if self.asked.tails else ""
            taken = self._take_longer(wanted, tail) or self._take_equal(wanted, Certainty.CERTAIN)
            if not taken and self.asked.breadth is Breadth.MEANT:
                self._take_parts(wanted)
        for wanted in self.asked.loose:
            self._take_loose(wanted)

    def _take_equal(self, wanted: Found, certainty: Certainty) -> bool:
        taken = False
        for reading in self.readings:
            for found in reading.found:
                if same_written(wanted, found):
                    self._take(reading, Ground.IDENTIFIER, found.written, certainty)
                    taken = True
            apart = spelled_apart(wanted, reading.passage.text)
            if apart is not None:
                self._take(reading, Ground.IDENTIFIER, apart, certainty)
                taken = True
        return taken

    def _take_longer(self, wanted: Found, tail: str) -> bool:
        """What holds a code together with the word behind it, if anything: "GX-5 Pro"."""
        taken = False
        for reading in self.readings if tail else ():
            text = plain(reading.passage.text)
            for found in reading.found:
                if same_written(wanted, found) and tail_of(found, text) == tail:
                    self._take(reading, Ground.IDENTIFIER, found.written, Certainty.CERTAIN)
                    taken = True
        return taken

    def _take_parts(self, wanted: Found) -> None:
        """Nothing holds it as a whole: take what holds it as a part, if that is one thing."""
        kin = [
            (reading, found)
            for reading in self.readings
            for found in reading.found
            if kinship(wanted, found) is not None
        ]
        if len({found.identifier.canonical for _, found in kin}) == 1:
            for reading, found in kin:
                self._take(reading, Ground.IDENTIFIER, found.written, Certainty.LIKELY)

    def _by_apart(self) -> bool:
        """Codes that the wish spells in two words; whether any memory names one."""
        found = [self._take_equal(each, Certainty.CERTAIN) for each in self.asked.apart]
        return any(found)

    def _by_loose_or_words(self) -> None:
        if self.asked.loose and not self._names():
            for loose in self.asked.loose:
                self._take_loose(loose)
        else:
            for wanted in self.asked.wanted:
                self._by_wanted(wanted)

    def _take_loose(self, wanted: Found) -> None:
        """A short number or a date names something only together with a word of the wish."""
        for reading in self.readings:
            together = not self.asked.words or self.asked.words & reading.terms
            if together and any(same_written(wanted, each) for each in reading.found):
                self._take(reading, Ground.IDENTIFIER, wanted.written, Certainty.CERTAIN)

    # --- names and words ------------------------------------------------------------------

    def _by_wanted(self, wanted: Wanted) -> None:
        if wanted.name is None:
            if not self._names():
                self._by_words(wanted)
            return
        named = [each for each in self.readings if _is_about(each, wanted.name)]
        kept = _narrowed(named, wanted)
        said = not wanted.narrowing or any(
            not each.terms.isdisjoint(wanted.narrowing) for each in kept
        )
        for reading in kept:
            sure = said and not _is_within_longer(reading, wanted.name)
            certainty = Certainty.CERTAIN if sure else Certainty.LIKELY
            self._take(reading, Ground.NAME, wanted.name.written, certainty)

    def _by_words(self, wanted: Wanted) -> None:
        words = frozenset(wanted.narrowing) or self.asked.words
        covered = _coverage(words, self.readings)
        best = max(covered.values(), default=0.0)
        if best < _ENOUGH:
            return
        for reading in self.readings:
            if covered[reading.id] >= best * _AS_GOOD and self._same_sense(reading):
                shared = ", ".join(sorted(words & reading.terms))
                self._take(reading, Ground.WORDS, shared, Certainty.LIKELY)

    def _same_sense(self, reading: Reading) -> bool:
        return reading.negated or not self.asked.negated

    # --- statements that two names are one ------------------------------------------------

    def _follow(self) -> None:
        links = links_among(self.readings)
        equations = equations_among(self.readings)
        for _ in range(_ROUNDS):
            before = len(self.reasons)
            for link in links:
                self._follow_link(link)
            for equation in equations:
                if equation.reading.id in self.reasons:
                    for carrier in equation.sides:
                        self._take_carrier(carrier, Certainty.CERTAIN)
            if len(self.reasons) == before:
                break

    def _follow_link(self, link: Link) -> None:
        ends = (link.says, link.of)
        if not any(each.id in self.reasons for each in ends):
            return
        for each in ends:
            if each.id not in self.reasons:
                self._take(each, Ground.LINK, "", link.certainty)
        carriers: tuple[Name | Found, ...] = (*link.names, *link.found)
        for carrier in carriers:
            self._take_carrier(carrier, link.certainty)

    def _take_carrier(self, carrier: Name | Found, certainty: Certainty) -> None:
        """Take every memory that names what a statement says is the same."""
        if carrier in self.followed:
            return
        self.followed.add(carrier)
        for reading in self.readings:
            if reading.id in self.reasons:
                continue
            if isinstance(carrier, Name):
                held = names_name(reading, carrier)
                written = carrier.written
            else:
                held = is_exact(carrier) and any(
                    same_written(carrier, each) for each in reading.found
                )
                written = carrier.written
            if held:
                self._take(reading, Ground.LINK, written, certainty)

    def _take(self, reading: Reading, ground: Ground, detail: str, certainty: Certainty) -> None:
        reason = Reason(ground=ground, detail=detail, certainty=certainty)
        reasons = self.reasons.setdefault(reading.id, [])
        if reason not in reasons:
            reasons.append(reason)


def _is_about(reading: Reading, name: Name) -> bool:
    passage = reading.passage
    if name.written in {passage.subject, *passage.entities}:
        return True
    return names_name(reading, name) and any(
        is_used_as_name(reading.words, begin, end) for begin, end in mentions(name, reading.words)
    )


def _is_within_longer(reading: Reading, name: Name) -> bool:
    """Whether a memory has the name only as the end of a longer one: Ben, where it says Big Ben."""
    found = mentions(name, reading.words)
    return bool(found) and all(
        begin > 0
        and reading.words[begin - 1].capital
        and not reading.words[begin - 1].head
        and not reading.words[begin - 1].owner
        and reading.words[begin - 1].end + 1 == reading.words[begin].start
        for begin, _ in found
    )


def _narrowed(named: list[Reading], wanted: Wanted) -> list[Reading]:
    """Those that also say most of what narrows the wish; all of them when none says any of it."""
    together = [each for each in named if all(mentions(other, each.words) for other in wanted.also)]
    named = together or named
    counts = {each.id: len(each.terms.intersection(wanted.narrowing)) for each in named}
    best = max(counts.values(), default=0)
    return [each for each in named if counts[each.id] == best]


def _coverage(words: frozenset[str], readings: Sequence[Reading]) -> dict[str, float]:
    """Share of a wish's words that each memory says, a rare word weighing more.

    A word that no memory says weighs as the rarest: what is wanted may not be there at all.
    """
    counts = Counter(word for each in readings for word in each.terms & words)
    weights = {word: math.log1p(len(readings) / max(counts[word], 1)) for word in words}
    total = math.fsum(weights.values())
    return {
        each.id: math.fsum(weights[word] for word in sorted(words & each.terms)) / total
        if total
        else 0.0
        for each in readings
    }
