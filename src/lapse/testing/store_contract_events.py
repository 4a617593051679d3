"""Clauses about events of use: kept once, folded in once, never lost.

Decides what every store must do with events, one case for each clause. The folding here only
counts: what a use is worth is for the laws.
"""
# ruff: noqa: D102, S101 - a clause is a sentence by name and assertions in its body

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from lapse.model.changeset import Changes, ChangeSet, Committed
from lapse.model.instants import DAY, Instant
from lapse.model.journal import JournalDraft
from lapse.model.memory import BankRef
from lapse.model.retention import Checkpoint, UseSource
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View
from lapse.ports import Store
from lapse.testing.fakes import ALICE, START, state, use, writes
from lapse.testing.store_contract_writes import remember, view_of


def enqueue(store: Store, *events: tuple[str, str], ref: BankRef = ALICE) -> Committed:
    """Enqueue events given as (memory id, event id)."""
    enqueued = tuple(use(memory_id, event_id) for memory_id, event_id in events)
    return store.commit(writes(Changes(enqueued=enqueued), verb=Verb.USED, ref=ref))


def count_pending(view: View) -> Changes:
    """Fold events in as a drain does, by counting those of the view."""
    states = []
    for memory_id in view.pending:
        held = view.records[memory_id].state
        strength = replace(held.strength, access_count=len(view.events[memory_id]))
        states.append((memory_id, replace(held, strength=strength)))
    return Changes(
        states=tuple(states),
        drained=tuple((each, e.event_id) for each in view.pending for e in view.events[each]),
        journal=JournalDraft(verb=Verb.DRAIN, at=START, by="test", memory_ids=view.pending),
    )


def drain(store: Store, limit: int, *, ref: BankRef = ALICE) -> Committed:
    """Fold about `limit` pending events in."""
    reads = Reads(pending=limit)
    return store.commit(
        ChangeSet(verb=Verb.DRAIN, ref=ref, now=START, reads=reads, judge=count_pending)
    )


class EventClauses:
    """Events are idempotent, ordered, and drained whole."""

    def test_an_event_counts_once_however_often_it_is_enqueued(self, store: Store) -> None:
        remember(store, "a", "b")
        assert enqueue(store, ("a", "e1"), ("a", "e1"), ("a", "e2")).enqueued == 2
        assert enqueue(store, ("a", "e2"), ("b", "e1"), ("a", "E1")).enqueued == 2
        drain(store, 10)
        assert enqueue(store, ("a", "e1")).enqueued == 0
        assert store.pending_count(ALICE) == 0
        assert [each.event_id for each in store.events(ALICE, ["a"])] == ["E1", "e1", "e2"]

    def test_the_first_of_two_events_of_one_id_stays(self, store: Store) -> None:
        remember(store, "a")
        first = use("a", "e1", weight=0.25)
        for each in (first, replace(first, weight=1.0, at=Instant(START + DAY))):
            store.commit(writes(Changes(enqueued=(each,)), verb=Verb.USED))
        assert store.events(ALICE, ["a"]) == [first]

    def test_every_field_of_an_event_comes_back(self, store: Store) -> None:
        remember(store, "a")
        told = tuple(
            replace(
                use("a", f"é🫖 {source}", weight=0.1 + 0.2),
                source=source,
                enqueued_at=Instant(START + DAY),
                recall_id=None if source is UseSource.CITED else "r%_'",
            )
            for source in UseSource
        )
        store.commit(writes(Changes(enqueued=told), verb=Verb.USED))
        assert sorted(store.events(ALICE, ["a"]), key=lambda e: e.source) == sorted(
            told, key=lambda e: e.source
        )

    def test_a_memory_and_its_first_event_may_come_in_one_write(self, store: Store) -> None:
        remember(store, "a")
        change = Changes(enqueued=(use("a", "e1"),), drained=(("a", "e1"),))
        assert store.commit(writes(change, verb=Verb.USED)).enqueued == 1
        assert store.pending_count(ALICE) == 0
        assert [each.event_id for each in store.events(ALICE, ["a"])] == ["e1"]

    def test_the_log_is_ordered_by_time_then_memory_then_event(self, store: Store) -> None:
        remember(store, "b", "a", "c")
        later, sooner = Instant(START + DAY), START
        told = (
            use("b", "e1", at=later),
            use("a", "e2", at=later),
            use("b", "e9", at=sooner),
            use("a", "e10", at=later),
            use("c", "e0", at=sooner),
        )
        store.commit(writes(Changes(enqueued=told), verb=Verb.USED))
        found = store.events(ALICE, ["b", "a", "nobody", "a"])
        order = [(each.memory_id, each.event_id) for each in found]
        assert order == [("b", "e9"), ("a", "e10"), ("a", "e2"), ("b", "e1")]

    def test_a_drain_sees_the_memories_that_waited_longest_whole(self, store: Store) -> None:
        remember(store, "a", "b", "c")
        enqueue(store, ("b", "e1"), ("a", "e1"))
        enqueue(store, ("b", "e2"), ("c", "e1"))
        enqueue(store, ("b", "e3"))
        view = view_of(store, Reads(pending=2))
        assert view.pending == ("b", "a")
        assert list(view.records) == ["b", "a"]
        assert [each.event_id for each in view.events["b"]] == ["e1", "e2", "e3"]
        assert view_of(store, Reads(pending=99)).pending == ("b", "a", "c")
        assert view_of(store, Reads()).pending == ()

    def test_a_drained_event_is_kept_but_no_longer_waits(self, store: Store) -> None:
        remember(store, "a", "b")
        enqueue(store, ("a", "e1"), ("b", "e1"))
        drain(store, 1)
        assert store.pending_count(ALICE) == 1
        assert view_of(store, Reads(pending=9)).pending == ("b",)
        assert len(store.events(ALICE, ["a", "b"])) == 2
        assert store.get(ALICE, ["a"])[0].state.strength.access_count == 1

    def test_the_first_event_that_waits_says_since_when(self, store: Store) -> None:
        remember(store, "a", "b")
        assert store.pending_since(ALICE) is None
        for at, name in enumerate(("e1", "e2")):
            # Told late, and enqueued in another order than they happened.
            told = use("ab"[at], name, at=Instant(START - at * DAY))
            told = replace(told, enqueued_at=Instant(START + at * DAY))
            store.commit(writes(Changes(enqueued=(told,)), verb=Verb.USED))
        assert store.pending_since(ALICE) == START
        drain(store, 1)
        assert store.pending_since(ALICE) == START + DAY
        drain(store, 1)
        assert store.pending_since(ALICE) is None

    def test_a_view_holds_the_events_from_the_checkpoint_on(self, store: Store) -> None:
        remember(store, "a", "b")
        days = {"e1": -1, "e2": 0, "e3": 2, "late": -2}
        told = tuple(use("a", name, at=Instant(START + day * DAY)) for name, day in days.items())
        store.commit(writes(Changes(enqueued=told[:3]), verb=Verb.USED))
        drain(store, 10)
        held = store.get(ALICE, ["a"])[0].state
        moved = replace(held, checkpoint=Checkpoint(strength=held.strength, through=START))
        store.commit(writes(Changes(states=(("a", moved),)), verb=Verb.PIN))
        view = view_of(store, Reads(ids=("a", "b"), events=True))
        assert [each.event_id for each in view.events["a"]] == ["e2", "e3"]
        assert view.events["b"] == ()
        assert view_of(store, Reads(ids=("a",))).events == {}
        # An event that came too late still has to be taken out of the queue.
        store.commit(writes(Changes(enqueued=told[3:]), verb=Verb.USED))
        view = view_of(store, Reads(pending=10))
        assert [each.event_id for each in view.events["a"]] == ["late", "e2", "e3"]

    def test_several_workers_lose_nothing_and_count_nothing_twice(self, store: Store) -> None:
        names = [f"m{at}" for at in range(12)]
        remember(store, *names)

        def tell(worker: int) -> None:
            for at in range(15):
                enqueue(store, (names[(worker + at) % 12], f"e{worker}-{at}"))

        def fold(_: int) -> None:
            for _attempt in range(10):
                drain(store, 4)

        with ThreadPoolExecutor(max_workers=6) as pool:
            told = [pool.submit(tell, each) for each in range(4)]
            folded = [pool.submit(fold, each) for each in range(2)]
            for each in (*told, *folded):
                each.result()
        while store.pending_count(ALICE):
            drain(store, 7)
        counted = [each.state.strength.access_count for each in store.get(ALICE, names)]
        assert counted == [len(store.events(ALICE, [each])) for each in names]
        assert sum(counted) == 60
        assert list(store.faults(ALICE)) == []

    def test_a_bank_sees_no_events_of_another(self, store: Store) -> None:
        other = BankRef(tenant="other", name=ALICE.name)
        for ref in (ALICE, other):
            remember(store, "a", ref=ref)
        enqueue(store, ("a", "e1"))
        assert enqueue(store, ("a", "e1"), ("a", "e2"), ref=other).enqueued == 2
        drain(store, 10, ref=other)
        assert (store.pending_count(ALICE), store.pending_count(other)) == (1, 0)
        assert [each.event_id for each in store.events(ALICE, ["a"])] == ["e1"]
        assert store.get(ALICE, ["a"])[0].state == state()
