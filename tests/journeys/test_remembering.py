"""Telling things over months: new, again, otherwise, late, in batches, by retries, in chats."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lapse import Lapse
from lapse.bank import Bank
from lapse.embed.hashing import HashingEmbedder
from lapse.errors import ConflictError, TombstonedError, ValidationError
from lapse.model.instants import DAY
from lapse.model.journal import GENESIS, follows
from lapse.model.memory import Kind
from lapse.model.outcome import Action
from lapse.model.query import Reason
from lapse.testing.fakes import START, FakeClock, SeededEntropy, SequentialIds


class Life:
    """One agent file, opened and closed as days go by."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.clock = FakeClock()
        self.ids = SequentialIds()
        self.mind = self.reopen()

    def reopen(self) -> Lapse:
        """Open the file anew, as a new process would."""
        self.mind = Lapse.open(
            self.path,
            embedder=HashingEmbedder(256),
            clock=self.clock,
            new_id=self.ids,
            entropy=SeededEntropy(),
            background=False,
        )
        return self.mind

    def next_day(self, days: float = 1.0) -> Bank:
        """Close, let days pass, open."""
        self.mind.close()
        self.clock.advance(days=days)
        return self.reopen().bank("alice")

    @property
    def alice(self) -> Bank:
        return self.mind.bank("alice")


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    lived = Life(tmp_path / "agent.db")
    yield lived
    lived.mind.close()


def _found(bank: Bank, query: str) -> list[str]:
    return [each.text for each in bank.recall(query).hits]


def _reason(bank: Bank, query: str, memory_id: str) -> Reason | None:
    return bank.why(query, memory_id).reason


def test_a_preference_changes_twice_and_only_the_last_word_comes_to_mind(life: Life) -> None:
    tea = life.alice.remember("I prefer tea", key="user/drink", value="tea", role="user")
    bank = life.next_day(10)
    coffee = bank.remember("I prefer coffee now", key="user/drink", value="coffee", role="user")
    bank = life.next_day(10)
    mate = bank.remember("It is mate these days", key="user/drink", value="mate", role="user")

    question = "what do I prefer: tea, coffee or mate these days"
    assert _found(bank, question) == ["It is mate these days"]
    assert _reason(bank, question, tea.id) is Reason.SUPERSEDED
    assert _reason(bank, question, coffee.id) is Reason.SUPERSEDED
    chain = [bank.get(each.id).memory for each in (tea, coffee, mate)]
    assert [each.valid_to for each in chain] == [START + 10 * DAY, START + 20 * DAY, None]
    assert [each.superseded_by for each in chain] == [coffee.id, mate.id, None]


def test_a_fact_that_comes_late_corrects_the_past_and_not_the_present(life: Life) -> None:
    life.alice.remember("She lives in Lisbon", key="home", valid_from="2026-01-01")
    bank = life.next_day()

    late = bank.remember("She lived in Porto", key="home", valid_from="2020-05-01")

    assert late.superseded == ()
    assert _found(bank, "where does she live: Lisbon, Porto") == ["She lives in Lisbon"]
    assert bank.get(late.id).memory.valid_to == START - 59 * DAY - 9 * DAY / 24


def test_what_is_told_again_over_months_is_one_memory_that_lasts(life: Life) -> None:
    tea = life.alice.remember("I prefer tea, not coffee", role="user")
    lunch = life.alice.remember("Lunch was a cheese sandwich", role="user")
    bank = life.alice
    for _ in range(4):
        bank = life.next_day(20)
        again = bank.remember("i prefer tea, not coffee!", role="user")
        assert (again.id, again.action) == (tea.id, Action.RECONFIRMED)
    bank.drain()

    told, once = bank.get(tea.id).state, bank.get(lunch.id).state
    assert told.strength.reinforcement_count == 4
    assert once.strength.reinforcement_count == 0
    assert told.fades_at is not None
    assert once.fades_at is not None
    assert told.fades_at > once.fades_at + 80 * DAY
    assert bank.stats().memories == 2


def test_b131_a_retry_after_a_lost_reply_stores_nothing_twice(life: Life) -> None:
    drafts = [{"text": f"remark number {at}", "id": f"turn-{at}"} for at in range(20)]
    life.alice.remember_many(drafts)
    bank = life.next_day()

    again = bank.remember_many(drafts)

    assert {each.action for each in again} == {Action.UNCHANGED}
    assert bank.stats().memories == 20
    assert bank.stats().pending_events == 0
    with pytest.raises(ConflictError):
        bank.remember("another remark", id="turn-7")


def test_b132_a_sentence_is_one_memory_by_whichever_way_it_came(life: Life) -> None:
    life.alice.remember("The gate code is 4471")
    bank = life.next_day()

    bank.remember_many([{"text": "the gate code is 4471."}])
    bank.ingest([{"role": "user", "content": "The gate code is 4471"}], session="s2")

    assert bank.stats().memories == 1
    assert _found(bank, "gate code") == ["The gate code is 4471"]


def test_a_chat_is_remembered_with_who_said_what_and_when(life: Life) -> None:
    life.alice.ingest(
        [
            {
                "role": "user",
                "content": "My sister Ana arrives on Friday",
                "at": "2026-02-02T08:00Z",
            },
            {"role": "assistant", "content": "Shall I book a table?", "at": "2026-02-02T08:01Z"},
        ],
        session="monday",
    )
    bank = life.next_day()

    (hit,) = bank.recall("when does my sister arrive", session="monday", k=1).hits

    assert hit.memory.kind is Kind.EPISODIC
    assert (hit.memory.role, hit.memory.session) == ("user", "monday")
    assert hit.explanation.anchor == hit.memory.created_at


def test_an_edit_changes_what_is_found_and_keeps_what_was_said(life: Life) -> None:
    told = life.alice.remember("The dentist is on Tuesday", tags=["health"])
    bank = life.next_day()

    bank.update(told.id, text="The dentist is on Thursday", if_version=1)
    bank = life.next_day()

    assert _found(bank, "when is the dentist") == ["The dentist is on Thursday"]
    memory = bank.get(told.id).memory
    assert (memory.content_version, memory.tags) == (2, ("health",))
    assert memory.created_at == START


def test_nothing_that_is_refused_leaves_a_trace(life: Life) -> None:
    life.alice.remember("I prefer tea", id="m1")
    before = life.alice.list().records
    revision = life.alice.stats().revision

    for attempt in (
        lambda: life.alice.remember(""),
        lambda: life.alice.remember("x" * 70_000),
        lambda: life.alice.remember("new", importance=7),
        lambda: life.alice.remember("new", tags="tea"),
        lambda: life.alice.remember("I prefer coffee", id="m1"),
        lambda: life.alice.remember_many([{"text": "new"}, {"text": None}]),
        lambda: life.alice.update("m1", text="\x00"),
    ):
        with pytest.raises((ValidationError, ConflictError)):
            attempt()

    assert life.alice.list().records == before
    assert life.alice.stats().revision == revision
    assert not issubclass(ConflictError, TombstonedError)


def test_the_journal_of_a_life_is_one_unbroken_chain(life: Life) -> None:
    bank = life.alice
    for day in range(5):
        bank.remember(f"remark of day {day}", key="day")
        bank.pin([bank.list().records[-1].memory.id])
        bank = life.next_day()
    store = bank._core.parts.store

    entries = store.journal(bank.ref, 0, 100)

    previous = GENESIS
    for seq, entry in enumerate(entries, start=1):
        assert entry.seq == seq
        assert follows(entry, previous)
        previous = entry.hash
    assert len(entries) == 10
    assert list(bank.doctor()) == []


def test_b009_a_clock_set_back_loses_and_inflates_nothing(life: Life) -> None:
    ahead = life.alice.remember("told by a fast clock", created_at=START + 10 * DAY)
    rating = life.alice.get(ahead.id).state.importance
    life.alice.remember("told by a right clock", created_at=START - DAY)

    for _ in range(2):
        recall = life.alice.recall("told by a clock")
        assert len(recall.hits) == 2
        by_id = {each.id: each for each in recall.hits}
        explanation = by_id[ahead.id].explanation
        assert 0 <= explanation.retrievability <= 1
        assert "clock_skew" in explanation.flags
    assert life.alice.get(ahead.id).state.importance == rating
