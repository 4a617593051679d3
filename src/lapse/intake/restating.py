"""Telling again what no longer holds: what it takes to make it hold again, and what is listed else.

What was superseded holds again only if user or host names a time of the event after it was closed;
else a store that is fed its own old transcripts would bring back what a person corrected. What was
retracted was never so: only taking the retraction back makes it hold.

Decides that. Refuses to look anything up.
"""

from collections.abc import Sequence
from typing import Final

from lapse.model.instants import Instant
from lapse.model.memory import Draft, Memory, Role
from lapse.model.proposal import Proposal, ProposalKind

AUTHORITIES: Final = (Role.USER, Role.HOST)
"""Who speaks with authority over what is stored; so does whoever names no role."""

DISPUTED: Final = "told again although it was {}: it stays so until somebody decides; see conflicts"
"""What a caller should know who tells again what no longer holds."""


WAITING: Final = "told again without authority: it stays {} until somebody decides; see conflicts"
"""What a caller should know who tells again, without authority, what was put out of mind."""


def opens_again(draft: Draft, memory: Memory, gone: Sequence[Memory]) -> bool:
    """Whether a telling names a time at which the value holds again, or held before it did.

    Args:
        draft: What was told.
        memory: What it becomes if it is new.
        gone: The same, told before, that does not hold any more; at least one.
    """
    if any(each.recorded_to is not None for each in gone):
        return False
    explicit = draft.occurred_at if draft.valid_from is None else draft.valid_from
    if explicit is None or not (draft.role is None or draft.role in AUTHORITIES):
        return False
    if all(each.valid_to is None or explicit >= each.valid_to for each in gone):
        return True
    begun = [each.valid_from for each in gone if each.valid_from is not None]
    # A late older fact takes its place in its key's past and displaces nothing.
    return memory.key is not None and len(begun) == len(gone) and explicit < min(begun)


def restated(gone: Memory, rivals: tuple[str, ...], *, at: Instant, by: str) -> Proposal:
    """What is listed: that it was told again, and what stands in its place."""
    return Proposal(
        kind=ProposalKind.RESTATE,
        memory_id=gone.id,
        other_ids=tuple(each for each in rivals if each != gone.id),
        at=at,
        by=by,
    )


def wanted_back(memory: Memory, *, at: Instant, by: str) -> Proposal:
    """What is listed: something put out of mind was told again by who may not bring it back."""
    return Proposal(kind=ProposalKind.REACTIVATE, memory_id=memory.id, at=at, by=by)
