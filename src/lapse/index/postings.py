"""Which memories hold which terms, and how common each term is in this bank.

Decides how postings are kept: an index sorted by term over the first slots, and a growing tail per
term for the slots after them. Refuses to weigh terms: `lapse.recall.relevance` does.
"""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lapse.index.growing import Growing
from lapse.model.index_delta import FloatArray, IntArray

Tail: TypeAlias = tuple["array[int]", "array[int]"]

_TAIL_LEAST = 4096
_SIGNED_BITS = 63


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Postings:
    """Postings of the first n slots, as a reader sees them.

    Attributes:
        terms: Term ids by term; may know later terms, which no slot of this snapshot holds.
        document_frequency: Shape (v,). In how many living memories a term occurs, by term id.
        memory_count: Living memories: those of the index that are not dead, suppressed ones
            included.
        mean_length: Mean number of terms of a living memory; 1 when there is none.
        lengths: Shape (n,). Number of terms of each slot.
        forward: Shape (p,). Distinct term ids of slot after slot; slot i has those from
            `ends[i-1]`.
        forward_counts: Shape (p,). How often each occurs in its slot.
        ends: Shape (n,). End of each slot in `forward`.
        memo: What a reader worked out once and may find again: a function of this snapshot alone,
            so that it does not matter who computes it.
    """

    terms: Mapping[str, int]
    document_frequency: NDArray[np.int32]
    memory_count: int
    mean_length: float
    lengths: NDArray[np.int32]
    forward: NDArray[np.int32]
    forward_counts: NDArray[np.int32]
    ends: IntArray
    base: "Base"
    tails: Mapping[int, Tail]
    memo: dict[tuple[object, ...], FloatArray] = field(default_factory=dict)

    def of(self, term: int) -> tuple[IntArray, IntArray]:
        """Slots that hold a term, ascending, dead ones included, and how often each does."""
        slots, counts = self.base.of(term)
        tail = self.tails.get(term)
        if tail is None:
            return slots, counts
        # A slice of an array is a private copy, taken while no other thread can run.
        grown = np.array(tail[0][:], dtype=np.int64)
        grown_counts = np.array(tail[1][:], dtype=np.int64)
        own = min(int(np.searchsorted(grown, len(self.lengths))), len(grown_counts))
        return np.concatenate((slots, grown[:own])), np.concatenate((counts, grown_counts[:own]))

    def frequency(self, term: int) -> int:
        """In how many living memories a term id occurs."""
        if not 0 <= term < len(self.document_frequency):
            return 0
        return int(self.document_frequency[term])

    def spans(self, slots: IntArray) -> tuple[IntArray, IntArray]:
        """Places in `forward` of the terms of slot after slot, and how many each has."""
        return spans_of(self.ends, slots)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Base:
    """Postings of the first slots, sorted by term and, within a term, by slot."""

    offsets: IntArray
    slots: IntArray
    counts: IntArray

    def of(self, term: int) -> tuple[IntArray, IntArray]:
        """Slots that hold a term and how often each does."""
        if not 0 <= term < len(self.offsets) - 1:
            return self.slots[:0], self.counts[:0]
        start, end = int(self.offsets[term]), int(self.offsets[term + 1])
        return self.slots[start:end], self.counts[start:end]


_EMPTY = Base(
    offsets=np.zeros(1, np.int64), slots=np.zeros(0, np.int64), counts=np.zeros(0, np.int64)
)


@dataclass(slots=True, kw_only=True, eq=False)
class _Statistics:
    """What BM25 must know of the living memories."""

    frequency: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    memories: int = 0
    terms: int = 0


class PostingTable:
    """The writer's side of `Postings`."""

    def __init__(self) -> None:
        self._forward = Growing[np.int32](np.int32)
        self._counts = Growing[np.int32](np.int32)
        self._ends = Growing[np.int64](np.int64)
        self._lengths = Growing[np.int32](np.int32)
        self._base = _EMPTY
        self._tails: dict[int, Tail] = {}
        self._tail_size = 0
        self._statistics = _Statistics()
        self.terms: dict[str, int] = {}

    def extend(self, term_ids: Sequence[NDArray[np.int32]]) -> None:
        """Add the terms of new slots, in order; they do not count as living yet."""
        lengths = np.fromiter(map(len, term_ids), np.int32, len(term_ids))
        self.add(*distinct(term_ids), lengths)

    def add(
        self,
        terms: NDArray[np.int32],
        counts: NDArray[np.int32],
        sizes: IntArray,
        lengths: NDArray[np.int32],
    ) -> None:
        """Add new slots whose distinct terms are known, in order; they do not count as living yet.

        Args:
            terms: Distinct term ids of slot after slot, ascending within it.
            counts: How often each occurs in its slot.
            sizes: How many distinct terms each slot has.
            lengths: How many terms each slot has, repeats included.
        """
        first = len(self._lengths)
        self._forward.extend(terms)
        self._counts.extend(counts)
        start = int(self._ends.view()[-1]) if first else 0
        self._ends.extend(start + np.cumsum(sizes, dtype=np.int64))
        self._lengths.extend(lengths)
        self._tail_size += len(terms)
        if self._tail_size > _TAIL_LEAST + len(self._base.slots) // 2:
            self._rebase()
        else:
            slots = np.repeat(np.arange(first, first + len(sizes), dtype=np.int64), sizes)
            for term, slot, count in zip(
                terms.tolist(), slots.tolist(), counts.tolist(), strict=True
            ):
                tail = self._tails.get(term)
                if tail is None:
                    tail = self._tails[term] = (array("q"), array("q"))
                # The count first: a reader cuts both to the shorter.
                tail[1].append(count)
                tail[0].append(slot)

    def count_in(self, slots: IntArray) -> None:
        """Let slots count as living."""
        self._count(slots, 1)

    def count_out(self, slots: IntArray) -> None:
        """Let slots no longer count as living."""
        self._count(slots, -1)

    def scrub(self, slot: int) -> None:
        """Overwrite the terms of an erased slot that is counted out."""
        start = int(self._ends.view()[slot - 1]) if slot else 0
        for at in range(start, int(self._ends.view()[slot])):
            self._forward.overwrite(at)

    def postings(self) -> Postings:
        """All slots so far."""
        statistics = self._statistics
        mean = statistics.terms / statistics.memories if statistics.memories else 1.0
        return Postings(
            terms=self.terms,
            document_frequency=statistics.frequency,
            memory_count=statistics.memories,
            mean_length=mean or 1.0,
            lengths=self._lengths.view(),
            forward=self._forward.view(),
            forward_counts=self._counts.view(),
            ends=self._ends.view(),
            base=self._base,
            tails=self._tails,
        )

    def _count(self, slots: IntArray, sign: int) -> None:
        if len(slots) == 0:
            return
        terms = self._forward.view()[spans_of(self._ends.view(), slots)[0]]
        before = self._statistics
        size = max(len(before.frequency), int(terms.max()) + 1 if len(terms) else 0)
        frequency = np.zeros(size, np.int32)
        frequency[: len(before.frequency)] = before.frequency
        np.add.at(frequency, terms, np.int32(sign))
        self._statistics = _Statistics(
            frequency=frequency,
            memories=before.memories + sign * len(slots),
            terms=before.terms + sign * int(self._lengths.view()[slots].sum()),
        )

    def _rebase(self) -> None:
        ends = self._ends.view()
        sizes = np.diff(ends, prepend=0)
        slots = np.repeat(np.arange(len(ends), dtype=np.int64), sizes)
        self._base = based(self._forward.view(), slots, self._counts.view())
        self._tails = {}
        self._tail_size = 0


def spans_of(ends: IntArray, slots: IntArray) -> tuple[IntArray, IntArray]:
    """Places that the given parts of a flat array cover, part after part, and their sizes.

    Args:
        ends: End of each part; part i begins where part i − 1 ends.
        slots: Which parts.
    """
    starts = np.where(slots > 0, ends[slots - 1], 0)
    sizes = ends[slots] - starts
    before = np.cumsum(sizes) - sizes
    places = np.repeat(starts - before, sizes) + np.arange(int(sizes.sum()), dtype=np.int64)
    return places, sizes


def distinct(
    term_ids: Sequence[NDArray[np.int32]],
) -> tuple[NDArray[np.int32], NDArray[np.int32], IntArray]:
    """Distinct terms of each text, ascending within it.

    Returns:
        Term ids and counts of text after text, and how many distinct terms each text has.
    """
    sizes = np.fromiter(map(len, term_ids), np.int64, len(term_ids))
    if not int(sizes.sum()):
        empty = np.zeros(0, np.int32)
        return empty, empty, np.zeros(len(sizes), np.int64)
    terms = np.concatenate(term_ids).astype(np.int64)
    span = int(terms.max()) + 1
    texts = np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)
    keys = np.sort(texts * span + terms)
    first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    counts = np.diff(first, append=len(keys)).astype(np.int32)
    owners, kept = np.divmod(keys[first], span)
    return kept.astype(np.int32), counts, np.bincount(owners, minlength=len(sizes))


def based(terms: NDArray[np.int32], slots: IntArray, counts: NDArray[np.int32]) -> Base:
    """Sort postings, given by slot, into postings by term."""
    if len(terms) == 0:
        return _EMPTY
    size = int(terms.max()) + 1
    offsets = np.zeros(size + 1, np.int64)
    np.cumsum(np.bincount(terms, minlength=size), out=offsets[1:])
    count_bits = int(counts.max()).bit_length()
    slot_bits = int(slots[-1]).bit_length() + 1
    if size.bit_length() + slot_bits + count_bits <= _SIGNED_BITS:
        # One sort of packed numbers takes a tenth of the time of a stable argsort.
        packed = (terms.astype(np.int64) << (slot_bits + count_bits)) | (slots << count_bits)
        packed |= counts
        packed.sort()
        sorted_slots = (packed >> count_bits) & ((1 << slot_bits) - 1)
        sorted_counts = packed & ((1 << count_bits) - 1)
    else:
        order = np.argsort(terms, kind="stable")
        sorted_slots, sorted_counts = slots[order], counts[order].astype(np.int64)
    return Base(offsets=offsets, slots=sorted_slots, counts=sorted_counts)
