"""A bank that its store searches by indexes of its own, and what is asked of it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from random import Random

from lapse.bank import Bank
from lapse.faces.app import Lapse
from lapse.model.query import Recall
from lapse.testing.fakes import FakeClock
from tests.postgres_server import with_owner
from tests.unit.stores.postgres.conftest import SCHEMA

COUNT = 240
LIMIT = {"memory.ram_bank_limit": 100}
THINGS = ("tea", "coffee", "cocoa", "cider", "soup", "bread")
PLACES = ("Rome", "Oslo", "Bonn", "Lyon", "Turin")
DEEDS = ("drank", "spilled", "ordered", "refused", "made", "praised")
QUESTIONS = (
    "Who drank tea in Rome?",
    "soup that was refused in Oslo",
    "Anna cider Lyon",
    "What did Bert praise?",
    "cocoa",
    "Where was bread made on day 17?",
)


def drop_indexes(url: str) -> None:
    """Take the tables of large banks' indexes out: another test begins without them."""
    with_owner(url, [f"DROP TABLE IF EXISTS {SCHEMA}.near, {SCHEMA}.near_bank CASCADE"])


@contextmanager
def opened(url: str, **options: str) -> Iterator[Lapse]:
    told = "".join(f"&{name}={value}" for name, value in options.items())
    clock = FakeClock("2026-06-01T09:00Z")
    with Lapse.open(f"{url}{told}", clock=clock, background=False) as mind:
        yield mind


def told(number: int) -> Mapping[str, object]:
    random = Random(number)
    name = random.choice(("Anna", "Bert", "Cleo", "Dora"))
    text = (
        f"{name} {random.choice(DEEDS)} the {random.choice(THINGS)}"
        f" in {random.choice(PLACES)} on day {number}"
    )
    return {
        "id": f"m{number}",
        "text": text,
        "importance": random.random(),
        "session": f"s{number % 7}",
        "tags": ["odd"] if number % 2 else ["even", "noted"],
        "kind": "episodic" if number % 3 else "semantic",
    }


def filled(mind: Lapse, name: str = "large") -> Bank:
    bank = mind.bank(name)
    bank.remember_many(map(told, range(COUNT)))
    mind.drain()
    return bank


def made_large(mind: Lapse, bank: Bank) -> None:
    bank.set_policy(LIMIT, by="ann")
    mind.drain()


def ids_of(found: list[Recall]) -> list[list[str]]:
    return [[hit.memory.id for hit in each.hits] for each in found]


def held(bank: Bank) -> int:
    return bank.engine.runtime(bank.ref).held


def rows_of(url: str, table: str) -> int:
    (found,) = with_owner(url, [f"SELECT count(*) FROM {SCHEMA}.{table}"])
    return int(found[0])


def shared(found: list[list[str]], wanted: list[list[str]]) -> float:
    """Share of what an exact search finds that was found."""
    kept = sum(len({*one} & {*other}) for one, other in zip(found, wanted, strict=True))
    return kept / sum(map(len, wanted))
