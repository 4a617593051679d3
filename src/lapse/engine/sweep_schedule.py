"""The suggested schedule, kept: which of the open banks should be swept now.

Decides how many writes there were since a bank's last sweep. Refuses to say how often is often
enough (`lapse.lifecycle.scheduling`) and to wait: whoever runs a worker asks now and then.
"""

from lapse.engine.core import SYSTEM, Core
from lapse.engine.runtime import BankRuntime
from lapse.engine.sweep_turns import Turns, sweep_banks
from lapse.lifecycle.scheduling import sweep_is_due, writes_per_day
from lapse.model.instants import Instant
from lapse.model.policy import Mode
from lapse.model.sweep import Swept

ROUND_S = 60.0
"""Seconds after which a scheduled round begins no new portion."""


def sweep_scheduled(core: Core) -> list[Swept]:
    """Sweep those of the banks open in this process that are due by their schedule.

    Raises:
        LapseError: The first failure of a bank, once all the others had their turn.
    """
    now = core.now()
    refs = [each.ref for each in core.open_banks() if _is_due(core, each, now)]
    return sweep_banks(core, refs, Turns(by=SYSTEM, time_budget_s=ROUND_S)) if refs else []


def _is_due(core: Core, runtime: BankRuntime, now: Instant) -> bool:
    bank = runtime.follow()
    if bank is None or runtime.policy_faults or runtime.rule.mode is not Mode.LIFECYCLE:
        return False
    reports = core.parts.store.sweeps(runtime.ref, 1)
    last = reports[0].at if reports else None
    writes = bank.revision - reports[0].revision if reports else bank.revision
    per_day = writes_per_day(writes, bank.created_at if last is None else last, now)
    return sweep_is_due(runtime.rule.policy.retention, last, per_day, now)
