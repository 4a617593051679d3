"""What becomes of a plan: who approved it, and how far it was applied.

Decides what is kept of it. Refuses to decide who may approve and when a plan is over.
"""

from dataclasses import dataclass

from lapse.model.guards import Spared
from lapse.model.instants import Instant
from lapse.model.scrubbing import Scrubbed


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """Who approved a plan.

    Attributes:
        by, reason: A name and a reason, never blank.
        at: When.
        memory_ids: The part that was approved, or None for the whole plan.
    """

    by: str
    reason: str
    at: Instant
    memory_ids: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """How far a plan was applied.

    Attributes:
        began_at: When the first of it was applied.
        ended_at: When all of it was, or None while some of it waits.
        applied: Ids of the memories that it moved, in order.
        skipped: Those that no longer qualified, each with the guard that spared it.
        scrubbed: Of a plan that destroys: what was searched afterwards, and what was still found;
            None until that was done.
    """

    began_at: Instant
    ended_at: Instant | None
    applied: tuple[str, ...] = ()
    skipped: tuple[Spared, ...] = ()
    scrubbed: Scrubbed | None = None
