"""Words that repeat what was erased stay gone when a bank is handed on, and do not come along."""

import io
from pathlib import Path

import pytest

from lapse.faces.keys import VARIABLE
from lapse.model.redaction import mark
from lapse.testing.fakes import FakeClock
from tests.unit.engine.copying import SECRET, WHO, exported, filled, opened

QUOTE = f"The harbour master told us: {SECRET}"


@pytest.fixture(autouse=True)
def _one_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both stores hold the key of tombstones, as whoever moves a bank must see to."""
    monkeypatch.setenv(VARIABLE, "5a" * 32)


def _quoting(target: str | Path, clock: FakeClock) -> bytes:
    """A bank in which words repeat what was erased elsewhere, as an export gives it."""
    with opened(target, clock) as mind:
        bank = mind.bank("main")
        bank.remember_many([{"text": f"Pier {at} is long", "id": f"p{at}"} for at in range(4)])
        bank.exempt(["p1"], reason=QUOTE, by="anna")
        bank.archive(["p2"], by="anna", reason=QUOTE)
        bank.hold("the gate", ids=["p3"], by="anna", reason=QUOTE)
        bank.canaries.add(SECRET, expected_ids=["p0"], by="anna")
        bank.approve(bank.plan("archive", ids=["p0"], by="anna").id, by="ben", reason=QUOTE)
        return exported(bank)


def test_an_export_of_redacted_words_holds_marks_alone() -> None:
    with opened("memory://") as one:
        bank = filled(one, FakeClock("2026-06-01T09:00Z"))
        told = exported(bank).decode()
        stone = bank.get("m6").state.exempt_reason
    assert "Zyxquartz" not in told
    assert stone is not None
    assert told.count(stone.removeprefix("redacted by erasure ")) > 1


@pytest.mark.parametrize("whole", [True, False], ids=["into a new bank", "into one that is there"])
@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_words_of_another_store_lose_on_the_way_what_was_erased_here(
    kind: str, whole: bool, tmp_path: Path
) -> None:
    clock = FakeClock("2026-06-01T09:00Z")
    told = _quoting("memory://", clock)
    with opened("memory://" if kind == "memory" else str(tmp_path / "b.db"), clock) as two:
        elsewhere = two.bank("elsewhere")
        elsewhere.remember(SECRET, id="gone", subject="the harbour master")
        receipt = elsewhere.erase(subject="the harbour master", **WHO).receipt
        assert receipt is not None
        bank = two.bank("main")
        if not whole:
            bank.remember("It was here before", id="before")
        bank.import_(io.BytesIO(told), by="anna")
        stone = mark(receipt.tombstones[0])
        assert "Zyxquartz" not in exported(bank).decode()
        assert bank.get("p1").state.exempt_reason == stone
        moved = bank.get("p2").state.transition
        assert moved is not None
        assert moved.reason == stone
        assert [each.reason for each in bank.holds()] == [stone]
        assert not list(bank.canaries)
        assert bank.verify_journal().sound
        assert list(bank.doctor()) == []
    if kind == "sqlite":
        assert b"Zyxquartz" not in (tmp_path / "b.db").read_bytes()


def test_a_hold_that_is_shared_loses_the_words_that_were_erased_there() -> None:
    with opened("memory://") as mind:
        one, two = mind.bank("one"), mind.bank("two")
        two.remember(SECRET, id="gone")
        two.erase(["gone"], **WHO)
        one.remember("Pier 4 is long", id="pier")
        one.hold("the gate", ids=["pier"], by="anna", reason=QUOTE)
        one.share(["pier"], to_bank="two", by="anna", reason="asked for")
        assert [each.reason for each in one.holds()] == [QUOTE]
        (held,) = two.holds()
        assert held.reason.startswith("redacted by erasure ")
