"""Making a tombstone: which digests stay of an erased memory.

Decides which of its sentences are told apart well enough to be refused wherever they stand, and
which only where they are all that is said: "Thanks a lot!" must not be forbidden because somebody
once wrote it beside a secret. Refuses to compare.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import pairwise
from typing import Final

import numpy as np

from lapse.erasure.digests import Digester
from lapse.erasure.sentences import Reading, Sentence, may_slip, read, read_lines
from lapse.model.identifier import Identifier, IdentifierType
from lapse.model.memory import Memory
from lapse.model.tombstone import SLIP_BYTES
from lapse.text.clauses import sentences_of
from lapse.text.normalise import fold

WHOLE: Final = "whole"
SENTENCE: Final = "sentence"
CLAIM: Final = "claim"
NAME: Final = "name"
IDENTIFIER: Final = "identifier"

NO_OPEN_WORD: Final = 0xFFFF
"""Stands in a record for a sentence with no word left open."""

RECORD: Final = np.dtype(
    [("sum", "<u8"), ("length", "<u2"), ("open", "<u2"), ("reach", "u1"), ("slips", "u1")]
)
"""A record of `Tombstone.sums`."""

_TYPES_OF_THEIR_OWN: Final = frozenset(
    {IdentifierType.DATE, IdentifierType.TIME, IdentifierType.AMOUNT, IdentifierType.NAME}
)
_LONGEST_OPEN: Final = 64
_LONGEST: Final = 0xFFFE
_PADDED_TO: Final = 8
_LONG: Final = 7


class Reach(IntEnum):
    """Where a sentence is refused: as a whole text, as a sentence, or within one."""

    WHOLE = 0
    SENTENCE = 1
    WITHIN = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """What of one memory is to leave digests.

    Attributes:
        memory_id: Its id, which is not used again.
        texts: Its text, and those of its earlier versions.
        claims: Its key with its value, likewise.
        identifiers: (type, canonical form) of identifiers that may stand in no text any more.
        wholes: Texts that are refused only where they are all that is said.
    """

    memory_id: str
    texts: tuple[str, ...]
    claims: tuple[tuple[str, str], ...] = ()
    identifiers: tuple[tuple[str, str], ...] = ()
    wholes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Digests:
    """What a tombstone keeps; see `lapse.model.tombstone.Tombstone`."""

    exact: bytes
    sums: bytes
    slips: bytes


def erased_of(versions: Iterable[Memory]) -> Erased:
    """Of a memory's versions, what leaves digests.

    Args:
        versions: Its content versions, at least one.
    """
    known = list(versions)
    texts = dict.fromkeys(each.text for each in known)
    claims = dict.fromkeys((each.key, value_of(each)) for each in known if each.key is not None)
    return Erased(memory_id=known[0].id, texts=tuple(texts), claims=tuple(claims))


def beside(erased: Erased, staying: Sequence[str]) -> Erased:
    """What is to leave digests of a derived memory whose other sources stay.

    A sentence that one of them says is not forbidden, or the source could not be told again. All
    of it together is refused as before.

    Args:
        erased: What the derived memory said.
        staying: Texts of the sources that stay.
    """
    said = [fold(each) for each in staying]
    texts, wholes = [], []
    for text in erased.texts:
        pieces = [text[start:end] for start, end in sentences_of(text)]
        kept = [each for each in pieces if not _says(said, each)]
        if len(kept) == len(pieces):
            texts.append(text)
            continue
        wholes += [] if fold(text) in said else [text]
        texts += ["\n".join(kept)] if kept else []
    return replace(erased, texts=tuple(texts), wholes=tuple(wholes))


def _says(said: Sequence[str], sentence: str) -> bool:
    # A summary may put the speaker's name before a sentence that the source has further on.
    forms = {fold(sentence), fold(sentence.partition(": ")[2])} - {""}
    return any(form in text for form in forms for text in said)


def kind_and_form(identifier: Identifier) -> tuple[str, str]:
    """What an identifier is digested as: its type only where another type is another thing."""
    own = identifier.type in _TYPES_OF_THEIR_OWN
    return (identifier.type.value if own else "thing", identifier.canonical)


def value_of(memory: Memory) -> str:
    """The value of a claim: its own, or else what the text says."""
    return memory.text if memory.value is None else memory.value


def mark(digester: Digester, salt: bytes, erased: Erased) -> Digests:
    """Give the digests that stay of a memory.

    Args:
        digester: Of the key in use.
        salt: 16 random bytes.
        erased: What it said.
    """
    exact = [digester.exact(NAME, erased.memory_id)]
    exact += [claim_digest(digester, key, value) for key, value in erased.claims]
    exact += [digester.exact(IDENTIFIER, *each) for each in erased.identifiers]
    records: list[tuple[int, int, int, int, int]] = []
    slips = bytearray()
    exact += [digester.exact(WHOLE, read(each).squeezed) for each in erased.wholes]
    for text in erased.texts:
        readings = [read(text)] + ([read_lines(text)] if "\n" in text.strip() else [])
        exact.append(digester.exact(WHOLE, readings[0].squeezed))
        for sentence, reach, reading in _sentences(readings):
            if reach is not Reach.WHOLE:
                exact.append(digester.exact(SENTENCE, sentence.squeezed))
            for record, variants in _records(digester, salt, reading, sentence):
                records.append((*record, reach, len(variants) // SLIP_BYTES))
                slips += variants
    sums = np.array(records, dtype=RECORD).tobytes()
    return Digests(exact=b"".join(dict.fromkeys(exact)), sums=sums, slips=bytes(slips))


def claim_digest(digester: Digester, key: str, value: str) -> bytes:
    """The digest of a claim: another value under the key, or the value under another, differs."""
    return digester.exact(CLAIM, fold(key), read(value).squeezed)


def slips_of(word: str) -> Iterator[str]:
    """What a word is recognised by when one letter is missing, doubled, wrong or out of place.

    The first letter is never the wrong one. Two words of which each is one letter off a third share
    one of these.
    """
    yield f"-{word}"
    for at in range(1, len(word)):
        yield f"-{word[:at]}{word[at + 1 :]}"


def slips_of_possible_name(word: str) -> Iterator[str]:
    """What a word is recognised by that may be a name.

    Another letter would mostly make it another name, so it is recognised only with neighbours
    swapped, with letters doubled, or, if it is long, with a wrong letter well inside: Hansen and
    Hanson, Gabriel and Gabriele differ towards the end.
    """
    yield f"={_undoubled(word)}"
    yield f"~{word}"
    for at in range(1, len(word) - 1):
        yield f"~{word[:at]}{word[at + 1]}{word[at]}{word[at + 2 :]}"
    if len(word) >= _LONG:
        yield from _without_one_inside(word)


def met_by(word: str) -> Iterator[str]:
    """What of a word just told is held against either kind of slips."""
    yield from slips_of(word)
    yield f"={_undoubled(word)}"
    yield f"~{word}"
    yield from _without_one_inside(word)


def _without_one_inside(word: str) -> Iterator[str]:
    yield f"^{word}"
    for at in range(1, len(word) - 2):
        yield f"^{word[:at]}{word[at + 1 :]}"


def _undoubled(word: str) -> str:
    return word[:1] + "".join(after for before, after in pairwise(word) if before != after)


def _sentences(readings: list[Reading]) -> Iterator[tuple[Sentence, Reach, Reading]]:
    first = readings[0]
    if len(first.sentences) == 1:
        yield first.whole, _reach_of_text(first.whole), first
    elif 0 < len(first.whole.words) <= _LONGEST:
        yield first.whole, Reach.WHOLE, first
    for reading in readings:
        if len(reading.sentences) > 1:
            for each in reading.sentences:
                if _tells_apart(each):
                    yield each, Reach.WITHIN, reading


def _reach_of_text(sentence: Sentence) -> Reach:
    if sentence.weight >= 3 or (sentence.weight >= 2 and sentence.telling):
        return Reach.WITHIN
    return Reach.SENTENCE if sentence.weight >= 2 else Reach.WHOLE


def _tells_apart(sentence: Sentence) -> bool:
    return sentence.weight >= 5 or (sentence.weight >= 3 and sentence.telling)


def _records(
    digester: Digester, salt: bytes, reading: Reading, sentence: Sentence
) -> Iterator[tuple[tuple[int, int, int], bytes]]:
    """A record for the sentence, and one for each of its words left open, with its slips."""
    length = len(sentence.words)
    if not 0 < length <= _LONGEST:
        return
    weighted = digester.weighted(digester.words(sentence.words))
    total = weighted.sum(dtype=np.uint64)
    yield (int(total), length, NO_OPEN_WORD), b""
    if not 3 <= length <= _LONGEST_OPEN:
        return
    left = total - weighted + digester.open_word
    for at, word in enumerate(sentence.words):
        if may_slip(word, sentence.traits[at]):
            certain = reading.cased and sentence.lower[at]
            if reading.cased and not certain:
                continue
            variants = slips_of(word) if certain else slips_of_possible_name(word)
            yield (int(left[at]), length, at), _packed(digester, salt, variants)


def _packed(digester: Digester, salt: bytes, variants: Iterable[str]) -> bytes:
    """Digests of the variants in no order, and as many more as hide how long the word is."""
    wanted = list(dict.fromkeys(variants))
    missing = -len(wanted) % _PADDED_TO
    wanted += [f"\x00{each}" for each in range(missing)]
    return b"".join(sorted(digester.slips(salt, wanted)))
