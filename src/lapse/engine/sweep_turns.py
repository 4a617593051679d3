"""Sweeping many banks: who comes when, for how long, and what keeps two workers apart.

Decides that the bank that was swept longest ago comes first, that each has one portion at a time in
turn, and that all stop together when the limit or the time is used up. A worker holds a lease for
each bank while it sweeps it and takes it on before each portion; one that died loses it by the
clock. Refuses to sweep a bank whose mode does not want it.
"""

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from lapse.engine.core import Core
from lapse.engine.embedding import Progress, no_progress
from lapse.engine.sweeping import BankSweep
from lapse.engine.untyped import as_count, as_number, read
from lapse.errors import Fault, LapseError, fault, raise_all
from lapse.model.instants import EARLIEST, SECOND, Instant
from lapse.model.memory import BankRef, name_faults
from lapse.model.policy import Mode
from lapse.model.sweep import Ending, SweepOutcome, Swept
from lapse.ports import Leasing

LEASE = "sweep"
LEASE_S = 60
"""Seconds after which a bank is free again whose worker died; a portion takes far less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turns:
    """One round over many banks.

    Attributes:
        by: Who sweeps.
        limit: Most memories that go or are planned, in all banks together; None for all.
        time_budget_s: Seconds after which no new portion is begun; None for no end.
    """

    by: str
    limit: int | None = None
    time_budget_s: float | None = None


def read_turns(limit: object, time_budget_s: object, by: str) -> Turns:
    """A wish to sweep, checked.

    Raises:
        ValidationError: A limit below 1, a negative time, no name; all of them at once.
    """
    faults: list[Fault] = []
    most = None if limit is None else read(lambda it: as_count("limit", it), limit, faults)
    seconds = None
    if time_budget_s is not None:
        seconds = read(lambda it: as_number("time_budget_s", it), time_budget_s, faults)
        if seconds is not None and not 0 <= seconds < math.inf:
            faults.append(fault("time_budget_s", time_budget_s, "needs a number from 0"))
    faults += name_faults("by", by)
    raise_all(faults)
    return Turns(by=by, limit=most, time_budget_s=seconds)


def sweep_bank(core: Core, ref: BankRef, turns: Turns, progress: Progress = no_progress) -> Swept:
    """Sweep one bank."""
    return sweep_banks(core, [ref], turns, progress)[0]


def sweep_banks(
    core: Core, refs: Sequence[BankRef], turns: Turns, progress: Progress = no_progress
) -> list[Swept]:
    """Sweep banks in turn. Gives what became of each, in the order given.

    A bank that fails does not keep the others waiting.

    Raises:
        LapseError: The first failure, once all the others had their turn.
    """
    return _Round(core, turns, progress).run(refs)


class _Round:
    """One round: the banks that wait, those under way, and those that are done."""

    def __init__(self, core: Core, turns: Turns, progress: Progress) -> None:
        self._core = core
        self._turns = turns
        self._progress = progress
        self._started = core.parts.stopwatch()
        self._holder = core.parts.new_id(core.now())
        self._done: dict[BankRef, Swept] = {}
        self._finished: list[BankSweep] = []
        self._failures: list[LapseError] = []

    def run(self, refs: Sequence[BankRef]) -> list[Swept]:
        """Give each bank its turns until all are done or the time is over."""
        waiting: deque[BankRef] = deque(sorted(refs, key=self._last_swept))
        under_way: deque[BankSweep] = deque()
        while (waiting or under_way) and not self._over([*self._finished, *under_way]):
            begun = self._begin(waiting.popleft()) if waiting else under_way.popleft()
            if begun is not None:
                self._turn(begun, under_way)
        for sweep in under_way:
            self._end(sweep)
        for ref in waiting:
            self._done[ref] = Swept(
                ref=ref,
                outcome=SweepOutcome.NOT_REACHED,
                note="the limit or the time was used up; the next sweep begins here",
            )
        if self._failures:
            raise self._failures[0]
        return [self._done[each] for each in refs]

    def _begin(self, ref: BankRef) -> BankSweep | None:
        try:
            return self._opened(ref)
        except LapseError as error:
            self._fail(ref, error)
        return None

    def _opened(self, ref: BankRef) -> BankSweep | None:
        runtime = self._core.runtime(ref)
        if runtime.follow() is None:
            self._refuse(ref, SweepOutcome.NOT_SWEPT, "no such bank")
        elif runtime.rule.mode is not Mode.LIFECYCLE:
            note = f"mode {runtime.rule.mode}: sweeps want forgetting.mode = lifecycle"
            self._refuse(ref, SweepOutcome.NOT_SWEPT, note)
        elif not self._lease(ref):
            self._refuse(ref, SweepOutcome.ALREADY_RUNNING, "another worker is sweeping it")
        else:
            runtime.check_policy()
            return BankSweep(self._core, runtime, self._turns.by)
        return None

    def _turn(self, sweep: BankSweep, under_way: deque[BankSweep]) -> None:
        if not self._lease(sweep.ref):
            self._end(sweep)
            return
        try:
            more = sweep.step(self._left([*self._finished, *under_way, sweep]))
        except LapseError as error:
            self._give_back(sweep.ref)
            self._fail(sweep.ref, error)
            return
        seen = sum(each.visited for each in (*self._finished, *under_way, sweep))
        self._progress(seen, seen + more)
        if more:
            under_way.append(sweep)
        else:
            self._end(sweep)

    def _end(self, sweep: BankSweep) -> None:
        try:
            report = sweep.finish()
        except LapseError as error:
            self._fail(sweep.ref, error)
        else:
            self._finished.append(sweep)
            note = "more is due; sweep again" if report.ending is Ending.MORE else ""
            self._done[sweep.ref] = Swept(
                ref=sweep.ref, outcome=SweepOutcome.SWEPT, report=report, note=note
            )
        self._give_back(sweep.ref)

    def _refuse(self, ref: BankRef, outcome: SweepOutcome, note: str) -> None:
        self._done[ref] = Swept(ref=ref, outcome=outcome, note=note)

    def _fail(self, ref: BankRef, error: LapseError) -> None:
        self._failures.append(error)
        self._refuse(ref, SweepOutcome.NOT_SWEPT, str(error))

    def _over(self, sweeps: Sequence[BankSweep]) -> bool:
        budget = self._turns.time_budget_s
        late = budget is not None and self._core.parts.stopwatch() - self._started >= budget
        return late or self._core.parts.ending() or self._left(sweeps) == 0

    def _left(self, sweeps: Sequence[BankSweep]) -> int | None:
        limit = self._turns.limit
        if limit is None:
            return None
        return max(limit - sum(each.taken for each in sweeps), 0)

    def _last_swept(self, ref: BankRef) -> tuple[Instant, BankRef]:
        reports = self._core.parts.store.sweeps(ref, 1)
        return (reports[0].at if reports else EARLIEST), ref

    def _lease(self, ref: BankRef) -> bool:
        store, now = self._core.parts.store, self._core.now()
        until = Instant(now + LEASE_S * SECOND)
        return not isinstance(store, Leasing) or store.take_lease(
            ref, LEASE, self._holder, now=now, until=until
        )

    def _give_back(self, ref: BankRef) -> None:
        store = self._core.parts.store
        if isinstance(store, Leasing):
            store.leave_lease(ref, LEASE, self._holder)
