"""A bank as it stood: which memories were out of mind at an earlier time, by what was recorded.

Decides that the moves are read from the journal once and kept while the bank is open, and that a
bank in which something has moved since is laid out anew for the question. Refuses the rules
themselves (`lapse.lifecycle.chronicle`).
"""

from lapse.engine.core import Core
from lapse.engine.runtime import BankRuntime
from lapse.index.rewound import rewound_snapshot
from lapse.index.snapshot import Snapshot
from lapse.lifecycle.chronicle import moved_since, steps_of
from lapse.model.instants import Instant
from lapse.model.retention import Lifecycle

AT_ONCE = 1000
"""Entries of the journal read at once."""


def lifecycles_at(core: Core, runtime: BankRuntime, recorded: Instant) -> dict[int, Lifecycle]:
    """Where those memories stood at an instant that have moved since, by internal number.

    Whoever is not named stands where it stood, or was not there yet. The first call reads the whole
    journal, later ones what has been added to it.
    """
    moves = runtime.moves
    with runtime.lock:
        while part := core.parts.store.journal(runtime.ref, moves.through, AT_ONCE):
            moves.steps.extend(steps_of(part))
            moves.through = part[-1].seq
        runtime.follow()
        shift = 0 if runtime.bank is None else runtime.bank.shift
        moved = moved_since(moves.steps, recorded)
        return {number + shift: stood for number, stood in moved.items()}


def as_it_stood(
    core: Core, runtime: BankRuntime, snapshot: Snapshot, recorded: Instant | None
) -> Snapshot:
    """The snapshot with every memory where it stood then; None is now.

    Reads the whole bank where something has moved since.
    """
    if recorded is None:
        return snapshot
    stood = lifecycles_at(core, runtime, recorded)
    if not stood:
        return snapshot
    return rewound_snapshot(runtime.ref, core.parts.store.changes(runtime.ref, 0), stood)
