"""What many workers do to one bank at the same time, so that any order has the same end.

Each worker has memories of its own, which nobody else writes, and shares some, on which only acts
are done that may come in any order: uses, pins, claims of different days under one key.

Decides the acts of a worker by its number alone. Refuses to compare ends: the test does.
"""

import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Final

from lapse.bank import Bank
from lapse.embed.hashing import HashingEmbedder
from lapse.faces.app import Lapse
from lapse.model.instants import DAY, HOUR, Instant
from lapse.testing.fakes import START, FakeClock
from tests.reports.helping import policy_of

SHARED: Final = tuple(f"shared{each}" for each in range(6))
KEY: Final = "user/drink"
STEPS: Final = 24
NOW: Final = Instant(START + 2 * HOUR)

Act = Callable[[Bank], object]


def opened(target: str | Path, *, background: bool = False) -> Lapse:
    """Open a store whose clock stands, so that no end depends on when something was done."""
    return Lapse.open(
        target,
        embedder=HashingEmbedder(),
        clock=FakeClock(NOW),
        background=background,
        policy=policy_of({"importance.rater": "off"}),  # a rating asks what the bank holds by then
    )


def begin(lapse: Lapse) -> Bank:
    """The bank with what all share."""
    bank = lapse.bank("alice")
    bank.remember_many(
        [
            {"text": f"all share fact {each}", "id": each, "created_at": START - 9 * DAY}
            for each in SHARED
        ]
    )
    return bank


def acts_of(worker: int) -> Iterator[Act]:
    """Everything one worker does, in order; it stops where something is not as it left it."""
    chance = random.Random(worker)
    mine: list[str] = []
    for step in range(STEPS):
        name = f"w{worker}s{step}"
        match chance.randrange(8) if mine else 0:
            case 0 | 1:
                mine.append(name)
                yield _telling(name)
            case 2:
                yield _changing(chance.choice(mine), name)
            case 3:
                yield _using(chance.sample((*SHARED, *mine), 2), name)
            case 4:
                yield _pinning(chance.choice((*SHARED, chance.choice(mine))))
            case 5:
                yield _claiming(name, day=worker * STEPS + step)
            case 6:
                yield _asking(chance.choice(mine))
            case _:
                yield Bank.drain


def work(target: str | Path, workers: tuple[int, ...]) -> None:
    """Open the store, and let each worker have a thread of this process.

    Raises:
        AssertionError: A worker did not find what it had written.
        LapseError: A verb was refused.
    """
    with closing(opened(target, background=True)) as lapse:
        work_in(lapse, workers)


def work_in(lapse: Lapse, workers: tuple[int, ...]) -> None:
    """Let each worker have a thread on a store that is open."""
    with ThreadPoolExecutor(len(workers)) as threads:
        for done in [threads.submit(_do_all, lapse, each) for each in workers]:
            done.result()


def _do_all(lapse: Lapse, worker: int) -> None:
    for act in acts_of(worker):
        act(lapse.bank("alice"))


def found(bank: Bank, query: str) -> set[str]:
    """Ids of all that matches; more than is pinned, since the pinned come first."""
    return {each.id for each in bank.recall(query, k=1000).hits}


def _telling(name: str) -> Act:
    def tell(bank: Bank) -> None:
        bank.remember(f"only {name} says {name}word", id=name, tags=[name])
        assert name in found(bank, f"{name}word")

    return tell


def _changing(name: str, word: str) -> Act:
    def change(bank: Bank) -> None:
        before = bank.get(name).memory.content_version
        bank.update(name, text=f"only {name} now says {word}word", if_version=before)
        assert bank.get(name).memory.content_version == before + 1
        assert name in found(bank, f"{word}word")

    return change


def _using(names: list[str], event: str) -> Act:
    def use(bank: Bank) -> None:
        report = bank.used(names, event_id=event, at=START + HOUR)
        assert report is not None
        bank.used(names, event_id=event, at=START + HOUR)

    return use


def _pinning(name: str) -> Act:
    return lambda bank: bank.pin([name])


def _claiming(name: str, day: int) -> Act:
    return lambda bank: bank.remember(
        f"from day {day} on the drink is {name}",
        id=f"claim-{name}",
        key=KEY,
        value=name,
        valid_from=START - 900 * DAY + day * DAY,
    )


def _asking(name: str) -> Act:
    def ask(bank: Bank) -> None:
        assert bank.why(f"what says {name}", name) is not None
        assert bank.get(name).memory.id == name

    return ask
