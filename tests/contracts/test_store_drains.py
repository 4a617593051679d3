"""When and in which portions events are folded in makes no difference in the end."""

from collections.abc import Callable
from dataclasses import replace

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from lapse.model.changeset import Changes, ChangeSet
from lapse.model.instants import DAY, Instant
from lapse.model.retention import RetentionState
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View
from lapse.ports import Store
from lapse.stores.memory import MemoryStore
from lapse.testing.fakes import ALICE, START, memory, record, state, use
from lapse.testing.store_contract_events import count_pending
from lapse.testing.store_contract_snapshots import all_records
from lapse.testing.store_contract_writes import entry
from tests.contracts.toy_store import ToyStore

LONG_AGO = Instant(START - 10 * DAY)
USES = st.tuples(st.integers(0, 5), st.integers(0, 30), st.integers(-3, 3))
"""Which memory, which event, and how many days from the start."""


class DelayedDrains(RuleBasedStateMachine):
    """The reference folds each event in at once, the toy when it likes: the states are the same."""

    @initialize(names=st.integers(1, 4))
    def begin(self, names: int) -> None:
        self.stores: tuple[Store, Store] = (MemoryStore(), ToyStore())
        self.names = [f"m{at}" for at in range(names)]
        new = tuple(record(memory(each, at=LONG_AGO)) for each in self.names)
        self.both(Verb.REMEMBER, lambda _: Changes(created=new, journal=entry(Verb.REMEMBER)))

    @rule(
        uses=st.lists(
            st.tuples(st.integers(0, 5), st.integers(0, 30), st.integers(-3, 3)),
            min_size=1,
            max_size=5,
        )
    )
    def use(self, uses: list[tuple[int, int, int]]) -> None:
        events = tuple(
            use(self.names[pick % len(self.names)], f"e{number}", at=Instant(START + day * DAY))
            for pick, number, day in uses
        )
        self.both(Verb.USED, lambda _: Changes(enqueued=events))
        self.fold(self.stores[0], 1000)
        assert self.stores[0].pending_count(ALICE) == 0

    @rule(limit=st.integers(1, 3))
    def drain(self, limit: int) -> None:
        waiting = self.stores[1].pending_count(ALICE)
        self.fold(self.stores[1], limit)
        assert waiting == 0 or self.stores[1].pending_count(ALICE) < waiting

    def teardown(self) -> None:
        if not hasattr(self, "stores"):
            return
        reference, toy = self.stores
        while toy.pending_count(ALICE):
            self.fold(toy, 2)
        told = [_states(each) for each in self.stores]
        assert told[0] == told[1]
        assert reference.events(ALICE, self.names) == toy.events(ALICE, self.names)

    def both(self, verb: Verb, judge: Callable[[View], Changes]) -> None:
        change = ChangeSet(verb=verb, ref=ALICE, now=START, reads=Reads(), judge=judge)
        done = {each.commit(change).enqueued for each in self.stores}
        assert len(done) == 1

    def fold(self, store: Store, limit: int) -> None:
        store.commit(
            ChangeSet(
                verb=Verb.DRAIN,
                ref=ALICE,
                now=START,
                reads=Reads(pending=limit),
                judge=fold_all,
            )
        )


def fold_all(view: View) -> Changes:
    """Give each pending memory the state that follows from all its events, whatever their order."""
    states = []
    for memory_id in view.pending:
        events = view.events[memory_id]
        strength = replace(
            state().strength,
            access_count=len(events),
            last_counted_at=max(each.at for each in events),
            stability_days=30.0 + sum(each.weight for each in events),
        )
        states.append((memory_id, replace(view.records[memory_id].state, strength=strength)))
    return replace(count_pending(view), states=tuple(states))


def _states(store: Store) -> list[RetentionState]:
    return [each.state for each in all_records(store, ALICE)]


TestDelayedDrains = DelayedDrains.TestCase
TestDelayedDrains.settings = settings(max_examples=50, stateful_step_count=30)
