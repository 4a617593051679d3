"""What is printed: results alone on standard output, and memories that take no screen over."""

import json
import os
import pty
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.faces.visible import visible, visible_line
from tests.faces.conftest import NOW, Cli

ALICE = ("--db", "agent.db", "--bank", "alice")
PROGRAM = "import sys; from lapse.faces.cli import main; sys.exit(main())"
HOSTILE = (
    "\x1b[31mred\x1b[0m \x1b]0;title\x07 [bold]not bold[/bold] :smile: \u202egnp.exe\u202c "
    "bell\x07 back\x08 \r over \x9b31m [link=http://x]y[/link]\nsecond line"
)


def ran(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the program as a process of its own, with pipes in place of a terminal."""
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )


def on_a_terminal(columns: int, *arguments: str) -> list[str]:
    """Run the program on a terminal of some width: the lines that it shows."""
    shown = bytearray()

    def keep(descriptor: int) -> bytes:
        data = os.read(descriptor, 4096)
        shown.extend(data)
        return data

    command = [sys.executable, "-c", PROGRAM, *arguments]
    settings = {"COLUMNS": str(columns), "TERM": "xterm", "NO_COLOR": "1"}
    wrapped = ["env", *(f"{name}={value}" for name, value in settings.items()), *command]
    quiet = os.open(os.devnull, os.O_WRONLY)
    kept = os.dup(1)
    os.dup2(quiet, 1)
    try:
        pty.spawn(wrapped, keep, lambda _: b"")
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(quiet)
    return re.sub(r"\x1b\[\d*m", "", shown.decode()).splitlines()


@given(st.text())
def test_nothing_visible_controls_a_terminal(text: str) -> None:
    bad = {chr(code) for code in (*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F))}
    assert not (bad - {"\n", "\t"}) & set(visible(text))
    assert not bad & set(visible_line(text))


@pytest.mark.parametrize(
    "text", ["naïve café", "日本語", "שלום", "مرحبا", "e\u0301", "👩‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "x\u200dy"]
)
def test_letters_marks_and_emoji_stay_as_they_are(text: str) -> None:
    assert visible(text) == visible_line(text) == text


@pytest.mark.parametrize(
    "typed", [("recall", "red title"), ("get", "bad"), ("list",), ("why", "red", "bad")]
)
def test_a_memory_cannot_colour_move_or_mark_up_what_is_shown(
    typed: tuple[str, ...], cli: Cli
) -> None:
    assert cli("remember", "-", "--id", "bad", stdin=HOSTILE).code == 0
    out = cli(*typed).out
    assert not set("\x1b\x07\x08\x9b\r\u202e") & set(out)
    assert "\\x1b[31mred\\x1b[0m" in out
    assert "[bold]not bold[/bold] :smile:" in out
    assert "\\u202egnp.exe" in out


def test_ids_tags_and_errors_are_made_visible_too(cli: Cli) -> None:
    evil = "\x1b[2Jid"
    assert cli("remember", "x", "--id", evil, "--tag", evil, "--source", evil).code == 0
    for typed in (
        ["get", evil],
        ["list"],
        ["get", "\x1b[2Jnone"],
        ["\x1b[2J"],
        ["get", "--\x1b[2J"],
    ):
        ended = cli(*typed)
        assert "\x1b" not in ended.out + ended.err
        assert "\\x1b[2J" in ended.out + ended.err


def test_json_is_ascii_and_one_line_whatever_a_memory_holds(cli: Cli) -> None:
    cli("remember", "-", "--id", "bad", stdin=HOSTILE)
    ended = cli("get", "bad", "--json")
    assert ended.out.isascii()
    assert ended.out.isprintable() is False
    assert set(ended.out) & {chr(each) for each in range(0x20)} == {"\n"}
    found = ended.json
    assert isinstance(found, dict)
    assert found["memory"]["text"] == HOSTILE


@pytest.mark.usefixtures("store")
def test_a_recall_shows_numbers_reasons_and_near_misses(cli: Cli) -> None:
    out = cli(*ALICE, "recall", "tea, coffee or noodles?", "--k", "1", "--now", NOW).out
    lines = out.splitlines()
    assert lines[0] == "comes to mind"
    head = lines[1].split("  ")
    for each in ("score", "relevance", "R", "need", "why it is in", "memory"):
        assert each in [cell.strip() for cell in head]
    assert "nearest misses" in lines
    assert any("capacity" in line and "over_count" in line for line in lines)
    assert lines[-1].startswith("recall ")
    assert "mode rank" in lines[-1]


@pytest.mark.usefixtures("store")
def test_why_says_it_in_a_sentence(cli: Cli) -> None:
    hit = cli(*ALICE, "why", "tea or coffee?", "tea", "--now", NOW).out
    miss = cli(*ALICE, "why", "tea or coffee?", "lunch", "--k", "1", "--now", NOW).out
    assert "tea comes to mind. It is number 2." in hit  # a pinned memory goes in first
    assert "lunch is left out: more were relevant than asked for. Reason over_count" in miss
    assert "need" in hit


def test_a_pipe_gets_one_plain_line_for_a_memory_however_long(cli: Cli) -> None:
    text = "word " * 400 + "end"
    cli("remember", text, "--id", "long")
    lines = cli("list").out.splitlines()
    assert any(line.startswith("long") and line.endswith(text) for line in lines)


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("columns", [60, 80, 120])
def test_ids_and_numbers_are_whole_on_a_narrow_terminal(columns: int, cli: Cli) -> None:
    ended = cli(*ALICE, "remember", "日本語のテキスト、" * 12 + " noodles and tea", "--json")
    assert isinstance(ended.json, dict)
    memory_id = ended.json["memory"]["id"]
    lines = on_a_terminal(columns, *ALICE, "recall", "noodles and tea", "--now", NOW)
    assert memory_id in [line.strip() for line in lines]
    (row,) = [line for line in lines if line.startswith("1 ")]
    assert len(re.findall(r"\d\.\d{3,4}(?!\d)", row)) == 4


@pytest.mark.usefixtures("store")
def test_a_process_writes_results_and_messages_to_their_own_streams() -> None:
    done = ran("--db", "agent.db", "--bank", "nobody", "recall", "tea", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["hits"] == []
    assert "no bank nobody" in done.stderr


@pytest.mark.usefixtures("store")
def test_a_reader_that_stops_reading_is_no_error_of_ours() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *ALICE, "list"],
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writing)
    assert done.returncode == 141
    assert done.stderr == ""


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("how", [">&-", ">&- 2>&-", "1</dev/null"])
def test_an_output_that_was_never_open_is_no_error_of_ours(how: str) -> None:
    program = shlex.join([sys.executable, "-c", PROGRAM, *ALICE])
    for command in ("list", "list --json"):
        typed = ["sh", "-c", f"{program} {command} {how}"]
        done = subprocess.run(typed, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (141, "", "")


def test_help_loads_no_engine_and_no_model() -> None:
    code = (
        "import sys; from lapse.faces.cli import main; main(['--help']); main(['recall', '-h']); "
        "print([m for m in ('numpy', 'sqlalchemy', 'wordllama', 'matplotlib') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
    assert "remember" in done.stdout
    assert "--budget-words" in done.stdout


def test_a_stream_that_cannot_write_a_letter_shows_its_code(cli: Cli) -> None:
    cli("remember", "日本", "--id", "jp")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "get", "jp"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 0
    assert "\\u65e5\\u672c" in done.stdout


@pytest.mark.usefixtures("store")
def test_the_curves_of_the_laws_are_drawn(cli: Cli, apart: Path) -> None:
    pytest.importorskip("matplotlib")
    ended = cli("laws", "--preset", "rfc", "--kind", "working", "--plot", "curves.png")
    assert ended.code == 0
    assert "curves.png" in ended.err
    assert (apart / "curves.png").read_bytes().startswith(b"\x89PNG")
    assert cli("laws", "--preset", "rfc", "--plot", "no/such/folder.png").code == 2


def test_laws_name_kinds_only_where_they_differ(cli: Cli) -> None:
    alike = cli("laws", "--preset", "assistant").out
    differ = cli("laws", "--preset", "rfc").out
    assert "assistant: law activation, R = need" in alike
    assert "rfc: law ebbinghaus, semantic, procedural" in differ
    assert "rfc: law ebbinghaus, working" in differ
    for each in ("1 h", "1 d", "7 d", "30 d", "180 d", "2 y", "half-life", "below 0.02", "10 uses"):
        assert each in alike
