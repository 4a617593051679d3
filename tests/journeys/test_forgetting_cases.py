"""Cases of correcting, letting go and destroying in plain words, each among unrelated facts.

The cases are our own, in the manner of public ones: names that are also words, codes that begin
alike, corrections that share no word with what they correct, sentences about two people, one thing
in two spellings or alphabets. They go through the adapter that the public evaluation is given.
"""

import json
import random
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchmarks.forgeteval import Adapter

DEPTH = 5

UNRELATED = (
    "The stairwell lights were switched to LED.",
    "Compost is collected on Tuesday mornings.",
    "The swimming pool reopens after the holidays.",
    "Umbrellas can be borrowed at the entrance.",
    "The annual picnic was moved indoors.",
    "New chairs were ordered for the reading room.",
    "The choir rehearses in the gymnasium.",
    "Bicycles must be locked to the racks.",
    "The vending machine takes coins only.",
    "A plumber looked at the pipes in the basement.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What is told, what is changed, and what may and may not come up afterwards."""

    name: str
    told: list[str]
    changes: list[list[str]]
    asked: str
    comes_up: list[str]
    stays_away: list[str]


CASES = [
    Case(**each)
    for each in json.loads(Path(__file__).with_name("forgetting_cases.json").read_text("utf-8"))
]


@pytest.fixture
def adapter() -> Adapter:
    return Adapter()


def answer(adapter: Adapter, question: str) -> str:
    return " ".join(adapter.recall_texts(question, DEPTH)).casefold()


def changed(adapter: Adapter, case: Case) -> None:
    facts = [*case.told, *UNRELATED]
    # In no order that a rule could lean on, and the same each time.
    random.Random(case.name).shuffle(facts)
    for each in facts:
        adapter.inscribe(each)
    for verb, *words in case.changes:
        getattr(adapter, verb)(*words)


@pytest.mark.parametrize("case", CASES, ids=[each.name for each in CASES])
def test_what_was_forgotten_stays_away_and_what_is_so_comes_up(
    adapter: Adapter, case: Case
) -> None:
    changed(adapter, case)
    found = answer(adapter, case.asked)
    assert [each for each in case.comes_up if each.casefold() not in found] == []
    for gone in case.stays_away:
        assert gone.casefold() not in found
        assert gone.casefold() not in answer(adapter, gone)


@pytest.mark.parametrize("case", CASES[::9], ids=[each.name for each in CASES[::9]])
def test_unrelated_facts_are_untouched(adapter: Adapter, case: Case) -> None:
    changed(adapter, case)
    assert [each for each in UNRELATED if each.casefold() not in answer(adapter, each)] == []
