"""B188: a wish without a filter takes everything, a preview looks like the act, output is mixed.

Design differs: the first preview of an erasure makes the file of keys beside the store, without
which it could not say whether erasing can be done; no byte of the store changes.
"""

import hashlib
import json
from pathlib import Path

import pytest

from tests.reports.helping import Place, everything
from tests.reports.helping_b import Spoken, spoken

TAKING = ("forget", "suppress", "archive", "erase")
NOW = "2026-06-01T12:00:00Z"
WHO = ("--by", "anna", "--reason", "over")


class Told:
    """A store of two memories, and the command line at it."""

    def __init__(
        self,
        place: Place,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        self._capsys, self._monkeypatch, self._target = capsys, monkeypatch, place.target
        for name in ("boat", "crane"):
            assert self.run("remember", f"The {name} is red", "--id", name).code == 0

    def run(self, *arguments: str) -> Spoken:
        at = ("--db", self._target, "--bank", "alice", "--now", NOW)
        return spoken(self._capsys, self._monkeypatch, *arguments, *at)

    def prints(self) -> dict[str, str]:
        """What every file of the store holds, in short."""
        folder = Path(self._target).parent
        return {
            each.name: hashlib.sha256(each.read_bytes()).hexdigest()
            for each in folder.iterdir()
            if each.name.startswith(Path(self._target).name)
            and not each.name.endswith(("-shm", ".keys"))
        }


@pytest.fixture
def told(
    in_file: Place, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Told:
    return Told(in_file, capsys, monkeypatch)


@pytest.mark.parametrize("command", TAKING)
@pytest.mark.parametrize("sure", [(), ("--yes",)])
def test_a_wish_that_names_nothing_is_refused_and_changes_nothing(
    command: str, sure: tuple[str, ...], told: Told
) -> None:
    before = told.prints()
    ended = told.run(command, *WHO, *sure)
    assert (ended.code, ended.out) == (2, "")
    assert told.prints() == before


@pytest.mark.parametrize("command", TAKING)
def test_a_preview_says_that_it_is_one_and_changes_no_byte(
    command: str, told: Told, in_file: Place
) -> None:
    before = told.prints()
    shown = told.run(command, "boat", *WHO, "--json")
    assert json.loads(shown.out)["applied"] is False
    assert told.prints() == before
    for_people = told.run(command, "boat", *WHO)
    assert "--yes" in for_people.out + for_people.err
    assert told.prints() == before
    done = told.run(command, "boat", *WHO, "--json", "--yes")
    assert (done.code, json.loads(done.out)["applied"]) == (0, True)
    assert told.prints() != before
    left = [
        each.memory.id
        for each in everything(in_file.bank())
        if each.state.lifecycle.value == "active"
    ]
    assert left == ["crane"]


def test_standard_output_is_one_document_and_notes_go_beside_it(told: Told) -> None:
    for command in TAKING:
        shown = told.run(command, "boat", *WHO, "--json")
        assert shown.out.count("\n") == 1
        json.loads(shown.out)
    noted = told.run("forget", "boat", *WHO)
    assert noted.err == "" or noted.err.startswith("lapse: ")


@pytest.mark.parametrize("command", TAKING)
def test_a_command_that_fails_says_so_by_its_code_and_prints_no_result(
    command: str, told: Told
) -> None:
    before = told.prints()
    failed = told.run(command, "nobody", *WHO, "--json", "--yes")
    assert failed.code == 3
    assert failed.out == ""
    assert json.loads(failed.err)["error"]["type"] == "NotFoundError"
    assert told.prints() == before
