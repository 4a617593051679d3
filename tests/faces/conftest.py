"""A store to work on, and the command line run in this process. Decides what the bank holds."""

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from lapse.bank import Bank
from lapse.engine.policy_history import propose
from lapse.faces.app import Lapse
from lapse.faces.cli import main
from lapse.faces.operations import Example
from lapse.faces.operations.rows.copying import EXAMPLE_EXPORT
from lapse.faces.operations.rows.correcting import EXAMPLE_CONFLICT
from lapse.faces.operations.rows.erasing import EXAMPLE_TOMBSTONE
from lapse.faces.operations.rows.measuring import EXAMPLE_PROPOSAL
from lapse.faces.operations.rows.planning import EXAMPLE_PLAN
from lapse.model.codec import dumps
from lapse.model.receipt import told_of
from lapse.testing.fakes import FakeClock

NOW = "2026-03-05T12:00:00Z"
"""When the tests ask; what they ask about was told some days before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> object:
        """Standard output, which has to be one JSON document on one line."""
        assert self.out.count("\n") == 1, self.out
        document: object = json.loads(self.out)
        return document

    @property
    def error(self) -> dict[str, object]:
        """Standard error, which has to be one JSON object."""
        document = json.loads(self.err)
        assert list(document) == ["error"]
        error: dict[str, object] = document["error"]
        return error


Cli = Callable[..., Ended]


@pytest.fixture(autouse=True)
def apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty current folder, a quick embedder, and no settings of whoever runs the tests."""
    monkeypatch.chdir(tmp_path)
    for name in ("LAPSE_DB", "LAPSE_URL", "LAPSE_KEY", "LAPSE_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LAPSE_MEMORY__EMBEDDER", "hashing")
    monkeypatch.setenv("NO_COLOR", "1")
    _write_receipt(tmp_path / "receipt.json")
    return tmp_path


def _write_receipt(path: Path) -> None:
    with Lapse.open("memory://", background=False) as lapse:
        bank = lapse.bank("alice")
        bank.remember("A note", id="note")
        receipt = bank.erase(["note"], by="alice", reason="asked for").receipt
    assert receipt is not None
    path.write_text(dumps(told_of(receipt)), encoding="utf-8")


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run a command in this process."""

    def run(*arguments: str, stdin: str = "") -> Ended:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        capsys.readouterr()
        code = main(arguments)
        said = capsys.readouterr()
        return Ended(code=code, out=said.out, err=said.err)

    return run


def tell(bank: Bank) -> None:
    """Put into a bank what the examples of the table speak of."""
    bank.remember("I prefer tea, not coffee", id="tea", key="user/drink", source="chat")
    bank.remember("Lunch was noodles at the corner", id="lunch", importance=0.1)
    bank.remember("My name is Alice Hartley", id="name", importance=0.95, pinned=True)
    bank.remember("Smith", id="smith", key="user/surname", importance=0.5)
    bank.remember("Hartley", id="hartley", key="user/surname", importance=0.5)
    bank.remember("Smith", key="user/surname", role="tool")
    bank.hold("matter", ids=["name"], by="clerk", reason="a claim")
    bank.set_policy({"retention.plan_expiry_days": 7}, by="operator")
    plan = bank.plan(ids=["lunch"], by="planner")
    bank.approve(plan.id, by="operator", reason="over")
    bank.canaries.add("who is she", ["name"])


def given_to(example: Example, path: Path) -> dict[str, object]:
    """What an example gives, with the ids of the bank's own plan and conflict where it has one."""
    with Lapse.open(path, clock=FakeClock(NOW), background=False) as lapse:
        return given_in(example, lapse.bank("alice"))


def given_in(example: Example, bank: Bank) -> dict[str, object]:
    """The same for a bank that is open, which `tell` has filled."""
    known = {EXAMPLE_PLAN: bank.plans()[0].id, EXAMPLE_CONFLICT: bank.conflicts()[0].id}
    if EXAMPLE_TOMBSTONE in example.given.values():
        bank.erase(["lunch"], by="alice", reason="asked for")
        known[EXAMPLE_TOMBSTONE] = bank.tombstones()[0].tombstone.id
    if EXAMPLE_PROPOSAL in example.given.values():
        runtime = bank.engine.runtime(bank.ref)
        known[EXAMPLE_PROPOSAL] = propose(bank.engine, runtime, {"law.decay": 0.6}, {}).id
    if EXAMPLE_EXPORT in example.given.values():
        with Path(EXAMPLE_EXPORT).open("wb") as file:
            bank.export(file)
    return {
        name: known.get(each, each) if isinstance(each, str) else each
        for name, each in example.given.items()
    }


@pytest.fixture
def store(apart: Path) -> Path:
    """A store whose bank `alice` holds `tea`, `lunch` and `name`, and one canary."""
    path = apart / "agent.db"
    with Lapse.open(path, clock=FakeClock("2026-03-01T09:00Z"), background=False) as lapse:
        tell(lapse.bank("alice"))
    return path
