"""A process that ends waits for no model, and not without end for anything else."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from lapse.errors import StoppedError
from lapse.faces.app import Lapse
from lapse.faces.background import counted
from lapse.faces.ending import Ending
from lapse.faces.tending import Tender
from lapse.model.memory import BankRef
from lapse.model.policy import Policy
from lapse.model.policy_layers import apply
from lapse.model.policy_sources import from_diff
from lapse.model.retention import ImportanceSource
from lapse.testing.fakes import FakeClock
from tests.faces.conftest import NOW

TOLD = "We decided to move the launch of Osprey to 14 March"
RATED = apply(Policy(), from_diff({"importance.rater": "llm"}))


class SlowModel:
    """Answers when it is let go, and not before."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.let_go = threading.Event()

    def __call__(self, _prompt: str, /) -> str:
        self.asked.set()
        self.let_go.wait(60)
        return "7"


@pytest.fixture
def slow() -> Iterator[SlowModel]:
    model = SlowModel()
    yield model
    model.let_go.set()


def _open(path: Path, model: SlowModel | None, policy: Policy = RATED) -> Lapse:
    return Lapse.open(
        path, policy=policy, clock=FakeClock(NOW), generate=model, background=False, embedder=None
    )


def _sources(lapse: Lapse) -> list[ImportanceSource]:
    return [each.state.importance_source for each in lapse.bank("alice").list().records]


def test_a_tender_that_is_stopped_gives_up_its_question_and_its_lease(
    tmp_path: Path, slow: SlowModel
) -> None:
    with _open(tmp_path / "a.db", slow) as lapse:
        lapse.bank("alice").remember(TOLD)
        told: list[str] = []
        tender = Tender(lapse, ended=told.append)
        tender.start()
        assert slow.asked.wait(30)
        assert tender.stop()
        assert not slow.let_go.is_set()
        assert told == ["ok"]
        assert _sources(lapse) == [ImportanceSource.AWAITED]
        quick = SlowModel()
        quick.let_go.set()
        with _open(tmp_path / "a.db", quick) as other:
            assert other.bank("alice").drain().rated == 1


def test_closing_waits_for_no_model_that_its_own_thread_asks(
    tmp_path: Path, slow: SlowModel
) -> None:
    lapse = Lapse.open(
        tmp_path / "a.db", policy=RATED, clock=FakeClock(NOW), generate=slow, embedder=None
    )
    lapse.bank("alice").remember(TOLD)
    assert slow.asked.wait(30)
    closing = threading.Thread(target=lapse.close)
    closing.start()
    closing.join(30)
    assert not closing.is_alive()


def test_a_session_whose_summary_was_given_up_has_not_failed(
    tmp_path: Path, slow: SlowModel
) -> None:
    policy = apply(Policy(), from_diff({"reflection.enabled": True, "reflection.threshold": 0.1}))
    with _open(tmp_path / "a.db", slow, policy) as lapse:
        said = [{"role": "user", "content": f"{TOLD}, part {each}"} for each in range(4)]
        lapse.bank("alice").ingest(said, session="monday")
        tender = Tender(lapse)
        tender.start()
        assert slow.asked.wait(30)
        assert tender.stop()
        journal = lapse.parts.store.journal(BankRef(name="alice"), 0, 99)
        counts = [dict(each.counts) for each in journal]
        assert any("scheduled" in each for each in counts)
        assert not any("failed" in each for each in counts)


def test_a_step_that_does_not_end_is_left_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    begun, release = threading.Event(), threading.Event()

    def hang() -> tuple[()]:
        begun.set()
        release.wait(60)
        return ()

    with _open(tmp_path / "a.db", None) as lapse:
        monkeypatch.setattr(lapse, "tend", hang)
        tender = Tender(lapse)
        tender.start()
        assert begun.wait(30)
        assert not tender.stop(within_s=0.05)
        assert "left under way" in caplog.text
        release.set()
        assert tender.stop()


def test_a_round_that_is_to_end_begins_with_no_further_bank(tmp_path: Path) -> None:
    stopping = threading.Event()
    with _open(tmp_path / "a.db", None, Policy()) as lapse:
        for name in ("alice", "bob"):
            lapse.bank(name).remember(TOLD, id="told")
            lapse.bank(name).used(["told"])
        ending = lapse.parts.ending
        assert isinstance(ending, Ending)
        stopping.set()
        with ending.during(stopping):
            lapse.tend()
        waiting = [lapse.bank(name).stats().pending_events for name in ("alice", "bob")]
        assert waiting == [1, 1]
        lapse.tend()
        waiting = [lapse.bank(name).stats().pending_events for name in ("alice", "bob")]
        assert waiting == [0, 0]


def test_a_question_is_given_up_in_the_thread_that_is_to_end_alone() -> None:
    ending, stopping = Ending(), threading.Event()
    model = counted(lambda prompt: prompt.upper(), ending)
    assert model is not None
    with ending.during(stopping):
        assert model("a") == "A"
        stopping.set()
        with pytest.raises(StoppedError):
            model("b")
    assert model("c") == "C"
    assert (model.answered, model.failed) == (2, 0)


def test_what_a_model_raises_arrives_from_its_thread() -> None:
    def fail(_prompt: str) -> str:
        raise ValueError("no")

    ending = Ending()
    model = counted(fail, ending)
    assert model is not None
    with ending.during(threading.Event()), pytest.raises(ValueError, match="no"):
        model("a")
    assert (model.answered, model.failed) == (0, 1)
