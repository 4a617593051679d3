"""Which candidates of another store this bank knows by their id.

Decides that once for all that asks. Refuses to judge them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lapse.index.columns import Columns
from lapse.index.snapshot import Snapshot
from lapse.model.index_delta import IntArray
from lapse.model.query import Candidate


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KnownIn:
    """Candidates known in one set of columns: their places, and the slots they have there."""

    columns: Columns
    places: IntArray
    slots: IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Known:
    """Candidates known here by id: as live memories, or as archived ones."""

    live: KnownIn
    archived: KnownIn


def known_among(candidates: Sequence[Candidate], snapshot: Snapshot) -> Known:
    """Look the candidates' ids up."""
    return Known(
        live=_known_in(snapshot.live, candidates), archived=_known_in(snapshot.archived, candidates)
    )


def _known_in(columns: Columns, candidates: Sequence[Candidate]) -> KnownIn:
    known = columns.latest_slot
    found = [
        (place, slot)
        for place, each in enumerate(candidates if known else ())
        if each.id in known and (slot := columns.find(each.id)) is not None
    ]
    places, slots = np.array(found, dtype=np.int64).reshape(-1, 2).T
    return KnownIn(columns=columns, places=places, slots=slots)
