"""Arrays that only grow: entries once written never change, so a view of the first n is a snapshot.

Decides how columns share memory between a writer and any number of readers. Refuses to know what a
column means. One exception to "never change" is made by its owner: what was erased is overwritten.
"""

from collections.abc import Hashable, Sequence
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

T = TypeVar("T", bound=np.generic)
K = TypeVar("K", bound=Hashable)

_LEAST = 16


class Growing(Generic[T]):
    """An append-only array with spare room. One writer; views taken earlier stay valid.

    Args:
        dtype: Type of an entry.
        width: Columns of an entry, or None when an entry is a single number.
    """

    __slots__ = ("_array", "_count")

    def __init__(self, dtype: DTypeLike, width: int | None = None) -> None:
        shape = (_LEAST,) if width is None else (_LEAST, width)
        self._array: NDArray[T] = np.zeros(shape, dtype=dtype)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def append(self, value: float | Sequence[float] | NDArray[T]) -> None:
        """Add one entry."""
        self._reserve(self._count + 1)
        self._array[self._count] = value
        self._count += 1

    def extend(self, values: NDArray[T]) -> None:
        """Add many entries; shape (n,) or (n, width)."""
        after = self._count + len(values)
        self._reserve(after)
        self._array[self._count : after] = values
        self._count = after

    def view(self) -> NDArray[T]:
        """The entries so far, read-only and without a copy."""
        view = self._array[: self._count]
        view.flags.writeable = False
        return view

    def overwrite(self, at: int, value: int = 0) -> None:
        """Put a value that says nothing in the place of an erased entry, in every view of it."""
        self._array[at] = value

    def _reserve(self, count: int) -> None:
        room = len(self._array)
        if count <= room:
            return
        # Untouched zeros take no memory yet, so that room for half as many again costs nothing.
        spare = max(count, room)
        grown = np.zeros((spare + spare // 2, *self._array.shape[1:]), self._array.dtype)
        grown[: self._count] = self._array[: self._count]
        # Views of the old array stay what they were: nobody writes to it any more.
        self._array = grown


class Codes(Generic[K]):
    """Small integers for texts or digests, in order of first meeting; -1 stands for none."""

    __slots__ = ("_codes", "_values")

    def __init__(self) -> None:
        self._codes: dict[K, int] = {}
        self._values: list[K | None] = []

    def many(self, values: Sequence[K | None]) -> NDArray[np.int32]:
        """Codes of values, making new ones where needed. Shape (n,)."""
        return np.fromiter(map(self._code, values), np.int32, len(values))

    def find(self, value: K) -> int:
        """Code of a value, or -2 (no row has it) when it was never met."""
        return self._codes.get(value, -2)

    def forget(self, code: int) -> None:
        """Forget an erased value; its code is never given again."""
        value = self._values[code]
        if value is not None:
            del self._codes[value]
            self._values[code] = None

    def _code(self, value: K | None) -> int:
        if value is None:
            return -1
        code = self._codes.get(value)
        if code is None:
            code = self._codes[value] = len(self._values)
            self._values.append(value)
        return code
