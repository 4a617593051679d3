"""Many keys asked for in a few statements.

Decides in which portions: of a few sizes, so that few statements have to be prepared. Refuses to
know what is asked.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

Key = TypeVar("Key", int, str)

SIZES: Final = (256, 64, 16, 4, 1)
"""How many keys a statement may ask for, most first."""


def portions(
    keys: Sequence[Key], statement_for: Callable[[int], str]
) -> Iterator[tuple[Sequence[Key], str]]:
    """Give each portion of the keys, in order, with the statement for its size."""
    start = 0
    while start < len(keys):
        size = next(each for each in SIZES if each <= len(keys) - start)
        yield keys[start : start + size], statement_for(size)
        start += size
