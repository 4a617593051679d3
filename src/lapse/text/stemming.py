"""Which stemmers there are.

Decides how a bank's language names a Snowball algorithm. Refuses to guess a language from a text.
"""

from collections.abc import Callable
from functools import cache
from typing import Final

import snowballstemmer

EXACT: Final = "none"
"""The language of a bank whose words are matched as they stand."""

LANGUAGES: Final[frozenset[str]] = frozenset(snowballstemmer.algorithms()) | {EXACT}
"""Every language a bank may have: the Snowball algorithms by their own names, and `EXACT`."""


def stemmer_for(language: str) -> Callable[[str], str]:
    """A function from a folded word to its stem. Not thread-safe: call it under a lock.

    Args:
        language: A member of `LANGUAGES`.
    """
    if language == EXACT:
        return str
    stem: Callable[[str], str] = snowballstemmer.stemmer(language).stemWord
    return stem


# Asked with every question, and what is installed does not change while it runs.
@cache
def stemmer_id(language: str) -> str:
    """Name and version of what stems this language; stems of different ids may differ."""
    if language == EXACT:
        return EXACT
    # Late: this import takes a tenth of a second, and only who stores terms asks for the id.
    from importlib.metadata import version  # noqa: PLC0415

    # Where PyStemmer is installed, snowballstemmer hands out its compiled twin.
    module: str = snowballstemmer.stemmer.__module__
    package = "snowballstemmer" if module.startswith("snowballstemmer") else "PyStemmer"
    return f"{language}-{package.lower()}{version(package)}"
