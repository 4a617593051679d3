"""Names that are ordinary words as well: "Grace sings", and "Grace period ends".

Decides, where a sentence begins with such a word, whether it is somebody's name there, by what
follows. Refuses to doubt a capital within a sentence, or a word that is nothing but a name.
"""

from typing import Final

from lapse.selecting.cues import VERBS
from lapse.text.names import Word

ALSO_WORDS: Final = frozenset(
    (
        *("amber", "april", "art", "august", "autumn", "basil", "bill", "brook", "charity"),
        *("chase", "chip", "christian", "clay", "cliff", "coral", "crystal", "daisy", "dale"),
        *("dawn", "dean", "destiny", "drew", "duke", "dusty", "earl", "faith", "flint", "forest"),
        *("frank", "gene", "ginger", "glen", "grace", "guy", "harmony", "heath", "herb", "hope"),
        *("hunter", "iris", "ivy", "jack", "jade", "jasmine", "jay", "joy", "judge", "june"),
        *("justice", "king", "lance", "lily", "mark", "mason", "max", "may", "melody", "miles"),
        *("norm", "olive", "opal", "page", "pat", "patience", "pearl", "penny", "pierce"),
        *("prince", "ray", "reed", "rich", "river", "rob", "robin", "rose", "ruby", "sage"),
        *("sandy", "sky", "skip", "star", "sterling", "stone", "storm", "sue", "summer", "sunny"),
        *("trinity", "victor", "violet", "wade", "will", "wren"),
    )
)
"""Given names that are English words as well."""


def is_used_as_name(words: list[Word], begin: int, end: int) -> bool:
    """Whether the words from `begin` to before `end`, which spell a name, are one there."""
    word = words[begin]
    if end - begin > 1 or not word.head or word.owner or word.key not in ALSO_WORDS:
        return True
    if end == len(words):
        return True
    following = words[end]
    return following.capital or following.key in VERBS or following.key.endswith(("ed", "s"))
