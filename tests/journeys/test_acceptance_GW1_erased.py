"""GW1 for what was erased: no entrance takes it in again, each says so, and the journal keeps that.

Control: an unrelated text is taken in by the same path.
"""

import io
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from lapse.bank import Bank
from lapse.errors import TombstonedError
from lapse.faces.app import Lapse
from lapse.faces.cli import main
from lapse.testing.fakes import FakeClock
from tests.faces.rest.serving import Served
from tests.reports.helping import T0, everything

pytest.importorskip("mcp", reason="needs the extra mcp: pip install 'lapse[mcp]'")

from mcp import Client, types

from tests.faces.mcp_helping import talk

WHO = {"by": "anna", "reason": "she asked for it"}
SECRET = "Maria Okafor lives at 14 Elm Street in Lisbon."
LAWFUL = "The crane at the third pier is painted red."

Entrance = Callable[[Lapse, str], bool]
"""Tells a text; gives whether it was taken in."""


def _library(lapse: Lapse, text: str) -> bool:
    try:
        lapse.bank("alice").remember(text)
    except TombstonedError:
        return False
    return True


def _rest(lapse: Lapse, text: str) -> bool:
    client = Served(lapse, keys=False).client(tenant="default", bank="alice")
    answer = client.post("memories", {"text": text})
    assert answer.status_code in (200, 201, 409), answer.text
    assert "Elm" not in answer.text or answer.status_code != 409
    return answer.status_code != 409


def _mcp(lapse: Lapse, text: str) -> bool:
    answers: list[types.CallToolResult] = []

    async def say(client: Client) -> None:
        answers.append(await client.call_tool("remember", {"text": text}))

    talk(lapse, say)
    return not answers[0].is_error


def _import(lapse: Lapse, text: str) -> bool:
    with Lapse.open("memory://", clock=FakeClock(T0), background=False) as other:
        other.bank("alice").remember(text, id=f"m{len(text)}")
        sink = io.BytesIO()
        other.bank("alice").export(sink)
    return lapse.bank("alice").import_(sink, by="anna").created == 1


def _overlay(lapse: Lapse, text: str) -> bool:
    bank = lapse.bank("alice")
    ranked = bank.rank([{"id": "theirs", "text": text}], query=text)
    return [each.id for each in ranked.hits] == ["theirs"]


def _background(lapse: Lapse, text: str) -> bool:
    """Told to another bank while this one was busy, and shared by work of its own."""
    other = lapse.bank("other")
    other.remember(text, id=f"o{len(text)}")
    try:
        other.share([f"o{len(text)}"], "alice", **WHO)
    except TombstonedError:
        return False
    other.drain()
    other.sweep()
    return True


ENTRANCES: Mapping[str, Entrance] = {
    "library": _library,
    "REST": _rest,
    "MCP": _mcp,
    "import": _import,
    "overlay": _overlay,
    "sharing, and upkeep": _background,
}

SILENT = {"overlay"}
"""Entrances that store nothing, so that nothing is journalled."""


def _refusals(bank: Bank) -> int:
    entries = bank._core.parts.store.journal(bank.ref, 0, 1000)
    return sum(
        count for each in entries for name, count in each.counts if name == "refused_tombstone"
    )


@pytest.mark.parametrize("entrance", ENTRANCES)
def test_no_entrance_takes_in_what_was_erased(entrance: str, tmp_path: Path) -> None:
    with Lapse.open(tmp_path / "lapse.db", clock=FakeClock(T0), background=False) as lapse:
        bank = lapse.bank("alice")
        bank.remember(SECRET, id="secret")
        bank.erase(["secret"], **WHO)
        assert not ENTRANCES[entrance](lapse, SECRET)
        assert everything(bank) == []
        assert (_refusals(bank) > 0) == (entrance not in SILENT)
        assert ENTRANCES[entrance](lapse, LAWFUL)
        assert (LAWFUL in str(everything(bank))) == (entrance not in SILENT)


def test_the_command_line_takes_in_nothing_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "lapse.db"
    with Lapse.open(path, clock=FakeClock(T0), background=False) as lapse:
        lapse.bank("alice").remember(SECRET, id="secret")
        lapse.bank("alice").erase(["secret"], **WHO)
    place = ["--db", str(path), "--bank", "alice"]
    assert main(["remember", SECRET, *place]) == 5
    assert "Elm" not in capsys.readouterr().err
    assert main(["remember", LAWFUL, *place]) == 0
    with Lapse.open(path, clock=FakeClock(T0), background=False) as lapse:
        assert [each.memory.text for each in everything(lapse.bank("alice"))] == [LAWFUL]
        assert _refusals(lapse.bank("alice")) == 1
