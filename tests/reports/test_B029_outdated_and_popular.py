"""B029: what is outdated is asked for most often, and each answer makes it stronger."""

import pytest

from lapse.bank import Bank
from lapse.model.instants import parse_instant
from lapse.model.policy import Policy
from lapse.model.presets import assistant, generative_agents
from lapse.testing.fakes import FakeClock
from tests.reports.helping import Place, hit_ids

POLICIES = {"assistant": assistant(), "shown is used": generative_agents()}


def use_daily(bank: Bank, clock: FakeClock, days: int) -> list[list[str]]:
    """Ask once a day, use what comes first, and say what was told each day."""
    told = []
    for _ in range(days):
        clock.advance(days=1)
        recall = bank.recall("which release is out")
        bank.used(hit_ids(recall)[:1], recall=recall.id)
        bank.drain()
        told.append(hit_ids(recall))
    return told


@pytest.mark.parametrize("name", POLICIES)
def test_a_replaced_fact_gains_nothing_however_often_its_question_is_asked(
    place: Place, name: str
) -> None:
    policy: Policy = POLICIES[name]
    place.clock.set(parse_instant("2026-01-01", "start"))
    bank = place.bank(base=policy)
    bank.remember("release is 4.1", id="v1", key="release", value="4.1")
    assert use_daily(bank, place.clock, 20) == [["v1"]] * 20
    popular = bank.get("v1").state.strength
    place.clock.set(parse_instant("2026-03-01", "replaced"))
    bank.remember("release is 4.2", id="v2", key="release", value="4.2")
    assert use_daily(bank, place.clock, 50) == [["v2"]] * 50
    assert bank.get("v1").state.strength == popular
    assert popular.reinforcement_count >= 19
    assert bank.get("v2").state.strength.reinforcement_count >= 49
