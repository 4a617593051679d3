"""Remember, update and mark, through the engine, over the reference store and SQLite."""

import pytest

from lapse.errors import ConflictError, NotFoundError, ValidationError, VersionConflictError
from lapse.model.instants import DAY
from lapse.model.journal import GENESIS, JournalEntry, follows
from lapse.model.memory import Kind
from lapse.model.outcome import Action
from lapse.model.paging import Listing
from lapse.model.retention import UseSource
from lapse.model.verbs import VERBS, Verb
from lapse.testing.fakes import START
from tests.unit.engine.opening import Opened

BAD_ACTORS = ["", " ", "\x00", "\ud800", "x" * 256]


def _journal(lapse: Opened) -> list[JournalEntry]:
    return lapse.store.journal(lapse.alice.ref, 0, 1000)


def test_a_bank_comes_into_being_with_its_first_write(lapse: Opened) -> None:
    bank = lapse.alice
    assert list(lapse.mind.banks()) == []
    assert bank.recall("tea?").hits == ()
    assert bank.stats().memories == 0
    assert bank.drain() == bank.drain()
    assert bank.list().records == ()
    assert list(lapse.mind.banks()) == []

    bank.remember("I prefer tea")

    assert list(lapse.mind.banks()) == ["alice"]


def test_what_was_remembered_is_given_back_as_stored(lapse: Opened) -> None:
    told = lapse.alice.remember(
        "I prefer te\u0301", role="user", tags=["drink"], metadata={"n": [1, {"a": None}]}
    )

    record = lapse.alice.get(told.id)

    assert told.action is Action.CREATED
    assert record.memory == told.memory
    assert record.memory.text == "I prefer té"
    assert record.memory.metadata == {"n": (1, {"a": None})}
    assert record.memory.created_at == START
    assert record.state.created_at == START


@pytest.mark.parametrize(
    "text", ["日本語のメモ", "👩‍👩‍👧 family", "e\u0301\u0327", "שלום", "a\u200bb"]
)
def test_any_script_survives_exactly(lapse: Opened, text: str) -> None:
    told = lapse.alice.remember(text)

    assert lapse.alice.get(told.id).memory.text == told.memory.text
    assert lapse.alice.remember(told.memory.text).action is Action.RECONFIRMED


def test_two_banks_and_two_tenants_share_nothing(lapse: Opened) -> None:
    bob = lapse.mind.bank("bob")
    foreign = lapse.mind.bank("alice", tenant="other")
    told = lapse.alice.remember("I prefer tea", id="m1")

    for bank in (bob, foreign):
        assert bank.remember("I prefer tea").action is Action.CREATED
        assert len(bank.list().records) == 1
        with pytest.raises(NotFoundError):
            bank.get(told.id)
        with pytest.raises(NotFoundError):
            bank.used([told.id])
        with pytest.raises(NotFoundError):
            bank.pin([told.id])
        with pytest.raises(NotFoundError):
            bank.update(told.id, text="stolen")
    assert lapse.alice.get("m1").memory.text == "I prefer tea"
    assert list(lapse.mind.banks(tenant="other")) == ["alice"]


def test_a_batch_that_contains_a_fault_stores_nothing(lapse: Opened) -> None:
    with pytest.raises(ValidationError) as caught:
        lapse.alice.remember_many([{"text": "fine"}, {"text": "", "importance": 3}])

    assert [each.field for each in caught.value.faults] == ["[1].text", "[1].importance"]
    assert lapse.alice.stats().memories == 0


def test_a_batch_that_contains_a_conflict_stores_nothing(lapse: Opened) -> None:
    lapse.alice.remember("I prefer tea", id="m1")

    with pytest.raises(ConflictError):
        lapse.alice.remember_many([{"text": "new"}, {"text": "I prefer coffee", "id": "m1"}])

    assert [each.memory.text for each in lapse.alice.list().records] == ["I prefer tea"]


def test_a_large_batch_is_stored_in_order_and_tells_its_progress(lapse: Opened) -> None:
    told: list[tuple[int, int]] = []

    outcomes = lapse.alice.remember_many(
        ({"text": f"memory number {at}", "id": f"m{at}"} for at in range(2100)),
        progress=lambda done, total: told.append((done, total)),
    )

    assert [each.id for each in outcomes] == [f"m{at}" for at in range(2100)]
    assert told == [(1000, 2100), (2000, 2100), (2100, 2100)]
    assert lapse.alice.stats().memories == 2100


def test_an_empty_batch_writes_nothing(lapse: Opened) -> None:
    assert list(lapse.alice.remember_many([])) == []
    assert list(lapse.alice.ingest([])) == []
    assert list(lapse.mind.banks()) == []


def test_a_chat_becomes_episodic_memories_of_its_session(lapse: Opened) -> None:
    outcomes = lapse.alice.ingest(
        [
            {"role": "user", "content": "I prefer tea", "at": "2026-02-01T10:00Z"},
            {"role": "assistant", "content": "Noted.", "at": "2026-02-01T10:01Z"},
        ],
        session="s1",
    )

    memories = [each.memory for each in outcomes]
    assert {each.kind for each in memories} == {Kind.EPISODIC}
    assert {each.session for each in memories} == {"s1"}
    assert memories[1].created_at - memories[0].created_at == 60 * 10**6


def test_the_same_chat_again_adds_nothing(lapse: Opened) -> None:
    chat = [{"role": "user", "content": f"remark {at}"} for at in range(5)]
    lapse.alice.ingest(chat)

    again = lapse.alice.ingest(chat)

    assert {each.action for each in again} == {Action.RECONFIRMED}
    assert lapse.alice.stats().memories == 5


def test_superseding_says_what_it_replaced(lapse: Opened) -> None:
    first = lapse.alice.remember("I prefer tea", key="user/drink")
    lapse.clock.advance(days=1)

    second = lapse.alice.remember("I prefer coffee", key="user/drink")

    assert second.superseded == (first.id,)
    assert not lapse.alice.get(first.id).memory.is_latest
    assert lapse.alice.stats().current == 1


def test_b165_an_update_keeps_the_versions_before_it(lapse: Opened) -> None:
    told = lapse.alice.remember("I prefer tea", id="m1")
    lapse.clock.advance(days=1)

    updated = lapse.alice.update("m1", text="I prefer green tea", if_version=1)

    assert updated.action is Action.UPDATED
    assert updated.memory.content_version == 2
    assert lapse.store.versions(lapse.alice.ref, "m1") == [told.memory]
    with pytest.raises(VersionConflictError):
        lapse.alice.update("m1", text="I prefer coffee", if_version=1)


def test_an_update_is_found_by_its_new_words_only(lapse: Opened) -> None:
    lapse.alice.remember("I prefer tea", id="m1")

    lapse.alice.update("m1", text="I prefer lemonade")

    assert [each.id for each in lapse.alice.recall("lemonade").hits] == ["m1"]
    assert lapse.alice.recall("tea").hits == ()


def test_an_update_may_give_its_sources_as_any_iterable(lapse: Opened) -> None:
    lapse.alice.remember("a source", id="s1")
    lapse.alice.remember("I prefer tea", id="m1")

    updated = lapse.alice.update("m1", derived_from=(each for each in ["s1"]))

    assert updated.memory.derived_from == ("s1",)


def test_marks_count_what_they_changed(lapse: Opened) -> None:
    lapse.alice.remember("I prefer tea", id="m1")
    lapse.alice.remember("I prefer coffee", id="m2", pinned=True)

    assert lapse.alice.pin(["m1", "m2", "m1"]) == 1
    assert lapse.alice.unpin(["m1"]) == 1
    assert lapse.alice.exempt(["m1"], reason="law") == 1
    assert lapse.alice.exempt(["m1"], reason=None) == 1
    assert lapse.alice.verify_outcome(["m1"]) == 1
    assert lapse.alice.get("m1").state.importance == 1.0
    assert lapse.alice.pin([]) == 0


@pytest.mark.parametrize("ids", ["m1", ["m1", "nope"]])
def test_marks_are_for_all_that_are_named_or_none(lapse: Opened, ids: list[str]) -> None:
    lapse.alice.remember("I prefer tea", id="m1")

    with pytest.raises((NotFoundError, ValidationError)):
        lapse.alice.pin(ids)

    assert not lapse.alice.get("m1").state.pinned


@pytest.mark.parametrize("by", BAD_ACTORS)
def test_an_actor_has_a_name_that_can_be_kept(lapse: Opened, by: str) -> None:
    lapse.alice.remember("I prefer tea", id="m1")
    before = lapse.alice.get("m1")

    for verb in (
        lambda: lapse.alice.remember("other", by=by),
        lambda: lapse.alice.remember_many([{"text": "other"}], by=by),
        lambda: lapse.alice.update("m1", text="other", by=by),
        lambda: lapse.alice.pin(["m1"], by=by),
        lambda: lapse.alice.set_policy({"recall": {"k": 3}}, by=by),
    ):
        with pytest.raises(ValidationError) as caught:
            verb()
        assert [each.field for each in caught.value.faults] == ["by"]
    assert lapse.alice.get("m1") == before
    assert lapse.alice.stats().memories == 1


@pytest.mark.parametrize("reason", ["", "  ", "\x00", "\ud800"])
def test_a_reason_says_something_that_can_be_kept(lapse: Opened, reason: str) -> None:
    lapse.alice.remember("I prefer tea", id="m1")

    for verb in (lapse.alice.exempt, lapse.alice.verify_outcome):
        with pytest.raises(ValidationError) as caught:
            verb(["m1"], reason=reason)
        assert [each.field for each in caught.value.faults] == ["reason"]


def test_each_write_that_is_journalled_leaves_one_entry_of_a_chain(lapse: Opened) -> None:
    bank = lapse.alice
    bank.remember("I prefer tea", id="m1", by="tester")
    bank.update("m1", text="I prefer green tea")
    bank.pin(["m1"])
    bank.pin(["m1"])
    bank.verify_outcome(["m1"], reason="it was so", by="clerk")
    bank.used(["m1"])
    bank.drain()
    bank.set_policy({"recall": {"k": 3}}, by="owner")

    entries = _journal(lapse)

    assert [each.verb for each in entries] == [
        Verb.REMEMBER,
        Verb.UPDATE,
        Verb.PIN,
        Verb.VERIFY_OUTCOME,
        Verb.DRAIN,
        Verb.SET_POLICY,
    ]
    assert all(VERBS[each.verb].journalled for each in entries)
    assert [each.seq for each in entries] == [1, 2, 3, 4, 5, 6]
    previous = GENESIS
    for entry in entries:
        assert follows(entry, previous)
        previous = entry.hash
    assert entries[0].by == "tester"
    assert (entries[3].by, entries[3].reason) == ("clerk", "it was so")
    assert entries[4].by == "lapse"


def test_the_journal_holds_no_text(lapse: Opened) -> None:
    lapse.alice.remember("a very particular sentence", key="user/secret", value="particular")

    shown = repr(_journal(lapse))

    assert "particular" not in shown
    assert "user/secret" not in shown


def test_a_write_wakes_whoever_does_upkeep(lapse: Opened) -> None:
    lapse.alice.remember("I prefer tea", id="m1")
    assert len(lapse.wakes) == 1

    lapse.alice.used(["m1"])
    assert len(lapse.wakes) == 2


def test_what_is_told_again_is_reinforced_once_a_day(lapse: Opened) -> None:
    told = lapse.alice.remember("I prefer tea")
    for _ in range(3):
        lapse.clock.advance(days=1)
        lapse.alice.remember("I prefer tea")
        lapse.alice.remember("i prefer TEA")
    lapse.alice.drain()

    strength = lapse.alice.get(told.id).state.strength
    assert strength.reinforcement_count == 3
    assert strength.last_counted_at == START + 3 * DAY
    events = lapse.store.events(lapse.alice.ref, [told.id])
    assert {each.source for each in events} == {UseSource.RECONFIRMED}


# --- listing -------------------------------------------------------------------------------


def test_b144_pages_are_disjoint_complete_and_end(lapse: Opened) -> None:
    lapse.alice.remember_many({"text": f"memory {at}", "id": f"m{at}"} for at in range(430))

    sizes, ids, after = [], [], 0
    while True:
        page = lapse.alice.list(Listing(after=after, limit=150))
        sizes.append(len(page.records))
        ids += [each.memory.id for each in page.records]
        if page.next_after is None:
            break
        after = page.next_after

    assert sizes == [150, 150, 130]
    assert ids == [f"m{at}" for at in range(430)]


def test_b146_what_was_there_throughout_is_listed_exactly_once(lapse: Opened) -> None:
    lapse.alice.remember_many({"text": f"memory {at}", "id": f"m{at}"} for at in range(60))

    ids, after = [], 0
    for round_number in range(100):
        page = lapse.alice.list(Listing(after=after, limit=7))
        ids += [each.memory.id for each in page.records]
        lapse.alice.update("m3", text=f"memory 3 for the {round_number}th time")
        if round_number < 3:
            lapse.alice.remember(f"a late one {round_number}", id=f"late{round_number}")
        if page.next_after is None:
            break
        after = page.next_after

    assert len(ids) == len(set(ids))
    assert {f"m{at}" for at in range(60)} <= set(ids)


def test_b025_looking_is_no_use(lapse: Opened) -> None:
    lapse.alice.remember_many({"text": f"memory {at}", "id": f"m{at}"} for at in range(20))
    before = [each.state for each in lapse.alice.list().records]
    revision = lapse.alice.stats().revision
    lapse.clock.advance(days=90)

    lapse.alice.list()
    lapse.alice.get("m3")
    lapse.alice.recall("memory 3")
    lapse.alice.why("memory 3", "m3")
    lapse.alice.stats()
    lapse.alice.doctor()
    lapse.alice.drain()

    assert [each.state for each in lapse.alice.list().records] == before
    assert lapse.alice.stats().revision == revision


def test_unknown_memories_are_named_all_at_once(lapse: Opened) -> None:
    lapse.alice.remember("I prefer tea", id="m1")

    with pytest.raises(NotFoundError) as caught:
        lapse.alice.used(["m1", "x", "y"])
    assert caught.value.fields == {"ids": "x, y"}
    with pytest.raises(NotFoundError):
        lapse.alice.get("x")
