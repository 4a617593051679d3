"""Looking for what is replaced after something was told, and deciding what waits."""

from collections.abc import Iterator

import pytest

from lapse import Lapse
from lapse.bank import Bank
from lapse.embed.hashing import HashingEmbedder
from lapse.errors import ConflictError, NotFoundError, PolicyError
from lapse.model.finding import ChangeKind
from lapse.model.instants import DAY
from lapse.model.outcome import Action
from lapse.model.proposal import ProposalKind, ProposalStatus
from lapse.testing.fakes import START, FakeClock, SequentialIds

OLD, NEW = "Ann lives in Berlin", "Ann moved to Rome"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(START)


@pytest.fixture
def bank(clock: FakeClock) -> Iterator[Bank]:
    with Lapse.open(
        "memory://",
        clock=clock,
        new_id=SequentialIds(),
        embedder=HashingEmbedder(256),
        background=False,
    ) as app:
        yield app.bank("ann")


def _told(bank: Bank, clock: FakeClock, detect: str, **settings: object) -> str:
    """The old statement, and the new one a day later, under a policy; the new one's id."""
    bank.set_policy({"truth.detect": detect, **settings})  # type: ignore[dict-item]  # JSON values
    bank.remember(OLD, id="old")
    bank.remember("Ben plays chess", id="other")
    clock.advance(days=1)
    return bank.remember(NEW, id="new").id


def test_off_looks_for_nothing(bank: Bank, clock: FakeClock) -> None:
    _told(bank, clock, "off")
    assert bank.get("old").memory.is_latest
    assert bank.conflicts() == []


def test_acting_lets_the_new_take_the_place_and_undoing_keeps_it(
    bank: Bank, clock: FakeClock
) -> None:
    bank.set_policy({"truth.detect": "act"})
    bank.remember(OLD, id="old")
    before = bank.get("old")
    now = clock.advance(days=1)
    told = bank.remember(NEW, id="new")

    assert told.superseded == ("old",)
    assert (bank.get("old").memory.superseded_by, bank.get("old").memory.valid_to) == ("new", now)
    assert (bank.get("new").memory.valid_from, bank.get("new").memory.supersedes) == (now, "old")
    bank.unsupersede("old")
    assert bank.get("old") == before
    kept = bank.get("new").memory
    assert (kept.recorded_to, kept.valid_from, kept.supersedes) == (None, None, None)


def test_a_batch_is_looked_at_in_the_order_of_telling(bank: Bank) -> None:
    bank.set_policy({"truth.detect": "act"})
    first, second = bank.remember_many([{"text": OLD, "id": "old"}, {"text": NEW, "id": "new"}])
    assert (first.superseded, second.superseded) == ((), ("old",))


@pytest.mark.parametrize(
    "settings", [{"truth.detect": "propose"}, {"truth.detect": "act", "truth.act_level": 1.0}]
)
def test_what_is_not_sure_enough_is_listed_and_disputed(
    bank: Bank, clock: FakeClock, settings: dict[str, object]
) -> None:
    _told(bank, clock, **{"detect": str(settings.pop("truth.detect")), **settings})  # type: ignore[arg-type]  # by name

    (listed,) = bank.conflicts()
    assert (listed.kind, listed.memory_id, listed.other_ids) == (
        ProposalKind.REPLACE,
        "new",
        ("old",),
    )
    assert listed.change is ChangeKind.REPLACEMENT
    assert listed.evidence
    assert bank.get("old").memory.is_latest
    marks = {each.id: each.qualifier for each in bank.recall("where does Ann live").hits}
    assert marks["old"] == "disputed"


def test_accepting_a_replacement_makes_it(bank: Bank, clock: FakeClock) -> None:
    _told(bank, clock, "propose")
    (listed,) = bank.conflicts()

    decided = bank.accept(listed.id, by="ann", reason="she moved")

    assert (decided.status, decided.decided_by) == (ProposalStatus.ACCEPTED, "ann")
    assert bank.get("old").memory.superseded_by == "new"
    assert bank.conflicts() == []
    with pytest.raises(ConflictError):
        bank.accept(listed.id)
    with pytest.raises(ConflictError):
        bank.dismiss(listed.id)


def test_dismissing_a_replacement_leaves_both(bank: Bank, clock: FakeClock) -> None:
    _told(bank, clock, "propose")
    bank.dismiss(bank.conflicts()[0].id, by="ann")
    assert bank.get("old").memory.is_latest
    assert bank.conflicts() == []
    with pytest.raises(NotFoundError):
        bank.dismiss("nothing")


def test_accepting_what_was_retracted_takes_the_retraction_back(bank: Bank) -> None:
    bank.remember(OLD, id="old")
    bank.retract("old", reason="wrong")
    assert bank.remember(OLD).action is Action.DISPUTED
    bank.accept(bank.conflicts()[0].id)
    assert bank.get("old").memory.recorded_to is None


def test_what_was_put_away_and_told_again_by_a_tool_waits_for_a_decision(bank: Bank) -> None:
    bank.remember(OLD, id="old")
    bank.suppress(["old"], by="ann", reason="private")
    bank.remember(OLD, role="tool")
    (listed,) = bank.conflicts()
    assert (listed.kind, listed.memory_id) == (ProposalKind.REACTIVATE, "old")
    assert bank.recall("where does Ann live").hits == ()
    bank.accept(listed.id, by="ann")
    assert [each.id for each in bank.recall("where does Ann live").hits] == ["old"]


def test_a_successor_inherits_strength_where_the_policy_says_so(
    bank: Bank, clock: FakeClock
) -> None:
    bank.set_policy({"truth.inherit_strength": True})
    bank.remember(OLD, id="old", importance=0.8)
    clock.advance(days=40)
    bank.used(["old"])
    bank.drain()
    bank.supersede(old="old", new=NEW, id="new")
    old, new = bank.get("old").state, bank.get("new").state
    assert (new.strength, new.importance) == (old.strength, old.importance)


def test_what_is_acted_on_must_be_surer_than_what_is_proposed(bank: Bank) -> None:
    with pytest.raises(PolicyError):
        bank.set_policy({"truth.act_level": 0.2, "truth.propose_level": 0.6})


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (2, 1, 0), (2, 0, 1)])
def test_the_order_of_telling_does_not_decide(
    bank: Bank, clock: FakeClock, order: tuple[int, ...]
) -> None:
    bank.set_policy({"truth.detect": "act"})
    facts = [OLD, "Ben plays chess", NEW]
    for at in order:
        bank.remember(facts[at], id=str(at), occurred_at=START - DAY * (9 - at))
        clock.advance(days=1)
    assert [bank.get(str(at)).memory.is_latest for at in range(3)] == [False, True, True]
    assert bank.get("0").memory.superseded_by == "2"
    assert bank.get("0").memory.valid_to == START - DAY * 7


def test_what_was_told_late_and_is_no_rival_stands(bank: Bank, clock: FakeClock) -> None:
    bank.set_policy({"truth.detect": "act"})
    bank.remember(NEW, id="new", occurred_at=START - DAY)
    clock.advance(days=1)
    bank.remember("Ben lives in Berlin", id="late", occurred_at=START - DAY * 9)
    assert bank.get("late").memory.is_latest


def test_an_end_told_first_bounds_what_is_told_late(bank: Bank, clock: FakeClock) -> None:
    bank.set_policy({"truth.detect": "act"})
    bank.remember("Ann was vegetarian until 2024.", id="end", occurred_at=START - DAY)
    clock.advance(days=1)
    bank.remember("Ann is vegetarian.", id="late", occurred_at=START - DAY * 999)
    assert bank.get("late").memory.superseded_by == "end"
