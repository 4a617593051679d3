"""Whatever happens between a plan and its application, nothing that is guarded is ever moved.

A machine corrects, uses, cites, pins, verifies, holds, plans, approves, applies and restores in any
order, while the clock jumps by up to ten years either way. Beside it stands a ledger in plain sets:
what nobody may move is what the ledger says, not what the guards say.
"""

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field, replace

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from lapse.errors import GuardedError, PlanError
from lapse.model.instants import DAY, Instant
from lapse.model.memory import BankRef
from lapse.model.plan import Plan, PlanStatus, PlanVerb
from lapse.model.record import Record
from lapse.model.retention import Lifecycle
from lapse.stores.memory import MemoryStore
from lapse.testing.fakes import START
from tests.unit.engine.opening import Opened, opened

ALICE = BankRef(name="alice")
NAMES = st.sampled_from("abcdef")
LASTING = st.sampled_from("ab")
"""Memories to which happens what cannot be undone, so that others stay to be moved."""

BOLD = st.sampled_from([True, True, False])
EVERYTHING = "everything"


@dataclass
class Ledger:
    """What the test knows of the memories, by hand.

    Attributes:
        pinned, verified, cited: Names of memories.
        held: Names of memories by the name of the hold on them.
        touched: Names that were corrected or used, by the plan made before.
        protected: When a restored memory is no longer spared, by name.
    """

    pinned: set[str] = field(default_factory=set)
    verified: set[str] = field(default_factory=set)
    cited: set[str] = field(default_factory=set)
    held: dict[str, str] = field(default_factory=dict)
    touched: dict[str, set[str]] = field(default_factory=dict)
    protected: dict[str, Instant] = field(default_factory=dict)

    def touch(self, name: str) -> None:
        """Note that something happened to a memory since every plan there is."""
        for each in self.touched.values():
            each.add(name)


class Governed(RuleBasedStateMachine):
    """A bank whose memories fade, and people who plan."""

    @initialize()
    def open(self) -> None:
        self.lapse: Opened = opened(MemoryStore())
        self.bank = self.lapse.alice
        self.ledger = Ledger()
        self.plans: list[str] = []
        self.steps = 0
        for name in "abcdef":
            self.bank.remember(f"{name} is something", id=name, importance=0.1)
        self.lapse.clock.advance(days=60)

    # --- what happens to memories -------------------------------------------------------------

    @rule(days=st.sampled_from([-3650, -30, -1, 1, 1, 2, 8, 45, 45, 400, 3650]))
    def jump(self, days: int) -> None:
        # Within a century or so: beyond it nothing has a date any more.
        at = self.lapse.clock.now() + days * DAY
        self.lapse.clock.set(Instant(min(max(at, START - 4000 * DAY), START + 36_000 * DAY)))

    @rule(name=NAMES)
    def pin(self, name: str) -> None:
        self.bank.pin([name])
        self.ledger.pinned.add(name)

    @rule(name=NAMES)
    def unpin(self, name: str) -> None:
        self.bank.unpin([name])
        self.ledger.pinned.discard(name)

    @rule(name=LASTING)
    def verify(self, name: str) -> None:
        self.bank.verify_outcome([name])
        self.ledger.verified.add(name)

    @rule(name=NAMES, drained=st.booleans())
    def use(self, name: str, drained: bool) -> None:
        self.steps += 1
        self.bank.used([name], event_id=f"use {self.steps}")
        if drained:
            self.bank.drain()

    @rule(name=NAMES)
    def correct(self, name: str) -> None:
        self.steps += 1
        self.bank.update(name, text=f"{name} is another thing, {self.steps}")
        self.ledger.touch(name)

    @rule(name=LASTING)
    def cite(self, name: str) -> None:
        self.steps += 1
        # Important enough that no plan ever moves it: what cites stays active.
        said = f"a summary, {self.steps}"
        self.bank.remember(said, id=f"s{self.steps}", derived_from=[name], importance=0.95)
        self.ledger.cited.add(name)

    @rule(name=NAMES)
    def hold(self, name: str) -> None:
        if name not in self.ledger.held:
            self.bank.hold(f"matter {name}", ids=[name], by="clerk", reason="law")
            self.ledger.held[name] = f"matter {name}"

    @rule(name=NAMES)
    def release(self, name: str) -> None:
        matter = self.ledger.held.pop(name, None)
        if matter is not None:
            self.bank.release(matter, by="clerk", reason="closed")

    # --- what people plan -----------------------------------------------------------------------

    @rule(
        way=st.sampled_from(["level", "percentile", "budget"]), archive=st.booleans(), at_once=BOLD
    )
    def plan(self, way: str, archive: bool, at_once: bool) -> None:
        verb = "archive" if archive else "suppress"
        match way:
            case "level":
                made = self.bank.plan(verb, by="planner")
            case "percentile":
                made = self.bank.plan(verb, percentile=60, by="planner")
            case _:
                made = self.bank.plan_to_budget(verb, max_active=2, score="need", by="planner")
        assert not self._forbidden(made) & {each.memory_id for each in made.items}
        if made.id not in self.ledger.touched:
            self.plans.append(made.id)
            self.ledger.touched[made.id] = set()
        if at_once and self._status(made.id) is PlanStatus.PLANNED:
            self.bank.approve(made.id, by="boss", reason="tidy")

    @precondition(lambda self: self.plans)
    @rule(which=st.sampled_from([0, 0, 0, 1, 2]))
    def approve(self, which: int) -> None:
        plan = self.plans[-1 - which % len(self.plans)]
        try:
            self.bank.approve(plan, by="boss", reason="tidy")
        except PlanError:
            assert self._status(plan) in (PlanStatus.EXPIRED, PlanStatus.APPLIED)

    @precondition(lambda self: self.plans)
    @rule(which=st.sampled_from([0, 0, 0, 1, 2]))
    def apply(self, which: int) -> None:
        self._apply(self.plans[-1 - which % len(self.plans)])

    @precondition(lambda self: self.plans)
    @rule(which=st.sampled_from([0, 0, 0, 1, 2]))
    def apply_under_a_hold_on_everything(self, which: int) -> None:
        self.bank.hold(EVERYTHING, everything=True, by="clerk", reason="law")
        moved = self._apply(self.plans[-1 - which % len(self.plans)])
        self.bank.release(EVERYTHING, by="clerk", reason="closed")
        assert not moved

    @precondition(lambda self: self.plans)
    @rule(which=st.sampled_from([0, 0, 0, 1, 2]))
    def apply_and_take_back(self, which: int) -> None:
        plan = self.plans[-1 - which % len(self.plans)]
        self.bank.drain()
        before = self._records()
        moved = self._apply(plan)
        if moved:
            self.bank.restore(plan=plan, by="boss", reason="wanted after all")
            self._note_protection(moved)
            after = self._records()
            for name in before:
                assert _but_for_protection(after[name]) == _but_for_protection(before[name])

    @rule(
        way=st.sampled_from(["level", "percentile", "budget"]),
        name=NAMES,
        happening=st.sampled_from(["cite", "hold", "use", "pin", "correct", "go back", "return"]),
    )
    def plan_and_apply_after(self, way: str, name: str, happening: str) -> None:
        """The way in which most plans go, with one thing in between."""
        self.begin_anew()
        self.jump(3650)
        self.plan(way, archive=False, at_once=True)
        plan = self.plans[-1]
        match happening:
            case "cite":
                self.cite(name)
            case "hold":
                self.hold(name)
            case "use":
                self.use(name, drained=False)
            case "pin":
                self.pin(name)
            case "correct":
                self.correct(name)
            case "go back":
                self.jump(-3650)
            case _:
                with suppress(GuardedError):
                    self.bank.suppress([name], by="boss", reason="by hand")
                self.restore(name)
        self._apply(plan)

    @rule()
    def begin_anew(self) -> None:
        """Everything is back, unpinned, and long faded: there is something to plan again."""
        for name in "abcdef":
            self.unpin(name)
            self.release(name)
            self.restore(name)
        self.jump(400)

    @rule(name=NAMES)
    def restore(self, name: str) -> None:
        away = self.bank.get(name).state.lifecycle is not Lifecycle.ACTIVE
        self.bank.restore([name], by="boss", reason="wanted after all")
        if away and self.bank.get(name).state.lifecycle is Lifecycle.ACTIVE:
            self._note_protection([name])

    # --- what must hold --------------------------------------------------------------------------

    @invariant()
    def nothing_contradicts_itself(self) -> None:
        if self.steps and self.steps % 10 == 0:
            assert list(self.bank.doctor()) == []

    def _apply(self, plan: str) -> set[str]:
        """Apply a plan, and hold what it moved against the ledger. Returns what it moved."""
        self.bank.drain()
        before, records = self.bank.get_plan(plan), self._records()
        used = _used_since(before, records)
        try:
            after = self.bank.apply(plan)
        except PlanError:
            assert self._status(plan) in (PlanStatus.PLANNED, PlanStatus.EXPIRED)
            return set()
        moved = _applied(after) - _applied(before)
        for name in moved:
            # What another plan suppressed meanwhile may still go further down, never twice the way.
            assert records[name].state.lifecycle in _FROM[before.verb]
        assert not moved & self._forbidden(before)
        assert not moved & self.ledger.touched[plan]
        assert not moved & used
        assert self.bank.apply(plan) == after
        return moved

    def _forbidden(self, plan: Plan) -> set[str]:
        now = self.lapse.clock.now()
        protected = {name for name, until in self.ledger.protected.items() if now < until}
        young = {
            name for name, each in self._records().items() if now < each.state.created_at + 30 * DAY
        }
        ledger = self.ledger
        assert plan.ref == ALICE
        return {*ledger.pinned, *ledger.verified, *ledger.cited, *ledger.held, *protected, *young}

    def _note_protection(self, names: Collection[str]) -> None:
        until = Instant(self.lapse.clock.now() + 30 * DAY)
        self.ledger.protected.update(dict.fromkeys(names, until))

    def _records(self) -> dict[str, Record]:
        return {each.memory.id: each for each in self.lapse.store.get(ALICE, list("abcdef"))}

    def _status(self, plan: str) -> PlanStatus:
        return self.bank.get_plan(plan).status(self.lapse.clock.now())


_FROM = {
    PlanVerb.SUPPRESS: (Lifecycle.ACTIVE,),
    PlanVerb.ARCHIVE: (Lifecycle.ACTIVE, Lifecycle.SUPPRESSED),
}


def _applied(plan: Plan) -> set[str]:
    return set() if plan.application is None else set(plan.application.applied)


def _used_since(plan: Plan, records: dict[str, Record]) -> set[str]:
    return {
        each.memory_id
        for each in plan.items
        if records[each.memory_id].state.strength.reinforcement_count != each.reinforcement_count
    }


def _but_for_protection(record: Record) -> Record:
    return replace(record, state=replace(record.state, protected_until=None))


Governed.TestCase.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
TestGoverned = Governed.TestCase
