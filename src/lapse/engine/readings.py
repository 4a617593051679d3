"""What was read off texts lately, kept in RAM.

Another store offers the same memories again and again, and reading them is what costs. Decides how
much is kept. Refuses to read (`lapse.text` does) and to keep anything beyond the process.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from lapse.errors import Fault, ValidationError, at_position, raise_all
from lapse.text.classes import classes_told
from lapse.text.distinctions import Distinctions, distinctions_of, same_distinctions
from lapse.text.fingerprints import fingerprint
from lapse.text.normalise import clean
from lapse.text.tokens import Tokeniser

K = TypeVar("K")
T = TypeVar("T")

CHARACTERS_KEPT = 4_000_000
"""Characters of text that are remembered at most, about, for each kind of reading."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What ranking reads off a text.

    Attributes:
        text: The text in the form in which it would be stored.
        terms: Stemmed terms in order, with repeats, and after them the classes it tells of.
        fingerprint: Digest of the normalised text.
        words: Words separated by white space.
    """

    text: str
    terms: tuple[str, ...]
    fingerprint: bytes
    words: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """How a bank reads texts.

    Attributes:
        tokeniser: Cuts them into terms.
        max_text_bytes: Most bytes a text may have.
    """

    tokeniser: Tokeniser
    max_text_bytes: int

    def read(self, text: str) -> Reading:
        """Read one text.

        Raises:
            ValidationError: It could not be stored.
        """
        kept = clean(text, "text", self.max_text_bytes)
        return Reading(
            text=kept,
            terms=(*self.tokeniser.terms(kept), *classes_told(kept)),
            fingerprint=fingerprint(kept),
            words=len(kept.split()),
        )


class Readings:
    """Readings of the texts asked for lately. Thread-safe: at worst a text is read twice."""

    def __init__(self, characters: int = CHARACTERS_KEPT) -> None:
        """Start empty.

        Args:
            characters: How many characters of text to remember at most, about.
        """
        self._characters = characters
        self._distinctions = _Recent[str, Distinctions](characters)
        self._same = _Recent[tuple[str, str], bool](characters)
        self._read: tuple[Reader | None, _Recent[str, Reading]] = (None, _Recent(characters))

    def of(self, reader: Reader, texts: Sequence[str]) -> list[Reading]:
        """The reading of each text. Another reader than the last begins anew.

        Raises:
            ValidationError: Texts that could not be stored, by position.
        """
        last, recent = self._read
        if last != reader:
            recent = _Recent(self._characters)
            self._read = (reader, recent)
        readings: list[Reading] = []
        faults: list[Fault] = []
        for at, text in enumerate(texts):
            try:
                readings.append(recent.get(text, len(text), reader.read))
            except ValidationError as error:
                faults.extend(at_position(at, error))
        raise_all(faults)
        return readings

    def distinctions(self, text: str) -> Distinctions:
        """What keeps a text apart from one that is nearly the same."""
        return self._distinctions.get(text, len(text), distinctions_of)

    def same(self, text: str, other: str) -> bool:
        """Whether two texts that are nearly equal say the same of the same things."""
        return self._same.get((text, other), len(text) + len(other), self._compared)

    def _compared(self, pair: tuple[str, str]) -> bool:
        one, other = map(self.distinctions, pair)
        return same_distinctions(one, other)


class _Recent(Generic[K, T]):
    """Values by text; when there are too many, those go that nobody asked for lately.

    Two generations: what is asked for lives in the young one, and when that has grown to half of
    what may be kept, it becomes the old one, and the old one is gone.
    """

    def __init__(self, characters: int) -> None:
        self._half = characters // 2
        self._size = 0
        self._young: dict[K, T] = {}
        self._old: dict[K, T] = {}

    def get(self, key: K, characters: int, read: Callable[[K], T]) -> T:
        """The value of a text or a pair of them, read now unless it is remembered.

        Args:
            key: The text or texts.
            characters: How many there are.
            read: Makes the value; never None.
        """
        known = self._young.get(key)
        if known is not None:
            return known
        known = self._old.get(key)
        if known is None:
            known = read(key)
        if self._size >= self._half:
            # New dictionaries, not clear(): another thread may be about to write to the old ones.
            self._old, self._young, self._size = self._young, {}, 0
        self._young[key] = known
        self._size += characters
        return known
