"""Holding a text against tombstones: is it the same, nearly the same, or does it hold the same?

Decides what counts as coming back. The same are texts whose letters and digits are the same; texts
of the same words in the same order, whatever says nothing between them; texts in which one word of
a sentence is written with one slip, unless the word may be a name, a number or turns the sentence
round; and texts that hold an erased sentence, unless a negation stands before it in its sentence.
Everything else passes. Refuses to read a store, and to hold any text.

Costs grow with the text alone: sums are sorted, and a sieve answers nearly always.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import RLock
from typing import Final

import numpy as np
from numpy.typing import NDArray

from lapse.erasure.digests import Digester, Uint64Array
from lapse.erasure.marking import (
    IDENTIFIER,
    NAME,
    NO_OPEN_WORD,
    RECORD,
    SENTENCE,
    WHOLE,
    Reach,
    claim_digest,
    met_by,
)
from lapse.erasure.sentences import Reading, Sentence, Trait, may_be_slip, read
from lapse.model.tombstone import EXACT_BYTES, SLIP_BYTES, KeptTombstone, Tombstone, TombstoneKey

_SORTED_EVERY: Final = 2048
_LEAST_SIEVE_BITS: Final = 12
_SIEVE_ROOM: Final = 8
_MOST_PARTS: Final = 48

FindKey = Callable[[str], TombstoneKey | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Words of a text that may be a sentence of their own: of which sentence, from where to where.

    Attributes:
        sentence: Place of the sentence in the text; -1 for the whole text taken as one.
        start, end: The words, end exclusive.
        reach: How an erased sentence must reach to be met by it.
    """

    sentence: int
    start: int
    end: int
    reach: Reach


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """A record of a tombstone, with its slips."""

    tombstone: str
    open: int
    reach: int
    slips: frozenset[bytes]


class KeyedIndex:
    """The tombstones of one key. Not thread-safe."""

    def __init__(self, digester: Digester) -> None:
        """Start empty."""
        self._digester = digester
        self._exact: dict[bytes, tuple[str, ...]] = {}
        self._salts: dict[str, bytes] = {}
        self._slips: dict[str, bytes] = {}
        self._records: dict[str, NDArray[np.void]] = {}
        self._lengths: NDArray[np.bool_] = np.zeros(0x10000, dtype=np.bool_)
        self._fresh: dict[int, list[tuple[str, int]]] = defaultdict(list)
        self._sorted: Uint64Array = np.empty(0, dtype=np.uint64)
        self._owners: list[str] = []
        self._owner: NDArray[np.int32] = np.empty(0, dtype=np.int32)
        self._place: NDArray[np.int32] = np.empty(0, dtype=np.int32)
        self._shift = np.uint64(64 - _LEAST_SIEVE_BITS)
        self._sieve: NDArray[np.bool_] = np.zeros(1 << _LEAST_SIEVE_BITS, dtype=np.bool_)

    def __len__(self) -> int:
        """How many tombstones it holds."""
        return len(self._salts)

    def add(self, tombstones: Sequence[Tombstone]) -> None:
        """Hold texts against these too."""
        for each in tombstones:
            self._salts[each.id], self._slips[each.id] = each.salt, each.slips
            self._records[each.id] = np.frombuffer(each.sums, dtype=RECORD)
            for digest in _exact_of(each):
                self._exact[digest] = (*self._exact.get(digest, ()), each.id)
        if len(self._fresh) + len(tombstones) > max(_SORTED_EVERY, len(self._sorted) // 8):
            self._sort()
            return
        for each in tombstones:
            records = self._records[each.id]
            sums = records["sum"].astype(np.uint64)
            self._lengths[records["length"]] = True
            self._sieve[sums >> self._shift] = True
            for place, one in enumerate(sums.tolist()):
                self._fresh[one].append((each.id, place))

    def drop(self, tombstone: Tombstone) -> None:
        """Hold no text against this one any more."""
        for digest in _exact_of(tombstone):
            left = tuple(each for each in self._exact.get(digest, ()) if each != tombstone.id)
            self._exact[digest] = left
        for kept in (self._salts, self._slips, self._records):
            kept.pop(tombstone.id, None)

    def named(self, memory_id: str) -> str | None:
        """The tombstone of a memory of that id, or None."""
        return self._met(self._digester.exact(NAME, memory_id))

    def claimed(self, key: str, value: str) -> str | None:
        """The tombstone of a claim with this key and value, or None."""
        return self._met(claim_digest(self._digester, key, value))

    def identified(self, identifiers: Iterable[tuple[str, str]]) -> str | None:
        """The tombstone of any of these identifiers, or None."""
        met = (self._met(self._digester.exact(IDENTIFIER, *each)) for each in identifiers)
        return next((each for each in met if each is not None), None)

    def told(self, reading: Reading) -> str | None:
        """The tombstone that a text comes under, or None."""
        same = self._met(self._digester.exact(WHOLE, reading.squeezed))
        if same is not None:
            return same
        for sentence in reading.sentences:
            same = self._met(self._digester.exact(SENTENCE, sentence.squeezed))
            if same is not None:
                return same
        return self._near(reading)

    def _met(self, digest: bytes) -> str | None:
        return min(self._exact.get(digest, ()), default=None)

    def _near(self, reading: Reading) -> str | None:
        stretches = [each for each in _stretches(reading) if self._lengths[each.end - each.start]]
        if not stretches:
            return None
        starts_of, words, lines = _laid_out(reading)
        digester = self._digester
        weighted = digester.weighted(digester.words(words))
        running = np.zeros(len(words) + 1, dtype=np.uint64)
        np.cumsum(weighted, dtype=np.uint64, out=running[1:])
        starts = np.array([starts_of[each.sentence] + each.start for each in stretches])
        ends = np.array([starts_of[each.sentence] + each.end for each in stretches])
        sums = digester.unshifted(running[ends] - running[starts], starts)
        for at, name, entry in self._hits(sums):
            if entry.open == NO_OPEN_WORD and entry.reach >= stretches[at].reach:
                return name
        opened = [at for at, each in enumerate(stretches) if each.reach is not Reach.WITHIN]
        return self._misspelt(
            _Laid(
                reading=reading,
                lines=lines,
                stretches=[stretches[at] for at in opened],
                starts=starts[opened],
                ends=ends[opened],
                sums=sums[opened],
                weighted=weighted,
            )
        )

    def _misspelt(self, laid: "_Laid") -> str | None:
        digester = self._digester
        counts = laid.ends - laid.starts
        which = np.repeat(np.arange(len(counts)), counts)
        if not len(which):
            return None
        within = np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
        places = laid.starts[which] + within
        terms = digester.unshifted(laid.weighted[places], laid.starts[which])
        left = laid.sums[which] - terms + digester.open_word
        for at, name, entry in self._hits(left):
            stretch, open_word = laid.stretches[int(which[at])], int(within[at])
            if entry.open != open_word or entry.reach < stretch.reach:
                continue
            sentence = laid.sentence(stretch)
            place = stretch.start + open_word
            if self._slipped(laid.reading, sentence, place, entry):
                return name
        return None

    def _slipped(self, reading: Reading, sentence: Sentence, place: int, entry: _Entry) -> bool:
        word = sentence.words[place]
        if not may_be_slip(word, sentence.traits[place]):
            return False
        if reading.cased and not sentence.lower[place] and place > 0:
            return False
        met = self._digester.slips(self._salts[entry.tombstone], met_by(word))
        return not met.isdisjoint(entry.slips)

    def _hits(self, sums: Uint64Array) -> Iterator[tuple[int, str, _Entry]]:
        """Places in `sums` that a tombstone has, with the tombstone and its record."""
        for at in np.flatnonzero(self._sieve[sums >> self._shift]).tolist():
            for name, place in self._found(sums[at]):
                if name in self._salts:
                    yield at, name, self._entry(name, place)

    def _found(self, wanted: np.uint64) -> Iterator[tuple[str, int]]:
        yield from self._fresh.get(int(wanted), ())
        at = int(np.searchsorted(self._sorted, wanted))
        while at < len(self._sorted) and self._sorted[at] == wanted:
            yield self._owners[self._owner[at]], int(self._place[at])
            at += 1

    def _entry(self, name: str, place: int) -> _Entry:
        records = self._records[name]
        first = int(records["slips"][:place].sum(dtype=np.int64)) * SLIP_BYTES
        data = self._slips[name][first : first + int(records["slips"][place]) * SLIP_BYTES]
        return _Entry(
            tombstone=name,
            open=int(records["open"][place]),
            reach=int(records["reach"][place]),
            slips=frozenset(data[at : at + SLIP_BYTES] for at in range(0, len(data), SLIP_BYTES)),
        )

    def _sort(self) -> None:
        self._owners = list(self._records)
        counts = [len(self._records[each]) for each in self._owners]
        records = np.concatenate([self._records[each] for each in self._owners])
        sums = records["sum"]
        order = np.argsort(sums, kind="stable")
        self._sorted = sums[order].astype(np.uint64)
        self._lengths[:] = False
        self._lengths[records["length"]] = True
        owner = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
        firsts = np.cumsum(counts) - counts
        place = np.arange(len(sums)) - np.repeat(firsts, counts)
        self._owner, self._place = owner[order], place[order].astype(np.int32)
        self._fresh = defaultdict(list)
        bits = max(_LEAST_SIEVE_BITS, (_SIEVE_ROOM * len(sums)).bit_length())
        self._shift = np.uint64(64 - bits)
        self._sieve = np.zeros(1 << bits, dtype=np.bool_)
        self._sieve[self._sorted >> self._shift] = True


@dataclass(frozen=True, slots=True, kw_only=True)
class _Laid:
    """Stretches of a text with their sums."""

    reading: Reading
    lines: Mapping[int, Sentence]
    stretches: list[Stretch]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    sums: Uint64Array
    weighted: Uint64Array

    def sentence(self, stretch: Stretch) -> Sentence:
        return self.lines[stretch.sentence]


class TombstoneIndex:
    """All tombstones that apply to one bank, in RAM. Thread-safe."""

    def __init__(self) -> None:
        """Start empty, before the first tombstone."""
        self.seen = 0
        self._lock = RLock()
        self._by_key: dict[str, KeyedIndex] = {}
        self._unknown: dict[str, dict[str, Tombstone]] = defaultdict(dict)

    def __len__(self) -> int:
        """How many tombstones are in force."""
        known = sum(len(each) for each in self._by_key.values())
        return known + sum(len(each) for each in self._unknown.values())

    @property
    def unknown_keys(self) -> tuple[str, ...]:
        """Names of keys that tombstones in force were made under and nobody has."""
        return tuple(sorted(name for name, ids in self._unknown.items() if ids))

    def advance(self, kept: Iterable[KeptTombstone], find_key: FindKey) -> None:
        """Take what was stored or lifted since, in order of number."""
        with self._lock:
            # A key that was missing may have been put back.
            waiting, self._unknown = self._unknown, defaultdict(dict)
            added: dict[str, list[Tombstone]] = defaultdict(list)
            for key_id, tombstones in waiting.items():
                added[key_id].extend(tombstones.values())
            for each in kept:
                if each.number > self.seen:
                    self.seen = each.number
                    if each.tombstone.lift is None:
                        added[each.tombstone.key_id].append(each.tombstone)
                    else:
                        self._add(added, find_key)
                        self._drop(each.tombstone)
            self._add(added, find_key)

    def told(self, text: str) -> str | None:
        """Id of the tombstone that a text comes under, or None."""
        if not self._by_key:
            return None
        reading = read(text)
        return self._first(lambda index: index.told(reading))

    def claimed(self, key: str, value: str) -> str | None:
        """Id of the tombstone of a claim, or None."""
        return self._first(lambda index: index.claimed(key, value))

    def named(self, memory_id: str) -> str | None:
        """Id of the tombstone of an erased memory, or None."""
        return self._first(lambda index: index.named(memory_id))

    def identified(self, identifiers: Iterable[tuple[str, str]]) -> str | None:
        """Id of the tombstone of an identifier, or None."""
        known = tuple(identifiers)
        return self._first(lambda index: index.identified(known))

    def _first(self, ask: Callable[[KeyedIndex], str | None]) -> str | None:
        with self._lock:
            answers = (ask(each) for each in self._by_key.values())
            return next((each for each in answers if each is not None), None)

    def _add(self, added: dict[str, list[Tombstone]], find_key: FindKey) -> None:
        for key_id, tombstones in added.items():
            key = find_key(key_id)
            if key is None:
                self._unknown[key_id].update((each.id, each) for each in tombstones)
                continue
            if key_id not in self._by_key:
                self._by_key[key_id] = KeyedIndex(Digester(key))
            self._by_key[key_id].add(tombstones)
        added.clear()

    def _drop(self, tombstone: Tombstone) -> None:
        self._unknown[tombstone.key_id].pop(tombstone.id, None)
        if tombstone.key_id in self._by_key:
            self._by_key[tombstone.key_id].drop(tombstone)


def _exact_of(tombstone: Tombstone) -> Iterator[bytes]:
    for at in range(0, len(tombstone.exact), EXACT_BYTES):
        yield tombstone.exact[at : at + EXACT_BYTES]


def _stretches(reading: Reading) -> Iterator[Stretch]:
    """Every stretch of words that may be a statement of its own."""
    if len(reading.sentences) > 1:
        whole = sum(len(each.words) for each in reading.sentences)
        yield Stretch(sentence=-1, start=0, end=min(whole, 0xFFFF), reach=Reach.WHOLE)
    alone = len(reading.sentences) == 1
    for number, sentence in enumerate(reading.sentences):
        length = len(sentence.words)
        if not length:
            continue
        reach = Reach.WHOLE if alone else Reach.SENTENCE
        yield Stretch(sentence=number, start=0, end=min(length, 0xFFFF), reach=reach)
        denied = next(
            (at for at, each in enumerate(sentence.traits) if each is Trait.TURNS), length
        )
        for start in sentence.starts[:_MOST_PARTS]:
            if start > denied:
                break
            for end in sentence.ends[:_MOST_PARTS]:
                if start < end and (start, end) != (0, length) and end - start <= 0xFFFF:
                    yield Stretch(sentence=number, start=start, end=end, reach=Reach.WITHIN)


def _laid_out(reading: Reading) -> tuple[dict[int, int], list[str], dict[int, Sentence]]:
    """Where each sentence begins among all words of the text, the words, and the sentences."""
    starts, lines = {-1: 0}, {-1: reading.whole}
    words: list[str] = []
    for number, sentence in enumerate(reading.sentences):
        starts[number], lines[number] = len(words), sentence
        words.extend(sentence.words)
    return starts, words, lines
