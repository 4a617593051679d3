"""A snapshot of a bank with its memories where they once stood.

Decides only that. What the memories say, and how strong they are, is as it is now: texts and times
are filtered by the question.
"""

from collections.abc import Mapping
from dataclasses import replace

from lapse.index.snapshot import Snapshot
from lapse.index.tables import Tables
from lapse.model.index_delta import IndexDelta
from lapse.model.memory import BankRef
from lapse.model.retention import Lifecycle


def rewound_snapshot(ref: BankRef, delta: IndexDelta, stood: Mapping[int, Lifecycle]) -> Snapshot:
    """Lay a bank out anew.

    Args:
        ref: The bank.
        delta: All of the bank, as `Store.changes` gives it since revision 0.
        stood: Where memories stood that stand elsewhere now, by internal number.
    """
    states = delta.states
    lifecycle = [
        stood.get(row, now) for row, now in zip(states.rows.tolist(), states.lifecycle, strict=True)
    ]
    tables = Tables(delta.space)
    tables.apply(replace(delta, states=replace(states, lifecycle=lifecycle)))
    return tables.snapshot(ref, delta.revision)
