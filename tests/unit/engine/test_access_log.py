"""The access log of a bank: everything that happened to its memories, and nothing of their text."""

from lapse.model.access_log import Happening
from lapse.model.instants import DAY
from lapse.ports import Store
from tests.unit.engine.opening import Opened, opened

LOGGING: dict[str, object] = {"reinforcement": {"access_log": True}}


def _log(lapse: Opened) -> list[tuple[str, str]]:
    return [(each.memory, each.event.value) for each in lapse.alice.access_log()]


def _tell(lapse: Opened) -> None:
    for name, text in (("tea", "She drinks green tea"), ("lunch", "Lunch is at noon")):
        lapse.alice.remember(text, id=name)
    lapse.clock.advance(days=2)


def test_every_kind_of_happening_is_in_the_log_in_order_of_time(store: Store) -> None:
    lapse = opened(store, policy=LOGGING)
    _tell(lapse)
    recall = lapse.alice.recall("green tea", k=1)
    lapse.clock.advance(hours=1)
    lapse.alice.used(["tea"], recall=recall.id)
    lapse.clock.advance(days=2)
    lapse.alice.used(["lunch"], source="rejected")
    lapse.clock.advance(days=1)
    lapse.alice.suppress(["lunch"], by="ann", reason="noise")
    lapse.clock.advance(days=1)
    lapse.alice.restore(["lunch"], by="ann", reason="it was none")
    lapse.clock.advance(days=1)
    lapse.alice.supersede(old="tea", new="She drinks black tea", id="black")
    lapse.alice.drain()

    assert _log(lapse) == [
        ("lunch", "created"),
        ("tea", "created"),
        ("tea", "returned"),
        ("tea", "used"),
        ("lunch", "rejected"),
        ("lunch", "suppressed"),
        ("lunch", "restored"),
        ("black", "created"),
        ("tea", "superseded"),
    ]


def test_a_supersession_that_is_taken_back_is_a_restoring(lapse: Opened) -> None:
    _tell(lapse)
    lapse.alice.supersede(old="tea", new="She drinks black tea", id="black")
    lapse.clock.advance(days=1)
    lapse.alice.unsupersede("tea")

    log = lapse.alice.access_log()
    assert [each.event for each in log if each.memory == "tea"] == [
        Happening.CREATED,
        Happening.SUPERSEDED,
        Happening.RESTORED,
    ]


def test_a_claim_that_a_newer_one_replaced_ends_when_that_was_told(lapse: Opened) -> None:
    lapse.alice.remember("tea", id="old", key="user/drink", value="tea")
    lapse.clock.advance(days=3)
    lapse.alice.remember("coffee", id="new", key="user/drink", value="coffee")

    ends = [each for each in lapse.alice.access_log() if each.event is Happening.SUPERSEDED]
    assert [(each.memory, each.at) for each in ends] == [("old", lapse.clock.now())]


def test_going_from_suppressed_to_archived_is_no_second_leaving(lapse: Opened) -> None:
    _tell(lapse)
    lapse.alice.suppress(["lunch"], by="ann", reason="noise")
    lapse.clock.advance(days=1)
    lapse.alice.archive(["lunch"], by="ann", reason="noise")

    assert [each for _, each in _log(lapse)].count("suppressed") == 1


def test_what_was_erased_is_in_no_log(lapse: Opened) -> None:
    _tell(lapse)
    lapse.alice.used(["lunch"])
    lapse.alice.erase(ids=["lunch"], by="ann", reason="asked for")

    assert {name for name, _ in _log(lapse)} == {"tea"}


def test_observing_feeds_a_log_that_was_asked_for(store: Store) -> None:
    lapse = opened(store, policy={**LOGGING, "forgetting": {"mode": "observe"}})
    _tell(lapse)
    lapse.alice.recall("tea", k=1)
    lapse.alice.drain()

    assert ("tea", "returned") in _log(lapse)


def test_a_log_spans_what_the_clock_said_and_is_the_same_when_asked_again(lapse: Opened) -> None:
    _tell(lapse)
    lapse.alice.used(["tea"])
    lapse.alice.drain()

    log = lapse.alice.access_log()
    assert log[-1].at - log[0].at == 2 * DAY
    assert lapse.alice.access_log() == log


def test_a_bank_that_is_not_there_has_an_empty_log(lapse: Opened) -> None:
    assert lapse.alice.access_log() == []
