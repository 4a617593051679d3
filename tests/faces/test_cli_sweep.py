"""What the commands of sweeping show: what went, what waits, and how the active set has grown."""

from pathlib import Path

import pytest

from tests.faces.conftest import Cli

LATER = "2026-08-01T02:00:00Z"


@pytest.fixture
def swept(store: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The store in mode lifecycle."""
    monkeypatch.setenv("LAPSE_FORGETTING__MODE", "lifecycle")
    monkeypatch.setenv("LAPSE_FORGETTING__AUTO_APPLY", "true")
    told = cli("--db", str(store), "--bank", "alice", "remember", "Soup", "--importance", "0")
    assert told.code == 0
    return store


def test_a_sweep_says_what_went_and_what_was_spared(swept: Path, cli: Cli) -> None:
    ended = cli("--db", str(swept), "--now", LATER, "sweep", "--watch")
    assert ended.code == 0
    assert "alice" in ended.out
    assert "archived 1 memory" in ended.out
    assert "recall@8 on 1 canaries" in ended.out
    assert "visited" in ended.err
    again = cli("--db", str(swept), "--now", LATER, "sweep")
    assert "archived 0 memories" in again.out
    assert "visited" not in again.err


def test_only_the_tenant_and_the_bank_that_were_named_are_swept(store: Path, cli: Cli) -> None:
    for bank in ("alice", "bob"):
        cli("--db", str(store), "--tenant", "acme", "--bank", bank, "remember", "Soup")

    def swept(*typed: str) -> list[str]:
        ended = cli("--db", str(store), "sweep", "--json", *typed)
        assert isinstance(ended.json, dict)
        return [each["ref"]["name"] for each in ended.json["sweeps"]]

    assert swept() == ["alice"]
    assert swept("--tenant", "acme") == ["alice", "bob"]
    assert swept("--tenant", "acme", "--bank", "bob") == ["bob"]


def test_a_bank_in_another_mode_says_why_it_was_not_swept(store: Path, cli: Cli) -> None:
    ended = cli("--db", str(store), "--now", LATER, "sweep")
    assert ended.code == 0
    assert "sweeps want forgetting.mode = lifecycle" in ended.out


def test_the_history_is_drawn_as_bars(swept: Path, cli: Cli) -> None:
    common = ("--db", str(swept), "--bank", "alice")
    empty = cli(*common, "stats", "--history")
    assert "no sweep yet" in empty.out
    cli(*common, "--now", LATER, "sweep")
    drawn = cli(*common, "--now", LATER, "stats", "--history")
    assert "2026-08-01  █" in drawn.out
    assert "−1" in drawn.out
    assert "active after each sweep" not in cli(*common, "stats").out


def test_canaries_are_shown_with_what_they_miss(swept: Path, cli: Cli) -> None:
    common = ("--db", str(swept), "--bank", "alice")
    assert cli(*common, "add-canary", "noodles", "--expected-id", "tea").code == 0
    shown = cli(*common, "canaries")
    assert "0/1" in shown.out
    assert "recall@8 0." in shown.out
    dropped = cli(*common, "drop-canary", "noodles")
    assert "noodles" in dropped.out
    assert "noodles" not in cli(*common, "canaries").out
