"""`lapse mcp` as a process: standard output carries the protocol, whatever else happens."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from lapse.faces.logs import LogLevel
from tests.faces.conftest import Cli
from tests.faces.mcp_helping import BOTH_PROTOCOLS, Protocol, call, refused

PROGRAM = "import sys; from lapse.faces.cli import main; sys.exit(main())"

NOISY = """
import logging, os, sys
print("a banner before anything starts", file=sys.stderr)
from lapse.embed.hashing import HashingEmbedder
quiet = HashingEmbedder.tokens
def noisy(self, *arguments, **more):
    print("a library prints")
    os.write(1, b"and another writes past Python\\n")
    logging.getLogger("lapse.noise").error("something is logged")
    logging.getLogger("another.library").warning("by others as well")
    return quiet(self, *arguments, **more)
HashingEmbedder.tokens = noisy
from lapse.faces.cli import main
sys.exit(main())
"""

HANDSHAKE: tuple[dict[str, object], ...] = (
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
)


def calls(count: int) -> list[dict[str, object]]:
    told = {"name": "remember", "arguments": {"text": "Lunch was soup"}}
    asked = {"name": "recall", "arguments": {"query": "lunch"}}
    return [
        {"jsonrpc": "2.0", "id": 3 + at, "method": "tools/call", "params": asked if at else told}
        for at in range(count)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a server wrote until its input ended."""

    lines: list[str]
    err: str


def spoken(program: str, messages: Sequence[dict[str, object]], *arguments: str) -> Said:
    """Run a server on these messages, and end its input when each was answered."""
    process = subprocess.Popen(
        [sys.executable, "-c", program, "mcp", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    late = threading.Timer(60, process.kill)
    late.start()
    with process, ThreadPoolExecutor(1) as reader:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        err = reader.submit(process.stderr.read)
        process.stdin.write("".join(f"{json.dumps(each)}\n" for each in messages))
        process.stdin.flush()
        wanted = sum("id" in each for each in messages)
        lines = [process.stdout.readline() for _ in range(wanted)]
        process.stdin.close()
        lines += process.stdout.readlines()
        late.cancel()
        return Said(lines=lines, err=err.result())


@pytest.mark.parametrize("level", LogLevel)
def test_every_line_on_standard_output_is_a_message_at_every_log_level(
    level: LogLevel, apart: Path
) -> None:
    messages = [*HANDSHAKE, *calls(10)]
    ended = spoken(NOISY, messages, "--db", str(apart / "a.db"), "--log-level", level)
    answers = [json.loads(each) for each in ended.lines]
    assert all(each["jsonrpc"] == "2.0" for each in answers)
    assert {each["id"] for each in answers} == set(range(1, 13))
    assert not any("error" in each for each in answers)
    assert "a library prints" in ended.err
    assert "and another writes past Python" in ended.err
    assert "something is logged" in ended.err


def test_what_is_logged_is_one_object_to_a_line_and_holds_no_text(apart: Path) -> None:
    messages = [*HANDSHAKE, *calls(3)]
    ended = spoken(PROGRAM, messages, "--db", str(apart / "a.db"), "--log-level", "debug")
    logged = [json.loads(each) for each in ended.err.splitlines()]
    assert all({"at", "level", "logger", "message"} <= each.keys() for each in logged)
    assert "soup" not in ended.err


def parameters(path: Path, *more: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable,
        args=["-c", PROGRAM, "mcp", "--db", str(path), *more],
        env={**os.environ, "LAPSE_MEMORY__EMBEDDER": "hashing"},
    )


@BOTH_PROTOCOLS
def test_a_client_works_with_the_process_and_what_it_told_is_kept(
    protocol: Protocol, apart: Path, cli: Cli
) -> None:
    path = apart / "agent.db"

    async def speak() -> None:
        async with Client(parameters(path, "--bank", "alice"), mode=protocol) as client:
            listed = await client.list_tools()
            assert len(listed.tools) == 10
            await call(client, "remember", text="Tea is preferred", id="tea")
            assert (await call(client, "recall", query="tea"))["memories"][0]["id"] == "tea"
            assert (await refused(client, "erase", ids=["tea"])).startswith("NotFoundError")

    anyio.run(speak)
    ended = cli("history", "tea", "--db", str(path), "--bank", "alice", "--json")
    history = ended.json
    assert isinstance(history, dict)
    assert history["happenings"][0]["by"] == "agent"


def test_a_bank_and_a_profile_that_cannot_be_are_refused_before_anything_is_served(
    cli: Cli,
) -> None:
    ended = cli("mcp", "--profile", "root", "--log-level", "loud", "--json")
    assert (ended.code, ended.out) == (2, "")
    assert {each["field"] for each in ended.error["faults"]} == {"profile", "log-level"}  # type: ignore[attr-defined]  # any JSON
