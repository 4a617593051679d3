"""B147: equal scores come in another order on each run, so the best three are chance."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from lapse.bank import Bank
from tests.reports.helping import Place, ago, hit_ids

SEEDS = (0, 4242)
NAMES = [f"{prefix}{at}" for prefix in ("z", "a", "m", "q") for at in range(5)]

PROGRAM = f"""
import json, sys
from lapse import Lapse
from lapse.testing.fakes import FakeClock
told = []
for target in ("memory://", sys.argv[1]):
    with Lapse.open(target, embedder=None, clock=FakeClock(), background=False) as mind:
        bank = mind.bank("alice")
        bank.remember_many({{"text": f"harbour {{name}}", "id": name}} for name in {NAMES!r})
        told.append([each.id for each in bank.recall("harbour plans", k=3).hits])
print(json.dumps(told))
"""


def test_new_processes_with_any_hash_seed_tell_the_same_three_in_the_same_order(
    tmp_path: Path,
) -> None:
    running = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(tmp_path / f"{seed}.db")],
            stdout=subprocess.PIPE,
            env={"PYTHONHASHSEED": str(seed), "PYTHONPATH": ":".join(sys.path)},
        )
        for seed in SEEDS
    ]
    told = [json.loads(each.communicate()[0]) for each in running]
    assert told == [[["a0", "a1", "a2"], ["a0", "a1", "a2"]]] * len(SEEDS)


def tied(place: Place, order: list[str]) -> Bank:
    bank = place.open().bank(f"bank {len(order)} {order[0]}")
    for name in order:
        bank.remember(f"harbour {name}", id=name, created_at=ago(days=3))
    return bank


@pytest.mark.parametrize("order", [NAMES, NAMES[::-1], sorted(NAMES)], ids=["mixed", "back", "up"])
def test_what_was_stored_at_one_instant_is_told_in_order_of_ids_however_it_was_stored(
    place: Place, order: list[str]
) -> None:
    assert hit_ids(tied(place, order).recall("harbour plans", k=3)) == ["a0", "a1", "a2"]


def test_what_was_recorded_later_goes_before_its_equals(place: Place) -> None:
    bank = tied(place, NAMES)
    place.clock.advance(seconds=1)
    bank.remember("harbour x0", id="x0", created_at=ago(days=3))
    recall = bank.recall("harbour plans", k=3)
    assert hit_ids(recall) == ["x0", "a0", "a1"]
    assert len({each.score for each in recall.hits}) == 1


def test_a_larger_k_only_adds_to_the_end(place: Place) -> None:
    bank = tied(place, NAMES)
    whole = hit_ids(bank.recall("harbour plans", k=20))
    assert whole == sorted(NAMES)
    assert [hit_ids(bank.recall("harbour plans", k=k)) for k in range(1, 20)] == [
        whole[:k] for k in range(1, 20)
    ]
