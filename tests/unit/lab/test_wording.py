"""How many words an answer would have had, told from what recalls returned."""

import pytest

from lapse.lab.log import Entry, Happening
from lapse.lab.wording import worded_on_log, words_per_answer
from lapse.model.instants import DAY, Instant
from lapse.model.policy import LawName, LawPolicy
from lapse.ports import Store
from tests.unit.engine.opening import Opened, opened

NONE = LawPolicy(name=LawName.NONE)
FAST = LawPolicy(name=LawName.HALF_LIFE, half_life_hours=24.0, cooldown_hours=0.0)
WORDS = {"tea": 4, "bus": 2}


def _entry(day: float, memory: str, event: Happening) -> Entry:
    return Entry(at=Instant(round(day * DAY)), memory=memory, event=event)


def _told() -> list[Entry]:
    return [_entry(0, name, Happening.CREATED) for name in WORDS]


def _returned(day: float, *names: str) -> list[Entry]:
    return [_entry(day, name, Happening.RETURNED) for name in names]


def test_what_has_faded_puts_no_words_into_an_answer() -> None:
    log = [*_told(), _entry(199, "tea", Happening.USED), *_returned(200, "tea", "bus")]
    assert words_per_answer(log, NONE, WORDS) == 6
    assert words_per_answer(log, FAST, WORDS) == 4


def test_answers_count_alike_whether_much_or_nothing_is_left_of_them() -> None:
    log = [*_told(), *_returned(1, "tea", "bus"), *_returned(200, "tea")]
    assert words_per_answer(log, NONE, WORDS) == 5
    assert words_per_answer(log, FAST, WORDS) == 3


def test_what_is_used_because_it_was_returned_is_judged_as_it_was_before() -> None:
    log = [*_told(), *_returned(200, "tea"), _entry(200, "tea", Happening.USED)]
    assert words_per_answer(log, FAST, WORDS) == 0


def test_what_the_log_does_not_see_begin_is_never_taken_for_faded() -> None:
    assert words_per_answer(_returned(200, "bus"), FAST, WORDS) == 2


def test_what_is_told_and_returned_at_one_instant_was_there() -> None:
    log = [*_returned(3, "tea"), _entry(3, "tea", Happening.CREATED)]
    log = sorted(log, key=lambda each: each.at)
    assert words_per_answer(log, FAST, WORDS) == 4


@pytest.mark.parametrize("log", [[], _told(), _returned(1, "gone")])
def test_without_an_answer_of_known_memories_there_is_no_figure(log: list[Entry]) -> None:
    assert words_per_answer(log, NONE, WORDS) is None


def test_a_banks_own_log_tells_the_words_of_its_answers(store: Store) -> None:
    lapse = opened(store, policy={"reinforcement.access_log": True})
    _recalls(lapse)
    bank = lapse.alice
    policies: dict[str, dict[str, object]] = {"none": {"law.name": "none"}, "now": {}}
    found = worded_on_log(bank, bank.access_log(), policies)  # type: ignore[arg-type]  # plain JSON
    assert found == {"none": 7, "now": 7}
    silent = lapse.mind.bank("bob")
    silent.remember("Nobody asks for this")
    assert worded_on_log(silent, silent.access_log(), {"now": {}}) == {}


def _recalls(lapse: Opened) -> None:
    lapse.alice.remember("Ann drinks green tea with some milk")
    lapse.clock.advance(days=2)
    assert lapse.alice.recall("what does Ann drink").hits
    lapse.alice.drain()
