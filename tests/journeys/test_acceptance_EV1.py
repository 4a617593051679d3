"""EV1: every derived memory that reaches a tray leads, by `derived_from`, to a living source.

Control: derived memories were told at all.
"""

from pathlib import Path

from lapse.bank import Bank
from tests.journeys.acceptance import on_every_store, place_on


def leads_to_the_living(bank: Bank, memory_id: str) -> bool:
    """Whether some path of sources ends at a memory that is stored and was not retracted."""
    memory = bank.get(memory_id).memory
    if not memory.derived_from:
        return memory.recorded_to is None
    return any(leads_to_the_living(bank, each) for each in memory.derived_from)


@on_every_store
def test_no_derived_memory_outlives_its_sources(kind: str, tmp_path: Path) -> None:
    with place_on(kind, tmp_path) as place:
        bank = place.bank()
        bank.remember("Ann lives in Graz and plays chess", id="a")
        bank.remember("Ann works at Acme", id="b")
        bank.remember("Ann has a bike", id="c")
        bank.remember("Ann commutes from Graz to Acme", id="ab", derived_from=["a", "b"])
        bank.remember("Ann rides to work in Graz", id="abc", derived_from=["ab", "c"])
        bank.remember("Ann owns a bike", id="cc", derived_from=["c"])
        place.clock.advance(days=1)
        bank.retract("c", reason="it was borrowed")
        bank.supersede(query="where Ann lives", new="Ann moved to Linz")
        told = [each.memory for each in bank.recall("Ann bike work chess lives", k=20).hits]
        derived = [each for each in told if each.derived_from]
        assert derived
        assert all(leads_to_the_living(bank, each.id) for each in derived)
        assert "cc" not in {each.id for each in told}
