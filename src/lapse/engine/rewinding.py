"""A bank as it stood: what was out of mind at an earlier time, and what was written differently.

Decides that the moves are read from the journal once and kept while the bank is open, and that a
bank in which something has moved or was rewritten since is laid out anew for the question. Refuses
the rules themselves (`lapse.lifecycle.chronicle`).
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from lapse.engine.core import Core, facets_of
from lapse.engine.embedding import vectors_for
from lapse.engine.runtime import BankRuntime
from lapse.index.rewound import Written, rewound_snapshot
from lapse.index.snapshot import Snapshot
from lapse.index.states import GONE
from lapse.lifecycle.chronicle import Step, moved_since, steps_of
from lapse.model.instants import Instant
from lapse.model.memory import Memory
from lapse.model.retention import Lifecycle
from lapse.model.shown import Shown

AT_ONCE = 1000
"""Entries of the journal read at once."""


def lifecycles_at(core: Core, runtime: BankRuntime, recorded: Instant) -> dict[int, Lifecycle]:
    """Where those memories stood at an instant that have moved since, by internal number.

    Whoever is not named stands where it stood, or was not there yet. The first call reads the whole
    journal, later ones what has been added to it.
    """
    with runtime.lock:
        shift = _read_moves(core, runtime)
        moved = moved_since(runtime.moves.steps, recorded)
        return {number + shift: stood for number, stood in moved.items()}


def moves_of(core: Core, runtime: BankRuntime) -> list[tuple[int, Step]]:
    """Every move that the journal tells, in its order, each with the memory's number in the bank.

    Reads of the journal what `lifecycles_at` would.
    """
    with runtime.lock:
        shift = _read_moves(core, runtime)
        return [(each.row + shift, each) for each in runtime.moves.steps]


def _read_moves(core: Core, runtime: BankRuntime) -> int:
    """Bring the kept moves up to the journal's end. Returns how far the bank's numbers lie above.

    The runtime's lock is held.
    """
    moves = runtime.moves
    while part := core.parts.store.journal(runtime.ref, moves.through, AT_ONCE):
        moves.steps.extend(steps_of(part))
        moves.through = part[-1].seq
    runtime.follow()
    return 0 if runtime.bank is None else runtime.bank.shift


def as_it_stood(
    core: Core, runtime: BankRuntime, snapshot: Snapshot, recorded: Instant | None
) -> Snapshot:
    """The snapshot with every memory where it stood and as it was written then; None is now.

    Reads the whole bank where something has moved or has been rewritten since.
    """
    if recorded is None:
        return snapshot
    stood = lifecycles_at(core, runtime, recorded)
    written = _written_then(core, runtime, snapshot, recorded)
    if not stood and not written:
        return snapshot
    changes = core.parts.store.changes(runtime.ref, 0)
    return rewound_snapshot(runtime.ref, changes, stood, written)


def contents_then(
    core: Core, runtime: BankRuntime, ids: Sequence[str], recorded: Instant | None
) -> list[Memory]:
    """Memories as they were written at an instant; None is now. Their links are those of now."""
    memories = core.contents(runtime.ref, ids)
    if recorded is None:
        return memories
    return [_as_written(core, runtime, each, recorded) or each for each in memories]


def shown_then(
    core: Core, runtime: BankRuntime, ids: Sequence[str], recorded: Instant | None
) -> Shown:
    """`contents_then`, and the open proposals that name any of the memories now."""
    shown = core.parts.store.shown(runtime.ref, ids)
    if recorded is None:
        return shown
    then = [_as_written(core, runtime, each, recorded) or each for each in shown.memories]
    return replace(shown, memories=tuple(then))


def _written_then(
    core: Core, runtime: BankRuntime, snapshot: Snapshot, recorded: Instant
) -> dict[str, Written]:
    """The memories that have been rewritten since, as they were, by id."""
    ids = [
        columns.ids[int(slot)]
        for columns in (snapshot.live, snapshot.archived)
        for slot in np.flatnonzero(
            (columns.content_version > 1)
            & (columns.recorded_from > recorded)
            & (columns.status != GONE)
        )
    ]
    found = [_as_written(core, runtime, each, recorded) for each in core.contents(runtime.ref, ids)]
    earlier = [each for each in found if each is not None]
    texts = [each.text for each in earlier]
    vectors = vectors_for(core, runtime, texts).vectors
    facets = facets_of(runtime, texts)
    return {
        memory.id: Written(
            memory=memory, facets=facet, vector=None if vector is None else vector.data
        )
        for memory, facet, vector in zip(earlier, facets, vectors, strict=True)
    }


def _as_written(
    core: Core, runtime: BankRuntime, memory: Memory, recorded: Instant
) -> Memory | None:
    """A memory that has been rewritten since as it was; None for one that was not, or not told."""
    if memory.content_version == 1 or memory.recorded_from <= recorded:
        return None
    versions = core.parts.store.versions(runtime.ref, memory.id)
    known = [each for each in versions if each.recorded_from <= recorded]
    if not known:
        return None
    return replace(
        known[-1],
        valid_to=memory.valid_to,
        recorded_to=memory.recorded_to,
        supersedes=memory.supersedes,
        superseded_by=memory.superseded_by,
        is_latest=memory.is_latest,
    )
