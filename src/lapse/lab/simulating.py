"""Rolling memories forward under a law, without touching them: what would be due, and when.

Between uses a law's curve is known, so that nothing is stepped through: the instant at which each
memory crosses the law's level, and the grace period after it, say the whole future of a bank that
is told nothing and uses nothing. That is the darkest forecast: every use puts a date off.

Decides when something would be due. Refuses to guess what will be told or used, to read a bank, and
to judge guards: who calls says what is spared.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lapse.errors import Fault, ValidationError, fault
from lapse.laws import NEVER, IntArray, StrengthColumns, law_for
from lapse.model.instants import DAY, Instant
from lapse.model.policy import LawPolicy


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Forecast:
    """What would become of n memories.

    Attributes:
        due_at: Shape (n,). Instant from which each is due, `now` at the earliest; `NEVER` where it
            is spared or does not fade.
        active: Memories not yet due at the end of each day, from day 0 (`now`) on.
        due: Memories that come due in each day; day 0 holds what is due already.
    """

    due_at: IntArray
    active: tuple[int, ...]
    due: tuple[int, ...]

    def soonest(self, limit: int) -> list[int]:
        """Rows that come due first, in that order; rows that never do are left out."""
        order = np.argsort(self.due_at, kind="stable")[:limit].tolist()
        return [row for row in order if self.due_at[row] != NEVER]


def roll_forward(
    columns: StrengthColumns,
    policy: LawPolicy,
    *,
    now: Instant,
    days: int,
    grace_days: float = 30.0,
    spared: Sequence[bool] | NDArray[np.bool_] | None = None,
) -> Forecast:
    """Say what would come due within some days if nothing were told or used.

    Args:
        columns: n memories.
        policy: The law to roll forward under; it need not be the one in force.
        now: Where the forecast starts.
        days: How far it goes, ≥ 0.
        grace_days: Days between fading and being due, ≥ 0.
        spared: Length n. Memories that a guard keeps whatever their strength; none if absent.

    Raises:
        ValidationError: A number of days is negative, or `spared` is of another length.
    """
    count = len(columns.created_at)
    kept = np.zeros(count, dtype=np.bool_) if spared is None else np.asarray(spared, dtype=np.bool_)
    faults: list[Fault] = []
    if days < 0:
        faults.append(fault("days", days, "needs 0 or more"))
    if not grace_days >= 0:
        faults.append(fault("grace_days", grace_days, "needs 0 or more"))
    if kept.shape != (count,):
        faults.append(fault("spared", len(kept), f"needs one for each of {count} memories"))
    if faults:
        raise ValidationError(faults)
    due_at = _due(columns, policy, now, grace_days, kept)
    ends = now + DAY * np.arange(days + 1, dtype=np.int64)
    gone = np.searchsorted(np.sort(due_at), ends, side="right")
    return Forecast(
        due_at=due_at,
        active=tuple((count - gone).tolist()),
        due=tuple(np.diff(gone, prepend=0).tolist()),
    )


def _due(
    columns: StrengthColumns,
    policy: LawPolicy,
    now: Instant,
    grace_days: float,
    kept: NDArray[np.bool_],
) -> IntArray:
    law = law_for(policy)
    never = np.full(len(kept), NEVER, dtype=np.int64)
    if law.archive_level is None:
        return never
    fades = law.crossing(columns, law.archive_level)
    lasting = kept | (fades == NEVER)
    waited = np.where(lasting, now, fades) + round(grace_days * DAY)
    return np.where(lasting, never, np.maximum(waited, now))
