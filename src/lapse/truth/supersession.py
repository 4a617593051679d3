"""Supersession: which value of a claim holds when.

The values of one key form a chain in order of (valid_from, recorded_from), and of arrival where
both are equal. Each holds until the next begins; only the last is the latest. A value that arrives
late takes its place in the past and displaces nothing newer. Retracted values take no part.

Decides the validity and the links of claims. Refuses to touch any retention state: what stopped
being so comes back with the strength it had.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from lapse.model.instants import EARLIEST, Instant
from lapse.model.memory import Memory


def settle(claims: Sequence[Memory], settled: Sequence[Memory] = ()) -> list[Memory]:
    """Put the claims of one key in order and link them.

    Args:
        claims: All claims of the key, the new one and retracted ones among them. Those told at one
            instant are in order of arrival, which is that of their internal numbers.
        settled: Claims as they were when the key was last settled, where they differ: those whose
            `valid_from` has changed since, and those that left the key.

    Returns:
        The standing claims in order of validity, with `valid_to`, `supersedes`, `superseded_by` and
        `is_latest` set. A claim that ends earlier by its own word keeps that end.
    """
    starts = {each.id: _start(each) for each in (*claims, *settled)}
    standing = sorted((each for each in claims if each.recorded_to is None), key=_place)
    settled = []
    for at, claim in enumerate(standing):
        before = standing[at - 1] if at > 0 else None
        after = standing[at + 1] if at + 1 < len(standing) else None
        settled.append(
            replace(
                claim,
                valid_to=_end(_own_end(claim, starts), after),
                supersedes=None if before is None else before.id,
                superseded_by=None if after is None else after.id,
                is_latest=after is None,
            )
        )
    return settled


def current(claims: Sequence[Memory]) -> Memory | None:
    """The latest standing claim, or None; of those told at one instant, the last to arrive."""
    standing = [each for each in claims if each.recorded_to is None]
    return max(reversed(standing), key=_place, default=None)


def _place(claim: Memory) -> tuple[Instant, Instant]:
    return _start(claim), claim.recorded_from


def _start(claim: Memory) -> Instant:
    return EARLIEST if claim.valid_from is None else claim.valid_from


def _own_end(claim: Memory, starts: Mapping[str, Instant]) -> Instant | None:
    # An end that an earlier settling took from a successor is no word of the claim's own.
    taken = claim.superseded_by is not None and claim.valid_to == starts.get(claim.superseded_by)
    return None if taken else claim.valid_to


def _end(own: Instant | None, after: Memory | None) -> Instant | None:
    if after is None:
        return own
    return _start(after) if own is None else min(own, _start(after))
