"""SC3: overlapping texts in two banks, and all that runs by itself: nothing derived mixes them.

Control: each bank reads what was derived in it.
Waits: reflection and the answer cache; what finds replacements, sweeps and plans run here.
"""

from pathlib import Path

from lapse import Lapse
from lapse.bank import Bank
from tests.journeys.acceptance import on_every_store, place_on
from tests.reports.helping import ago, everything, hit_ids
from tests.unit.engine.opening import WordEmbedder

SETTINGS = {
    "forgetting.mode": "lifecycle",
    "forgetting.auto_apply": True,
    "retention.grace_days": 0,
    "truth.detect": "propose",
}
SHARED = [f"The crane at pier {at} is red and creaks in the wind" for at in range(12)]
BANKS = (("alice", "a"), ("alice", "b"), ("bert", "a"))


def _names(bank: Bank) -> set[str]:
    return {each.memory.id for each in everything(bank)}


def _tell(mind: Lapse, name: str, tenant: str) -> None:
    bank, mine = mind.bank(name, tenant=tenant), f"{tenant}-{name}"
    for at, text in enumerate(SHARED):
        bank.remember(
            text,
            id=f"{mine}-{at}",
            key=f"crane/{at}" if at < 3 else None,
            importance=0.05 if at % 2 else 0.6,
            created_at=ago(days=900 - at),
        )
    bank.remember("Cranes creak", id=f"{mine}-summary", derived_from=[f"{mine}-4", f"{mine}-5"])
    bank.remember("The crane at pier 0 is blue", id=f"{mine}-new", key="crane/0", value=mine)
    bank.canaries.add("Which crane creaks?", [f"{mine}-4"], by="anna")


def _run(mind: Lapse, name: str, tenant: str) -> None:
    bank, mine = mind.bank(name, tenant=tenant), f"{tenant}-{name}"
    bank.used([f"{mine}-4"])
    bank.drain()
    bank.plan(percentile=50)
    bank.sweep()
    bank.reembed()
    mind.drain()


@on_every_store
def test_what_runs_in_one_bank_makes_nothing_of_another(kind: str, tmp_path: Path) -> None:
    with place_on(kind, tmp_path) as place:
        mind = place.open(SETTINGS, embedder=WordEmbedder())
        for name, tenant in BANKS:
            _tell(mind, name, tenant)
        for name, tenant in BANKS:
            _run(mind, name, tenant)
        for name, tenant in BANKS:
            bank, mine = mind.bank(name, tenant=tenant), f"{tenant}-{name}-"
            records = everything(bank)
            assert len(records) == len(SHARED) + 2
            named = _names(bank)
            for each in records:
                linked = (each.memory.supersedes, each.memory.superseded_by)
                named |= {one for one in linked if one} | {*each.memory.derived_from}
            for plan in bank.plans():
                whole = bank.get_plan(plan.id)
                named |= {each.memory_id for each in whole.items}
            for conflict in bank.conflicts():
                named |= {*conflict.memory_ids}
            recall = bank.recall("which crane creaks in the wind", k=50)
            named |= {*hit_ids(recall), *(each.id for each in recall.exclusions)}
            named |= {one for each in bank.canaries for one in each.expected_ids}
            assert {each for each in named if not each.startswith(mine)} == set()
            # The control: what was derived here is found here.
            assert bank.get(f"{mine}summary").memory.derived_from == (f"{mine}4", f"{mine}5")
            assert bank.get(f"{mine}new").memory.supersedes == f"{mine}0"
            assert bank.get(f"{mine}4").state.strength.access_count == 1
