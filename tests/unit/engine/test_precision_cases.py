"""Cases about supersession and budgets from PrecisionMemBench, as unit tests.

The beliefs and questions are taken from that data set, which is under the MIT licence: permission
is granted, free of charge, to use, copy, modify, merge, publish and distribute it, provided that
this notice is included; it comes without warranty of any kind.
"""

from collections.abc import Iterator, Mapping

import pytest

from lapse import Lapse
from lapse.bank import Bank
from lapse.embed.hashing import HashingEmbedder
from lapse.model.instants import parse_instant
from lapse.testing.fakes import FakeClock

CHAINS: Mapping[str, tuple[tuple[str, str, str], ...]] = {
    "database": (
        (
            "sqlalchemy",
            "2026-01-01",
            "Previously used SQLAlchemy with Postgres. Stack replaced by MongoDB with raw driver.",
        ),
        (
            "mongodb",
            "2026-04-12",
            "Decided on MongoDB after evaluating Postgres. Raw driver only.",
        ),
    ),
    "linting": (
        (
            "tslint",
            "2026-01-01",
            "Previously used TSLint for linting TypeScript. Replaced by ESLint.",
        ),
        (
            "eslint",
            "2026-03-01",
            "Switched from TSLint to ESLint with @typescript-eslint. Later replaced by Biome.",
        ),
        ("biome", "2026-07-01", "Uses Biome for linting and formatting. Replaced ESLint."),
    ),
}
FRESH = "Monorepo managed by Turborepo. Apps and packages in /apps and /packages directories."
CURRENT = {"mongodb", "biome"}


@pytest.fixture
def bank() -> Iterator[Bank]:
    """The chains, told in order, each superseding the one before by its id."""
    clock = FakeClock("2026-01-01")
    embedder = HashingEmbedder(256)
    with Lapse.open("memory://", clock=clock, embedder=embedder, background=False) as app:
        bank = app.bank("test-user")
        told = [(at, name, text, chain) for chain in CHAINS for name, at, text in CHAINS[chain]]
        last: dict[str, str] = {}
        for at, name, text, chain in sorted(told):
            clock.set(parse_instant(at, "told"))
            if chain in last:
                bank.supersede(old=last[chain], new=text, id=name)
            else:
                bank.remember(text, id=name)
            last[chain] = name
        bank.pin(sorted(CURRENT))
        clock.set(parse_instant("2026-10-07", "asked"))
        yield bank


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("how's our SQLAlchemy setup these days?", set()),
        ("ESLint rules and TSLint configuration", {"biome"}),
        ("TSLint migration path", set()),
        ("which database with the raw driver", {"mongodb"}),
    ],
)
def test_of_a_chain_only_its_end_comes_to_mind(bank: Bank, query: str, told: set[str]) -> None:
    found = {each.id for each in bank.recall(query).hits}
    assert told <= found <= CURRENT


@pytest.mark.parametrize("k", [1, 2])
def test_no_more_than_the_budget_is_told_and_pins_go_first(bank: Bank, k: int) -> None:
    bank.remember("MongoDB collections are typed by hand, raw driver or not", id="typing")
    hits = bank.recall("MongoDB collection typing, raw driver and linting patterns", k=k).hits
    assert len(hits) == k
    assert {each.id for each in hits} <= CURRENT


def test_a_fresh_memory_that_nobody_used_comes_to_mind(bank: Bank) -> None:
    bank.remember(FRESH, id="turborepo")
    hits = bank.recall("how is our Turborepo monorepo structured?", k=3).hits
    assert [each.id for each in hits if not bank.get(each.id).state.pinned] == ["turborepo"]
