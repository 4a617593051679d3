"""Clauses about identifiers: what a memory names, and finding it by that.

Decides what every store must do with them, one case for each clause.
"""
# ruff: noqa: D102, S101 - a clause is a sentence by name and assertions in its body

from dataclasses import replace

from lapse.model.changeset import Changes
from lapse.model.identifier import Identifier, IdentifierType
from lapse.model.memory import BankRef, TextFacets
from lapse.model.record import ContentChange
from lapse.model.verbs import Verb
from lapse.ports import Store
from lapse.testing.fakes import ALICE, facets, memory, record, writes
from lapse.testing.store_contract_writes import BOB, entry


def named(text: str, *canonicals: str) -> TextFacets:
    """Give the facets of a text that names these codes."""
    found = tuple(Identifier(type=IdentifierType.CODE, canonical=each) for each in canonicals)
    return replace(facets(text), identifiers=found)


def tell(store: Store, memory_id: str, *canonicals: str, ref: BankRef = ALICE) -> None:
    """Store a memory that names these codes."""
    told = record(memory(memory_id, ref=ref))
    told = replace(told, facets=named(told.memory.text, *canonicals))
    store.commit(writes(Changes(created=(told,)), ref=ref))


class IdentifierClauses:
    """What memories name."""

    def test_identifiers_are_found_by_equality(self, store: Store) -> None:
        tell(store, "long", "tkt1000", "alice.smith@acme.io", "a/conf.bak")
        tell(store, "short", "tkt100", "alice@acme.io", "a/conf")
        tell(store, "case", "TKT100")
        for canonical in ("tkt100", "alice@acme.io", "a/conf"):
            assert store.holders(ALICE, [canonical]) == ["short"]
        assert store.holders(ALICE, ["tkt"]) == store.holders(ALICE, ["a%"]) == []

    def test_holders_of_an_identifier_come_in_order_and_once(self, store: Store) -> None:
        tell(store, "c", "x1", "x2")
        tell(store, "a", "x2")
        tell(store, "b", "x3")
        assert store.holders(ALICE, ["x3", "x2", "x1", "x2"]) == ["c", "a", "b"]
        assert store.holders(ALICE, []) == []

    def test_the_type_of_an_identifier_is_not_asked_for(self, store: Store) -> None:
        told = record(memory("a"))
        found = tuple(
            Identifier(type=each, canonical="5551234")
            for each in (IdentifierType.PHONE, IdentifierType.NUMBER)
        )
        told = replace(told, facets=replace(told.facets, identifiers=found))
        store.commit(writes(Changes(created=(told,))))
        assert store.holders(ALICE, ["5551234"]) == ["a"]

    def test_a_bank_finds_no_identifier_of_another(self, store: Store) -> None:
        tell(store, "a", "x1")
        tell(store, "b", "x1", ref=BOB)
        assert store.holders(ALICE, ["x1"]) == ["a"]
        assert store.holders(BankRef(name="nobody"), ["x1"]) == []

    def test_a_new_version_names_what_it_says_and_no_more(self, store: Store) -> None:
        tell(store, "a", "x1", "x2")
        changed = replace(memory("a", "another text"), content_version=2)
        revised = (ContentChange(memory=changed, facets=named(changed.text, "x2", "x3")),)
        changes = Changes(revised=revised, journal=entry(Verb.UPDATE, "a"))
        store.commit(writes(changes, verb=Verb.UPDATE))
        assert store.holders(ALICE, ["x1"]) == []
        assert store.holders(ALICE, ["x2"]) == store.holders(ALICE, ["x3"]) == ["a"]

    def test_reading_a_text_again_replaces_its_identifiers(self, store: Store) -> None:
        tell(store, "a", "x1")
        again = (ContentChange(memory=memory("a"), facets=named(memory("a").text, "x9")),)
        store.commit(writes(Changes(reread=again), verb=Verb.REREAD))
        assert store.holders(ALICE, ["x1"]) == []
        assert store.holders(ALICE, ["x9"]) == ["a"]

    def test_amending_a_memory_keeps_its_identifiers(self, store: Store) -> None:
        tell(store, "a", "x1")
        other = replace(memory("a"), confidence=0.75)
        changes = Changes(amended=(other,), journal=entry(Verb.UPDATE, "a"))
        store.commit(writes(changes, verb=Verb.UPDATE))
        assert store.holders(ALICE, ["x1"]) == ["a"]

    def test_a_memory_that_is_gone_leaves_no_identifier(self, store: Store) -> None:
        tell(store, "a", "x1")
        tell(store, "b", "x1")
        changes = Changes(removed=("a",), journal=entry(Verb.ERASE, "a"))
        store.commit(writes(changes, verb=Verb.ERASE))
        assert store.holders(ALICE, ["x1"]) == ["b"]
