"""A life of a bank by chance, for stores to be compared by what they answer; the same by seed.

Decides what is done: odd texts and metadata, equal instants, everything that moves a memory and
moves it back. Each step is written down whole, refusals included. Refuses to judge.
"""

import io
import random
from collections.abc import Callable

from lapse import Lapse
from lapse.bank import Bank
from lapse.errors import LapseError
from lapse.model.codec import dumps
from lapse.model.memory import JsonValue
from lapse.model.query import Recall
from lapse.testing.fakes import FakeClock
from tests.robustness.scripts import SENTENCES, SIGNS

WORDS = (*SENTENCES.values(), *SIGNS.values(), "İstanbul ISPARTA ıspanak", "Straße strasse STRASSE")
METADATA: tuple[dict[str, JsonValue], ...] = (
    {},
    {"n": 2**63, "m": -(2**70), "f": 1e308, "tiny": 5e-324},
    {"": "", "null": None, "list": [], "nested": {"a": [1, 1.0, True, ""]}},
    {"n": 0.1 + 0.2, "z": -0.0, "é": "e\u0301"},
)
KEYS = (None, None, None, "user/drink", "User/Drink", "stadt/köln")
GAPS_S = (0, 0, 0, 1, 3600, 86_400, 9 * 86_400)


class Life:
    """One bank, and the memories it was told of so far."""

    def __init__(self, mind: Lapse, clock: FakeClock, seed: int) -> None:
        self.bank: Bank = mind.bank("leben")
        self.clock = clock
        self.chance = random.Random(seed)
        self.ids: list[str] = []
        self.plans: list[str] = []
        self.done = 0

    def step(self) -> str:
        """Do one thing and give what was answered."""
        self.clock.advance(seconds=self.chance.choice(GAPS_S))
        act = self.chance.choice(ACTS)
        self.done += 1
        try:
            return f"{act.__name__}: {dumps(act(self))}"
        except LapseError as error:
            return f"{act.__name__}: {type(error).__name__}: {error}"

    def any_id(self) -> str:
        """One of the memories that were told of."""
        return self.chance.choice(self.ids) if self.ids else "nobody"

    def text(self) -> str:
        """Something to tell, now and then what was told before."""
        text = self.chance.choice(WORDS)
        return text if self.chance.random() < 0.3 else f"{text} {self.chance.randrange(40)}"


def remember(life: Life) -> object:
    key, chance = life.chance.choice(KEYS), life.chance
    name = None if chance.random() < 0.5 else f"{chance.choice('aAäÄ東')}{life.done}"
    told = life.bank.remember(
        life.text(),
        id=name,
        key=key,
        value=None if key is None else chance.choice(("tea", "Tea", "茶")),
        metadata=chance.choice(METADATA),
        tags=chance.choice(([], ["ß", "ss"], ["Z", "a", "Z"])),
        importance=chance.choice((0, 0.5, 0.5, 1)),
        session=chance.choice((*(None, "s1") * 4, "")),
        subject=chance.choice((None, "Zoë", "zoë")),
    )
    life.ids.append(told.id)
    return told


def remember_many(life: Life) -> object:
    told = life.bank.remember_many([{"text": life.text()} for _ in range(life.chance.randrange(6))])
    life.ids += [each.id for each in told]
    return told


def update(life: Life) -> object:
    fields = {"text": life.text()} if life.chance.random() < 0.6 else {"tags": ["neu"]}
    return life.bank.update(life.any_id(), **fields)


def supersede(life: Life) -> object:
    told = life.bank.supersede(new=life.text(), old=life.any_id())
    life.ids.append(told.id)
    return told


def retract(life: Life) -> object:
    return life.bank.retract(life.any_id(), reason="never so")


def unretract(life: Life) -> object:
    return life.bank.unretract(life.any_id(), reason="so after all")


def suppress(life: Life) -> object:
    return life.bank.suppress(ids=[life.any_id(), life.any_id()], by="ops", reason="away")


def archive(life: Life) -> object:
    return life.bank.archive(ids=[life.any_id()], by="ops", reason="away")


def restore(life: Life) -> object:
    return life.bank.restore(ids=[life.any_id(), life.any_id()], by="ops", reason="back")


def plan(life: Life) -> object:
    score = life.chance.choice(("need", "mean", "informative", "worth"))
    made = life.bank.plan("suppress", percentile=40, score=score, by="ops")
    life.plans.append(made.id)
    return made


def apply(life: Life) -> object:
    name = life.plans[-1] if life.plans else "none"
    life.bank.approve(name, by="chief", reason="tidy")
    return life.bank.apply(name)


def undo(life: Life) -> object:
    name = life.plans[-1] if life.plans else "none"
    return life.bank.restore(plan=name, by="ops", reason="too much")


def hold(life: Life) -> object:
    return life.bank.hold(f"Fall {life.done}", by="law", reason="matter", ids=[life.any_id()])


def used(life: Life) -> object:
    ids = [life.any_id() for _ in range(3)]
    return life.bank.used(ids, event_id=f"use {life.chance.randrange(30)}")


def drain(life: Life) -> object:
    return life.bank.drain()


def sweep(life: Life) -> object:
    return life.bank.sweep()


def erase(life: Life) -> object:
    told = life.bank.erase(ids=[life.any_id()], by="ops", reason="wish")
    return [told.erased] if hasattr(told, "erased") else "erased"


def recall(life: Life) -> object:
    return _answer(life.bank.recall(life.text(), k=life.chance.choice((1, 5, 20))))


def as_of(life: Life) -> object:
    then = life.clock.now() - life.chance.choice((0, 1, 10)) * 86_400_000_000
    return _answer(life.bank.as_of(recorded=then).recall(life.text(), k=5))


def why(life: Life) -> object:
    return life.bank.why(life.text(), life.any_id())


def look(life: Life) -> object:
    name = life.any_id()
    return [life.bank.get(name), life.bank.history(name), life.bank.conflicts()]


def export(life: Life) -> object:
    file = io.BytesIO()
    life.bank.export(file, by="ops", reason="copy")
    return [
        each for each in file.getvalue().decode().splitlines() if '"kind":"manifest"' not in each
    ]


def _answer(told: Recall) -> object:
    return [told.at, told.hits, told.revived, list(told.exclusions), told.words, told.warnings]


ACTS: tuple[Callable[[Life], object], ...] = (
    *(remember,) * 6,
    *(recall,) * 4,
    *(update, update, used, used, suppress, restore, restore, plan, apply, undo),
    *(remember_many, supersede, retract, unretract, archive, hold, drain, sweep, erase),
    *(as_of, why, look, look, export),
)
"""What may be done, by how often."""


def live(mind: Lapse, clock: FakeClock, seed: int, steps: int) -> list[str]:
    """Live through so many steps; gives what was answered to each."""
    life = Life(mind, clock, seed)
    return [life.step() for _ in range(steps)]
