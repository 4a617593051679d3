"""Use makes strong, being shown does not: four memories over eight months."""

from collections.abc import Iterator

import pytest

from lapse import Lapse
from lapse.bank import Bank
from lapse.errors import NotFoundError
from lapse.model.instants import DAY, HOUR
from lapse.model.query import Reason
from lapse.testing.fakes import START, FakeClock, SeededEntropy, SequentialIds

NAME = "Her name is Mirela Costin"
LOSS = "Her grandmother died last winter and she misses her"
LUNCH = "For lunch on that day she had a cheese sandwich"
TEA = "She prefers green tea to coffee"


class Companion:
    """A companion with four memories of one person."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.mind = Lapse.open(
            "memory://",
            embedder=None,
            clock=self.clock,
            new_id=SequentialIds(),
            entropy=SeededEntropy(),
            background=False,
        )
        self.bank = self.mind.bank("mirela")
        self.bank.remember_many(
            [
                {"text": NAME, "id": "name", "importance": 0.9},
                {"text": LOSS, "id": "loss", "importance": 0.8},
                {"text": LUNCH, "id": "lunch", "importance": 0.1},
                {"text": TEA, "id": "tea", "importance": 0.4},
            ]
        )

    def pass_days(self, days: float) -> Bank:
        """Let days pass."""
        self.clock.advance(days=days)
        return self.bank

    def strength(self, memory_id: str, query: str) -> float:
        """Retrievability now, as a recall explains it."""
        explanation = self.bank.why(query, memory_id).explanation
        assert explanation is not None
        return explanation.retrievability

    def uses(self, memory_id: str) -> tuple[int, int]:
        """Uses seen and uses counted."""
        strength = self.bank.get(memory_id).state.strength
        return strength.access_count, strength.reinforcement_count


@pytest.fixture
def companion() -> Iterator[Companion]:
    made = Companion()
    yield made
    made.mind.close()


def test_the_tea_grows_stronger_with_spaced_use_while_the_lunch_fades(
    companion: Companion,
) -> None:
    seen = [(companion.strength("tea", "tea"), companion.strength("lunch", "lunch"))]
    for _ in range(5):
        bank = companion.pass_days(20)
        recall = bank.recall("what does she like to drink: tea or coffee?")
        assert "tea" in {each.id for each in recall.hits}
        bank.used(["tea"], recall=recall.id)
        bank.drain()
        companion.pass_days(2)
        seen.append((companion.strength("tea", "tea"), companion.strength("lunch", "lunch")))

    teas, lunches = [tea for tea, _ in seen[1:]], [lunch for _, lunch in seen]
    assert teas == sorted(teas)
    assert lunches == sorted(lunches, reverse=True)
    assert companion.strength("tea", "tea") > 20 * companion.strength("lunch", "lunch")
    lunch, tea = (companion.bank.get(each).state.fades_at for each in ("lunch", "tea"))
    assert lunch is not None
    assert tea is not None
    assert lunch < START + 30 * DAY < companion.clock.now() < tea


def test_after_eight_months_the_lunch_still_comes_for_its_own_cue(companion: Companion) -> None:
    bank = companion.pass_days(240)

    recall = bank.recall("what did she have for lunch on that day?")

    assert recall.hits[0].id == "lunch"
    assert recall.hits[0].explanation.retrievability < 0.02


def test_ten_uses_in_one_hour_are_not_ten_spaced_uses() -> None:
    massed, spaced = Companion(), Companion()
    massed.pass_days(10)
    for at in range(10):
        massed.clock.advance(hours=0.1)
        massed.bank.used(["tea"], event_id=f"e{at}")
        spaced.pass_days(1.1)
        spaced.bank.used(["tea"], event_id=f"e{at}")
    massed.clock.set(spaced.clock.now())
    for each in (massed, spaced):
        each.bank.drain()
        each.pass_days(60)

    assert massed.uses("tea") == (10, 1)
    assert spaced.uses("tea") == (10, 10)
    assert massed.strength("tea", "tea") < spaced.strength("tea", "tea")


def test_being_shown_a_hundred_times_is_not_being_used(companion: Companion) -> None:
    for _ in range(100):
        companion.pass_days(1)
        companion.bank.recall("what did she have for lunch?")
    shown = companion.strength("lunch", "lunch")
    companion.bank.drain()

    untouched = Companion()
    untouched.pass_days(100)

    assert companion.uses("lunch") == (0, 0)
    assert shown == untouched.strength("lunch", "lunch")


def test_b029_what_is_no_longer_so_gains_nothing_however_often_it_is_asked_for() -> None:
    companion = Companion()
    bank = companion.bank
    bank.remember("The release is 4.1", id="v1", key="release")
    companion.pass_days(59)
    bank.remember("The release is 4.2", id="v2", key="release")
    before = bank.get("v1").state

    for _ in range(50):
        companion.pass_days(1)
        recall = bank.recall("which release is it?")
        assert recall.hits[0].id == "v2"
        assert "v1" not in {each.id for each in recall.hits}
        with bank.reflect() as session:
            session.cited([recall.hits[0].id])
    bank.drain()

    assert bank.get("v1").state == before
    assert companion.uses("v2")[1] == 50


def test_evidence_against_a_memory_weakens_it_and_is_no_use(companion: Companion) -> None:
    companion.pass_days(10)
    companion.bank.used(["tea"], event_id="good")
    companion.bank.drain()
    before = companion.strength("tea", "tea")

    with companion.bank.reflect() as session:
        session.rejected(["tea"])
    companion.bank.drain()

    assert companion.strength("tea", "tea") < before
    assert companion.uses("tea")[1] == 1
    assert companion.bank.get("tea").state.strength.last_counted_at == START + 10 * DAY


def test_a_cancelled_turn_and_an_unknown_memory_count_nothing(companion: Companion) -> None:
    companion.pass_days(10)

    def cancelled() -> None:
        with companion.bank.reflect() as session:
            session.cited(["tea", "name"])
            raise TimeoutError

    def mistaken() -> None:
        with companion.bank.reflect() as session:
            session.cited(["tea"])
            session.confirmed(["nobody"])

    with pytest.raises(TimeoutError):
        cancelled()
    with pytest.raises(NotFoundError):
        mistaken()
    companion.bank.drain()

    assert companion.uses("tea") == (0, 0)


def test_a_pinned_memory_shows_its_old_curve_again_when_it_is_unpinned(
    companion: Companion,
) -> None:
    companion.bank.pin(["lunch"])
    companion.pass_days(100)
    assert companion.strength("lunch", "lunch") == 1.0

    companion.bank.unpin(["lunch"])

    untouched = Companion()
    untouched.pass_days(100)
    assert companion.strength("lunch", "lunch") == untouched.strength("lunch", "lunch")


def test_what_was_verified_never_fades_again(companion: Companion) -> None:
    companion.bank.verify_outcome(["lunch"], reason="the receipt says so")
    companion.pass_days(1000)

    state = companion.bank.get("lunch").state
    assert (state.importance, state.fades_at) == (1.0, None)
    assert companion.strength("lunch", "lunch") == 1.0


def test_uses_reported_late_and_out_of_order_end_in_the_same_strength() -> None:
    at = [START + 3 * DAY, START + 9 * DAY, START + 9 * DAY + HOUR, START + 20 * DAY]
    orders = ([0, 1, 2, 3], [3, 1, 0, 2], [2, 3, 1, 0])
    ends = []
    for order in orders:
        companion = Companion()
        companion.pass_days(25)
        for each in order:
            companion.bank.used(["tea"], at=at[each], event_id=f"e{each}")
            if each % 2:
                companion.bank.drain()
        companion.bank.drain()
        ends.append(companion.bank.get("tea").state.strength)

    assert ends[0] == ends[1] == ends[2]
    assert ends[0].reinforcement_count == 3


def test_what_faded_is_out_of_mind_only_where_the_policy_filters() -> None:
    companion = Companion()
    bank = companion.pass_days(100)
    question = "tell me about the sandwich, her tea, her name and her grandmother"
    ranked = {each.id for each in bank.recall(question).hits}

    bank.set_policy({"forgetting": {"mode": "filter"}}, by="owner")
    filtered = bank.recall(question)

    assert "lunch" in ranked
    assert "lunch" not in {each.id for each in filtered.hits}
    assert bank.why(question, "lunch").reason is Reason.FADED
    assert bank.recall("a cheese sandwich for lunch on that day").hits[0].id == "lunch"
