"""Going back to a backup, and moving to another store, on a command line."""

import json
from pathlib import Path

from lapse import Lapse
from tests.faces.conftest import Cli

DO = ("--by", "anna", "--reason", "asked for", "--yes")


def test_going_back_is_shown_first_and_done_with_a_yes(store: Path, cli: Cli) -> None:
    assert cli("--db", "agent.db", "backup", "copy.db").code == 0
    assert cli("--db", "agent.db", "--bank", "alice", "erase", "lunch", *DO).code == 0
    assert cli("--db", "agent.db", "--bank", "alice", "remember", "It rains").code == 0
    before = store.read_bytes()
    shown = cli("restore-backup", "copy.db", "--db", "agent.db")
    assert shown.code == 0, shown.err
    assert "would go back" in shown.out
    assert "--yes" in shown.out
    assert store.read_bytes() == before

    done = cli("--json", "restore-backup", "copy.db", "--db", "agent.db", "--keep", "old.db", *DO)
    assert done.code == 0, done.err
    (bank,) = json.loads(done.out)["banks"]
    assert (bank["erased"], bank["lost"], bank["holds"]) == (["lunch"], 1, ["matter"])
    listed = cli("--db", "agent.db", "--bank", "alice", "list").out
    assert "noodles" not in listed
    assert "It rains" not in listed
    assert "It rains" in cli("--db", "old.db", "--bank", "alice", "list").out


def test_going_back_wants_a_name_and_a_reason(store: Path, cli: Cli) -> None:
    assert cli("--db", str(store), "backup", "copy.db").code == 0
    for missing in (("--by", "anna"), ("--reason", "asked for")):
        refused = cli("restore-backup", "copy.db", "--db", str(store), "--yes", *missing)
        assert refused.code == 2
        assert "for the journals" in refused.err


def test_going_back_is_refused_while_somebody_has_the_file_open(store: Path, cli: Cli) -> None:
    assert cli("--db", str(store), "backup", "copy.db").code == 0
    with Lapse.open(store, background=False) as mind:
        assert mind.bank("alice").list().records
        refused = cli("restore-backup", "copy.db", "--db", str(store), *DO)
    assert refused.code != 0
    assert "open somewhere" in refused.err


def test_a_store_is_moved_and_moved_again_without_harm(store: Path, cli: Cli) -> None:
    address = f"file://{store.parent / 'folder'}"
    first = cli("--json", "migrate", "--from", str(store), "--to", address)
    assert first.code == 0, first.err
    assert [each["outcome"] for each in json.loads(first.out)["banks"]] == ["moved"]
    again = cli("migrate", "--from", str(store), "--to", address)
    assert again.code == 0
    assert "there already" in again.out
    assert cli("--db", address, "--bank", "alice", "verify-journal").code == 0


def test_what_differs_is_a_finding(store: Path, cli: Cli) -> None:
    assert cli("--db", "other.db", "--bank", "alice", "remember", "Something else").code == 0
    found = cli("migrate", "--from", str(store), "--to", "other.db")
    assert found.code == 1
    assert "differs" in found.out


def test_both_addresses_are_needed(store: Path, cli: Cli) -> None:
    assert store.exists()
    refused = cli("migrate", "--to", "other.db")
    assert refused.code == 2
    assert "--from" in refused.err
