"""The part of a large bank that a question is judged over, as a snapshot.

Decides that how common a term is, how many memories there are and how long they are stay those of
the whole bank, so that a score says the same as in an exact search. Refuses to find candidates.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from lapse.index.snapshot import Snapshot
from lapse.index.tables import Tables
from lapse.model.memory import BankRef
from lapse.model.near import Near


def nearby_snapshot(ref: BankRef, near: Near) -> Snapshot:
    """Lay out what a store found.

    Args:
        ref: The bank.
        near: What was found in it, with the whole bank's statistics.
    """
    tables = Tables(near.delta.space)
    tables.apply(near.delta)
    found = tables.snapshot(ref, near.delta.revision)
    postings = replace(
        found.postings,
        document_frequency=_frequencies(near.frequency),
        memory_count=near.memory_count,
        mean_length=near.mean_length,
    )
    return replace(found, postings=postings)


def _frequencies(by_id: Mapping[int, int]) -> NDArray[np.int32]:
    found: NDArray[np.int32] = np.zeros(max(by_id, default=-1) + 1, np.int32)
    for term, count in by_id.items():
        found[term] = max(count, 0)
    return found
