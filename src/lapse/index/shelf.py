"""The archive as a snapshot of its own, for who asks for it by name.

Decides that what is archived can be searched like what is live, whatever its validity says now: who
searches an archive wants to see what lies there. Refuses to keep anything: such a snapshot is made
for a question, from what the store kept of texts and vectors.
"""

from dataclasses import replace

import numpy as np

from lapse.index.snapshot import Snapshot
from lapse.index.tables import Tables
from lapse.model.index_delta import MISSING, ContentRows, IndexDelta, IntArray, StateRows
from lapse.model.memory import BankRef
from lapse.model.retention import Lifecycle

_OPEN = ("recorded_to", "valid_from", "valid_to", "expires_at")


def shelf_snapshot(ref: BankRef, delta: IndexDelta) -> Snapshot:
    """The archived memories of a bank, as if they were live, current and without an end.

    Args:
        ref: The bank.
        delta: All of the bank, as `Store.changes` gives it since revision 0.
    """
    shelved = np.array([each is Lifecycle.ARCHIVED for each in delta.states.lifecycle], np.bool_)
    rows = delta.states.rows[shelved]
    content = _picked(delta.content, np.flatnonzero(np.isin(delta.content.rows, rows)))
    states = _picked_states(delta.states, np.flatnonzero(shelved))
    tables = Tables(delta.space)
    tables.apply(replace(delta, content=content, states=states, removed=_none()))
    return tables.snapshot(ref, delta.revision)


def _none() -> IntArray:
    return np.zeros(0, np.int64)


def _picked(content: ContentRows, at: IntArray) -> ContentRows:
    taken: dict[str, object] = {}
    for name in ContentRows.__dataclass_fields__:
        column = getattr(content, name)
        if name in _OPEN:
            taken[name] = np.full(len(at), MISSING, np.int64)
        elif isinstance(column, np.ndarray):
            taken[name] = column[at]
        else:
            taken[name] = [column[each] for each in at.tolist()]
    return replace(content, **taken)  # type: ignore[arg-type]  # each is cut from its own field


def _picked_states(states: StateRows, at: IntArray) -> StateRows:
    taken: dict[str, object] = {
        name: getattr(states, name)[at]
        for name in StateRows.__dataclass_fields__
        if name != "lifecycle"
    }
    taken["lifecycle"] = [Lifecycle.ACTIVE] * len(at)
    return replace(states, **taken)  # type: ignore[arg-type]  # each is cut from its own field
