"""Own case of K22: a setting is read alike by every face, and so are the words for it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lapse import Lapse
from lapse.faces.cli import main
from lapse.testing.fakes import FakeClock
from tests.journeys.by_faces import Speaker, by_every_face
from tests.reports.helping import T0

WRONG = {
    "law.decay": ("high", "thirty", "0.9;", "1,5", "1e400", "NaN"),
    "forgetting.enabled": ("maybe", "2"),
    "recall.min_relevance": ("5000", "-1"),
    "recall.kay": ("5",),
}
OFF = ("false", "FALSE", "no", "off", "0")
ON = ("true", "TRUE", "yes", "on", "1")


@pytest.fixture
def speaker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Speaker]:
    """The host of a bank with one memory."""
    monkeypatch.setenv("LAPSE_MEMORY__EMBEDDER", "none")
    path = tmp_path / "lapse.db"
    with Lapse.open(path, clock=FakeClock(T0), background=False) as lapse:
        lapse.bank("notes", tenant="a").remember("The harbour is quiet", id="harbour")
        yield Speaker(lapse=lapse, path=path)


@by_every_face
def test_what_makes_no_sense_is_refused_and_nothing_changes(face: str, speaker: Speaker) -> None:
    bank = speaker.lapse.bank("notes", tenant="a")
    before = bank.policy().policy
    for path, values in WRONG.items():
        for value in values:
            asked = speaker.ask(face, "set_policy", {"diff": {path: value}, "by": "ada"})
            assert asked.error == "PolicyError", (path, value, asked.words)
            assert path in asked.words
    assert bank.policy().policy == before
    right = speaker.ask(face, "set_policy", {"diff": {"law.decay": "0.6"}, "by": "ada"})
    assert right.error == ""
    assert bank.policy().policy.law.decay == 0.6


@by_every_face
def test_every_word_for_on_and_off_is_read_as_it_is_meant(face: str, speaker: Speaker) -> None:
    bank = speaker.lapse.bank("notes", tenant="a")
    for off, on in zip(OFF, ON, strict=True):
        for word, mode in ((off, "off"), (on, "rank")):
            diff = {"forgetting.enabled": word}
            assert speaker.ask(face, "set_policy", {"diff": diff, "by": "ada"}).error == ""
            assert bank.stats().mode == mode, word


@by_every_face
def test_one_threshold_hides_the_same_by_every_face(face: str, speaker: Speaker) -> None:
    bank = speaker.lapse.bank("notes", tenant="a")
    bank.remember_many({"text": f"The quay {at} is wet", "id": f"quay{at}"} for at in range(20))
    whole = {each.id for each in bank.recall("harbour quay", k=8).hits}
    found = speaker.ask(face, "recall", {"query": "harbour quay"})
    known = {"harbour", *(f"quay{at}" for at in range(20))}
    document = found.document
    hits = document.get("hits", document.get("memories"))
    assert isinstance(hits, list)
    shown = {str(each.get("id") or each["memory"]["id"]) for each in hits}
    assert shown == whole <= known
    assert len(shown) == bank.policy().policy.recall.k


@pytest.mark.parametrize("command", [("serve", "--port", "0"), ("worker", "--once")])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LAPSE_LAW__DECAY", "high"),
        ("LAPSE_FORGETTING__ENABLED", "maybe"),
        ("LAPSE_RECALL__KAY", "5"),
    ],
)
def test_a_process_that_serves_does_not_start_with_a_setting_it_cannot_read(
    command: tuple[str, ...],
    name: str,
    value: str,
    speaker: Speaker,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(name, value)
    code = main(["--db", str(speaker.path), *command])
    said = capsys.readouterr()
    assert (code, said.out) == (2, "")
    assert name in said.err


def test_an_agent_is_not_served_with_a_setting_that_cannot_be_read(speaker: Speaker) -> None:
    program = "from lapse.faces.cli import main; raise SystemExit(main())"
    ended = subprocess.run(
        [sys.executable, "-c", program, "mcp", "--db", str(speaker.path)],
        env={**os.environ, "LAPSE_LAW__DECAY": "high"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "LAPSE_LAW__DECAY" in ended.stderr
