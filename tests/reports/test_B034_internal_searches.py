"""B034: searches of the system itself count as use.

Waits: the preview of a plan, for `plan`; an evaluation set, for `lab`.
"""

from collections.abc import Callable

import pytest

from lapse.bank import Bank
from lapse.model.presets import generative_agents
from tests.reports.helping import Place, ago, everything, hit_ids
from tests.unit.engine.opening import WordEmbedder

INTERNAL: dict[str, Callable[[Bank], object]] = {
    "evaluation without forgetting": lambda bank: bank.recall("harbour plans", mode="off"),
    "evaluation that observes": lambda bank: bank.recall("harbour plans", mode="observe"),
    "question after a reason": lambda bank: bank.why("harbour plans", "m1"),
    "vectors anew": lambda bank: bank.reembed(),
    "upkeep": lambda bank: bank.drain(),
    "check": lambda bank: bank.doctor(),
    "statistics": lambda bank: bank.stats(),
    "telling a near duplicate": lambda bank: bank.remember("harbour 1 again", id="twin"),
}


def told(place: Place) -> Bank:
    """A bank under a policy that counts being shown as a use, so that every slip is seen."""
    bank = place.bank(base=generative_agents(), embedder=WordEmbedder(vocabulary=0))
    for at in range(50):
        bank.remember(f"harbour {at}", id=f"m{at}", created_at=ago(days=3))
    return bank


def marks(bank: Bank) -> set[tuple[object, ...]]:
    """Every different thing that is said of the use of the fifty."""
    bank.drain()
    states = [each.state for each in everything(bank) if each.memory.id != "twin"]
    assert len(states) == 50
    return {
        (each.strength.access_count, each.strength.last_counted_at, each.last_recalled_at)
        for each in states
    }


@pytest.mark.parametrize("name", INTERNAL)
def test_a_search_of_the_system_itself_is_no_use(place: Place, name: str) -> None:
    bank = told(place)
    INTERNAL[name](bank)
    assert marks(bank) == {(0, None, None)}


def test_a_recall_of_the_user_is_a_use_under_the_same_policy(place: Place) -> None:
    bank = told(place)
    shown = hit_ids(bank.recall("harbour plans", k=3))
    assert len(marks(bank)) == 2
    assert [bank.get(each).state.strength.access_count for each in shown] == [1, 1, 1]
