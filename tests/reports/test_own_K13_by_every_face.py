"""Own case of K13: filters, signs in names, wide deletions and unknown banks, by every face."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from lapse import Lapse
from lapse.testing.fakes import FakeClock
from tests.journeys.by_faces import Outcome, Speaker, by_every_face
from tests.reports.helping import T0, everything

WHO = {"by": "ada", "reason": "asked"}
SUBJECTS = ("ana_lee", "ana-lee", "anaXlee", "50%", "50x", "%")
FROM_THE_TABLE = ("command", "remote command", "rest")
"""Faces at which the tests write only what the table names."""


@pytest.fixture
def speaker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Speaker]:
    """The host of a bank with two memories of each subject, and one of nobody."""
    monkeypatch.setenv("LAPSE_MEMORY__EMBEDDER", "none")
    path = tmp_path / "lapse.db"
    with Lapse.open(path, clock=FakeClock(T0), background=False) as lapse:
        bank = lapse.bank("notes", tenant="a")
        for at, name in enumerate(SUBJECTS):
            bank.remember(f"Lunch was soup number {at}", id=f"s{at}", subject=name)
            bank.remember(f"Lunch was bread number {at}", id=f"b{at}", subject=name)
        bank.remember("Lunch was late", id="nobodys")
        yield Speaker(lapse=lapse, path=path)


def ids_in(words: str) -> set[str]:
    known = {f"{kind}{at}" for kind in "sb" for at in range(len(SUBJECTS))} | {"nobodys"}
    return {each for each in known if f'"{each}"' in words}


def told_by(found: Outcome) -> str:
    """What was found, without the names of what was left out and why."""
    names = ("hits", "memories", "records")
    return json.dumps([found.document.get(each) for each in names])


@by_every_face
def test_a_subject_finds_its_own_letter_by_letter(face: str, speaker: Speaker) -> None:
    for at, name in enumerate(SUBJECTS):
        for operation, given in {"recall": {"query": "lunch", "k": 50}, "list": {}}.items():
            found = speaker.ask(face, operation, {**given, "subject": name})
            assert ids_in(told_by(found)) == {f"s{at}", f"b{at}"}, (operation, name)
    nobody = speaker.ask(face, "recall", {"query": "lunch", "subject": "nobody", "k": 50})
    assert (nobody.error, ids_in(told_by(nobody))) == ("", set())


@by_every_face
def test_a_misspelt_filter_is_an_error_and_no_wide_search(face: str, speaker: Speaker) -> None:
    if face in FROM_THE_TABLE:
        pytest.skip("what is written from the table cannot misspell; see B099")
    found = speaker.ask(face, "recall", {"query": "lunch", "subjekt": "nobody"})
    assert found.error == "ValidationError"
    assert ids_in(found.words) == set()


@by_every_face
@pytest.mark.parametrize("operation", ["suppress", "erase"])
def test_what_is_taken_away_for_one_is_theirs_alone(
    operation: str, face: str, speaker: Speaker
) -> None:
    bank = speaker.lapse.bank("notes", tenant="a")
    done = speaker.ask(face, operation, {"subject": "ana_lee", **WHO, "yes": True})
    assert done.error == "", done.words
    left = {each.memory.id for each in everything(bank) if each.state.lifecycle.value == "active"}
    assert left == ids_in(" ".join(f'"{each}"' for each in left))
    assert left == {f"{kind}{at}" for kind in "sb" for at in range(1, 6)} | {"nobodys"}


@by_every_face
def test_asking_in_an_unknown_bank_makes_none_and_its_name_is_kept_as_it_is(
    face: str, speaker: Speaker
) -> None:
    ghost = Speaker(lapse=speaker.lapse, path=speaker.path, bank="ghost_bank")
    for operation, given in {"recall": {"query": "lunch"}, "list": {}, "stats": {}}.items():
        assert ids_in(ghost.ask(face, operation, given).words) == set()
    assert speaker.lapse.banks(tenant="a") == ["notes"]
    assert ghost.ask(face, "remember", {"text": "Lunch was rice", "id": "rice"}).error == ""
    assert "Lunch was rice" in ghost.ask(face, "get", {"id": "rice"}).words
    assert sorted(speaker.lapse.banks(tenant="a")) == ["ghost_bank", "notes"]
