"""Supersession: which value of a claim holds when.

The values of one key form a chain in order of (valid_from, recorded_from), and of arrival where
both are equal. Each holds until the next begins; only the last is the latest. A value that arrives
late takes its place in the past and displaces nothing newer. Retracted values take no part, nor do
those that stand beside the others of their key, or that something outside the key has replaced.

Decides the validity and the links of claims. Refuses to touch any retention state: what stopped
being so comes back with the strength it had.
"""

from collections.abc import Sequence
from dataclasses import replace

from lapse.model.instants import EARLIEST, Instant
from lapse.model.memory import Memory


def settle(claims: Sequence[Memory]) -> list[Memory]:
    """Put the claims of one key in order and link them.

    Args:
        claims: All claims of the key, the new one and retracted ones among them. Those told at one
            instant are in order of arrival, which is that of their internal numbers. One whose
            successor is not among them was replaced from outside the key.

    Returns:
        The standing claims in order of validity, with `valid_to`, `supersedes`, `superseded_by` and
        `is_latest` set; those that stand beside the others are not among them. A claim that ends
        earlier by its own word keeps that end.
    """
    standing = sorted(_taking_part(claims), key=_place)
    settled = []
    for at, claim in enumerate(standing):
        before = standing[at - 1] if at > 0 else None
        after = standing[at + 1] if at + 1 < len(standing) else None
        settled.append(
            replace(
                claim,
                valid_to=_end(claim.stated_to, after),
                supersedes=None if before is None else before.id,
                superseded_by=None if after is None else after.id,
                is_latest=after is None,
            )
        )
    return settled


def current(claims: Sequence[Memory]) -> Memory | None:
    """The latest standing claim, or None; of those told at one instant, the last to arrive."""
    return max(reversed(_taking_part(claims)), key=_place, default=None)


def alone(claim: Memory) -> Memory:
    """The claim by its own word: without links, and without the end that another gave it."""
    return replace(
        claim, valid_to=claim.stated_to, supersedes=None, superseded_by=None, is_latest=True
    )


def start_of(memory: Memory) -> Instant:
    """From when a memory holds: an open start is before every other."""
    return EARLIEST if memory.valid_from is None else memory.valid_from


def _taking_part(claims: Sequence[Memory]) -> list[Memory]:
    ids = {each.id for each in claims}
    return [
        each
        for each in claims
        if each.recorded_to is None
        and not each.multi
        and (each.superseded_by is None or each.superseded_by in ids)
    ]


def _place(claim: Memory) -> tuple[Instant, Instant]:
    return start_of(claim), claim.recorded_from


def _end(own: Instant | None, after: Memory | None) -> Instant | None:
    if after is None:
        return own
    return start_of(after) if own is None else min(own, start_of(after))
