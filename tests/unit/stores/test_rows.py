"""Any value that the model admits comes back from the file as it was given."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lapse.model import codec
from lapse.model.changeset import Changes
from lapse.model.journal import JournalEntry
from lapse.model.memory import Memory
from lapse.model.record import NewRecord
from lapse.model.retention import RetentionState, UseEvent
from lapse.model.verbs import Verb
from lapse.ports import Store
from lapse.stores.memory import MemoryStore
from lapse.stores.sql.journal_rows import entry_values, read_entry
from lapse.stores.sql.rows import (
    event_values,
    memory_values,
    read_event,
    read_terms,
    state_values,
    terms_bytes,
)
from lapse.stores.sql.sqlite import SqliteStore
from lapse.stores.sql.statements import CONTENT, EVENT, STATE
from lapse.testing.fakes import ALICE, facets, memory, state, use, writes
from tests.unit.model.values import values_of

NUMBERS = count(1)


@pytest.fixture(scope="module", params=["memory", "sqlite"])
def store(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    path = tmp_path_factory.mktemp("rows") / "rows.db"
    with closing(MemoryStore() if request.param == "memory" else SqliteStore.open(path)) as store:
        yield store


def new_record(told: Memory, held: RetentionState) -> NewRecord:
    """Give a record of this content under an id that is new in the bank."""
    told = replace(told, tenant=ALICE.tenant, bank=ALICE.name, id=f"m{next(NUMBERS)}")
    read = replace(facets("tea"), fingerprint=told.fingerprint)
    return NewRecord(memory=told, state=held, facets=read, salt=b"salt")


@given(told=values_of(Memory), held=values_of(RetentionState))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_any_memory_and_state_come_back_equal(
    store: Store, told: Memory, held: RetentionState
) -> None:
    new = new_record(told, held)
    store.commit(writes(Changes(created=(new,))))
    (found,) = store.get(ALICE, [new.memory.id])
    assert found.memory == new.memory
    assert found.state == held
    # Equality takes 1, 1.0 and True, 0.0 and -0.0 for the same; their spelling does not.
    assert codec.dumps(found.memory.metadata) == codec.dumps(new.memory.metadata)


@given(told=st.lists(values_of(UseEvent), max_size=3))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_any_event_comes_back_equal(store: Store, told: list[UseEvent]) -> None:
    new = new_record(memory("x"), state())
    once = {each.event_id: replace(each, memory_id=new.memory.id) for each in told}
    events = tuple(once.values())
    store.commit(writes(Changes(created=(new,), enqueued=events)))
    found = store.events(ALICE, [new.memory.id])
    assert found == sorted(events, key=lambda each: (each.at, each.event_id))


@given(told=values_of(JournalEntry))
def test_any_journal_entry_comes_back_equal(told: JournalEntry) -> None:
    items = tuple(
        replace(each, before=_full(each.before), after=_full(each.after)) for each in told.items
    )
    told = replace(told, items=items)
    assert read_entry(entry_values(told)) == told


def _full(digest: bytes) -> bytes:
    return digest.ljust(32, b"\x00")[:32]


@given(ids=st.lists(st.integers(1, 2**31 - 1), max_size=20))
def test_term_ids_come_back_in_order_with_repeats(ids: list[int]) -> None:
    assert read_terms(terms_bytes(ids)) == tuple(ids)


def test_values_stand_in_the_order_of_their_columns() -> None:
    told = replace(memory("a"), tags=("t",), key="k", value="v", text="the text")
    named = dict(zip(CONTENT, memory_values(told), strict=True))
    assert (named["text"], named["key"], named["value"], named["tags"]) == (
        "the text", "k", "v", '["t"]'
    )  # fmt: skip
    held = dict(zip(STATE, state_values(state()), strict=True))
    assert (held["lifecycle"], held["difficulty"], held["policy_version"]) == ("active", 5.0, 0)
    event = use("a", "e1")
    assert dict(zip(EVENT, event_values(event), strict=True))["event_id"] == "e1"
    assert read_event("a", event_values(event)) == event


def test_a_verb_of_the_journal_is_read_as_a_verb(store: Store) -> None:
    store.commit(writes(Changes(created=(new_record(memory("x"), state()),))))
    assert store.journal(ALICE, 0, 1)[0].verb is Verb.REMEMBER
