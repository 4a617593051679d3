"""Many keys asked for in a few statements.

Decides in which portions: of a few sizes, so that few statements have to be prepared. Refuses to
know what is asked.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

Key = TypeVar("Key", int, str, bytes)

SIZES: Final = (1, 4, 8, 16, 64, 256)
"""How many keys a statement may ask for."""


def portions(
    keys: Sequence[Key], statement_for: Callable[[int], str]
) -> Iterator[tuple[Sequence[Key], str]]:
    """Give each portion of the keys, in order, with the statement for its size.

    The last key is repeated until a portion is full, so the statement must ask for a set.
    """
    for start in range(0, len(keys), SIZES[-1]):
        part = list(keys[start : start + SIZES[-1]])
        size: int = next(each for each in SIZES if each >= len(part))
        yield part + part[-1:] * (size - len(part)), statement_for(size)
