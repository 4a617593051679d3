"""Tending: rounds over every bank of a store, by a thread, a worker, and several at once."""

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from lapse.errors import StoreBusyError
from lapse.faces.app import Lapse
from lapse.faces.tending import LATE_AFTER, Tender
from lapse.testing.fakes import FakeClock
from tests.faces.conftest import NOW, Cli

PROGRAM = "import sys; from lapse.faces.cli import main; sys.exit(main())"


@pytest.fixture
def lapse(store: Path) -> Iterator[Lapse]:
    with Lapse.open(store, clock=FakeClock(NOW), background=False) as opened:
        yield opened


def test_a_round_folds_in_uses_of_banks_that_nobody_opened_here(store: Path) -> None:
    clock = FakeClock(NOW)
    with Lapse.open(store, clock=clock, background=False) as teller:
        teller.bank("alice").used(["tea"])
        assert teller.bank("alice").stats().pending_events == 1
        with Lapse.open(store, clock=clock, background=False) as other:
            assert Tender(other).round()
        assert teller.bank("alice").stats().pending_events == 0


def test_a_failed_round_is_told_and_the_next_one_tries_again(
    lapse: Lapse, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    tender = Tender(lapse, ended=told.append)

    def fail() -> None:
        raise StoreBusyError("locked")

    with monkeypatch.context() as broken:
        broken.setattr(lapse, "tend", fail)
        assert not tender.round()
        assert tender.standing().failures == 1
    assert tender.round()
    assert tender.standing().failures == 0
    assert told == ["failed", "ok"]


def test_a_thread_works_until_it_is_stopped_and_is_healthy_meanwhile(lapse: Lapse) -> None:
    ended = threading.Semaphore(0)
    tender = Tender(lapse, every_s=0.01, ended=lambda _outcome: ended.release())
    assert not tender.healthy()
    tender.start()
    assert ended.acquire(timeout=30)
    assert ended.acquire(timeout=30)
    assert tender.standing().running
    tender.stop()
    assert not tender.standing().running
    assert not tender.healthy()
    rounds = tender.standing().rounds
    assert rounds >= 2


def test_a_fault_in_a_round_does_not_end_the_thread(
    lapse: Lapse, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broke, ended = threading.Event(), threading.Event()

    def fail_once() -> None:
        if not broke.is_set():
            broke.set()
            raise RuntimeError("I prefer tea")
        ended.set()

    monkeypatch.setattr(lapse, "tend", fail_once)
    tender = Tender(lapse, every_s=0.01)
    tender.start()
    assert ended.wait(30)
    tender.stop()
    assert "RuntimeError" in caplog.text
    assert "tea" not in caplog.text


def test_a_thread_that_hangs_is_not_healthy(lapse: Lapse, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, release = threading.Event(), threading.Event()

    def hang() -> None:
        begun.set()
        release.wait(30)

    monkeypatch.setattr(lapse, "tend", hang)
    now = [0.0]
    tender = Tender(lapse, every_s=1.0)
    monkeypatch.setattr(tender, "_stopwatch", lambda: now[0])
    monkeypatch.setattr(tender, "_last", 0.0)
    tender.start()
    assert begun.wait(30)
    assert tender.healthy()
    now[0] = LATE_AFTER + 1.0
    assert not tender.healthy()
    release.set()
    tender.stop()


def test_a_worker_does_one_round_when_asked_for_one(store: Path, cli: Cli) -> None:
    with Lapse.open(store, clock=FakeClock(NOW), background=False) as teller:
        teller.bank("alice").used(["tea"])
    ended = cli("worker", "--once", "--db", str(store))
    assert (ended.code, ended.out) == (0, "")
    with Lapse.open(store, clock=FakeClock(NOW), background=False) as teller:
        assert teller.bank("alice").stats().pending_events == 0


@pytest.mark.parametrize("every", ["0", "-1", "soon", "nan", "inf", "1e400"])
def test_a_worker_refuses_a_pause_that_is_none(store: Path, cli: Cli, every: str) -> None:
    ended = cli("worker", "--every", every, "--db", str(store), "--json")
    assert (ended.code, ended.error["type"]) == (2, "ValidationError")


def test_a_worker_makes_no_store(cli: Cli, apart: Path) -> None:
    assert cli("worker", "--once", "--db", "none.db").code == 3
    assert not (apart / "none.db").exists()


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_worker_ends_its_round_and_itself_when_told_to(store: Path, sent: signal.Signals) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "worker", "--db", str(store)],
        stderr=subprocess.PIPE,
        text=True,
    )
    late = threading.Timer(60, process.kill)
    late.start()
    assert process.stderr is not None
    with process:
        assert "working on" in process.stderr.readline()
        process.send_signal(sent)
        said = process.stderr.read()
    late.cancel()
    assert process.returncode == 0
    assert "ended after" in said
