"""The same life on every store: the same orders, explanations, plan ids, receipts and exports."""

from pathlib import Path

import pytest

from lapse.testing.fakes import FakeClock
from tests.journeys.one_story import SETTINGS, Told, tell_story
from tests.postgres_server import PARTITIONS, empty
from tests.reports.helping import T0, Place
from tests.unit.engine.opening import WordEmbedder

SCHEMA = "story"


def told_on(target: str) -> Told:
    clock = FakeClock(T0)
    place = Place(target=target, clock=clock)
    with place.opened:
        return tell_story(place.open(SETTINGS, embedder=WordEmbedder()), clock)


@pytest.fixture(scope="module")
def reference() -> Told:
    return told_on("memory://")


@pytest.mark.parametrize("store", ["memory", "sqlite", "files", "postgres"])
def test_a_life_is_answered_alike_whatever_keeps_it(
    store: str, reference: Told, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue("monkeypatch").setenv("HOME", str(tmp_path))
    match store:
        case "postgres":
            served = f"{request.getfixturevalue('postgres_url')}&schema={SCHEMA}"
            target = f"{served}&partitions={PARTITIONS}"
            empty(target, SCHEMA)
        case "files":
            target = f"file://{tmp_path / 'folder'}"
        case "sqlite":
            target = str(tmp_path / "lapse.db")
        case _:
            target = "memory://"
    told = told_on(target)
    assert list(told) == list(reference)
    for step, answer in told.items():
        assert answer == reference[step], step


def test_the_story_leaves_no_step_without_something_to_compare(reference: Told) -> None:
    assert [step for step, answer in reference.items() if len(answer) < 100] == []
    assert '"lifecycle":"suppressed"' in reference["asked later"]
    assert '"lifecycle":"archived"' in reference["handed on"].replace("\\", "")
    assert '"applied":0,' not in reference["swept"]
    assert '"vault"' in reference["asked after use"]
    assert '"vault"' not in reference["asked at the end"]
    assert reference["told again"].startswith('"erased before')
    assert '"residue":0' in reference["erased"]
