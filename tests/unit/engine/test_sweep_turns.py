"""Banks in turn: who comes first, how long, and that workers do not step on each other."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from lapse.engine.core import Core
from lapse.engine.sweep_turns import Turns, sweep_banks
from lapse.engine.sweeping import PORTION
from lapse.errors import StoreBusyError
from lapse.model.changeset import ChangeSet
from lapse.model.memory import BankRef
from lapse.model.retention import Lifecycle
from lapse.model.sweep import Ending, SweepOutcome, Swept
from lapse.model.verbs import Verb
from lapse.ports import Store
from lapse.testing.fakes import SequentialIds
from tests.unit.engine.opening import Opened, WatchedStore, opened
from tests.unit.engine.sweeping import AUTO, tell

NAMES = ("anna", "bert", "cleo")


def _told(store: Store, counts: Sequence[int]) -> Opened:
    lapse = opened(store, policy=AUTO)
    for name, count in zip(NAMES, counts, strict=False):
        tell(lapse.mind.bank(name), count)
    lapse.clock.advance(days=90)
    return lapse


def _applied(done: Sequence[Swept]) -> list[int | None]:
    return [None if each.report is None else each.report.applied for each in done]


def _outcomes(done: Sequence[Swept]) -> list[SweepOutcome]:
    return [each.outcome for each in done]


def test_every_bank_of_a_tenant_is_swept(store: Store) -> None:
    lapse = _told(store, (3, 1, 2))
    stranger = lapse.mind.bank("anna", tenant="acme")
    tell(stranger, 4)
    lapse.clock.advance(days=90)
    done = lapse.mind.sweep()
    assert [each.ref.name for each in done] == list(NAMES)
    assert _applied(done) == [3, 1, 2]
    assert len(stranger.list().records) == 4
    assert all(each.state.lifecycle is Lifecycle.ACTIVE for each in stranger.list().records)


def test_a_large_bank_does_not_keep_a_small_one_waiting() -> None:
    store = WatchedStore()
    lapse = _told(store, (3 * PORTION, 2))
    order: list[str] = []

    def note(change: ChangeSet) -> None:
        if change.verb is Verb.SWEEP and change.reads.ids:
            order.append(change.ref.name)

    store.before = note
    lapse.mind.sweep()
    assert order == ["anna", "bert", "anna", "anna"]


def test_a_limit_holds_for_all_banks_together(store: Store) -> None:
    lapse = _told(store, (4, 4, 4))
    done = lapse.mind.sweep(limit=6)
    assert sum(each or 0 for each in _applied(done)) == 6
    again = lapse.mind.sweep()
    assert sum(each or 0 for each in _applied(again)) == 6


def test_who_was_swept_longest_ago_comes_first(store: Store) -> None:
    lapse = _told(store, (4, 4, 4))
    lapse.mind.sweep(banks=["anna"], limit=1)
    lapse.clock.advance(days=1)
    lapse.mind.sweep(banks=["bert"], limit=1)
    lapse.clock.advance(days=1)
    assert _applied(lapse.mind.sweep(limit=4)) == [None, None, 4]
    lapse.clock.advance(days=1)
    done = lapse.mind.sweep(limit=3)
    assert _applied(done) == [3, None, None]
    assert _outcomes(done)[1:] == [SweepOutcome.NOT_REACHED] * 2


def test_when_the_time_is_over_no_new_portion_is_begun() -> None:
    store = WatchedStore()
    lapse = _told(store, (3 * PORTION,))
    seconds = iter(range(100))
    parts = replace(lapse.core.parts, stopwatch=lambda: float(next(seconds)))
    ref = BankRef(name="anna")
    (done,) = sweep_banks(Core(parts), [ref], Turns(by="test", time_budget_s=3.0))
    assert done.report is not None
    assert 0 < done.report.applied < 3 * PORTION
    assert done.report.ending is Ending.MORE
    assert store.sweeps(ref, 1) == [done.report]


def test_a_time_of_nothing_sweeps_nothing_and_says_so(store: Store) -> None:
    lapse = _told(store, (2,))
    (done,) = lapse.mind.sweep(time_budget_s=0)
    assert done.outcome is SweepOutcome.NOT_REACHED
    assert store.sweeps(BankRef(name="anna"), 1) == []


def test_many_threads_sweep_each_memory_once(store: Store) -> None:
    lapse = _told(store, (40, 40, 40))
    workers = [
        opened(store, policy=AUTO, clock=lapse.clock, ids=SequentialIds(f"w{at}-"))
        for at in range(8)
    ]
    with ThreadPoolExecutor(max_workers=8) as pool:
        rounds = list(pool.map(lambda each: each.mind.sweep(), workers))
    applied = sum(each or 0 for done in rounds for each in _applied(done))
    assert applied == 120
    for name in NAMES:
        entries = store.journal(BankRef(name=name), 0, 1000)
        moved = [row for each in entries if each.verb is Verb.SWEEP for row in each.items]
        assert len(moved) == 40


def test_a_worker_that_holds_a_bank_is_not_disturbed_and_others_take_the_rest(
    store: Store,
) -> None:
    lapse = _told(store, (2, 2))
    now = lapse.clock.now()
    leases = store
    assert leases.take_lease(  # type: ignore[attr-defined]  # both shipped stores give leases
        BankRef(name="anna"), "sweep", "other", now=now, until=now + 60_000_000
    )
    done = lapse.mind.sweep()
    assert _outcomes(done) == [SweepOutcome.ALREADY_RUNNING, SweepOutcome.SWEPT]
    assert _applied(done) == [None, 2]


def test_a_bank_that_fails_does_not_keep_the_others_waiting() -> None:
    store = WatchedStore()
    lapse = _told(store, (2, 2, 2))

    def fail(change: ChangeSet) -> None:
        if change.ref.name == "bert" and change.verb is Verb.SWEEP:
            raise StoreBusyError("somebody else writes")

    store.before = fail
    with pytest.raises(StoreBusyError):
        lapse.mind.sweep()
    store.before = lambda _: None
    active = [store.active(BankRef(name=each)) for each in NAMES]
    assert active == [0, 2, 0]
    assert _applied(lapse.mind.sweep(banks=["bert"])) == [2]
