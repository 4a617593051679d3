"""The written form of a plan, as stores keep it: head, items and progress, each a text of its own.

A plan of thousands is written on every plan and read on every batch of its application, so its
items are rows of plain values in a fixed order and not objects with names. The head never changes
once it is written; progress (approval, application) is all that does.

Decides this form. Refuses the form that users see: that is `lapse.model.codec`'s.
"""

import json
from dataclasses import dataclass, fields, replace
from typing import Any, Final, TypeAlias  # a row holds values of many types

from lapse.errors import CorruptStoreError, ValidationError
from lapse.model.codec import dumps, loads
from lapse.model.plan import (
    Plan,
    PlanHead,
    PlanItem,
    PlanVerb,
    ScoreParts,
)
from lapse.model.plan_progress import Application, Approval
from lapse.model.retention import Lifecycle

# Written by `_item_row` only; an altered one is found by the plan's own name.
Row: TypeAlias = list[Any]

_ENCODE: Final = json.JSONEncoder(separators=(",", ":"), ensure_ascii=True, allow_nan=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """What has become of a plan."""

    approval: Approval | None = None
    application: Application | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A plan as three texts of ASCII JSON."""

    head: str
    items: str
    progress: str


def written(plan: Plan) -> Written:
    """Write a plan."""
    return Written(
        head=dumps(replace(plan.head, approval=None, application=None)),
        items=_ENCODE.encode([_item_row(each) for each in plan.items]),
        progress=written_progress(plan),
    )


def written_progress(plan: PlanHead) -> str:
    """Write what has become of a plan."""
    return dumps(Progress(approval=plan.approval, application=plan.application))


def read_head(head: str, progress: str) -> PlanHead:
    """Read a plan without its items.

    Raises:
        ValidationError: Texts that `written` did not make.
    """
    told = loads(Progress, progress)
    return replace(loads(PlanHead, head), approval=told.approval, application=told.application)


def read_plan(found: Written) -> Plan:
    """Read a plan, whole.

    Raises:
        ValidationError: A head or progress that `written` did not make.
        CorruptStoreError: Items that it did not make.
    """
    head = read_head(found.head, found.progress)
    values = {each.name: getattr(head, each.name) for each in fields(PlanHead)}
    try:
        return Plan(**values, items=tuple(_item(row) for row in json.loads(found.items)))
    except (ValueError, TypeError, LookupError, ValidationError) as error:
        raise CorruptStoreError(
            f"the items of plan {head.id} cannot be read: {type(error).__name__}",
            fields={"plan": head.id},
        ) from None


def _item_row(item: PlanItem) -> Row:
    parts = item.parts
    return [
        item.memory_id,
        item.verb,
        item.content_version,
        item.reinforcement_count,
        item.last_counted_at,
        item.lifecycle,
        item.score,
        None
        if parts is None
        else [
            parts.retrievability,
            parts.need,
            parts.activation,
            parts.importance,
            parts.use_recency,
            parts.informativeness,
        ],
        item.below_since,
        item.days_below,
        item.words,
        item.created_at,
        item.importance,
        item.confidence,
        int(item.current),
    ]


def _item(row: Row) -> PlanItem:
    parts = row[7]
    return PlanItem(
        memory_id=row[0],
        verb=PlanVerb(row[1]),
        content_version=row[2],
        current=bool(row[14]),
        reinforcement_count=row[3],
        last_counted_at=row[4],
        lifecycle=Lifecycle(row[5]),
        score=row[6],
        parts=None
        if parts is None
        else ScoreParts(
            retrievability=parts[0],
            need=parts[1],
            activation=parts[2],
            importance=parts[3],
            use_recency=parts[4],
            informativeness=parts[5],
        ),
        below_since=row[8],
        days_below=row[9],
        words=row[10],
        created_at=row[11],
        importance=row[12],
        confidence=row[13],
    )
