"""The command line on a served store."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("httpx", reason="needs the extra remote: pip install 'lapse[remote]'")

from lapse import Lapse
from lapse.faces.access import Role
from lapse.faces.cli import main
from lapse.testing.fakes import FakeClock
from tests.faces.conftest import NOW, Cli
from tests.faces.remote_helping import listening
from tests.faces.rest.serving import Served


@pytest.fixture
def lapse(store: Path) -> Iterator[Lapse]:
    with Lapse.open(store, clock=FakeClock(NOW), background=False) as opened:
        yield opened


@pytest.fixture
def guarded(lapse: Lapse) -> Iterator[tuple[str, Served]]:
    """A server that asks for keys, and the keys to it."""
    with listening(lapse, keys=True) as (url, served):
        yield url, served


def test_a_key_opens_a_bank_and_its_owner_acts(
    guarded: tuple[str, Served], cli: Cli, lapse: Lapse, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, served = guarded
    monkeypatch.setenv("LAPSE_URL", url)
    monkeypatch.setenv("LAPSE_KEY", served.key(owner="ada", tenant="default"))
    ended = cli("--bank", "alice", "remember", "The kettle is blue", "--id", "kettle")
    assert (ended.code, ended.err) == (0, "")
    found = cli("recall", "kettle", "--bank", "alice")
    assert "The kettle is blue" in found.out
    told = lapse.bank("alice").history("kettle").happenings
    assert [each.by for each in told] == ["ada"]


def test_a_key_is_never_printed_whatever_goes_wrong(guarded: tuple[str, Served], cli: Cli) -> None:
    url, served = guarded
    key = served.key(Role.READER, tenant="default")
    refused = cli("--url", url, "--key", key, "--bank", "alice", "pin", "tea", "--debug")
    assert refused.code == 8
    assert "reader may not pin" in refused.err
    unknown = cli("--url", url, "--key", f"{key}x", "--bank", "alice", "get", "tea", "--json")
    assert (unknown.code, unknown.error["type"]) == (8, "UnknownCallerError")
    nobody = cli("--url", "http://127.0.0.1:9", "--key", key, "get", "tea")
    assert nobody.code == 7
    assert "did not answer" in nobody.err
    bad = cli("--url", url, "--key", f"{key} x", "get", "tea")
    assert bad.code == 2
    secret = key.rpartition("_")[2]
    assert not any(secret in each.out + each.err for each in (refused, unknown, nobody, bad))


def test_what_takes_away_is_shown_before_its_yes(guarded: tuple[str, Served], cli: Cli) -> None:
    url, served = guarded
    common = ("--url", url, "--key", served.key(tenant="default"), "--bank", "alice")
    shown = cli(*common, "forget", "tea", "--json")
    assert isinstance(shown.json, dict)
    assert shown.json["applied"] is False
    done = cli(*common, "forget", "tea", "--reason", "over", "--yes", "--json")
    assert isinstance(done.json, dict)
    assert done.json["applied"] is True


@pytest.mark.parametrize(
    "command",
    [
        ("keys", "list"),
        ("keys", "create", "ada"),
        ("keys", "rotate"),
        ("config", "show"),
        ("worker", "--once"),
        ("serve", "--port", "0"),
        ("mcp",),
        ("backup", "copy.db"),
        ("restore-backup", "copy.db"),
        ("learning", "retention-apply", "p", "--approved-by", "a", "--reason", "r"),
    ],
    ids=lambda each: " ".join(each[:2]),
)
def test_what_cannot_be_asked_of_a_server_says_so(
    command: tuple[str, ...], cli: Cli, apart: Path
) -> None:
    ended = cli("--url", "http://127.0.0.1:9", *command)
    assert ended.code == 2, ended.err
    assert re.search("works on the store itself|is not served", ended.err)
    assert not (apart / "lapse.db").exists()


def test_a_bank_of_a_server_becomes_a_file_and_another_bank(
    guarded: tuple[str, Served], cli: Cli, lapse: Lapse, apart: Path
) -> None:
    url, served = guarded
    common = ("--url", url, "--key", served.key(tenant="default"))
    done = cli(*common, "--bank", "alice", "export", "copy.jsonl", "--because", "a move")
    assert (done.code, done.err) == (0, "")
    assert (apart / "copy.jsonl").stat().st_mode & 0o777 == 0o600
    told = cli(*common, "--bank", "alice", "export", "-")
    assert told.out == (apart / "copy.jsonl").read_text(encoding="ascii")
    taken = cli(*common, "--bank", "twin", "import", "copy.jsonl", "--json")
    assert isinstance(taken.json, dict)
    assert taken.json["whole"] is True
    assert cli(*common, "--bank", "piped", "import", "-", stdin=told.out).code == 0
    assert cli(*common, "banks").out.split()[-3:] == ["alice", "piped", "twin"]
    assert lapse.bank("twin").get("tea").memory.text == lapse.bank("alice").get("tea").memory.text


def test_who_acts_is_left_to_the_server_and_told_to_a_store(
    guarded: tuple[str, Served], cli: Cli, store: Path
) -> None:
    typed = ("restore", "tea", "--because", "wanted")
    url, served = guarded
    key = served.key(Role.OPERATOR, owner="ada", tenant="default")
    there = ("--url", url, "--key", key, "--bank", "alice")
    assert cli(*there, "forget", "tea", "--because", "over", "--yes").code == 0
    assert cli(*there, *typed).code == 0
    alone = cli("--db", str(store), "--bank", "alice", *typed)
    assert (alone.code, "by" in alone.err) == (2, True)
    assert "--no-by" not in cli("restore", "--help").out


def test_half_an_export_is_no_file(guarded: tuple[str, Served], cli: Cli, apart: Path) -> None:
    url, served = guarded
    reader = served.key(Role.READER, tenant="default")
    ended = cli("--url", url, "--key", reader, "--bank", "alice", "export", "copy.jsonl")
    assert ended.code == 8
    assert not (apart / "copy.jsonl").exists()


def test_a_receipt_is_verified_here_wherever_the_store_is(cli: Cli) -> None:
    ended = cli("--url", "http://127.0.0.1:9", "verify-receipt", "receipt.json", "--json")
    assert isinstance(ended.json, dict)
    assert ended.json["genuine"] is True


@pytest.mark.parametrize("typed", [("--now", NOW), ("--config", "lapse.toml")])
def test_what_is_the_servers_to_say_is_refused(typed: tuple[str, str], cli: Cli) -> None:
    ended = cli("--url", "http://127.0.0.1:9", "stats", *typed)
    assert ended.code == 2
    assert "is the server's" in ended.err


def test_what_was_typed_wins_over_the_environment_and_a_later_word_over_an_earlier(
    store: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = ("--bank", "alice", "--json")
    monkeypatch.setenv("LAPSE_URL", "http://127.0.0.1:9")
    assert cli("--db", str(store), *own, "get", "tea").code == 0
    assert cli("get", "tea", "--db", str(store), *own).code == 0
    assert cli("--url", "http://127.0.0.1:9", "get", "tea", "--db", str(store), *own).code == 0
    assert cli(*own, "get", "tea").code == 7
    monkeypatch.setenv("LAPSE_DB", str(store))
    both = cli(*own, "get", "tea")
    assert both.code == 2
    assert "exclude each other" in both.err
    assert cli("get", "tea", "--url", "http://127.0.0.1:9", "--db", str(store)).code == 2


def test_counts_of_a_served_bank_read_as_those_of_one_here(
    guarded: tuple[str, Served], cli: Cli, store: Path
) -> None:
    url, served = guarded
    there = cli("--url", url, "--key", served.key(tenant="default"), "--bank", "alice", "stats")
    assert there.code == 0, there.err
    here = cli("--db", str(store), "--now", NOW, "--bank", "alice", "stats")
    counts = [each for each in here.out.splitlines() if not each.startswith(("store", "at"))]
    assert set(counts) <= set(there.out.splitlines())


def test_a_doctor_of_a_served_bank_gives_the_same_exit_codes(
    guarded: tuple[str, Served], cli: Cli
) -> None:
    url, served = guarded
    common = ("--url", url, "--key", served.key(tenant="default"))
    assert cli(*common, "doctor", "--bank", "alice").code == 0
    assert cli(*common, "doctor", "--bank", "nobody").code == 1
    assert cli(*common, "verify-journal", "--bank", "alice").code == 0


def test_words_are_completed_by_the_shell(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("_LAPSE_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "lapse rem")
    monkeypatch.setenv("COMP_CWORD", "1")
    with pytest.raises(SystemExit) as ended:
        main([])
    assert ended.value.code == 0
    assert capsys.readouterr().out.split() == ["remember", "remember-many"]
