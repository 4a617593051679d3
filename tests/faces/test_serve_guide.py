"""The guide to serving runs word for word, but for the port; and it says what the settings are."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import anyio
import pytest

pytest.importorskip("fastapi", reason="needs the extra server: pip install 'lapse[server]'")
pytest.importorskip("mcp", reason="needs the extra mcp: pip install 'lapse[mcp]'")

from mcp import Client
from mcp.client.stdio import StdioServerParameters

from lapse import Lapse
from lapse.faces.access import ALLOWED, Role
from lapse.faces.operations import Permission
from lapse.model.policy import describe
from tests.faces.rest.test_serving import port_of_ones_own
from tests.project_files import ROOT

GUIDE = ROOT / "docs" / "how-to" / "serve.md"
TEXT = GUIDE.read_text(encoding="utf-8")
BASH = re.findall(r"^```bash\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
CONFIGURATIONS = re.findall(r"^```json\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
SAID = (
    '{"status":"ok"}',
    "I prefer tea, not coffee",
    '"name":"recall"',
    "lapse_operations_total{",
)
WITHIN_S = 240


def with_lapse(folder: Path) -> dict[str, str]:
    """The environment of whoever installed this `lapse`."""
    (folder / "bin").mkdir()
    program = folder / "bin" / "lapse"
    code = "from lapse.faces.cli import main; raise SystemExit(main())"
    program.write_text(f"#!/bin/sh\nexec {sys.executable} -c '{code}' \"$@\"\n")
    program.chmod(0o755)
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "LAPSE_MEMORY__EMBEDDER": "none"}


@pytest.mark.skipif(
    any(shutil.which(each) is None for each in ("bash", "curl", "jq")),
    reason="needs bash, curl and jq",
)
def test_the_commands_of_the_guide_run_as_they_stand(apart: Path) -> None:
    lines = "set -euo pipefail\n" + "\n".join(BASH)
    script = lines.replace("8377", str(port_of_ones_own()))
    process = subprocess.Popen(
        ["bash", "-c", script],
        cwd=apart,
        env=with_lapse(apart),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        out, err = process.communicate(timeout=WITHIN_S)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 0, f"{out}\n{err}"
    for each in SAID:
        assert each in out.replace('": "', '":"')
    assert out.count("true\n") == 2
    with Lapse.open(apart / "agent.db", embedder=None, background=False) as lapse:
        bank = lapse.bank("notes", tenant="acme")
        assert bank.list().records == ()
        entries = lapse.parts.store.journal(bank.ref, 0, 100)
        erased = [each for each in entries if each.verb == "erase" and each.approved_by]
        assert [(each.by, each.approved_by, each.via) for each in erased] == [
            ("ada", "ben", "rest")
        ]


def test_an_agent_is_served_as_its_configuration_says(apart: Path) -> None:
    served, started = (json.loads(each)["mcpServers"]["memory"] for each in CONFIGURATIONS)
    assert served["url"].endswith("/mcp?bank=notes")
    environment = with_lapse(apart)
    command = shutil.which(started["command"], path=environment["PATH"])
    assert command is not None

    async def look() -> None:
        server = StdioServerParameters(command=command, args=started["args"], env=environment)
        async with Client(server) as client:
            assert len((await client.list_tools()).tools) == 10

    anyio.run(look)


def test_the_guide_names_every_limit_with_its_default() -> None:
    told = {"4 MiB": 4 << 20, "256 MiB": 256 << 20, "6000": 6000, "1000": 1000, "24": 24.0}
    rows = dict(re.findall(r"^\| `(server\.\w+)` \| ([^|]+?) \|", TEXT, re.MULTILINE))
    defaults = {each.path: each.default for each in describe() if each.path.startswith("server.")}
    assert {name: told[each] for name, each in rows.items()} == defaults


def test_the_guide_says_what_each_role_may() -> None:
    columns = (
        Permission.READ,
        Permission.WRITE,
        Permission.APPROVE,
        Permission.OPERATE,
        Permission.AUDIT,
    )
    rows = re.findall(r"^\| `(\w+)` \|(.*)\|$", TEXT, re.MULTILINE)
    said = {name: [cell.strip() for cell in rest.split("|")] for name, rest in rows}
    for role in Role:
        may = [each in ALLOWED[role] for each in columns]
        assert [each == "yes" for each in said[role.value]] == may, role
