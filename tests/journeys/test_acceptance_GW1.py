"""GW1: what may take a memory away, by whichever entrance, refuses one that is held, and says so.

Control: the twin that nobody holds goes by the same path. Limits and ill-formed input are refused
on every path that tells something, with nothing half written.
"""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from pathlib import Path

import pytest

from lapse.bank import Bank
from lapse.errors import GuardedError, LapseError
from lapse.faces.app import Lapse
from lapse.faces.cli import main
from lapse.faces.operations import TABLE, Effect
from lapse.model.retention import Lifecycle
from lapse.model.verbs import VERBS, Verb
from lapse.testing.fakes import FakeClock
from tests.reports.helping import T0, ago, everything, policy_of

EAGER = {
    "retention.grace_days": 0,
    "forgetting.mode": "lifecycle",
    "forgetting.auto_apply": True,
}
WHO = {"by": "anna", "reason": "over"}


def told(path: Path) -> Lapse:
    """A store with two memories that have long faded, one of which is held."""
    lapse = Lapse.open(path, policy=policy_of(EAGER), clock=FakeClock(T0), background=False)
    bank = lapse.bank("alice")
    for name in ("held", "free"):
        bank.remember(
            f"The crane {name} is red",
            id=name,
            tags=[name],
            importance=0.05,
            created_at=ago(days=900),
        )
    bank.hold("case 7", ids=["held"], by="clerk", reason="a claim")
    return lapse


def by_plan(bank: Bank, name: str) -> None:
    plan = bank.plan(ids=[name])
    bank.approve(plan.id, **WHO)
    bank.apply(plan.id)


LIBRARY: Mapping[str, Callable[[Bank, str], object]] = {
    "suppress": lambda bank, name: bank.suppress([name], **WHO),
    "archive": lambda bank, name: bank.archive([name], **WHO),
    "apply": by_plan,
    "sweep": lambda bank, _name: bank.sweep(),
    "erase": lambda bank, name: bank.erase([name], **WHO),
}
"""Every verb of the library by which memories leave sight."""

CLI: Mapping[str, tuple[str, ...]] = {
    "suppress": ("suppress", "{}", "--by", "anna", "--reason", "over", "--yes"),
    "archive": ("archive", "{}", "--by", "anna", "--reason", "over", "--yes"),
    "forget": ("forget", "{}", "--by", "anna", "--reason", "over", "--yes"),
    "erase": ("erase", "{}", "--by", "anna", "--reason", "over", "--yes"),
    "erase_everywhere": (
        "erase-everywhere",
        "--tag",
        "{}",
        "--by",
        "anna",
        "--reason",
        "over",
        "--yes",
    ),
    "sweep": ("sweep",),
}
"""Every command by which they do; `apply` needs the id of a plan and is tried apart."""

LOOKING = {"forget"}
"""Destructive operations whose verb in the library only looks."""

WIDE = {"erase_everywhere"}
"""Those of a store, which ends in the erasure of each of its banks."""


def stands(bank: Bank, name: str) -> bool:
    found = bank.list().records
    return any(
        each.memory.id == name and each.state.lifecycle is Lifecycle.ACTIVE for each in found
    )


def refusals(bank: Bank) -> int:
    """How often the journal says that a guard refused."""
    store = bank._core.parts.store
    entries = store.journal(bank.ref, 0, 1000)
    return sum(name.startswith("refused_") for each in entries for name, _ in each.counts)


def test_every_operation_that_takes_away_is_tried_below() -> None:
    destructive = {each.name for each in TABLE.values() if each.effect is Effect.DESTRUCTIVE}
    taking = {"suppress", "archive", "apply", "sweep", "erase"}
    assert destructive - LOOKING - WIDE <= taking
    assert set(LIBRARY) == taking
    assert set(CLI) | {"apply"} == taking | LOOKING | WIDE
    # Whatever else may take memories away is of these verbs, and passes the same gate.
    waiting = {Verb.PRUNE, Verb.RESTORE_BACKUP}
    departing = {verb for verb, spec in VERBS.items() if spec.departs}
    assert departing - waiting == {Verb.SUPPRESS, Verb.ARCHIVE, Verb.APPLY, Verb.SWEEP, Verb.ERASE}


@pytest.mark.parametrize("verb", LIBRARY)
def test_the_library_refuses_what_is_held(verb: str, tmp_path: Path) -> None:
    with told(tmp_path / "lapse.db") as lapse:
        bank = lapse.bank("alice")
        named = verb in {"suppress", "archive", "erase"}
        with pytest.raises(GuardedError, match=r"held \(hold\)") if named else nullcontext():
            LIBRARY[verb](bank, "held")
        assert refusals(bank) == named
        assert stands(bank, "held")
        LIBRARY[verb](bank, "free")
        assert not stands(bank, "free")
        assert stands(bank, "held")


@pytest.mark.parametrize("command", [each for each in CLI if each in TABLE])
def test_the_command_line_refuses_what_is_held(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, value in EAGER.items():
        monkeypatch.setenv("LAPSE_" + name.upper().replace(".", "__"), str(value).lower())
    path = tmp_path / "lapse.db"
    told(path).close()
    for name in ("held", "free"):
        typed = [each.format(name) for each in CLI[command]]
        code = main([*typed, "--db", str(path), "--bank", "alice", "--now", "2026-06-01T12:00:00Z"])
        said = capsys.readouterr()
        if command != "sweep":
            assert code == (4 if name == "held" else 0), said
    with Lapse.open(path, clock=FakeClock(T0), background=False) as lapse:
        assert stands(lapse.bank("alice"), "held")
        assert not stands(lapse.bank("alice"), "free")


def test_work_in_the_background_passes_by_what_is_held(tmp_path: Path) -> None:
    with told(tmp_path / "lapse.db") as lapse:
        bank = lapse.bank("alice")
        bank.drain()
        bank.rank([{"id": "held", "text": "The crane held is red"}], query="crane")
        bank.used(["free"])
        bank.drain()
        assert stands(bank, "held")
        assert stands(bank, "free")


TELLING: Mapping[str, Callable[[Bank, str], object]] = {
    "remember": lambda bank, text: bank.remember(text),
    "remember_many": lambda bank, text: bank.remember_many([{"text": "fine"}, {"text": text}]),
    "ingest": lambda bank, text: bank.ingest([{"role": "user", "content": text}]),
    "update": lambda bank, text: bank.update("free", text=text),
}


@pytest.mark.parametrize("verb", TELLING)
@pytest.mark.parametrize("text", ["", "   ", "x" * 70_000, "lone \ud800 half"])
def test_what_may_not_be_told_is_refused_whole(verb: str, text: str, tmp_path: Path) -> None:
    with told(tmp_path / "lapse.db") as lapse:
        bank = lapse.bank("alice")
        before = everything(bank)
        with pytest.raises(LapseError):
            TELLING[verb](bank, text)
        assert everything(bank) == before
        TELLING[verb](bank, "A lawful thing to say")
        assert everything(bank) != before
