"""Lapse as it is handed out: the public names, the first ten lines, the offline model, a thread."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

import lapse
from lapse import Lapse, presets
from lapse.testing.fakes import FakeClock

WAIT_S = 60


def test_the_first_ten_lines_do_what_they_say(tmp_path: Path) -> None:
    clock = FakeClock("2026-03-01T09:00Z")
    mind = Lapse.open(tmp_path / "agent.db", policy=presets.companion(), clock=clock)
    alice = mind.bank("alice")
    alice.remember(
        "I prefer tea, not coffee",
        key="user/drink",
        role="user",
        created_at="2026-03-01T09:00Z",
    )
    alice.remember("My sister plays the cello", role="user")
    clock.advance(days=3)

    r = alice.recall("what should I bring her to drink, tea or coffee?", k=8, budget_words=120)
    report = alice.used([r.hits[0].id], recall=r.id)
    mind.close()

    assert r.hits[0].text == "I prefer tea, not coffee"
    assert r.hits[0].explanation.cosine is not None
    assert 0 < r.hits[0].explanation.retrievability <= 1
    assert r.words <= 120
    assert report.enqueued == 1
    with Lapse.open(tmp_path / "agent.db", clock=clock) as again:
        strength = again.bank("alice").get(r.hits[0].id).state.strength
        assert strength.reinforcement_count == 1


def test_the_bundled_model_finds_what_shares_no_word(tmp_path: Path) -> None:
    with Lapse.open("memory://", clock=FakeClock(), background=False) as mind:
        bank = mind.bank("alice")
        bank.remember_many(
            [
                {"text": "She adores her puppy", "id": "dog"},
                {"text": "The invoice is due in October", "id": "invoice"},
                {"text": "He repaired the bicycle wheel", "id": "bike"},
                {"text": "Rain is expected over the harbour", "id": "rain"},
            ]
        )

        (first, *_) = bank.recall("does anybody have a dog?").hits

    assert first.id == "dog"


def test_importing_is_silent_and_opens_nothing(tmp_path: Path) -> None:
    code = (
        "import sys, lapse; "
        "heavy = {'numpy', 'sqlalchemy', 'wordllama', 'typer', 'rich'} & set(sys.modules); "
        "assert not heavy, heavy"
    )

    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(tmp_path.iterdir()) == []


def test_the_public_names_can_be_had_from_the_package() -> None:
    for name in lapse.__all__:
        assert getattr(lapse, name) is not None
    with pytest.raises(AttributeError, match="nonsense"):
        lapse.nonsense  # noqa: B018  # the access itself is on test


def test_two_agents_on_one_file_with_threads_lose_nothing(tmp_path: Path) -> None:
    clock = FakeClock()
    path = tmp_path / "shared.db"
    minds = [Lapse.open(path, clock=clock, embedder=None) for _ in range(2)]
    failures: list[BaseException] = []

    def work(mind: Lapse, name: str) -> None:
        bank = mind.bank("team")
        try:
            for at in range(25):
                bank.remember(f"{name} noted fact {at}", id=f"{name}-{at}")
                bank.recall("noted fact")
                bank.used([f"{name}-{at}"], event_id=f"{name}-{at}")
        except BaseException as error:  # noqa: BLE001 - a thread's failure is the test's
            failures.append(error)

    threads = [
        threading.Thread(target=work, args=(mind, name))
        for mind, name in zip(minds, ("one", "two"), strict=True)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join(WAIT_S)
    for mind in minds:
        mind.close()

    assert failures == []
    with Lapse.open(path, clock=clock, embedder=None, background=False) as mind:
        stats = mind.bank("team").stats()
        assert (stats.memories, stats.pending_events) == (50, 0)
        assert list(mind.bank("team").doctor()) == []
        counts = {each.state.strength.access_count for each in mind.bank("team").list().records}
        assert counts == {1}
