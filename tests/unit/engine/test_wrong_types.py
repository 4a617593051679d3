"""Values of a wrong type are refused by name: no corruption, no bare Python error."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from lapse.bank import Bank
from lapse.errors import ValidationError
from lapse.faces.app import Lapse
from lapse.model.instants import parse_instant
from lapse.model.paging import Listing
from lapse.model.query import AsOf, Scope

Wrong = Callable[[Bank], object]

# mypy would refuse each of these: the mistakes are what is tested.
WRONG: dict[str, tuple[str, Wrong]] = {
    "an integer for an id": ("id", lambda bank: bank.get(5)),  # type: ignore[arg-type]
    "a list for an id": ("id", lambda bank: bank.get(["m"])),  # type: ignore[arg-type]
    "a list for an id to explain": ("id", lambda bank: bank.why("tea", ["m"])),  # type: ignore[arg-type]
    "a list for an id to update": ("id", lambda bank: bank.update(["m"], text="x")),  # type: ignore[arg-type]
    "an integer among ids": ("ids[1]", lambda bank: bank.pin(["m", 5])),  # type: ignore[list-item]
    "nothing for ids": ("ids", lambda bank: bank.used(None)),  # type: ignore[arg-type]
    "a list among ids": ("ids[0]", lambda bank: bank.used([["m"]])),  # type: ignore[list-item]
    "a list for a source": ("source", lambda bank: bank.used(["m"], source=["cited"])),  # type: ignore[arg-type]
    "an integer for a reason": ("reason", lambda bank: bank.exempt(["m"], reason=5)),  # type: ignore[arg-type]
    "text for two times": ("as_of", lambda bank: bank.recall("tea", as_of="2026-01-01")),  # type: ignore[arg-type]
    "nothing for drafts": ("drafts", lambda bank: bank.remember_many(None)),  # type: ignore[arg-type]
    "text for messages": ("messages", lambda bank: bank.ingest("hello")),  # type: ignore[arg-type]
    "nothing for candidates": ("candidates", lambda bank: bank.rank(None, query="tea")),  # type: ignore[arg-type]
    "an object for a listing": ("listing", lambda bank: bank.list({"limit": 3})),  # type: ignore[arg-type]
    "text for a limit": ("limit", lambda bank: bank.reflect(limit="3").__enter__()),  # type: ignore[arg-type]
    "an integer for a session": ("session", lambda bank: bank.recall("tea", session=5)),  # type: ignore[arg-type]
    "an integer for a subject": ("subject", lambda bank: bank.recall("tea", subject=5)),  # type: ignore[arg-type]
    "a list for metadata": ("metadata", lambda bank: bank.recall("tea", metadata=[])),  # type: ignore[arg-type]
    "a list for a flag": ("history", lambda bank: bank.stats(history=[])),  # type: ignore[arg-type]
    "a list for a mode": ("mode", lambda bank: bank.forget(["m"], mode=[])),  # type: ignore[arg-type]
    "an array for a score": ("score", lambda bank: bank.suggest(score=np.ones(2))),  # type: ignore[arg-type]
    "a flag for a version": ("if_version", lambda bank: bank.update("m", if_version=True)),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_type_is_refused_by_name(tmp_path: Path, case: str) -> None:
    field, ask = WRONG[case]
    with Lapse.open(tmp_path / "t.db", embedder=None, background=False) as lapse:
        bank = lapse.bank("alice")
        bank.remember("tea", id="m")

        with pytest.raises(ValidationError) as caught:
            ask(bank)

    assert [each.field for each in caught.value.faults] == [field]


def test_nothing_is_no_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    with pytest.raises(ValidationError, match="target"):
        Lapse.open(None, embedder=None, background=False)  # type: ignore[arg-type]  # the mistake on test

    assert not list(tmp_path.iterdir())


def test_the_two_times_are_read_as_every_time_is() -> None:
    asked = AsOf(valid="2026-01-01", recorded=None)  # type: ignore[arg-type]  # as a caller may write it

    assert asked == AsOf(valid=parse_instant("2026-01-01", "valid"))
    with pytest.raises(ValidationError) as caught:
        AsOf(valid="soon", recorded=[])  # type: ignore[arg-type]  # the mistake on test
    assert [each.field for each in caught.value.faults] == ["valid", "recorded"]


def test_a_listing_and_a_scope_name_all_that_is_wrong() -> None:
    with pytest.raises(ValidationError) as caught:
        Listing(after="x", limit=2.5, kinds="semantic", sessions=(1,), key=3)  # type: ignore[arg-type]  # the mistakes on test
    assert [each.field for each in caught.value.faults] == [
        "limit",
        "after",
        "kinds",
        "sessions",
        "key",
    ]
    with pytest.raises(ValidationError) as caught:
        Scope(session=5, subject=6, metadata=[])  # type: ignore[arg-type]  # the mistakes on test
    assert [each.field for each in caught.value.faults] == ["session", "subject", "metadata"]


def test_a_count_no_store_can_hold_is_found_before_anything_is_stored(tmp_path: Path) -> None:
    many: list[dict[str, object]] = [{"text": f"fact {each}"} for each in range(1001)]
    with Lapse.open(tmp_path / "t.db", embedder=None, background=False) as lapse:
        bank = lapse.bank("alice")

        with pytest.raises(ValidationError) as caught:
            bank.remember_many([*many, {"text": "bad", "proof_count": 2**63}])

        assert [each.field for each in caught.value.faults] == ["[1001].proof_count"]
        assert bank.stats().memories == 0
        assert bank.remember("good", proof_count=2**63 - 1).memory.proof_count == 2**63 - 1


def test_who_tells_is_faulted_together_with_what_is_told(tmp_path: Path) -> None:
    with Lapse.open(tmp_path / "t.db", embedder=None, background=False) as lapse:
        bank = lapse.bank("alice")
        told: tuple[Callable[[], object], ...] = (
            lambda: bank.remember("x", importance=2, by=""),
            lambda: bank.remember_many([{"text": "x", "importance": 2}], by=""),
            lambda: bank.ingest([{"content": "x", "importance": 2}], by=""),
        )
        for tell in told:
            with pytest.raises(ValidationError) as caught:
                tell()
            fields = [each.field.removeprefix("[0].") for each in caught.value.faults]
            assert fields == ["importance", "by"]
