"""Clauses about what changed since a revision: the food of the RAM index.

Decides what every store must hand over in bulk, one case for each clause.
"""
# ruff: noqa: D102, S101 - a clause is a sentence by name and assertions in its body

from dataclasses import replace

import numpy as np

from lapse.model.bank import Space
from lapse.model.changeset import Changes
from lapse.model.index_delta import MISSING
from lapse.model.instants import DAY, Instant
from lapse.model.record import ContentChange, VectorChange
from lapse.model.retention import Lifecycle
from lapse.model.verbs import Verb
from lapse.model.view import Reads
from lapse.ports import Store
from lapse.testing.fakes import (
    ALICE,
    START,
    facets,
    memory,
    record,
    space,
    state,
    use,
    vector,
    writes,
)
from lapse.testing.store_contract_reads import full_memory, full_state
from lapse.testing.store_contract_writes import remember, update, view_of

EAST = [1.0, 0.0, 0.0, 0.0]
NORTH = [0.0, 1.0, 0.0, 0.0]


def use_space(store: Store, current: Space | None, building: Space | None = None) -> None:
    """Make a space the bank's current one."""
    bank = replace(view_of(store, Reads()).bank, space=current, building=building)
    store.commit(writes(Changes(bank=bank), verb=Verb.EMBED))


def put_vector(store: Store, memory_id: str, number: int, values: list[float]) -> None:
    """Keep a vector of a memory's first version."""
    change = VectorChange(memory_id=memory_id, content_version=1, vector=vector(number, values))
    store.commit(writes(Changes(vectors=(change,)), verb=Verb.EMBED))


class IndexClauses:
    """Deltas are complete, minimal, and of one moment."""

    def test_a_bank_that_was_never_written_gives_an_empty_delta(self, store: Store) -> None:
        delta = store.changes(ALICE, 0)
        assert (delta.since, delta.revision, delta.space) == (0, 0, None)
        assert (delta.space_changed, delta.terms) == (False, {})
        assert delta.content.ids == []
        assert delta.states.traces.shape == (0, 10)
        assert delta.removed.shape == delta.content.rows.shape == delta.states.rows.shape == (0,)

    def test_revision_zero_gives_every_column_of_everything(self, store: Store) -> None:
        text = "milk tea milk"
        full = replace(
            record(full_memory("full", text, 1)), state=full_state(), facets=facets(text)
        )
        store.commit(writes(Changes(created=(record(memory("bare", "tea")), full))))
        delta = store.changes(ALICE, 0)
        rows, told = delta.content, full.memory
        assert rows.ids == ["bare", "full"]
        assert rows.rows.tolist() == [each.row for each in store.get(ALICE, rows.ids)]
        assert rows.kinds == [memory("bare").kind, told.kind]
        assert rows.keys == [None, told.key]
        assert rows.sessions == [None, told.session]
        assert rows.subjects == [None, told.subject]
        assert rows.roles == [None, told.role]
        assert rows.tags == [(), told.tags]
        assert rows.metadata == [None, told.metadata]
        assert rows.created_at.tolist() == [START, told.created_at]
        assert rows.occurred_at.tolist() == [MISSING, told.occurred_at]
        assert rows.recorded_from.tolist() == [START, told.recorded_from]
        assert rows.recorded_to.tolist() == [MISSING, told.recorded_to]
        assert rows.valid_from.tolist() == [MISSING, told.valid_from]
        assert rows.valid_to.tolist() == [MISSING, told.valid_to]
        assert rows.expires_at.tolist() == [MISSING, told.expires_at]
        assert rows.is_latest.tolist() == [True, told.is_latest]
        assert rows.confidence.tolist() == [0.5, told.confidence]
        assert rows.proof_count.tolist() == [1, told.proof_count]
        assert rows.entity_count.tolist() == [0, len(told.entities)]
        assert rows.content_version.tolist() == [1, told.content_version]
        assert rows.word_count.tolist() == [1, 3]
        assert rows.fingerprints == [facets("tea").fingerprint, told.fingerprint]
        assert rows.distinctions == [facets("tea").distinctions, full.facets.distinctions]
        assert rows.vectors == [None, None]
        spelled = {number: name for name, number in delta.terms.items()}
        words = [[spelled[each] for each in ids] for ids in rows.term_ids]
        assert words == [["tea"], ["milk", "tea", "milk"]]

    def test_revision_zero_gives_every_state(self, store: Store) -> None:
        plain = replace(state(), importance=None, fades_at=None)
        created = (
            replace(record(memory("a")), state=plain),
            replace(record(memory("b")), state=full_state()),
        )
        store.commit(writes(Changes(created=created)))
        rows, told = store.changes(ALICE, 0).states, full_state()
        assert rows.rows.tolist() == [each.row for each in store.get(ALICE, ["a", "b"])]
        assert np.isnan(rows.importance[0])
        assert rows.importance[1] == told.importance
        assert rows.traces.tolist() == [list(plain.strength.traces), list(told.strength.traces)]
        assert rows.traces_at.tolist() == [START, told.strength.traces_at]
        assert rows.stability_days.tolist() == [30.0, told.strength.stability_days]
        assert rows.difficulty.tolist() == [5.0, told.strength.difficulty]
        assert rows.last_counted_at.tolist() == [MISSING, told.strength.last_counted_at]
        assert rows.created_at.tolist() == [START, told.created_at]
        assert rows.access_count.tolist() == [0, told.strength.access_count]
        assert rows.reinforcement_count.tolist() == [0, told.strength.reinforcement_count]
        for column in (rows.pinned, rows.verified, rows.exempt, rows.audit_evidence):
            assert column.tolist() == [False, True]
        assert rows.lifecycle == [Lifecycle.ACTIVE, told.lifecycle]
        assert rows.fades_at.tolist() == [MISSING, told.fades_at]
        assert rows.protected_until.tolist() == [MISSING, told.protected_until]

    def test_a_delta_holds_only_what_changed_and_how(self, store: Store) -> None:
        remember(store, "a", "b", "c")
        steps = {
            "state": Changes(states=(("c", state()), ("a", state()))),
            "amendment": Changes(amended=(replace(memory("b"), confidence=0.9),)),
            "update": Changes(revised=(update("a", "other words"),)),
            "event": Changes(enqueued=(use("a", "e1"),)),
        }
        found = {}
        for name, changes in steps.items():
            since = store.revision(ALICE)
            verb = Verb.USED if name == "event" else Verb.UPDATE
            store.commit(writes(changes, verb=verb))
            delta = store.changes(ALICE, since)
            names = {each.row: each.memory.id for each in store.get(ALICE, ["a", "b", "c"])}
            states = [names[int(each)] for each in delta.states.rows]
            found[name] = (delta.content.ids, states, delta.revision - since)
        assert found == {
            "state": ([], ["a", "c"], 1),
            "amendment": (["b"], [], 1),
            "update": (["a"], [], 1),
            "event": ([], [], 1),
        }

    def test_a_memory_is_in_a_delta_once_as_it_is_now(self, store: Store) -> None:
        for at, each in enumerate(("a", "b", "a")):
            changes = (
                Changes(created=(record(memory(each)),))
                if at < 2
                else Changes(revised=(update(each, "now"),))
            )
            store.commit(writes(changes))
        delta = store.changes(ALICE, 0)
        assert delta.content.ids == ["a", "b"]
        assert delta.content.content_version.tolist() == [2, 1]
        assert len(delta.states.rows) == 2
        assert store.changes(ALICE, 3).content.ids == []

    def test_what_is_gone_is_listed_since_it_went(self, store: Store) -> None:
        remember(store, "a", "b")
        row = store.get(ALICE, ["a"])[0].row
        store.commit(writes(Changes(removed=("a",)), verb=Verb.REPAIR))
        delta = store.changes(ALICE, 1)
        assert (delta.removed.tolist(), delta.content.ids) == ([row], [])
        assert store.changes(ALICE, 2).removed.tolist() == []
        assert store.changes(ALICE, 0).content.ids == ["b"]

    def test_terms_keep_their_ids_and_new_ones_are_told(self, store: Store) -> None:
        store.commit(writes(Changes(created=(record(memory("a", "milk tea")),))))
        first = store.changes(ALICE, 0).terms
        store.commit(writes(Changes(created=(record(memory("b", "green tea")),))))
        second = store.changes(ALICE, 1)
        assert set(first) == {"milk", "tea"}
        assert set(second.terms) == {"green"}
        assert second.content.term_ids[0].tolist() == [second.terms["green"], first["tea"]]
        assert store.changes(ALICE, 0).terms == {**first, **second.terms}

    def test_a_term_that_no_memory_holds_is_forgotten(self, store: Store) -> None:
        created = (record(memory("a", "milk tea")), record(memory("b", "tea")))
        store.commit(writes(Changes(created=created)))
        before = store.changes(ALICE, 0).terms
        store.commit(writes(Changes(revised=(update("a", "rum tea"),)), verb=Verb.UPDATE))
        assert set(store.changes(ALICE, 0).terms) == {"rum", "tea"}
        store.commit(writes(Changes(removed=("b",)), verb=Verb.REPAIR))
        store.commit(writes(Changes(revised=(update("a", "milk", 3),)), verb=Verb.UPDATE))
        after = store.changes(ALICE, 0).terms
        assert set(after) == {"milk"}
        # An index may still know the old id: it must not come to mean something else.
        assert after["milk"] not in before.values()
        assert list(store.faults(ALICE)) == []

    def test_a_text_that_is_read_again_keeps_its_version_and_vector(self, store: Store) -> None:
        bank = replace(view_of(store, Reads()).bank, space=space(1))
        told = memory("a", "milk tea")
        created = (record(told, vector=vector(1, EAST)), record(memory("b", "tea")))
        store.commit(writes(Changes(bank=bank, created=created)))
        read = replace(facets("milk tea"), terms=("lait", "lait"), word_count=9)
        again = ContentChange(memory=told, facets=read)
        store.commit(writes(Changes(reread=(again,)), verb=Verb.REREAD))
        delta = store.changes(ALICE, 1)
        assert set(delta.terms) == {"lait"}
        assert delta.content.ids == ["a"]
        assert delta.content.term_ids[0].tolist() == [delta.terms["lait"]] * 2
        assert delta.content.word_count.tolist() == [9]
        assert delta.content.content_version.tolist() == [1]
        assert delta.content.vectors == [vector(1, EAST).data]
        assert set(store.changes(ALICE, 0).terms) == {"lait", "tea"}
        assert store.versions(ALICE, "a") == []
        assert list(store.faults(ALICE)) == []

    def test_vectors_are_those_of_the_current_space(self, store: Store) -> None:
        remember(store, "a", "b")
        use_space(store, space(1), space(2))
        put_vector(store, "a", 1, EAST)
        since = store.revision(ALICE)
        put_vector(store, "a", 2, NORTH)
        put_vector(store, "b", 2, NORTH)
        aside = store.changes(ALICE, since)
        assert (aside.content.ids, aside.space_changed) == ([], False)
        assert store.changes(ALICE, 0).content.vectors == [vector(1, EAST).data, None]
        assert store.changes(ALICE, 0).space == space(1)

    def test_another_space_gives_all_content_anew(self, store: Store) -> None:
        remember(store, "a", "b")
        use_space(store, space(1), space(2))
        for each in ("a", "b"):
            put_vector(store, each, 2, NORTH)
        since = store.revision(ALICE)
        bank = replace(view_of(store, Reads()).bank, space=space(2), building=None)
        store.commit(writes(Changes(bank=bank, drop_spaces=(1,)), verb=Verb.EMBED))
        delta = store.changes(ALICE, since)
        assert (delta.space, delta.space_changed) == (space(2), True)
        assert delta.content.ids == ["a", "b"]
        assert delta.content.vectors == [vector(2, NORTH).data] * 2
        assert delta.states.rows.tolist() == []
        assert store.changes(ALICE, since + 1).space_changed is False
        assert list(store.faults(ALICE)) == []

    def test_a_vector_can_come_with_its_memory(self, store: Store) -> None:
        bank = replace(view_of(store, Reads()).bank, space=space(1))
        created = (record(memory("a"), vector=vector(1, EAST)), record(memory("b")))
        store.commit(writes(Changes(bank=bank, created=created)))
        changed = update("a", "other")
        again = ContentChange(memory=changed.memory, facets=changed.facets, vector=vector(1, NORTH))
        assert store.changes(ALICE, 0).content.vectors == [vector(1, EAST).data, None]
        store.commit(writes(Changes(revised=(again,)), verb=Verb.UPDATE))
        assert store.changes(ALICE, 1).content.vectors == [vector(1, NORTH).data]

    def test_a_vector_of_a_space_that_was_left_is_not_kept(self, store: Store) -> None:
        remember(store, "a", "b")
        use_space(store, space(2), space(3))
        put_vector(store, "a", 1, EAST)
        late = record(memory("c"), vector=vector(1, EAST))
        store.commit(writes(Changes(created=(late,))))
        changed = update("b", "other")
        again = ContentChange(memory=changed.memory, facets=changed.facets, vector=vector(1, EAST))
        store.commit(writes(Changes(revised=(again,)), verb=Verb.UPDATE))
        assert _ids(store, 2, 10) == _ids(store, 1, 10) == ["a", "b", "c"]
        assert list(store.faults(ALICE)) == []
        put_vector(store, "a", 3, NORTH)
        assert _ids(store, 3, 10) == ["b", "c"]

    def test_new_content_has_no_vector_until_it_gets_one(self, store: Store) -> None:
        bank = replace(view_of(store, Reads()).bank, space=space(1), building=space(2))
        names = ("a", "b", "c", "d")
        created = tuple(record(memory(each), vector=vector(1, EAST)) for each in names)
        store.commit(writes(Changes(bank=bank, created=created)))
        assert store.missing_vectors(ALICE, 1, 10) == []
        store.commit(writes(Changes(revised=(update("c", "new"),)), verb=Verb.UPDATE))
        put_vector(store, "b", 2, NORTH)
        assert store.changes(ALICE, 1).content.vectors == [None]
        assert _ids(store, 1, 10) == ["c"]
        assert _ids(store, 2, 10) == ["a", "c", "d"]
        assert _ids(store, 2, 2) == ["a", "c"]

    def test_vectors_are_kept_when_an_update_leaves_the_text_as_it_was(self, store: Store) -> None:
        bank = replace(view_of(store, Reads()).bank, space=space(1))
        told = memory("a", "milk tea")
        store.commit(writes(Changes(bank=bank, created=(record(told, vector=vector(1, EAST)),))))
        tagged = replace(told, tags=("drink",), content_version=2)
        again = ContentChange(memory=tagged, facets=facets("milk tea"))
        store.commit(writes(Changes(revised=(again,)), verb=Verb.UPDATE))
        assert store.changes(ALICE, 1).content.vectors == [vector(1, EAST).data]
        assert _ids(store, 1, 10) == []
        assert list(store.faults(ALICE)) == []

    def test_suppressed_and_archived_memories_keep_their_place(self, store: Store) -> None:
        remember(store, "a", "b")
        put_away = replace(state(), lifecycle=Lifecycle.ARCHIVED)
        store.commit(writes(Changes(states=(("a", put_away),)), verb=Verb.UPDATE))
        delta = store.changes(ALICE, 0)
        assert delta.content.ids == ["a", "b"]
        assert delta.states.lifecycle == [Lifecycle.ARCHIVED, Lifecycle.ACTIVE]
        assert _ids(store, 1, 10) == ["a", "b"]

    def test_an_instant_of_every_age_fits_a_column(self, store: Store) -> None:
        early = memory("a", at=Instant(-(10**15)))
        store.commit(writes(Changes(created=(record(early), record(memory("b"))))))
        created_at = store.changes(ALICE, 0).content.created_at
        assert created_at.tolist() == [-(10**15), START]
        assert created_at.dtype == np.int64
        assert Instant(START + DAY) > created_at.max()


def _ids(store: Store, number: int, limit: int) -> list[str]:
    return [each.memory.id for each in store.missing_vectors(ALICE, number, limit)]
