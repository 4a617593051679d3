"""Lives by chance are answered alike, byte for byte, whatever store keeps them."""

from functools import cache
from pathlib import Path

import pytest

from lapse.testing.fakes import FakeClock
from tests.journeys.one_story import SETTINGS
from tests.journeys.random_life import ACTS, live
from tests.postgres_server import PARTITIONS, with_owner
from tests.reports.helping import T0, Place
from tests.unit.engine.opening import WordEmbedder

SCHEMA = "lives"
STEPS = 60


def lived_on(target: str, seed: int) -> list[str]:
    clock = FakeClock(T0)
    place = Place(target=target, clock=clock)
    with place.opened:
        mind = place.open(SETTINGS, embedder=WordEmbedder())
        return live(mind, clock, seed, STEPS)


@cache
def reference(seed: int) -> tuple[str, ...]:
    return tuple(lived_on("memory://", seed))


@pytest.mark.parametrize("seed", [11, 12])
@pytest.mark.parametrize("store", ["sqlite", "files", "postgres"])
def test_a_life_by_chance_is_answered_alike_whatever_keeps_it(
    store: str, seed: int, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue("monkeypatch").setenv("HOME", str(tmp_path))
    match store:
        case "postgres":
            served = f"{request.getfixturevalue('postgres_url')}&schema={SCHEMA}"
            # Internal numbers go on where rows were merely removed.
            with_owner(served, [f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE"])
            target = f"{served}&partitions={PARTITIONS}"
        case "files":
            target = f"file://{tmp_path / 'folder'}"
        case _:
            target = str(tmp_path / "lapse.db")
    told = lived_on(target, seed)
    for at, (found, wanted) in enumerate(zip(told, reference(seed), strict=True)):
        assert found == wanted, at


def test_the_lives_between_them_do_and_succeed_at_nearly_everything() -> None:
    steps = [each for seed in (11, 12) for each in reference(seed)]
    done = {each.partition(":")[0] for each in steps if "Error: " not in each[:60]}
    assert len({each.__name__ for each in ACTS} - done) <= 3
    assert len([each for each in steps if "Error: " not in each[:60]]) > STEPS
