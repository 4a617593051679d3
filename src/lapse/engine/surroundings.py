"""What hangs on a memory: what took its place, what it took the place of, what was made from it.

Decides how far that reaches, so that a judge of truth sees all it must. Refuses to judge.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from lapse.engine.core import Core
from lapse.engine.preparing import Writing
from lapse.engine.runtime import BankRuntime
from lapse.model.changeset import Changes
from lapse.model.view import Reads, View


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """All that hangs on some memories.

    Attributes:
        reads: What a judge of them must see.
        derived: By id, the sources of each memory that was made from others.
    """

    reads: Reads
    derived: Mapping[str, tuple[str, ...]]


def gather(core: Core, runtime: BankRuntime, writing: Writing, ids: Iterable[str]) -> Around:
    """Find all that hangs on some memories: what replaced them, what they did, what cites them."""
    runtime.follow()
    wanted = dict.fromkeys(ids)
    while True:
        reads = Reads(ids=tuple(wanted), cited=True, closings=True)
        view = _look(core, runtime, writing, reads)
        before = len(wanted)
        for each in _hanging_on(view):
            wanted[each] = None
        if len(wanted) == before:
            break
    memories = [each.memory for each in view.records.values()]
    keys = dict.fromkeys(each.key for each in memories if each.key is not None)
    derived = {each.id: each.derived_from for each in memories if each.derived_from}
    return Around(reads=replace(reads, keys=tuple(keys)), derived=derived)


def _hanging_on(view: View) -> Iterable[str]:
    for record in view.records.values():
        if record.memory.superseded_by is not None:
            yield record.memory.superseded_by
    for citing in view.cited_by.values():
        yield from citing
    for citing in view.cited_by.values():
        for each in citing:
            record_of = view.records.get(each)
            yield from () if record_of is None else record_of.memory.derived_from
    for closing in view.closings:
        yield from filter(None, (closing.memory_id, closing.by_id, closing.rest_id))


def _look(core: Core, runtime: BankRuntime, writing: Writing, reads: Reads) -> View:
    """Read what a judge would see; nothing is written."""
    seen: list[View] = []

    def look(view: View) -> Changes:
        seen.append(view)
        return Changes()

    core.commit(writing.verb, runtime.ref, writing.now, reads, look)
    return seen[-1]
