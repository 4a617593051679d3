"""B160: 50, 0.5, 50 % and values over 1 are all accepted and mean different things.

A share is written as a share; a percentage is refused and says so.
"""

import pytest

from lapse import Lapse
from lapse.errors import PolicyError, ValidationError
from lapse.model.policy import describe, value_at
from lapse.model.settings import ValueType

SHARES = [
    each
    for each in describe()
    if each.type is ValueType.NUMBER and each.within.low >= 0 and each.within.high == 1
]

REFUSED = ("50%", "50 %", "50", "5000", "-1", "1.0001", "0,5")


def start(monkeypatch: pytest.MonkeyPatch, path: str, word: str) -> object:
    with monkeypatch.context() as patched:
        patched.setenv(f"LAPSE_{path.replace('.', '__').upper()}", word)
        with Lapse.open("memory://", embedder=None, background=False) as mind:
            return value_at(mind.bank("alice").policy().policy, path)


@pytest.mark.parametrize("path", [each.path for each in SHARES])
def test_a_share_is_written_from_0_to_1_and_nothing_else_is_one(
    monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    (spec,) = (each for each in SHARES if each.path == path)
    assert start(monkeypatch, path, "0.5") == 0.5
    for word in REFUSED:
        with pytest.raises(PolicyError) as caught:
            start(monkeypatch, path, word)
        (told,) = caught.value.faults
        assert told.field == path
        assert str(spec.within) in told.problem
        assert ("percentage" in told.problem) == word.endswith("%")


def test_importance_and_confidence_of_a_memory_are_shares_too() -> None:
    assert len(SHARES) > 15
    with Lapse.open("memory://", embedder=None, background=False) as mind:
        bank = mind.bank("alice")
        for wrong in (50, 1.0001, -0.1):
            with pytest.raises(ValidationError, match="from 0 to 1") as caught:
                bank.remember("Lunch was soup", importance=wrong, confidence=wrong)
            assert len(caught.value.faults) == 2
        kept = bank.remember("Lunch was soup", importance=0.5, confidence=1)
        assert kept.memory.confidence == 1
