"""What lies near a wish without being meant, so that a reader can see where the line was drawn.

Decides which difference is named first. Refuses to take anything.
"""

from collections.abc import Sequence
from typing import Final

from lapse.model.selector import Near, Sparing
from lapse.selecting.asking import Asked
from lapse.selecting.reading import Reading
from lapse.text.names import mentions

_SHOWN: Final = 10
_PREFIX: Final = 5
_ORDER: Final = tuple(Sparing)


def nearest_of(asked: Asked, others: Sequence[Reading], shown: int = _SHOWN) -> tuple[Near, ...]:
    """The nearest of the memories that were not taken, the nearest first."""
    found = [near for each in others if (near := _near(asked, each)) is not None]
    return tuple(sorted(found, key=lambda each: _ORDER.index(each.sparing))[:shown])


def _near(asked: Asked, reading: Reading) -> Near | None:
    for wanted in asked.exact:
        for found in reading.found:
            one, other = wanted.identifier.canonical, found.identifier.canonical
            within = one in other or (other in one and len(other) > 3)
            if within or one[:_PREFIX] == other[:_PREFIX]:
                return _spared(reading, Sparing.LONGER_IDENTIFIER, found.written)
    for each in asked.wanted:
        if each.name is None:
            continue
        if mentions(each.name, reading.words):
            return _spared(reading, Sparing.OTHER_TOPIC, each.name.written)
        keys = {word.key for word in each.name.words}
        if all(any(word.key == key for word in reading.words) for key in keys):
            return _spared(reading, Sparing.OTHER_CASE, each.name.written)
        part = [word for word in reading.words if word.key in keys and word.capital]
        if part:
            return _spared(reading, Sparing.PART_OF_NAME, part[0].written)
    shared = asked.words & reading.terms
    if not shared:
        return None
    other_sense = asked.negated and not reading.negated
    sparing = Sparing.OTHER_POLARITY if other_sense else Sparing.FEWER_WORDS
    return _spared(reading, sparing, ", ".join(sorted(shared)))


def _spared(reading: Reading, sparing: Sparing, detail: str) -> Near:
    return Near(id=reading.id, sparing=sparing, detail=detail)
