"""Statements that say two names are one: "the same guest, written Wang Fang".

Decides which statement speaks of which other, and on what ground. Refuses to use order: a statement
may come before or long after the one it speaks of.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from lapse.model.selector import Certainty
from lapse.selecting.asking import is_exact
from lapse.selecting.cues import EQUALS, VAGUE
from lapse.selecting.reading import Reading, names_name
from lapse.text.identifiers.apart import spelled_apart
from lapse.text.identifiers.kinship import Kinship, kinship, suffixed
from lapse.text.identifiers.reading import Found
from lapse.text.identifiers.spelling import plain
from lapse.text.names import Name, likeness


class Strength(IntEnum):
    """How well a statement fits the one it may speak of; the best counts."""

    NONE = 0
    KIND = 1
    OTHER_ALPHABET = 2
    SOUNDS_ALIKE = 3
    VARIANT = 4
    EQUAL = 5


_ENDINGS: Final = frozenset({"suffix", "extens", "end"})
"""Stems by which a statement says that two spellings differ in how they end."""

_NO_FIT: Final = (Strength.NONE, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Two memories of which one says that it speaks of what the other names.

    Attributes:
        says: The statement that begins with "the same …".
        of: The memory it speaks of.
        strength: On what ground.
        likeness: How alike the names sound, where that is the ground.
        names: What each of them calls it.
        found: The identifiers by which each of them names it.
    """

    says: Reading
    of: Reading
    strength: Strength
    likeness: float = 0.0
    names: tuple[Name, ...] = ()
    found: tuple[Found, ...] = ()

    @property
    def certainty(self) -> Certainty:
        """Whether the names themselves show it, or only the kind of thing."""
        return Certainty.CERTAIN if self.strength >= Strength.VARIANT else Certainty.LIKELY


def links_among(readings: Iterable[Reading]) -> list[Link]:
    """Every link that the statements among these memories claim."""
    listed = list(readings)
    claims = {each.id: _claims(each, listed) for each in listed if each.same_from is not None}
    claimed = {
        link.of.id
        for links in claims.values()
        for link in links
        if link.strength >= Strength.SOUNDS_ALIKE
    }
    chosen: list[Link] = []
    for links in claims.values():
        fit = max(((each.strength, each.likeness) for each in links), default=_NO_FIT)
        kept = [each for each in links if (each.strength, each.likeness) == fit]
        if fit[0] <= Strength.OTHER_ALPHABET:
            # Only the kind of thing says so: then nothing else may be of that kind.
            kept = [each for each in kept if each.of.id not in claimed]
            kept = kept if len(kept) == 1 else []
        chosen += kept
    return chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class Equation:
    """A statement that says within itself that two names are one."""

    reading: Reading
    sides: tuple[Name | Found, Name | Found]


def equations_among(readings: Iterable[Reading]) -> list[Equation]:
    """Every statement that sets two names or identifiers equal."""
    return [found for each in readings if (found := _equation(each)) is not None]


def is_equation(reading: Reading) -> bool:
    """Whether a statement sets two names equal within itself."""
    return _equation(reading) is not None


def _equation(reading: Reading) -> Equation | None:
    text = plain(reading.passage.text)
    sign = EQUALS.search(text)
    if sign is None:
        return None
    carriers: list[tuple[int, Name | Found]] = [
        *((each.words[0].start, each) for each in reading.names),
        *((each.start, each) for each in reading.found),
    ]
    carriers.sort(key=lambda each: each[0])
    before = [carrier for start, carrier in carriers if start < sign.start()]
    after = [carrier for start, carrier in carriers if start >= sign.end()]
    if before and after:
        return Equation(reading=reading, sides=(before[-1], after[0]))
    # "Ann Lee and @annl are the same person": both stand before.
    if len(before) > 1 and not after and " and " in text[: sign.start()]:
        return Equation(reading=reading, sides=(before[-2], before[-1]))
    return None


def _claims(says: Reading, among: list[Reading]) -> list[Link]:
    begin = says.same_from or 0
    own_names = [each for each in says.names if each.words[-1].end > begin]
    own_found = [each for each in says.found if each.start >= begin]
    kinds = _kinds(says)
    links: list[Link] = []
    if not kinds:
        return links
    for of in among:
        if of.id == says.id or of.same_from is not None:
            continue
        same_kind = not kinds.isdisjoint(of.terms)
        # A date or a short number is shared by chance, unless the kind of thing is shared too.
        telling = [each for each in own_found if is_exact(each) or same_kind]
        link = _by_identifier(says, of, telling)
        if link is None and same_kind:
            link = _by_name(says, of, own_names) or _by_kind(says, of, own_names, own_found)
        elif link is not None and link.strength is Strength.VARIANT and not same_kind:
            link = link if _one_box(link) else None
        if link is not None:
            links.append(link)
    return links


def _one_box(link: Link) -> bool:
    """Whether a variant is plain by itself: a mailbox's tag, a page of that handle."""
    mine, theirs = link.found
    kin = kinship(mine, theirs) or kinship(theirs, mine)
    return kin in {Kinship.TAGGED, Kinship.NATIONAL, Kinship.PROFILE}


def _kinds(says: Reading) -> frozenset[str]:
    """The terms of the two words after "the same": what kind of thing it is."""
    begin = says.same_from or 0
    words = [
        each
        for each in [each for each in says.words if each.start >= begin][:2]
        if (not each.capital or each.written.isupper()) and each.key not in VAGUE
    ]
    return frozenset(each.key for each in words) | frozenset(
        term for term in says.terms if any(_stems(term, each.key) for each in words)
    )


def _stems(term: str, key: str) -> bool:
    # A stem is mostly a beginning, but "company" has "compani".
    return key.startswith(term) or key == f"{term.removesuffix('i')}y"


def _by_identifier(says: Reading, of: Reading, own: list[Found]) -> Link | None:
    best: Link | None = None
    for theirs in of.found:
        if spelled_apart(theirs, says.passage.text) is not None:
            return Link(says=says, of=of, strength=Strength.EQUAL, found=(theirs,))
    for mine in own:
        for theirs in of.found:
            kin = kinship(mine, theirs) or kinship(theirs, mine)
            if kin is None and not _ending_told(says, mine, theirs):
                continue
            strength = Strength.EQUAL if kin is Kinship.SAME else Strength.VARIANT
            if best is None or strength > best.strength:
                best = Link(says=says, of=of, strength=strength, found=(mine, theirs))
    return best


def _ending_told(says: Reading, mine: Found, theirs: Found) -> bool:
    """Whether a statement says that an ending is all the difference."""
    told = not says.terms.isdisjoint(_ENDINGS)
    return told and (suffixed(mine, theirs) or suffixed(theirs, mine))


def _by_name(says: Reading, of: Reading, own: list[Name]) -> Link | None:
    for mine in own:
        if names_name(of, mine):
            return Link(says=says, of=of, strength=Strength.EQUAL, names=(mine,))
    best: Link | None = None
    for mine in own:
        for theirs in of.names:
            alike = likeness(mine, theirs)
            if alike > 0 and (best is None or alike > best.likeness):
                best = Link(
                    says=says,
                    of=of,
                    strength=Strength.SOUNDS_ALIKE,
                    likeness=alike,
                    names=(mine, theirs),
                )
    return best


def _by_kind(
    says: Reading, of: Reading, own_names: list[Name], own_found: list[Found]
) -> Link | None:
    for mine in own_names:
        for theirs in of.names:
            if mine.foreign != theirs.foreign:
                strength = Strength.OTHER_ALPHABET
                return Link(says=says, of=of, strength=strength, names=(mine, theirs))
    if own_found and of.found:
        return Link(says=says, of=of, strength=Strength.KIND, found=(own_found[0], of.found[0]))
    return None
