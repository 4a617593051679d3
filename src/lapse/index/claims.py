"""Which claims a newer one with the same key has outdated, and since when.

Decides what "newer" means: a later start (an open one is before every other), then a later
`recorded_from`, then a later internal number. Refuses to decide whether an outdated claim is shown.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from lapse.model.index_delta import MISSING, BoolArray, IntArray

NEVER: Final = int(np.iinfo(np.int64).max)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Claims:
    """m claims, all living: active, suppressed or archived. Instants are int64 microseconds.

    Attributes:
        key: Codes ≥ 0, shape (m,).
        row: Internal numbers, shape (m,).
    """

    key: IntArray
    row: IntArray
    starts_at: IntArray
    recorded_from: IntArray
    recorded_to: IntArray
    valid_from: IntArray

    def __len__(self) -> int:
        return len(self.key)

    @classmethod
    def none(cls) -> "Claims":
        """No claims."""
        nothing: IntArray = np.zeros(0, np.int64)
        return cls(
            key=nothing,
            row=nothing,
            starts_at=nothing,
            recorded_from=nothing,
            recorded_to=nothing,
            valid_from=nothing,
        )

    def with_others(self, others: "Claims") -> "Claims":
        """These claims, and others after them."""
        return Claims(
            key=np.concatenate((self.key, others.key)),
            row=np.concatenate((self.row, others.row)),
            starts_at=np.concatenate((self.starts_at, others.starts_at)),
            recorded_from=np.concatenate((self.recorded_from, others.recorded_from)),
            recorded_to=np.concatenate((self.recorded_to, others.recorded_to)),
            valid_from=np.concatenate((self.valid_from, others.valid_from)),
        )


def outdated_from(claims: Claims) -> IntArray:
    """From when in the world each claim is outdated, by all that is known now.

    A newer claim counts from its `valid_from` on, or always where it has none; a retracted one
    never does.

    Returns:
        Shape (m,): the earliest instant from which some newer claim counts, or `NEVER`.
    """
    return _earliest_newer(
        claims, np.where(claims.recorded_to == MISSING, claims.valid_from, NEVER)
    )


def outdated_at(claims: Claims, valid: int, recorded: int, retracted: IntArray) -> BoolArray:
    """Whether a newer claim counted at these two times.

    Args:
        valid: Instant in the world: claims that start later do not count.
        recorded: Instant of knowledge: claims not yet recorded, or retracted by then, do not count.
        retracted: Internal numbers of claims that were held to be retracted at `recorded` and are
            not any more: they do not count either.
    """
    counts = (claims.valid_from <= valid) & (claims.recorded_from <= recorded)
    counts &= (claims.recorded_to == MISSING) | (claims.recorded_to > recorded)
    if len(retracted):
        counts &= ~np.isin(claims.row, retracted)
    outdated: BoolArray = _earliest_newer(claims, np.where(counts, 0, NEVER)) != NEVER
    return outdated


def _earliest_newer(claims: Claims, counts_from: IntArray) -> IntArray:
    order = np.lexsort((claims.row, claims.recorded_from, claims.starts_at, claims.key))
    key = claims.key[order]
    # The least of all newer claims of the same key, by doubling the distance looked at.
    least = np.full(len(key), NEVER, np.int64)
    if len(key) > 1:
        least[:-1] = np.where(key[1:] == key[:-1], counts_from[order][1:], NEVER)
    step = 1
    while step < len(key) and bool(np.any(key[step:] == key[:-step])):
        further = np.where(key[step:] == key[:-step], least[step:], NEVER)
        least[:-step] = np.minimum(least[:-step], further)
        step *= 2
    result = np.empty_like(least)
    result[order] = least
    return result
