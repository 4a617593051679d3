"""Clauses about what a rater asks: how common terms are.

Decides what every store must do with them, one case for each clause.
"""
# ruff: noqa: D102, S101 - a clause is a sentence by name and assertions in its body

from dataclasses import replace

from lapse.model.changeset import Changes
from lapse.model.memory import BankRef
from lapse.model.record import ContentChange
from lapse.model.retention import Lifecycle
from lapse.model.verbs import Verb
from lapse.ports import Store
from lapse.testing.fakes import ALICE, facets, memory, record, state, writes
from lapse.testing.store_contract_writes import BOB, entry


def say(store: Store, memory_id: str, text: str, ref: BankRef = ALICE) -> None:
    """Store a memory that says this."""
    store.commit(writes(Changes(created=(record(memory(memory_id, text, ref=ref)),)), ref=ref))


class RatingClauses:
    """How common terms are in a bank."""

    def test_a_term_is_counted_once_for_each_memory_that_holds_it(self, store: Store) -> None:
        say(store, "a", "tea tea cake")
        say(store, "b", "tea")
        counts = store.term_counts(ALICE, ["cake", "tea", "rum", "tea"])
        assert counts.memory_count == 2
        assert dict(counts.frequency) == {"cake": 1, "tea": 2}

    def test_terms_of_another_bank_do_not_count(self, store: Store) -> None:
        say(store, "a", "tea")
        say(store, "b", "tea cake", ref=BOB)
        counts = store.term_counts(ALICE, ["tea", "cake"])
        assert (counts.memory_count, dict(counts.frequency)) == (1, {"tea": 1})

    def test_a_bank_that_was_never_written_knows_no_term(self, store: Store) -> None:
        counts = store.term_counts(BankRef(name="nobody"), ["tea"])
        assert (counts.memory_count, dict(counts.frequency)) == (0, {})
        assert dict(store.term_counts(BankRef(name="nobody"), []).frequency) == {}

    def test_a_memory_that_is_gone_no_longer_counts(self, store: Store) -> None:
        say(store, "a", "tea cake")
        say(store, "b", "tea")
        changes = Changes(removed=("a",), journal=entry(Verb.ERASE, "a"))
        store.commit(writes(changes, verb=Verb.ERASE))
        counts = store.term_counts(ALICE, ["tea", "cake"])
        assert (counts.memory_count, dict(counts.frequency)) == (1, {"tea": 1})

    def test_a_new_version_counts_what_it_says(self, store: Store) -> None:
        say(store, "a", "tea")
        changed = replace(memory("a", "cake"), content_version=2)
        revised = (ContentChange(memory=changed, facets=facets("cake")),)
        changes = Changes(revised=revised, journal=entry(Verb.UPDATE, "a"))
        store.commit(writes(changes, verb=Verb.UPDATE))
        assert dict(store.term_counts(ALICE, ["tea", "cake"]).frequency) == {"cake": 1}

    def test_what_is_out_of_mind_still_counts(self, store: Store) -> None:
        say(store, "a", "tea")
        put_away = replace(state(), lifecycle=Lifecycle.ARCHIVED)
        changes = Changes(states=(("a", put_away),), journal=entry(Verb.ARCHIVE, "a"))
        store.commit(writes(changes, verb=Verb.ARCHIVE))
        assert dict(store.term_counts(ALICE, ["tea"]).frequency) == {"tea": 1}
