"""Putting away, bringing back, holding and the journal, as typed: a look first, then the act."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.faces.conftest import NOW, Cli, Ended


@pytest.fixture
def typed(cli: Cli, store: Path) -> Cli:
    """Type a command to the store's bank."""

    def run(*arguments: str, stdin: str = "") -> Ended:
        place = ("--db", str(store), "--bank", "alice", "--now", NOW)
        return cli(*arguments, *place, stdin=stdin)

    return run


WHO = ("--by", "alice", "--reason", "it is over")


@pytest.mark.parametrize("verb", ["suppress", "archive", "forget"])
def test_a_look_comes_first_and_the_act_wants_a_yes(typed: Cli, verb: str) -> None:
    looked = typed(verb, "lunch")
    assert (looked.code, looked.err) == (0, "")
    assert "would" in looked.out
    assert "--yes" in looked.out
    assert "active" in typed("get", "lunch").out

    done = typed(verb, "lunch", *WHO, "--yes")
    assert (done.code, done.err) == (0, "")
    shown = typed("get", "lunch").out
    assert ("archived" if verb == "archive" else "suppressed") in shown
    assert "alice: it is over" in shown


@pytest.mark.parametrize(("mode", "place"), [("suppress", "suppressed"), ("archive", "archived")])
def test_forgetting_does_what_its_mode_says(typed: Cli, mode: str, place: str) -> None:
    assert typed("forget", "lunch", "--mode", mode, *WHO, "--yes").code == 0
    assert place in typed("get", "lunch").out


def test_forgetting_for_good_leaves_nothing(typed: Cli) -> None:
    done = typed("forget", "lunch", "--mode", "erase", *WHO, "--yes", "--json")
    assert done.code == 0
    assert typed("get", "lunch").code == 3


def test_a_mode_that_there_is_not_does_nothing(typed: Cli) -> None:
    ended = typed("forget", "lunch", "--mode", "bogus", *WHO, "--yes")
    assert ended.code == 2
    assert "mode" in ended.err
    assert "active" in typed("get", "lunch").out


def test_the_act_wants_a_name_and_a_reason(typed: Cli) -> None:
    ended = typed("suppress", "lunch", "--yes")
    assert ended.code == 2
    assert "by" in ended.err


def test_what_is_spared_is_told_with_its_guard_and_a_full_refusal_is_an_error(typed: Cli) -> None:
    some = typed("suppress", "lunch", "name", *WHO, "--yes")
    assert some.code == 0
    assert "name" in some.out
    assert "hold" in some.out
    none = typed("archive", "name", *WHO, "--yes", "--json")
    assert none.code == 4
    assert none.error["type"] == "GuardedError"


def test_what_was_put_away_is_listed_searched_and_brought_back(typed: Cli) -> None:
    typed("archive", "lunch", *WHO, "--yes")
    assert "lunch" in typed("archived").out
    assert "lunch" in typed("search-archive", "noodles").out
    assert "No memories here." in typed("suppressed").out
    back = typed("restore", "lunch", "--by", "alice", "--reason", "wanted")
    assert "restored 1 memory" in back.out
    assert "No memories here." in typed("archived").out


def test_a_common_trait_chooses_as_well(typed: Cli) -> None:
    typed("remember", "The ferry is late", "--id", "ferry", "--session", "monday")
    done = typed("suppress", "--session", "monday", *WHO, "--yes", "--json")
    assert isinstance(done.json, dict)
    assert (done.json["applied"], done.json["ids"]) == (True, ["ferry"])


def test_holds_are_placed_listed_and_ended_by_name(typed: Cli) -> None:
    placed = typed("hold", "case-9", "--tag", "tax", "--by", "clerk", "--reason", "a claim")
    assert "tag tax" in placed.out
    listed = typed("holds").out
    assert "case-9" in listed
    assert "matter" in listed
    for name in ("case-9", "matter"):
        assert typed("release", name, "--by", "clerk", "--reason", "closed").code == 0
    assert "No holds." in typed("holds").out
    assert typed("release", "case-9", "--by", "clerk", "--reason", "closed").code == 3
    assert typed("hold", "x", "--by", "clerk", "--reason", "a claim").code == 2


def test_a_life_is_told(typed: Cli) -> None:
    typed("suppress", "lunch", *WHO, "--yes")
    told = typed("history", "lunch").out
    assert "remember" in told
    assert "suppress: active to suppressed" in told
    assert "it is over" in told


def test_a_journal_that_is_not_whole_is_found_and_ends_in_a_code_of_its_own(
    typed: Cli, store: Path
) -> None:
    whole = typed("verify-journal")
    assert (whole.code, "whole" in whole.out) == (0, True)
    with closing(sqlite3.connect(store)) as connection:
        connection.executescript("UPDATE journal SET at = at + 1 WHERE seq = 2")
    broken = typed("verify-journal", "--json")
    assert broken.code == 1
    assert isinstance(broken.json, dict)
    assert broken.json["first_fault"] == 2
    assert "entry 2" in typed("verify-journal").out


@pytest.mark.parametrize("verb", ["suppress", "archive", "forget", "erase"])
def test_where_two_people_are_needed_the_second_is_named(typed: Cli, verb: str) -> None:
    assert typed("set-policy", "--set", "retention.two_person=true").code == 0

    alone = typed(verb, "lunch", *WHO, "--yes")
    assert alone.code == 2
    assert "approved" in alone.err
    assert "active" in typed("get", "lunch").out

    assert typed(verb, "lunch", *WHO, "--approved-by", "boss", "--yes").code == 0
    assert verb == "erase" or "alice, with boss" in typed("history", "lunch").out
