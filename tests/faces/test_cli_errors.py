"""How commands fail: the documented exit codes, every fault on its line, and no traceback."""

import json
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest

from lapse import errors
from lapse.errors import LapseError, ValidationError
from lapse.faces.cli import failing, main
from tests.faces.conftest import Cli

ALICE = ("--db", "agent.db", "--bank", "alice")


def family(root: type[LapseError]) -> Iterator[type[LapseError]]:
    yield root
    for each in root.__subclasses__():
        yield from family(each)


def made(kind: type[LapseError]) -> LapseError:
    if issubclass(kind, ValidationError):
        return kind.of("field", "value", "needs to be right")
    return kind("this went wrong", fields={"id": "tea"})


@pytest.mark.parametrize("setting", ["law.decay=7", "recall.k=5"])
def test_a_setting_without_its_option_is_shown_how_it_is_written(cli: Cli, setting: str) -> None:
    ended = cli("set-policy", setting)
    assert ended.code == 2
    assert f"Try: lapse set-policy --set {setting}" in ended.err


@pytest.mark.parametrize("kind", list(family(LapseError)), ids=lambda each: each.__name__)
def test_every_error_is_shown_in_words_or_as_json_and_has_its_own_code(
    kind: type[LapseError], capsys: pytest.CaptureFixture[str]
) -> None:
    assert failing.report(made(kind), as_json=False, debug=False) == kind.exit_code
    words = capsys.readouterr()
    assert failing.report(made(kind), as_json=True, debug=False) == kind.exit_code
    document = capsys.readouterr()
    assert words.out == document.out == ""
    assert words.err.startswith("lapse: ")
    error = json.loads(document.err)["error"]
    assert (error["type"], error["exit_code"]) == (kind.__name__, kind.exit_code)
    assert "Traceback" not in words.err + document.err


def test_every_exit_code_is_documented_once() -> None:
    classes = {kind.exit_code for kind in family(LapseError) if kind is not LapseError}
    assert classes & set(failing.EXIT_CODES) == {failing.USAGE}
    assert all(text.endswith(".") for text in failing.EXIT_CODES.values())


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["recal", "tea"], "No such command"),
        (["recall"], "Missing argument"),
        (["recall", "tea", "--limit", "3"], "No such option: --limit"),
        (["recall", "tea", "--k"], "requires an argument"),
        (["recall", "tea", "more"], "unexpected extra argument"),
        (["rank", "x.json"], "Missing option"),
        (["--nope"], "No such option"),
    ],
)
def test_a_command_line_that_cannot_be_read_is_explained(
    typed: list[str], said: str, cli: Cli
) -> None:
    ended = cli(*typed)
    assert ended.code == 2
    assert ended.out == ""
    assert said in ended.err
    assert "--help" in ended.err
    programs = cli("--json", *typed)
    assert programs.code == 2
    assert programs.error["exit_code"] == 2


def test_every_fault_has_a_line_of_its_own(cli: Cli) -> None:
    typed = ["remember", "x", "--importance", "7", "--kind", "dream", "--proof-count", "many"]
    ended = cli(*typed)
    assert ended.code == 2
    lines = ended.err.splitlines()
    assert lines[0] == "lapse: 3 things are wrong:"
    assert len(lines) == 4
    assert {line.split()[0] for line in lines[1:]} == {"importance", "kind", "proof_count"}
    faults = cli(*typed, "--json").error["faults"]
    assert isinstance(faults, list)
    assert [sorted(each) for each in faults] == [["field", "problem", "value"]] * 3


def test_faults_of_many_are_told_by_position_and_show_no_memory(cli: Cli, apart: Path) -> None:
    (apart / "many.json").write_text('[{"text": "The secret", "importance": 7}, "The secret"]')
    ended = cli("remember-many", "many.json")
    assert ended.code == 2
    assert "secret" not in ended.err
    assert [line.split()[0] for line in ended.err.splitlines()[1:]] == ["[0].importance", "[1]"]


@pytest.mark.parametrize("name", ["tenant", "bank"])
@pytest.mark.usefixtures("store")
def test_an_empty_name_is_not_the_default_one(name: str, cli: Cli) -> None:
    for command in (["stats"], ["doctor"], ["remember", "x"]):
        ended = cli(*command, f"--{name}", "")
        assert ended.code == 2
        assert f"{name} = ''" in ended.err


@pytest.mark.usefixtures("store")
def test_what_is_not_there_is_named(cli: Cli) -> None:
    for typed in (["get", "nobody"], ["used", "tea", "nobody"], ["pin", "nobody"]):
        ended = cli(*ALICE, *typed)
        assert ended.code == errors.NotFoundError.exit_code == 3
        assert "nobody" in ended.err


@pytest.mark.usefixtures("store")
def test_a_conflict_says_which_version_is_stored(cli: Cli) -> None:
    ended = cli(*ALICE, "update", "tea", "--text", "I prefer coffee", "--if-version", "9")
    assert ended.code == 4
    assert "version 1, not 9" in ended.err
    assert cli(*ALICE, "remember", "Something else", "--id", "tea").code == 4


@pytest.mark.usefixtures("store")
def test_a_copy_is_never_written_over_a_file(cli: Cli, apart: Path) -> None:
    assert cli("--db", "agent.db", "backup", "copy.db").code == 0
    before = (apart / "copy.db").read_bytes()
    again = cli("--db", "agent.db", "backup", "copy.db")
    assert again.code == 7
    assert (apart / "copy.db").read_bytes() == before


@pytest.mark.usefixtures("store")
def test_the_doctor_ends_with_zero_when_all_is_well_and_with_one_when_not(
    cli: Cli, apart: Path
) -> None:
    well = cli("--db", "agent.db", "doctor")
    assert (well.code, well.err) == (0, "")
    assert "nothing found in the file and 1 bank" in well.out
    (apart / "agent.db").chmod(0o644)
    open_to_all = cli("--db", "agent.db", "doctor", "--json")
    assert open_to_all.code == 1
    assert isinstance(open_to_all.json, dict)
    (finding,) = open_to_all.json["findings"]
    assert finding["where"] == "file"
    assert "chmod 600 agent.db" in finding["problem"]


def test_the_doctor_explains_a_file_that_is_no_store(cli: Cli, apart: Path) -> None:
    (apart / "notes.db").write_bytes(b"these are my notes\n" * 100)
    (apart / "notes.db").chmod(0o600)
    ended = cli("--db", "notes.db", "doctor")
    assert ended.code == 1
    assert "notes.db is not a SQLite file" in ended.out
    assert cli("--db", "notes.db", "list").code == 7


class Broken(StringIO):
    """Standard input that fails when it is read."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self._error = error

    def read(self, _size: int | None = -1, /) -> str:
        raise self._error


def failed(
    error: BaseException, capsys: pytest.CaptureFixture[str], *options: str
) -> tuple[int, str]:
    """Run a command whose input fails: its code, and what it says on standard error."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", Broken(error))
        code = main(["remember", "-", *options])
    said = capsys.readouterr()
    assert said.out == ""
    return code, said.err


def test_an_unexpected_error_is_admitted_and_shown_whole_when_asked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, plain = failed(KeyError("left hand"), capsys)
    assert code == failing.INTERNAL == 70
    assert "unexpected KeyError: 'left hand'" in plain
    assert "Traceback" not in plain
    code, shown = failed(KeyError("left hand"), capsys, "--debug")
    assert code == 70
    assert "Traceback" in shown
    _, document = failed(KeyError("left hand"), capsys, "--json")
    assert json.loads(document)["error"]["type"] == "KeyError"


def test_an_interrupted_command_ends_with_130(capsys: pytest.CaptureFixture[str]) -> None:
    code, said = failed(KeyboardInterrupt(), capsys)
    assert (code, said.strip()) == (130, "lapse: interrupted")


def test_no_arguments_show_the_help_and_the_version_is_told(cli: Cli) -> None:
    helped = cli()
    assert helped.code == 0
    assert "remember" in helped.out
    told = cli("--version")
    assert told.code == 0
    assert told.out.startswith("lapse ")


@pytest.mark.parametrize("group", ["config", "keys", "lab", "learning"])
def test_a_group_alone_shows_its_commands_and_asks_for_one(group: str, cli: Cli) -> None:
    ended = cli(group)
    assert ended.code == 2
    assert "Commands" in ended.out
    assert f"name one of the commands of `lapse {group}`" in ended.err
