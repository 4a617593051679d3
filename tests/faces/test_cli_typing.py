"""What is easily typed wrong or in short, what is offered, and how plainly it is printed."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("httpx", reason="needs the extra remote: pip install 'lapse[remote]'")

from lapse import Lapse
from lapse.faces.cli import main
from lapse.testing.fakes import FakeClock
from tests.faces.conftest import NOW, Cli
from tests.faces.remote_helping import listening

ESCAPE = "\x1b"


class Terminal(io.StringIO):
    """What a person looks at."""

    def isatty(self) -> bool:
        return True


def here(store: Path, *typed: str) -> tuple[str, ...]:
    return ("--db", str(store), "--now", NOW, "--bank", "alice", *typed)


def test_a_question_and_an_id_in_each_others_place_are_told_apart(store: Path, cli: Cli) -> None:
    turned = cli(*here(store, "why", "tea", "what does she drink"))
    assert turned.code == 3
    assert "the question comes first" in turned.err
    nobody = cli(*here(store, "why", "what does she drink", "nobody"))
    assert nobody.code == 3
    assert "comes first" not in nobody.err
    assert cli(*here(store, "why", "what does she drink", "tea")).code == 0


def test_the_beginning_of_a_plans_name_names_it(store: Path, cli: Cli) -> None:
    with Lapse.open(store, clock=FakeClock(NOW), background=False) as lapse:
        name = lapse.bank("alice").plans()[0].id
    whole = cli(*here(store, "get-plan", name, "--json"))
    assert cli(*here(store, "get-plan", name[:8], "--json")).out == whole.out
    for short in (name[:7], "0" * 8, name[:8].upper() + "x"):
        ended = cli(*here(store, "get-plan", short))
        assert ended.code == 3, short
        assert "no such plan" in ended.err
    done = cli(*here(store, "apply", name[:12], "--json"))
    assert isinstance(done.json, dict)
    assert done.json["id"] == name


def test_the_beginning_of_a_plans_name_names_it_at_a_server_too(store: Path, cli: Cli) -> None:
    with Lapse.open(store, clock=FakeClock(NOW), background=False) as lapse:
        name = lapse.bank("alice").plans()[0].id
        with listening(lapse) as (url, _):
            ended = cli("--url", url, "--bank", "alice", "get-plan", name[:10], "--json")
    assert isinstance(ended.json, dict)
    assert ended.json["id"] == name


def test_a_missing_key_is_told_with_the_ways_to_give_one(
    store: Path, cli: Cli, apart: Path
) -> None:
    with (
        Lapse.open(store, clock=FakeClock(NOW), background=False) as lapse,
        listening(lapse, keys=True) as (url, served),
    ):
        nobody = cli("--url", url, "--bank", "alice", "recall", "tea")
        assert nobody.code == 8
        assert "LAPSE_KEY" in nobody.err
        assert "--key" in nobody.err
        key = served.key(tenant="default")
        (apart / "ada.key").write_text(f"{key}\n", encoding="utf-8")
        for given in ("@ada.key", f"@{apart / 'ada.key'}", key):
            assert cli("--url", url, "--key", given, "--bank", "alice", "get", "tea").code == 0
        wrong = cli("--url", url, "--key", f"{key[:-1]}x", "--bank", "alice", "get", "tea")
        assert "unknown, expired or revoked" in wrong.err
        missing = cli("--url", url, "--key", "@no.key", "--bank", "alice", "get", "tea")
        assert missing.code == 2
        assert "cannot be read" in missing.err


@pytest.mark.parametrize(
    "command",
    [("worker",), ("mcp",), ("serve",), ("migrate",), ("restore-backup",), ("keys", "rotate")],
    ids=" ".join,
)
def test_a_command_on_the_store_itself_offers_no_server(command: tuple[str, ...], cli: Cli) -> None:
    assert "--url" not in cli(*command, "--help").out
    assert "--url" in cli("recall", "--help").out


def test_a_terminal_that_wants_no_colour_gets_no_sequences_at_all(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = []
    monkeypatch.setenv("TERM", "xterm-256color")
    for wanted in ("1", None):
        if wanted is None:
            monkeypatch.delenv("NO_COLOR")
        out = Terminal()
        monkeypatch.setattr(sys, "stdout", out)
        assert main(here(store, "recall", "tea")) == 0
        shown.append(out.getvalue())
    assert ESCAPE not in shown[0]
    assert ESCAPE in shown[1]


def test_what_is_no_terminal_gets_no_sequences(store: Path, cli: Cli) -> None:
    for typed in (("recall", "tea"), ("stats",), ("policy",), ("--help",)):
        assert ESCAPE not in cli(*here(store, *typed)).out


def test_completion_is_installed_and_completes(tmp_path: Path) -> None:
    program = "from lapse.faces.cli import main; raise SystemExit(main())"
    environment = {**os.environ, "HOME": str(tmp_path), "SHELL": "/bin/bash"}

    def run(*typed: str, **more: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", program, *typed],
            env={**environment, **more},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    assert "installed" in run("--install-completion", "bash")
    script = (tmp_path / ".bash_completions" / "lapse.sh").read_text(encoding="utf-8")
    assert "_LAPSE_COMPLETE" in script
    assert ".bash_completions" in (tmp_path / ".bashrc").read_text(encoding="utf-8")
    asked = {"_LAPSE_COMPLETE": "complete_bash", "COMP_WORDS": "lapse tomb", "COMP_CWORD": "1"}
    assert run(**asked).split() == ["tombstones"]
