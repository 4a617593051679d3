"""Clauses about what governs attention: holds, citations, and where memories stood.

Decides what every store must keep of them, one case for each clause.
"""
# ruff: noqa: D102, S101 - a clause is a sentence by name and assertions in its body

from dataclasses import replace

from lapse.model.changeset import Changes
from lapse.model.hold import Hold, HoldScope, HoldTarget
from lapse.model.instants import DAY, Instant
from lapse.model.journal import GENESIS, NO_DIGEST, JournalDraft
from lapse.model.memory import BankRef
from lapse.model.record import ContentChange
from lapse.model.retention import Lifecycle, Transition
from lapse.model.verbs import Verb
from lapse.model.view import Reads
from lapse.ports import Store
from lapse.testing.fakes import ALICE, START, facets, memory, record, state, writes
from lapse.testing.store_contract_snapshots import whole_journal
from lapse.testing.store_contract_writes import entry, remember, view_of

CARLA = BankRef(name="carla")


def hold(name: str, *values: str, scope: HoldScope = HoldScope.IDS) -> Hold:
    """Give a hold of that name."""
    return Hold(
        name=name,
        target=HoldTarget(scope=scope, values=values),
        holder="clerk",
        reason=f"matter {name}",
        placed_at=START,
    )


def place(store: Store, *holds: Hold, ref: BankRef = ALICE) -> None:
    """Keep holds."""
    changes = Changes(holds_placed=holds, journal=entry(Verb.HOLD))
    store.commit(writes(changes, verb=Verb.HOLD, ref=ref))


def cite(store: Store, memory_id: str, *sources: str) -> None:
    """Create a memory that cites others."""
    told = replace(memory(memory_id), derived_from=sources)
    store.commit(writes(Changes(created=(record(told),))))


def move(store: Store, lifecycle: Lifecycle, *ids: str) -> None:
    """Put memories where they are wanted."""
    moved = replace(state(), lifecycle=lifecycle)
    changes = Changes(
        states=tuple((each, moved) for each in ids), journal=entry(Verb.SUPPRESS, *ids)
    )
    store.commit(writes(changes, verb=Verb.SUPPRESS))


class GoverningClauses:
    """What governs attention is kept with the memories it concerns."""

    def test_every_field_of_a_hold_comes_back_by_name(self, store: Store) -> None:
        assert store.holds(ALICE) == []
        told = (
            replace(hold("b", "m2", "m1"), attached=("m9", "ünïcode")),
            hold("a", "user/", scope=HoldScope.KEY_PREFIX),
            hold("c", scope=HoldScope.BANK),
        )
        place(store, *told)
        assert store.holds(ALICE) == [told[1], told[0], told[2]]
        assert view_of(store, Reads()).holds == (told[1], told[0], told[2])

    def test_a_hold_of_the_same_name_takes_its_place(self, store: Store) -> None:
        place(store, hold("a", "m1"))
        place(store, hold("a", "m2"))
        assert store.holds(ALICE) == [hold("a", "m2")]

    def test_a_hold_ends_by_name_and_others_stay(self, store: Store) -> None:
        place(store, hold("a", "m1"), hold("b", "m1"))
        changes = Changes(holds_released=("a", "unknown"), journal=entry(Verb.RELEASE))
        store.commit(writes(changes, verb=Verb.RELEASE))
        assert store.holds(ALICE) == [hold("b", "m1")]

    def test_a_bank_sees_no_holds_of_another(self, store: Store) -> None:
        place(store, hold("a", scope=HoldScope.BANK))
        place(store, hold("b", scope=HoldScope.BANK), ref=CARLA)
        assert [each.name for each in store.holds(CARLA)] == ["b"]
        assert [each.name for each in view_of(store, Reads()).holds] == ["a"]

    def test_a_view_tells_which_active_memories_cite(self, store: Store) -> None:
        remember(store, "a", "b")
        cite(store, "c", "a", "b", "a")
        cite(store, "d", "a", "d")
        reads = Reads(ids=("a", "b", "c", "d"), cited=True)
        assert view_of(store, reads).cited_by == {"a": ("c", "d"), "b": ("c",)}
        assert view_of(store, replace(reads, cited=False)).cited_by == {}
        move(store, Lifecycle.ARCHIVED, "c")
        assert view_of(store, reads).cited_by == {"a": ("d",)}
        move(store, Lifecycle.ACTIVE, "c")
        assert view_of(store, reads).cited_by == {"a": ("c", "d"), "b": ("c",)}

    def test_citations_follow_what_a_memory_cites_now(self, store: Store) -> None:
        remember(store, "a", "b")
        cite(store, "c", "a")
        changed = replace(memory("c"), derived_from=("b",), content_version=2)
        revised = (ContentChange(memory=changed, facets=facets(changed.text)),)
        changes = Changes(revised=revised, journal=entry(Verb.UPDATE, "c"))
        store.commit(writes(changes, verb=Verb.UPDATE))
        reads = Reads(ids=("a", "b"), cited=True)
        assert view_of(store, reads).cited_by == {"b": ("c",)}
        changes = Changes(removed=("c",), journal=entry(Verb.ERASE, "c"))
        store.commit(writes(changes, verb=Verb.ERASE))
        assert view_of(store, reads).cited_by == {}

    def test_a_transition_keeps_the_one_before_it(self, store: Store) -> None:
        first = Transition(
            at=START,
            by="anna",
            reason="too old",
            plan_id=None,
            prior=Lifecycle.ACTIVE,
            prior_updated_at=Instant(START - DAY),
        )
        second = replace(
            first,
            at=Instant(START + DAY),
            plan_id="p" * 64,
            prior=Lifecycle.SUPPRESSED,
            prior_transition=first,
        )
        remember(store, "a")
        kept = replace(state(), lifecycle=Lifecycle.ARCHIVED, transition=second)
        changes = Changes(states=(("a", kept),), journal=entry(Verb.ARCHIVE, "a"))
        store.commit(writes(changes, verb=Verb.ARCHIVE))
        assert store.get(ALICE, ["a"])[0].state == kept

    def test_an_entry_tells_where_each_memory_stood_and_stands(self, store: Store) -> None:
        remember(store, "a", "b")
        move(store, Lifecycle.SUPPRESSED, "a")
        move(store, Lifecycle.ARCHIVED, "a", "b")
        changes = Changes(removed=("a",), journal=entry(Verb.ERASE, "a", "b"))
        store.commit(writes(changes, verb=Verb.ERASE))
        active, gone = Lifecycle.ACTIVE, Lifecycle.ERASED
        suppressed, archived = Lifecycle.SUPPRESSED, Lifecycle.ARCHIVED
        entries = whole_journal(store, ALICE)
        assert [[(each.was, each.now) for each in told.items] for told in entries] == [
            [(None, active), (None, active)],
            [(active, suppressed)],
            [(suppressed, archived), (active, archived)],
            [(archived, gone), (archived, archived)],
        ]
        assert entries[0].items[0].before == NO_DIGEST
        assert entries[-1].items[0].after == NO_DIGEST

    def test_the_latest_entry_is_noted_apart_from_it(self, store: Store) -> None:
        assert store.journal_head(ALICE) == (0, GENESIS)
        remember(store, "a")
        remember(store, "b")
        last = whole_journal(store, ALICE)[-1]
        assert store.journal_head(ALICE) == (2, last.hash)
        assert store.journal_head(CARLA) == (0, GENESIS)

    def test_the_entries_of_a_memory_are_those_that_name_it(self, store: Store) -> None:
        remember(store, "a", "b")
        move(store, Lifecycle.SUPPRESSED, "a")
        move(store, Lifecycle.ACTIVE, "a", "b")
        entries = whole_journal(store, ALICE)
        assert store.journal_of(ALICE, "a") == entries
        assert store.journal_of(ALICE, "b") == [entries[0], entries[2]]
        assert store.journal_of(ALICE, "nobody") == []
        assert store.journal_of(CARLA, "a") == []

    def test_entries_of_one_verb_are_found_from_a_number_on(self, store: Store) -> None:
        remember(store, "a")
        for verb in (Verb.PIN, Verb.UNPIN, Verb.PIN):
            again = Changes(amended=(memory("a"),), journal=entry(verb, "a"))
            store.commit(writes(again, verb=verb))
        entries = store.journal(ALICE, 0, 10)
        pins = [each for each in entries if each.verb is Verb.PIN]
        assert len(pins) == 2
        assert store.journal_by(ALICE, Verb.PIN, 0) == pins
        assert store.journal_by(ALICE, Verb.PIN, pins[0].seq) == pins[1:]
        assert store.journal_by(ALICE, Verb.ERASE, 0) == []
        assert store.journal_by(CARLA, Verb.PIN, 0) == []

    def test_an_entry_tells_what_it_is_about_and_who_stood_for_it(self, store: Store) -> None:
        draft = JournalDraft(
            verb=Verb.HOLD, at=START, by="clerk", approved_by="boss", about="matter 7"
        )
        changes = Changes(holds_placed=(hold("matter 7", "a"),), journal=draft)
        store.commit(writes(changes, verb=Verb.HOLD))
        (entry,) = whole_journal(store, ALICE)
        assert (entry.by, entry.approved_by, entry.about) == ("clerk", "boss", "matter 7")
