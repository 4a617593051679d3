"""The policies that `benchmarks.forget` compares: by the bank's own scores, or by a simple rule.

Decides what each keeps. Refuses to know what will be asked.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np

from benchmarks.conversations import Turn
from lapse.bank import Bank
from lapse.laws import FloatArray
from lapse.model.memory import JsonValue


@dataclass(slots=True, kw_only=True)
class Kept:
    """What was told and used, and what of it is still there, for rules that need no bank."""

    dice: np.random.Generator
    turns: dict[str, Turn] = field(default_factory=dict)
    count: int = 0
    uses: Counter[str] = field(default_factory=Counter)
    last: dict[str, datetime] = field(default_factory=dict)
    frequency: Counter[str] = field(default_factory=Counter)
    lot: dict[str, float] = field(default_factory=dict)

    def told(self, turns: Sequence[Turn]) -> None:
        """Take in a session."""
        for each in turns:
            self.turns[each.id] = each
            self.last[each.id] = each.at
            self.lot[each.id] = float(self.dice.random())
            self.frequency.update(_words(each.text))
        self.count += len(turns)

    def used(self, ids: Sequence[str], at: datetime) -> None:
        """Take note of a use."""
        self.uses.update(ids)
        self.last.update(dict.fromkeys(ids, at))

    def lost(self, ids: Sequence[str]) -> None:
        """What is gone does not come back."""
        for each in ids:
            del self.turns[each]

    def worst(self, scores: Sequence[float], budget: int) -> list[str]:
        """What has to go for no more than `budget` to be left: the lowest, of equals the oldest."""
        names = list(self.turns)
        order = np.argsort(np.array(scores), kind="stable")[: max(len(names) - budget, 0)]
        return [names[at] for at in order.tolist()]


Choose = Callable[[Kept], Sequence[float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeper:
    """A policy.

    Attributes:
        choose: A number for each turn that is left, higher is kept; None for the bank's own plan.
        score: Retention score of that plan; None for the default's.
        settings: What differs from the default policy.
    """

    choose: Choose | None = None
    score: str | None = None
    settings: Mapping[str, JsonValue] = field(default_factory=dict)


def by_plan(bank: Bank, budget: int, score: str | None) -> list[str]:
    """Let the bank plan, approve and apply; returns what went."""
    plan = bank.plan_to_budget(max_active=budget, score=score)
    if not plan.items:
        return []
    bank.approve(plan.id, by="benchmark", reason="over budget")
    bank.apply(plan.id)
    return [each.memory_id for each in plan.items]


def _informativeness(kept: Kept) -> Sequence[float]:
    return [
        sum(np.log((1 + kept.count) / (1 + kept.frequency[word])) for word in _words(each.text))
        for each in kept.turns.values()
    ]


def _lfu(kept: Kept) -> Sequence[float]:
    ages: FloatArray = np.array([kept.last[each].timestamp() for each in kept.turns])
    return [kept.uses[name] + age / 1e12 for name, age in zip(kept.turns, ages, strict=True)]


KEEPERS: Mapping[str, Keeper] = {
    "random": Keeper(choose=lambda kept: [kept.lot[each] for each in kept.turns]),
    "oldest": Keeper(choose=lambda kept: [each.at.timestamp() for each in kept.turns.values()]),
    "lru": Keeper(choose=lambda kept: [kept.last[each].timestamp() for each in kept.turns]),
    "lfu": Keeper(choose=_lfu),
    "ebbinghaus": Keeper(score="need", settings={"law.name": "ebbinghaus"}),
    "fsrs": Keeper(score="need", settings={"law.name": "fsrs"}),
    "activation": Keeper(score="activation"),
    "informativeness": Keeper(choose=_informativeness),
    "informative": Keeper(score="informative"),
    "worth": Keeper(score="worth"),
    "lapse": Keeper(),
}
"""Every policy by the name it has in the results."""


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))
