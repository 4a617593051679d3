"""A bank as of an earlier time: what was stored, believed and in mind then. Read only.

Decides what is read for it. Refuses the rules (`truth.past`, `lifecycle.chronicle`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lapse.engine.core import Core
from lapse.engine.paging import pages
from lapse.engine.reading import fetch
from lapse.engine.rewinding import lifecycles_at
from lapse.engine.runtime import BankRuntime
from lapse.errors import NotFoundError
from lapse.model.closing import Closing
from lapse.model.instants import Instant
from lapse.model.memory import Memory
from lapse.model.paging import Listing
from lapse.model.query import AsOf
from lapse.model.record import Record
from lapse.model.retention import Lifecycle
from lapse.recall.qualifying import qualifier_of
from lapse.truth.past import Told, believed, holds


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """A memory as of two times.

    Attributes:
        memory: As it was believed at the recorded time: content, validity, links.
        lifecycle: Where it stood on the axis of attention then.
        holds: Whether it was so at the valid time.
        qualifier: What a reader must know of it.
    """

    memory: Memory
    lifecycle: Lifecycle
    holds: bool
    qualifier: str


def look_back(core: Core, runtime: BankRuntime, memory_id: str, as_of: AsOf) -> Past:
    """One memory as of two times.

    Raises:
        NotFoundError: No such memory, or it was not told yet at the recorded time.
    """
    (record,) = fetch(core, runtime, [memory_id])
    found = _seen(core, runtime, [record], as_of, core.now())
    if not found:
        raise NotFoundError(
            f"memory {memory_id} was not in this bank then", fields={"id": memory_id}
        )
    return found[0]


def list_back(core: Core, runtime: BankRuntime, listing: Listing, as_of: AsOf) -> list[Past]:
    """The memories of a page that were there at the recorded time and held at the valid one."""
    records = core.page(runtime.ref, listing).records
    return [each for each in _seen(core, runtime, records, as_of, core.now()) if each.holds]


def _seen(
    core: Core, runtime: BankRuntime, records: Sequence[Record], as_of: AsOf, now: Instant
) -> list[Past]:
    valid = now if as_of.valid is None else as_of.valid
    recorded = as_of.recorded
    if recorded is None:
        return [_past(each.memory, each.state.lifecycle, valid) for each in records]
    closings = core.parts.store.closings(runtime.ref)
    moved = lifecycles_at(core, runtime, recorded)
    seen = []
    for each in records:
        told = _told(core, runtime, each.memory, closings)
        rivals = _rivals(core, runtime, told, closings)
        memory = believed(told, rivals, recorded)
        if memory is not None:
            seen.append(_past(memory, moved.get(each.row, each.state.lifecycle), valid))
    return seen


def _past(memory: Memory, lifecycle: Lifecycle, valid: Instant) -> Past:
    return Past(
        memory=memory,
        lifecycle=lifecycle,
        holds=holds(memory, valid),
        # What was retracted is retracted, whatever instant of the world is asked about.
        qualifier=qualifier_of(memory, Instant(max(valid, memory.recorded_to or valid))),
    )


def _told(core: Core, runtime: BankRuntime, memory: Memory, closings: Iterable[Closing]) -> Told:
    versions: Sequence[Memory] = ()
    if memory.content_version > 1:
        versions = core.parts.store.versions(runtime.ref, memory.id)
    own = [each for each in closings if each.memory_id == memory.id]
    return Told(memory=memory, versions=versions, closings=own)


def _rivals(
    core: Core, runtime: BankRuntime, told: Told, closings: Sequence[Closing]
) -> list[Told]:
    keys = {each.key for each in (told.memory, *told.versions) if each.key is not None}
    return [
        _told(core, runtime, record.memory, closings)
        for key in sorted(keys)
        for records in pages(core, runtime, Listing(key=key))
        for record in records
    ]
