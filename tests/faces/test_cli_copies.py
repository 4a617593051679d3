"""Exports and imports on a command line, through files and through pipes."""

import json
from collections.abc import Mapping
from pathlib import Path

from tests.faces.conftest import Cli

BANK = ("--db", "agent.db", "--bank", "alice")


def told_by(cli: Cli, *arguments: str, stdin: str = "") -> Mapping[str, object]:
    ended = cli(*arguments, stdin=stdin)
    assert ended.code == 0, ended.err
    found: object = ended.json
    assert isinstance(found, dict)
    return found


def banks_of(told: Mapping[str, object]) -> list[str]:
    banks = told["banks"]
    assert isinstance(banks, list)
    return [each["bank"] for each in banks]


def test_an_export_through_a_pipe_is_the_file_and_tells_what_it_holds(
    store: Path, cli: Cli
) -> None:
    assert store.exists()
    assert cli(*BANK, "export", "bank.jsonl").code == 0
    piped = cli(*BANK, "export", "-")
    assert piped.code == 0
    assert piped.out == Path("bank.jsonl").read_text("ascii")
    told = json.loads(piped.err.removeprefix("lapse: "))
    assert told["path"] == "-"
    assert told["memories"] == piped.out.count('"state"')


def test_what_is_piped_in_makes_the_bank_anew_elsewhere(store: Path, cli: Cli) -> None:
    lines = cli(*BANK, "export", "-").out
    there = ("--db", "other.db", "--bank", "alice", "--json")
    done = told_by(cli, *there, "import", "-", stdin=lines)
    assert done["whole"] is True
    again = told_by(cli, *there, "import", "-", stdin=lines)
    assert (again["created"], again["unchanged"]) == (0, done["created"])
    assert store.exists()


def test_an_export_overwrites_nothing_and_is_for_its_owner_alone(store: Path, cli: Cli) -> None:
    Path("mine.txt").write_text("mine")
    refused = cli(*BANK, "export", "mine.txt")
    assert refused.code != 0
    assert "path" in refused.err
    assert Path("mine.txt").read_text() == "mine"
    assert cli(*BANK, "export", "bank.jsonl").code == 0
    assert Path("bank.jsonl").stat().st_mode & 0o777 == 0o600
    assert store.exists()


def test_a_file_that_is_none_is_named(store: Path, cli: Cli) -> None:
    missing = cli(*BANK, "import", "nothing.jsonl")
    assert missing.code != 0
    assert "nothing.jsonl" in missing.err
    assert store.exists()


def test_erasing_everywhere_goes_over_all_banks_but_for_one_that_is_named(
    store: Path, cli: Cli
) -> None:
    db = ("--db", "agent.db", "--json")
    for bank in ("bob", "carol"):
        cli(*db, "--bank", bank, "remember", "The parcel came", "--subject", "parcel")
    ask = ("erase-everywhere", "--subject", "parcel")
    assert banks_of(told_by(cli, *db, *ask)) == ["bob", "carol"]
    assert banks_of(told_by(cli, *db, "--bank", "bob", *ask)) == ["bob"]
    done = told_by(cli, *db, *ask, "--yes", "--by", "ann", "--reason", "asked for")
    assert done["applied"] is True
    receipt = done["receipt"]
    assert isinstance(receipt, dict)
    assert receipt["erased"] == 2
    assert banks_of(told_by(cli, *db, *ask)) == []
    assert store.exists()
