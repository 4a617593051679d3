"""Which slots carry a tag, or a value in their metadata.

Decides nothing but that. Refuses to combine facets into a filter: `lapse.recall.scope` does.
"""

from array import array
from collections.abc import Iterable, Mapping
from typing import TypeAlias

import numpy as np

from lapse.model.index_delta import IntArray
from lapse.model.memory import JsonValue
from lapse.model.written_form import written_form

Facet: TypeAlias = tuple[str, str, str]
"""Kind of facet, its name, and its value in one written form."""


def tag_facet(tag: str) -> Facet:
    """The facet of carrying a tag."""
    return ("tag", "", tag)


def metadata_facet(name: str, value: JsonValue) -> Facet:
    """The facet of holding a value under a name."""
    return ("metadata", name, written_form(value))


class FacetTable:
    """Slots by facet. One writer; readers cut what they read to their own snapshot."""

    def __init__(self) -> None:
        self._slots: dict[Facet, array[int]] = {}
        self._facets: dict[int, set[Facet]] = {}

    def add(self, slot: int, tags: Iterable[str], metadata: Mapping[str, JsonValue] | None) -> None:
        """Note the facets of a new slot."""
        facets = {tag_facet(tag) for tag in tags}
        facets |= {metadata_facet(name, value) for name, value in (metadata or {}).items()}
        self._facets[slot] = facets
        for facet in facets:
            slots = self._slots.get(facet)
            if slots is None:
                slots = self._slots[facet] = array("q")
            slots.append(slot)

    def scrub(self, slot: int) -> None:
        """Take an erased slot out of every facet."""
        for facet in self._facets.pop(slot, ()):
            kept = array("q", (each for each in self._slots[facet] if each != slot))
            if kept:
                self._slots[facet] = kept
            else:
                del self._slots[facet]

    def slots(self, facet: Facet, count: int) -> IntArray:
        """Slots below `count` that have a facet, ascending, dead ones included."""
        slots = self._slots.get(facet)
        if slots is None:
            return np.zeros(0, np.int64)
        # A slice of an array is a private copy, taken while no other thread can run.
        every = np.array(slots[:], dtype=np.int64)
        return every[: int(np.searchsorted(every, count))]
