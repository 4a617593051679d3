"""From places in a table to the items of a plan, with everything an approver should see of each.

Decides what is shown of a chosen memory. Refuses to choose.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from lapse.laws import IntArray
from lapse.lifecycle.plan_table import Scene, Table
from lapse.lifecycle.retention_scores import DECIMALS, use_recency
from lapse.model.index_delta import MISSING
from lapse.model.instants import DAY
from lapse.model.plan import PlanAsk, PlanBy, PlanItem, PlanVerb, ScoreParts
from lapse.model.retention import Lifecycle


def items_of(
    ask: PlanAsk,
    verb: PlanVerb,
    scene: Scene,
    table: Table,
    at: NDArray[np.intp],
    since: IntArray,
) -> Iterator[PlanItem]:
    """Describe the chosen memories, in order.

    Args:
        ask: What was asked for.
        verb: What would be done with them.
        scene, table: What they were chosen from.
        at: Shape (c,). Their places in the table.
        since: Shape (c,). From when the grace period of each counted.
    """
    slots, states = table.rows.slots[at], table.states[at]
    live, columns = scene.snapshot.live, scene.snapshot.states
    levelled = ask.by is PlanBy.LEVEL
    parts = _parts(scene, table, at)
    rows = zip(
        table.ids(scene, at),
        live.content_version[slots].tolist(),
        (live.is_latest[slots] & (live.recorded_to[slots] == MISSING)).tolist(),
        columns.reinforcement_count[states].tolist(),
        columns.last_counted_at[states].tolist(),
        table.scores[at].tolist(),
        parts,
        since.tolist(),
        np.round(np.maximum(scene.now - since, 0) / DAY, DECIMALS).tolist(),
        live.word_count[slots].tolist(),
        table.created_at[at].tolist(),
        live.confidence[slots].tolist(),
        strict=True,
    )
    for name, version, current, uses, used_at, score, part, begun, below, words, born, sure in rows:
        yield PlanItem(
            memory_id=name,
            verb=verb,
            content_version=version,
            current=current,
            reinforcement_count=uses,
            last_counted_at=None if used_at == MISSING else used_at,
            lifecycle=Lifecycle.ACTIVE,
            score=score,
            parts=part,
            below_since=begun,
            days_below=below if levelled else None,
            words=words,
            created_at=born,
            importance=part.importance,
            confidence=sure,
        )


def _parts(scene: Scene, table: Table, at: NDArray[np.intp]) -> list[ScoreParts]:
    strengths = table.rows.strengths.take(at)
    law, now = scene.law, scene.now
    columns = (
        law.retrievability(strengths, now),
        law.need(strengths, now),
        law.base_level_activation(strengths, now),
        strengths.importance,
        use_recency(strengths, scene.policy, now),
        table.rows.informativeness[at],
    )
    shown = [np.round(each, DECIMALS).tolist() for each in columns]
    return [
        ScoreParts(
            retrievability=recall,
            need=need,
            activation=level,
            importance=importance,
            use_recency=recency,
            informativeness=share,
        )
        for recall, need, level, importance, recency, share in zip(*shown, strict=True)
    ]
