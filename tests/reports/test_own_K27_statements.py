"""Own case of K27: how much SQL a call runs does not depend on how much is stored.

Of a file alone: a folder and RAM run none, and PostgreSQL is asked the same by the same code, where
`tests/unit/stores/postgres/test_messages.py` counts how often it is waited for.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from lapse import Lapse
from lapse.bank import Bank
from tests.reports.helping_b import counted_statements

SIZES = (20, 400)

CALLS: dict[str, Callable[[Bank], object]] = {
    "recall": lambda bank: bank.recall("harbour number7", k=5),
    "why": lambda bank: bank.why("harbour", "m7"),
    "rank": lambda bank: bank.rank([{"id": "m7", "text": "harbour"}], query="harbour"),
    "get": lambda bank: bank.get("m7"),
    "list": lambda bank: bank.list(),
    "remember": lambda bank: bank.remember("something new", id="new"),
    "used": lambda bank: bank.used(["m7"]),
    "pin": lambda bank: bank.pin(["m7"]),
    "update": lambda bank: bank.update("m7", tags=["read"]),
}


def statements(path: Path, monkeypatch: pytest.MonkeyPatch, count: int) -> dict[str, int]:
    """How many statements each call runs on a bank of so many memories."""
    run: dict[str, int] = {}
    with (
        counted_statements(monkeypatch) as seen,
        Lapse.open(path, embedder=None, background=False) as mind,
    ):
        bank = mind.bank("alice")
        bank.remember_many({"text": f"harbour number{at}", "id": f"m{at}"} for at in range(count))
        for name, call in CALLS.items():
            bank.recall("warm up")  # so that the index stands where the store does
            seen.clear()
            call(bank)
            run[name] = len(seen)
    return run


def test_a_call_runs_as_many_statements_on_a_large_bank_as_on_a_small_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small, large = (statements(tmp_path / f"{each}.db", monkeypatch, each) for each in SIZES)
    assert large == small
    assert 0 < large["recall"] <= 10
