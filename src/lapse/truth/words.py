"""Words of a statement: as written, folded, stemmed, and whether they name.

Decides what one word is. Refuses to decide what it does in a clause: that is `reading`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from lapse.text import cues
from lapse.text.clauses import WORD
from lapse.text.listing import listed
from lapse.text.tokens import Tokeniser

SELF: Final = "user"
"""Who "I", "my" and "the user" are: the one whose memory it is."""

SELF_WORDS: Final = listed("i me my mine myself we us our ours user users i'm i've i'd i'll we've")
HOLLOW: Final = (
    cues.RELATIONS
    | cues.FILLERS
    | SELF_WORDS
    | listed(
        "there's that's it's there instead together several various once also including include"
        " they've we're they're he's she's speaking by way anyway"
    )
)
"""Words that say nothing by which two statements could be about the same thing."""

COMMONPLACE: Final = listed(
    "get got go went come think thought know say said tell want need like love great good nice"
    " really help thank sure way thing lot bit time day week month year today recent late start"
    " make made look try use new old tip recommend suggest advice idea interest happy excited"
    " wonder feel plan actual pretty much kind sort everyone people work find found see saw take"
    " took name call give put keep let realiz mention share definit hope"
)
"""Stems so usual in talk that sharing one says little."""


_CLOSING: Final = frozenset(".,;:!?()—")


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a text.

    Attributes:
        written: As it stands there.
        folded: Without case and possession.
        stem: By the bank's stemmer; digits for a number; `SELF` for whoever speaks.
        at: Where it begins, in characters.
        named: Whether it may name somebody or something: it has a capital.
        closes: Whether a sign follows that ends what it belongs to.
    """

    written: str
    folded: str
    stem: str
    at: int
    named: bool
    closes: bool


def words_of(text: str, tokeniser: Tokeniser) -> Iterator[Word]:
    """The words of a text, in order."""
    for match in WORD.finditer(text):
        written = match.group()
        folded = written.casefold().replace("’", "'").removesuffix("'s")
        if written == "A" and match.start() > 0:
            # Vault A: a label, no article.
            folded = written
        number = cues.NUMBER_WORDS.get(folded)
        stem = number or "-".join(tokeniser.terms(folded)) or folded
        named = written != written.lower() and folded not in HOLLOW
        if folded in SELF_WORDS:
            stem = SELF
        closes = text[match.end() : match.end() + 1] in _CLOSING
        yield Word(written, folded, stem, match.start(), named, closes)


def weight(stem: str) -> float:
    """What sharing a stem says, in [0, 1]."""
    return 0.2 if stem in COMMONPLACE else 1.0
