"""Clauses about sweeping: what is due, what is kept of sweeps and canaries, who may work.

Decides what every store must answer to a sweep, one case for each clause.
"""
# ruff: noqa: D102, S101 - a clause is a sentence by name and assertions in its body

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from lapse.model.canary import Canary, CanarySource
from lapse.model.changeset import Changes
from lapse.model.due import FROM_THE_START, Due, DueAfter, DueBy
from lapse.model.guards import Guard
from lapse.model.instants import DAY, SECOND, Instant
from lapse.model.memory import BankRef
from lapse.model.retention import Lifecycle, RetentionState, Transition
from lapse.model.sweep import Advice, Departed, SparedCount, SweepReport
from lapse.model.verbs import Verb
from lapse.ports import Leasing, Store
from lapse.testing.fakes import ALICE, START, memory, record, state, writes
from lapse.testing.store_contract_writes import BOB, entry, remember

MINUTE_ON = Instant(START + 60 * SECOND)


def put_states(store: Store, **states: RetentionState) -> None:
    """Give memories other states."""
    changes = Changes(states=tuple(states.items()), journal=entry(Verb.PIN, *states))
    store.commit(writes(changes, verb=Verb.PIN))


def due_on(days: int, *, by: DueBy = DueBy.FADING) -> RetentionState:
    """Give a state with one of its dates so many days after the start."""
    at = Instant(START + days * DAY)
    if by is DueBy.FADING:
        return replace(state(), fades_at=at)
    return replace(state(), fades_at=at, expires_at=at)


def moved_on(days: int, lifecycle: Lifecycle) -> RetentionState:
    """Give a state that was moved so many days after the start."""
    at = Instant(START + days * DAY)
    transition = Transition(at=at, by="anna", reason="old", plan_id=None, prior=Lifecycle.ACTIVE)
    return replace(state(), lifecycle=lifecycle, transition=transition)


def due(
    store: Store,
    days: int,
    *,
    by: DueBy = DueBy.FADING,
    after: DueAfter = FROM_THE_START,
    limit: int = 100,
    ref: BankRef = ALICE,
) -> list[Due]:
    """Ask what is due by so many days after the start."""
    return store.due(ref, by, Instant(START + days * DAY), after, limit)


def names(found: list[Due]) -> list[str]:
    """Give the ids of what is due."""
    return [each.memory_id for each in found]


def report(number: int) -> SweepReport:
    """Give a report that differs from those of other numbers."""
    return SweepReport(
        id=f"s{number}",
        at=Instant(START + number * DAY),
        by="test",
        policy="f" * 16,
        visited=number,
        applied=number,
        spared=(SparedCount(guard=Guard.HOLD, count=2), SparedCount(guard=Guard.CITED, count=1)),
        plan_ids=(f"p{number}",),
        departed=Departed(count=number, mean_age_days=1.5, mean_importance=0.25),
        active_before=number + 5,
        active_after=5,
        grown=None if number == 0 else number,
        canaries=1,
        k=10,
        recall_before=1.0,
        recall_after=0.5,
        advice=(Advice.AUTO_APPLY_STOPPED,),
    )


def canary(query: str, *ids: str) -> Canary:
    """Give a canary."""
    return Canary(
        query=query, expected_ids=ids, source=CanarySource.GIVEN, added_at=START, by="test"
    )


class SweepClauses:
    """A sweep reads what is due along an index, and what it did is kept."""

    def test_what_is_due_comes_in_order_of_its_date(self, store: Store) -> None:
        remember(store, "a", "b", "c", "d", "e")
        put_states(store, a=due_on(3), b=due_on(1), c=due_on(2), d=due_on(1), e=due_on(9))
        assert names(due(store, 3)) == ["b", "d", "c", "a"]
        assert names(due(store, 2)) == ["b", "d", "c"]
        assert due(store, 0) == []
        assert due(store, 3)[0].at == START + DAY

    def test_a_cursor_goes_on_after_the_last_that_was_seen(self, store: Store) -> None:
        remember(store, "a", "b", "c", "d")
        put_states(store, a=due_on(1), b=due_on(1), c=due_on(1), d=due_on(2))
        first = due(store, 5, limit=2)
        assert names(first) == ["a", "b"]
        assert names(due(store, 5, after=first[-1].place)) == ["c", "d"]
        assert due(store, 5, after=due(store, 5)[-1].place) == []
        assert due(store, 5, limit=0) == []

    def test_only_active_memories_are_due(self, store: Store) -> None:
        remember(store, "a", "b", "c")
        put_states(
            store,
            a=replace(due_on(1), lifecycle=Lifecycle.ARCHIVED),
            b=due_on(2),
            c=replace(due_on(1), lifecycle=Lifecycle.SUPPRESSED),
        )
        assert names(due(store, 5)) == ["b"]
        put_states(store, a=due_on(1))
        assert names(due(store, 5)) == ["a", "b"]

    def test_what_has_no_date_is_never_due(self, store: Store) -> None:
        remember(store, "a", "b")
        put_states(store, a=replace(state(), fades_at=None), b=due_on(1))
        assert names(due(store, 100_000)) == ["b"]

    def test_expiry_and_fading_are_asked_for_apart(self, store: Store) -> None:
        remember(store, "a", "b")
        put_states(store, a=due_on(1), b=due_on(2, by=DueBy.EXPIRY))
        assert names(due(store, 5, by=DueBy.EXPIRY)) == ["b"]
        assert names(due(store, 5)) == ["a", "b"]
        assert due(store, 1, by=DueBy.EXPIRY) == []

    def test_what_is_archived_is_asked_for_by_when_it_was(self, store: Store) -> None:
        remember(store, "a", "b", "c", "d", "e")
        put_states(
            store,
            a=moved_on(3, Lifecycle.ARCHIVED),
            b=moved_on(1, Lifecycle.ARCHIVED),
            c=moved_on(1, Lifecycle.SUPPRESSED),
            d=replace(due_on(1), lifecycle=Lifecycle.ARCHIVED),
            e=moved_on(1, Lifecycle.ARCHIVED),
        )
        assert names(due(store, 5, by=DueBy.ARCHIVED)) == ["b", "e", "a"]
        assert names(due(store, 2, by=DueBy.ARCHIVED)) == ["b", "e"]
        put_states(store, b=due_on(1))
        assert names(due(store, 5, by=DueBy.ARCHIVED)) == ["e", "a"]

    def test_each_bank_has_its_own_due(self, store: Store) -> None:
        remember(store, "a")
        remember(store, "b", ref=BOB)
        assert names(due(store, 500)) == ["a"]
        assert names(due(store, 500, ref=BOB)) == ["b"]
        assert due(store, 500, ref=BankRef(name="nobody")) == []

    def test_active_memories_are_counted(self, store: Store) -> None:
        assert store.active(ALICE) == 0
        remember(store, "a", "b", "c", "d")
        archived = replace(state(), lifecycle=Lifecycle.ARCHIVED)
        put_states(store, a=archived, b=replace(state(), lifecycle=Lifecycle.SUPPRESSED))
        assert (store.active(ALICE), store.count(ALICE)) == (2, 4)
        put_states(store, a=archived, c=replace(state(), pinned=True))
        assert store.active(ALICE) == 2
        put_states(store, a=state())
        assert store.active(ALICE) == 3
        gone = Changes(removed=("a", "b"))
        store.commit(writes(gone, verb=Verb.REPAIR))
        assert (store.active(ALICE), store.count(ALICE)) == (2, 2)
        born = replace(record(memory("f")), state=archived)
        store.commit(writes(Changes(created=(born,), states=(("c", archived),))))
        assert (store.active(ALICE), store.count(ALICE)) == (1, 3)
        assert list(store.faults(ALICE)) == []

    def test_every_bank_of_every_tenant_is_named(self, store: Store) -> None:
        other = BankRef(tenant="acme", name="zoe")
        assert store.refs() == []
        for ref in (BOB, other, ALICE):
            remember(store, "a", ref=ref)
        assert store.refs() == [other, ALICE, BOB]

    def test_reports_are_kept_in_order_and_the_latest_given(self, store: Store) -> None:
        remember(store, "a")
        remember(store, "a", ref=BOB)
        assert store.sweeps(ALICE, 9) == []
        for number in range(4):
            store.commit(writes(Changes(sweeps=(report(number),))))
        assert store.sweeps(ALICE, 9) == [report(each) for each in range(4)]
        assert store.sweeps(ALICE, 2) == [report(2), report(3)]
        assert store.sweeps(ALICE, 0) == store.sweeps(BOB, 9) == []

    def test_a_bank_has_one_canary_for_each_question(self, store: Store) -> None:
        first, second = canary("what do I drink", "a"), canary("where is the key", "b", "c")
        store.commit(writes(Changes(canaries=(first, second))))
        assert store.canaries(ALICE) == [first, second]
        changed = canary("what do I drink", "d")
        store.commit(writes(Changes(canaries=(changed,))))
        assert store.canaries(ALICE) == [changed, second]
        store.commit(writes(Changes(canaries_gone=(second.id, "unknown"))))
        assert store.canaries(ALICE) == [changed]
        assert store.canaries(BOB) == []


class LeaseClauses:
    """Of many workers, one at a time has a bank's lease; a store without leases passes."""

    def test_one_of_many_threads_gets_a_lease(self, store: Store) -> None:
        leases = _leasing(store)
        if leases is None:
            return

        def take(worker: int) -> bool:
            return leases.take_lease(ALICE, "sweep", f"w{worker}", now=START, until=MINUTE_ON)

        with ThreadPoolExecutor(max_workers=16) as pool:
            assert sum(pool.map(take, range(32))) == 1

    def test_a_lease_is_given_back_by_its_holder_alone(self, store: Store) -> None:
        leases = _leasing(store)
        if leases is None:
            return
        assert leases.take_lease(ALICE, "sweep", "one", now=START, until=MINUTE_ON)
        leases.leave_lease(ALICE, "sweep", "two")
        assert not leases.take_lease(ALICE, "sweep", "two", now=START, until=MINUTE_ON)
        leases.leave_lease(ALICE, "sweep", "one")
        assert leases.take_lease(ALICE, "sweep", "two", now=START, until=MINUTE_ON)

    def test_its_holder_may_take_a_lease_on(self, store: Store) -> None:
        leases = _leasing(store)
        if leases is None:
            return
        assert leases.take_lease(ALICE, "sweep", "one", now=START, until=MINUTE_ON)
        later = Instant(START + 50 * SECOND)
        longer = Instant(later + 60 * SECOND)
        assert leases.take_lease(ALICE, "sweep", "one", now=later, until=longer)
        at = Instant(START + 70 * SECOND)
        until = Instant(at + 60 * SECOND)
        assert not leases.take_lease(ALICE, "sweep", "two", now=at, until=until)

    def test_a_lease_frees_itself_when_its_time_is_over(self, store: Store) -> None:
        leases = _leasing(store)
        if leases is None:
            return
        assert leases.take_lease(ALICE, "sweep", "killed", now=START, until=MINUTE_ON)
        until = Instant(MINUTE_ON + 61 * SECOND)
        just_before = Instant(MINUTE_ON - 1)
        assert not leases.take_lease(ALICE, "sweep", "two", now=just_before, until=until)
        after = Instant(MINUTE_ON + SECOND)
        assert leases.take_lease(ALICE, "sweep", "two", now=after, until=until)

    def test_a_clock_that_was_set_back_holds_nobody_up(self, store: Store) -> None:
        leases = _leasing(store)
        if leases is None:
            return
        far = Instant(START + 3650 * DAY)
        until = Instant(far + 60 * SECOND)
        assert leases.take_lease(ALICE, "sweep", "ahead", now=far, until=until)
        assert leases.take_lease(ALICE, "sweep", "two", now=START, until=MINUTE_ON)

    def test_leases_of_other_names_and_banks_are_free(self, store: Store) -> None:
        leases = _leasing(store)
        if leases is None:
            return
        remember(store, "a", ref=BOB)
        nobody = BankRef(name="nobody")
        assert leases.take_lease(ALICE, "sweep", "one", now=START, until=MINUTE_ON)
        assert leases.take_lease(ALICE, "redate", "two", now=START, until=MINUTE_ON)
        assert leases.take_lease(BOB, "sweep", "two", now=START, until=MINUTE_ON)
        assert not leases.take_lease(nobody, "sweep", "two", now=START, until=MINUTE_ON)


def _leasing(store: Store) -> Leasing | None:
    remember(store, "leased")
    return store if isinstance(store, Leasing) else None
