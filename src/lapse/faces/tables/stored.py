"""Memories as they are stored, and what became of what was told, for people.

Decides which facts of a memory are shown. Refuses to compute strength: that needs a question or a
law, and both have tables of their own.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

from rich.console import RenderableType
from rich.text import Text

from lapse.engine.results import Remembered
from lapse.engine.using import UseReport
from lapse.faces.operations.bank_calls import Banks
from lapse.faces.operations.results import RememberedMany
from lapse.faces.tables.shapes import (
    EMPTY,
    Layout,
    Named,
    cell,
    counted,
    day,
    described,
    described_row,
    label,
    line,
    moment,
    number,
    pairs,
    prose,
    table,
)
from lapse.faces.visible import visible
from lapse.model.memory import Memory
from lapse.model.paging import Page
from lapse.model.record import Record
from lapse.model.retention import RetentionState

MOST_SHOWN = 20
"""Most outcomes of a batch that are listed one by one."""


def banks_parts(result: Banks, layout: Layout) -> Iterator[RenderableType]:
    """The names of a tenant's banks, one a line."""
    if not result.banks:
        yield line(f"tenant {result.tenant} has no banks")
        return
    yield table("", [prose("bank")], [[cell(each)] for each in result.banks], layout=layout)


def record_parts(record: Record) -> Iterator[RenderableType]:
    """One memory: its text, then its facts, then its state."""
    yield Text(visible(record.memory.text))
    yield EMPTY
    yield pairs([*_content(record.memory), *_state(record.state)])


def page_parts(page: Page, layout: Layout) -> Iterator[RenderableType]:
    """A page of memories, and how to go on."""
    if not page.records:
        yield Text("No memories here.")
        return
    names = [Named(id=each.memory.id, text=each.memory.text) for each in page.records]
    facts = [label("created"), number("uses"), label("fades")]
    columns = described(layout, names, facts, [label("state")])
    rows = [
        described_row(
            layout,
            name,
            [
                cell(day(each.memory.created_at)),
                Text(str(each.state.strength.reinforcement_count)),
                cell(day(each.state.fades_at) or "never"),
            ],
            [", ".join([each.memory.kind, each.state.lifecycle, *_marks(each)])],
        )
        for each, name in zip(page.records, names, strict=True)
    ]
    yield table("", columns, rows, layout=layout)
    if page.next_after is not None:
        yield EMPTY
        yield line(f"more: --after {page.next_after}")


def remembered_parts(result: Remembered) -> Iterator[RenderableType]:
    """What became of one thing told."""
    yield line(_outcome(result))
    if result.superseded:
        yield line(f"superseded {', '.join(result.superseded)}")


def many_parts(result: RememberedMany) -> Iterator[RenderableType]:
    """What became of many: the sum, and the outcomes if they are few."""
    counts = Counter(each.action.value for each in result.remembered)
    if len(result.remembered) <= MOST_SHOWN:
        for each in result.remembered:
            yield line(_outcome(each))
    summed = ", ".join(f"{count} {action}" for action, count in counts.items())
    yield line(f"{counted(len(result.remembered), 'memory', 'memories')}: {summed or 'nothing'}")


def use_parts(report: UseReport) -> Iterator[RenderableType]:
    """What became of a report of use."""
    yield line(f"{counted(report.enqueued, 'use')} recorded")
    if report.repeated:
        yield line(f"{report.repeated} known already")
    if report.refused_late:
        yield line(f"{report.refused_late} too long ago to count")


def _outcome(result: Remembered) -> str:
    return f"{result.action.value} {result.id}"


def _marks(record: Record) -> Iterator[str]:
    memory, state = record.memory, record.state
    if not memory.is_latest:
        yield "superseded"
    if memory.recorded_to is not None:
        yield "retracted"
    for name in ("pinned", "verified", "exempt"):
        if getattr(state, name):
            yield name
    if state.audit_evidence:
        yield "audit evidence"


def _content(memory: Memory) -> Iterator[tuple[str, object]]:
    yield "id", memory.id
    yield "kind", memory.kind.value
    yield "key", memory.key
    yield "value", memory.value
    yield "subject", memory.subject
    yield "entities", ", ".join(memory.entities)
    yield "session", memory.session
    yield "role", None if memory.role is None else memory.role.value
    yield "source", memory.source
    yield "tags", ", ".join(memory.tags)
    yield "metadata", _metadata(memory.metadata)
    yield "created", moment(memory.created_at)
    yield "occurred", moment(memory.occurred_at)
    yield "recorded", moment(memory.recorded_from)
    yield "retracted", moment(memory.recorded_to)
    yield "valid from", moment(memory.valid_from)
    yield "valid to", moment(memory.valid_to)
    yield "expires", moment(memory.expires_at)
    yield "supersedes", memory.supersedes
    yield "superseded by", memory.superseded_by
    yield "derived from", ", ".join(memory.derived_from)
    yield "confidence", f"{memory.confidence:g}"
    yield "proofs", memory.proof_count
    yield "version", memory.content_version


def _state(state: RetentionState) -> Iterator[tuple[str, object]]:
    rated = "not rated" if state.importance is None else f"{state.importance:g}"
    yield "importance", f"{rated}, by {state.importance_source.value}"
    yield "counted uses", state.strength.reinforcement_count
    yield "last counted", moment(state.strength.last_counted_at)
    yield "fades", moment(state.fades_at) or "never"
    yield "lifecycle", state.lifecycle.value
    if state.transition is not None:
        yield "moved by", f"{state.transition.by}: {state.transition.reason}"
        yield "moved", moment(state.transition.at)
    yield "pinned", "yes" if state.pinned else None
    yield "verified", "yes" if state.verified else None
    yield "exempt", state.exempt_reason if state.exempt else None
    yield "audit evidence", "yes" if state.audit_evidence else None


def _metadata(metadata: Mapping[str, object]) -> str:
    return ", ".join(f"{name}={value}" for name, value in metadata.items())
