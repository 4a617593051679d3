"""Sweeping one bank, portion by portion.

Decides the order: fold in what was used, bring the dates up to the policy, ask the canaries, visit
what is due along the index, keep to the budget, ask the canaries again, write the report. A portion
is one transaction, so a sweep that was cut off has done whole portions, and the next one goes on
with what is still due. Refuses to judge (`lapse.lifecycle.sweeping`), to advise
(`lapse.lifecycle.advising`) and to choose among banks (`sweep_turns`).
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from functools import partial

from lapse.engine.applying import apply_plan, approve_plan
from lapse.engine.canaries import ask_canaries
from lapse.engine.core import Core
from lapse.engine.plan_requests import Approving, Wish
from lapse.engine.planning import draft_plan, find_plan, store_plan
from lapse.engine.redating import follow_policy_within
from lapse.engine.runtime import BankRuntime
from lapse.engine.sweep_account import Account
from lapse.engine.using import drain
from lapse.laws import DATED_SCORES
from lapse.lifecycle.advising import advise, costs_too_much
from lapse.lifecycle.sweeping import (
    PRUNED,
    REASON,
    Sweeping,
    Verdicts,
    carried_out,
    proposed,
    verdicts,
)
from lapse.model.changeset import Changes
from lapse.model.due import FROM_THE_START, DueBy
from lapse.model.guards import Guard
from lapse.model.journal import JournalDraft
from lapse.model.plan import Plan, PlanHead, PlanStatus, PlanVerb
from lapse.model.policy_layers import Diff, combine, diff_mapping
from lapse.model.policy_sources import from_diff
from lapse.model.record import Record
from lapse.model.sweep import Advice, Ending, SweepReport
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View

PORTION = 500
"""Memories visited by one transaction."""

SPARE = 50
"""Memories visited beyond the limit at a time, since guards spare some."""

REDATED_AT_ONCE = 5_000
"""Memories dated anew between two looks at the time."""

PENDING = 1_000
"""Events that came in meanwhile and are looked through for uses of a portion."""

LATEST_PLANS = 50
"""Plans looked through for one that waits or was cut off."""

EARLIER_REPORTS = 8
"""Reports that advice looks back on."""

_STOPPED = {"forgetting.auto_apply": False}


class BankSweep:
    """A sweep of one bank under way. Each `step` is bounded; `finish` tells what was done."""

    def __init__(self, core: Core, runtime: BankRuntime, by: str) -> None:
        """Begin at nothing; the first step does the first portion."""
        self.ref = runtime.ref
        self._core = core
        self._runtime = runtime
        self._by = by
        self._account = Account()
        self._ending = Ending.MORE
        self._active_before = core.parts.store.active(runtime.ref)
        self._waiting: list[Record] = []
        self._spared: list[tuple[str, Guard]] = []
        self._expired: set[str] = set()
        self._limit: int | None = None
        rule = runtime.rule
        self._rules = Sweeping(
            ref=runtime.ref,
            policy=rule.policy,
            law=rule.law,
            fingerprint=rule.fingerprint,
            now=core.now(),
            by=by,
        )
        self._steps = self._work()

    @property
    def visited(self) -> int:
        """Memories visited so far."""
        return self._account.visited

    @property
    def taken(self) -> int:
        """Memories that went or are planned so far."""
        done = self._account.applied + self._account.planned + self._account.pruned
        return done + len(self._waiting)

    def step(self, left: int | None = None) -> bool:
        """Do the next portion. Returns whether there is more to do.

        Args:
            left: Most memories that may still go or be planned, or None for all that are due.
        """
        self._limit = None if left is None else self.taken + left
        return next(self._steps, None) is not None

    def finish(self) -> SweepReport:
        """Ask the canaries again, and write the report unless it says the same as the last one.

        A second sweep at the same instant finds nothing to do and writes nothing.
        """
        self._steps.close()
        store, now, account = self._core.parts.store, self._rules.now, self._account
        if account.before is not None and account.applied:
            account.after = ask_canaries(self._core, self._runtime, now)
        earlier = store.sweeps(self.ref, EARLIER_REPORTS)
        last = earlier[-1] if earlier else None
        blank = SweepReport(
            id=self._core.parts.new_id(now),
            at=now,
            by=self._by,
            policy=self._rules.fingerprint,
            revision=store.revision(self.ref),
            active_before=self._active_before,
            active_after=store.active(self.ref),
        )
        report = account.report(blank, self._ending, last)
        if account.after is None:
            report = replace(report, recall_after=report.recall_before)
        report = replace(report, advice=advise(self._rules.policy, report, earlier))
        if last is not None and last.at == now and not account.written:
            return report
        self._write_report(report)
        return report

    # --- the order of the work ------------------------------------------------------------------

    def _work(self) -> Generator[int]:
        """Every portion in turn; ends early where the limit is reached."""
        drain(self._core, self._runtime)
        yield from self._follow_policy()
        if self._auto:
            yield from self._resume()
        for by in (DueBy.EXPIRY, DueBy.FADING):
            if by is DueBy.EXPIRY or self._dated:
                yield from self._visit(by)
                if self._left() == 0:
                    return
        if self._waiting:
            self._plan_waiting()
        for act in self._last_acts():
            yield 0
            act()
            if self._left() == 0:
                return
        self._ending = Ending.DONE

    def _last_acts(self) -> Iterator[Callable[[], None]]:
        """What hangs on the whole bank, and then on its archive."""
        for wishes in (self._level_wish(), self._budget_wish()):
            for wish in wishes:
                yield partial(self._choose, wish)
        if self._rules.policy.retention.prune:
            yield self._prune

    def _follow_policy(self) -> Iterator[int]:
        while True:
            done = follow_policy_within(self._core, self._runtime, REDATED_AT_ONCE)
            self._account.redated += done.changed
            self._account.written = self._account.written or done.changed > 0
            if done.finished:
                return
            yield 0

    def _resume(self) -> Iterator[int]:
        """Finish what a sweep approved and did not come to the end of."""
        for head in self._heads():
            cut_off = head.status(self._rules.now) in (PlanStatus.APPROVED, PlanStatus.APPLYING)
            if cut_off and head.approval is not None and head.approval.by == self._rules.approver:
                yield 0
                self._applied(find_plan(self._core, self._runtime, head.id))

    def _visit(self, by: DueBy) -> Iterator[int]:
        """Walk along the index, a portion at a time; what is spared is passed over."""
        rules, store = self._rules, self._core.parts.store
        until = rules.now if by is DueBy.EXPIRY else rules.faded_until
        place = FROM_THE_START
        while found := store.due(self.ref, by, until, place, self._portion()):
            place = found[-1].place
            ids = tuple(each.memory_id for each in found if each.memory_id not in self._expired)
            if by is DueBy.EXPIRY:
                self._expired.update(ids)
            if self._auto:
                self._carry_out(ids)
            else:
                self._look_at(ids)
            if self._left() == 0:
                self._plan_waiting()
                return
            yield len(found)

    # --- what is due ----------------------------------------------------------------------------

    def _carry_out(self, ids: Sequence[str]) -> None:
        """Judge a portion and archive what may go, in one transaction."""
        self._ask_canaries()
        seen: list[tuple[Verdicts, Plan]] = []
        limit = PORTION if self._limit is None else min(PORTION, self._left() or 0)

        def judge(view: View) -> Changes:
            judged = verdicts(self._rules, ids, view)
            plan = proposed(self._rules, judged, limit)
            seen[:] = [(judged, plan)]
            return carried_out(self._rules, plan, view, self._core.parts.entropy(16))

        reads = Reads(ids=tuple(ids), cited=True, pending=PENDING)
        self._core.commit(Verb.SWEEP, self.ref, self._rules.now, reads, judge)
        judged, plan = seen[0]
        self._account.saw(judged)
        if plan.items:
            self._account.went(plan, plan.items, self._rules.now)

    def _look_at(self, ids: Sequence[str]) -> None:
        """Judge a portion, and keep what may go for one plan over all portions."""
        seen: list[Verdicts] = []

        def judge(view: View) -> Changes:
            seen[:] = [verdicts(self._rules, ids, view)]
            return Changes()

        reads = Reads(ids=tuple(ids), cited=True, pending=PENDING)
        self._core.commit(Verb.SWEEP, self.ref, self._rules.now, reads, judge)
        self._account.saw(seen[0])
        self._spared += seen[0].spared
        self._waiting += seen[0].free[: self._left()]

    def _plan_waiting(self) -> None:
        if not self._waiting:
            return
        judged = Verdicts(free=tuple(self._waiting), spared=tuple(self._spared), passed_over=())
        limit = self._rules.policy.retention.plan_limit
        self._propose(proposed(self._rules, judged, limit))
        self._waiting = []

    # --- what hangs on the whole bank -----------------------------------------------------------

    def _level_wish(self) -> Iterator[Wish]:
        """The policy's level, where its score has no dates and the columns must be read."""
        if not self._dated:
            yield Wish(verb=PlanVerb.ARCHIVE, limit=self._plan_limit(), by=self._by)

    def _budget_wish(self) -> Iterator[Wish]:
        most = self._rules.policy.retention.max_active
        active = self._core.parts.store.active(self.ref) - self._account.planned
        if most is not None and active > most:
            yield Wish(
                verb=PlanVerb.ARCHIVE, max_active=most, limit=self._plan_limit(), by=self._by
            )

    def _choose(self, wish: Wish) -> None:
        """Plan by the columns; apply at once where the policy says so."""
        plan = draft_plan(self._core, self._runtime, wish)
        self._account.spared.update({each.guard: each.count for each in plan.spared})
        if not plan.items:
            return
        if not self._auto:
            self._propose(plan)
            return
        self._ask_canaries()
        store_plan(self._core, self._runtime, plan)
        approving = Approving(plan_id=plan.id, by=self._rules.approver, reason=REASON, ids=None)
        self._applied(approve_plan(self._core, self._runtime, approving))

    def _prune(self) -> None:
        """Destroy what has long been archived, or plan to, unless the canaries lost too much."""
        wish = Wish(verb=PlanVerb.PRUNE, limit=self._plan_limit(), by=self._by)
        plan = draft_plan(self._core, self._runtime, wish)
        if not plan.items or not self._canaries_sing():
            return
        if not self._auto:
            self._propose(plan)
            return
        store_plan(self._core, self._runtime, plan)
        reason = PRUNED
        approving = Approving(plan_id=plan.id, by=self._rules.approver, reason=reason, ids=None)
        self._pruned(approve_plan(self._core, self._runtime, approving))

    def _canaries_sing(self) -> bool:
        """Whether what this sweep took so far cost the canaries no more than the policy allows."""
        account = self._account
        if account.before is None or not account.applied:
            return True
        account.after = ask_canaries(self._core, self._runtime, self._rules.now)
        return not costs_too_much(
            self._rules.policy, account.before.recall or 0.0, account.after.recall or 0.0
        )

    def _pruned(self, plan: Plan) -> None:
        before = () if plan.application is None else plan.application.applied
        done = apply_plan(self._core, self._runtime, plan.id).application
        self._account.destroyed(plan, 0 if done is None else len(done.applied) - len(before))

    def _applied(self, plan: Plan) -> None:
        if plan.verb is PlanVerb.PRUNE:
            self._pruned(plan)
            return
        before = () if plan.application is None else plan.application.applied
        self._ask_canaries()
        done = apply_plan(self._core, self._runtime, plan.id).application
        gone = set(() if done is None else done.applied) - set(before)
        items = [each for each in plan.items if each.memory_id in gone]
        self._account.went(plan, items, self._rules.now)
        self._account.spared.update(each.guard for each in (done.skipped if done else ()))

    # --- plans that wait ------------------------------------------------------------------------

    def _propose(self, plan: Plan) -> None:
        """Leave a plan for approval, unless one that proposes all of it waits already."""
        wanted = {each.memory_id for each in plan.items}
        for head in self._heads():
            waits = head.status(self._rules.now) is PlanStatus.PLANNED and head.verb is plan.verb
            if waits and head.by == self._by and head.totals.count >= len(wanted):
                other = find_plan(self._core, self._runtime, head.id)
                if wanted <= {each.memory_id for each in other.items}:
                    self._account.waits(other, new=False)
                    return
        self._account.waits(store_plan(self._core, self._runtime, plan), new=True)

    def _heads(self) -> Sequence[PlanHead]:
        return self._core.parts.store.plans(self.ref, LATEST_PLANS)

    # --- rules ----------------------------------------------------------------------------------

    @property
    def _auto(self) -> bool:
        return self._rules.policy.forgetting.auto_apply

    @property
    def _dated(self) -> bool:
        return self._rules.policy.retention.score in DATED_SCORES

    def _left(self) -> int | None:
        """How many more may go or be planned; None for any number."""
        if self._limit is None and self._auto:
            return None
        limits = [] if self._auto else [self._rules.policy.retention.plan_limit]
        limits += [] if self._limit is None else [self._limit]
        return max(min(limits) - self.taken, 0)

    def _portion(self) -> int:
        """How many to visit next: not many more than may go."""
        left = self._left()
        return PORTION if left is None else min(PORTION, left + SPARE)

    def _plan_limit(self) -> int:
        left = self._left()
        most = self._rules.policy.retention.plan_limit
        return most if left is None else max(min(most, left), 1)

    def _ask_canaries(self) -> None:
        if self._account.before is None:
            self._account.before = ask_canaries(self._core, self._runtime, self._rules.now)

    # --- the report -----------------------------------------------------------------------------

    def _write_report(self, report: SweepReport) -> None:
        stop = Advice.AUTO_APPLY_STOPPED in report.advice
        draft = JournalDraft(
            verb=Verb.SWEEP,
            at=report.at,
            by=report.by,
            counts=(
                ("visited", report.visited),
                ("planned", report.planned),
                ("applied", report.applied),
                ("pruned", report.pruned),
                ("auto_apply_stopped", int(stop)),
            ),
            about=report.id,
        )

        def judge(view: View) -> Changes:
            older = from_diff(view.bank.policy) if view.bank.policy else Diff(values={})
            stored = diff_mapping(combine(older, from_diff(_STOPPED)))
            stopped = replace(view.bank, policy=stored, policy_version=view.bank.policy_version + 1)
            return Changes(sweeps=(report,), journal=draft, bank=stopped if stop else None)

        self._core.commit(Verb.SWEEP, self.ref, report.at, Reads(), judge)
        self._runtime.follow()
