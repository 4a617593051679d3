"""B181: a log line on standard output breaks the stream, and the client drops the server."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

pytest.importorskip("mcp", reason="needs the extra mcp: pip install 'lapse[mcp]'")

PRINTS = """
import logging, os, sys
from lapse.embed.hashing import HashingEmbedder
quiet = HashingEmbedder.tokens
def loading(self, texts):
    print("loading the model …")
    os.write(1, b"progress 50 %\\n")
    logging.getLogger("some.library").critical("hello")
    return quiet(self, texts)
HashingEmbedder.tokens = loading
from lapse.faces.cli import main
sys.exit(main())
"""

START = (
    {
        "jsonrpc": "2.0",
        "id": 0,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "strict", "version": "1"},
        },
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
)


def test_every_line_of_a_debugged_server_that_prints_is_a_message(tmp_path: Path) -> None:
    tool = {"name": "remember", "arguments": {"text": "Lunch was soup"}}
    asked = [
        {"jsonrpc": "2.0", "id": 2 + at, "method": "tools/call", "params": tool} for at in range(10)
    ]
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            PRINTS,
            "mcp",
            "--db",
            str(tmp_path / "a.db"),
            "--log-level",
            "debug",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "LAPSE_MEMORY__EMBEDDER": "hashing"},
    )
    late = threading.Timer(60, process.kill)
    late.start()
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("".join(f"{json.dumps(each)}\n" for each in (*START, *asked)))
        process.stdin.flush()
        lines = [process.stdout.readline() for _ in range(12)]
        process.stdin.close()
        lines += process.stdout.readlines()
    late.cancel()
    answers = [json.loads(each) for each in lines]
    assert {each["id"] for each in answers} == set(range(12))
    assert all(each["jsonrpc"] == "2.0" and "result" in each for each in answers)
