"""From a record that was read to the item of a plan, where no table of the bank was made.

Decides what a plan shows of a memory that was named or found by a date. Refuses to choose, and to
give score parts: some hang on the whole bank, which was not read.
"""

from lapse.lifecycle.guards import importance_of
from lapse.lifecycle.retention_scores import DECIMALS
from lapse.model.instants import DAY, Instant
from lapse.model.plan import PlanItem, PlanVerb
from lapse.model.policy import Policy
from lapse.model.record import Record


def item_of(
    policy: Policy,
    verb: PlanVerb,
    record: Record,
    *,
    now: Instant | None = None,
    since: Instant | None = None,
    score: float | None = None,
) -> PlanItem:
    """Describe a memory.

    Args:
        policy: What rates a memory that nobody rated.
        verb: What would be done with it.
        record: The memory with its state.
        now: The instant of the plan.
        since: From when the memory was due.
        score: Its retention score, where one hangs on the memory alone.
    """
    memory, state = record.memory, record.state
    days = None if now is None or since is None else round((now - since) / DAY, DECIMALS)
    return PlanItem(
        memory_id=memory.id,
        verb=verb,
        content_version=memory.content_version,
        current=memory.current,
        reinforcement_count=state.strength.reinforcement_count,
        last_counted_at=state.strength.last_counted_at,
        lifecycle=state.lifecycle,
        score=score,
        parts=None,
        below_since=since,
        days_below=days,
        words=len(memory.text.split()),
        created_at=state.created_at,
        importance=importance_of(policy, state),
        confidence=memory.confidence,
    )
