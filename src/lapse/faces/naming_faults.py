"""How a fault's field is named to somebody far away.

Decides that names which are no words of a program are left out: who puts a sentence where a name is
meant may have put a memory there, and the keys of metadata are what somebody told. Refuses to
shorten what is wrong with it.
"""

import re
from typing import Final

LEFT_OUT: Final = "…"
_LONGEST: Final = 100
_PARTS: Final = re.compile(r"\[[0-9]+\]|\.|[^.\[\]]+|[\[\]]")
_WORD: Final = re.compile(r"(line )?[A-Za-z0-9_-]{1,40}|\[[0-9]+\]|\.")


def shown_field(name: str) -> str:
    """The name of a field, as far as it consists of words and positions.

    `drafts[0].colour` stays; `drafts[0].my fear of heights` becomes `drafts[0].…`. At most 101
    characters.
    """
    found = ""
    for part in _PARTS.findall(name):
        if not _WORD.fullmatch(part) or len(found) + len(part) > _LONGEST:
            return f"{found}{LEFT_OUT}"
        found += part
    return found
