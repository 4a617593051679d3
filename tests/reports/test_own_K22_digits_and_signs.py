"""Own case of K22: what is a number to Python is not always one to whoever wrote it."""

import pytest

from lapse import Lapse
from lapse.errors import PolicyError

TEN = ("10", " 10 ", "+10", "010")
NOT_TEN = ("1_0", "１０", "1 0", "10.0", "1e1", "0b1010", "10k", "10 memories", "'10'", "--10")


def k_of(monkeypatch: pytest.MonkeyPatch, word: str) -> int:
    with monkeypatch.context() as patched:
        patched.setenv("LAPSE_RECALL__K", word)
        with Lapse.open("memory://", embedder=None, background=False) as mind:
            return mind.bank("alice").policy().policy.recall.k


@pytest.mark.parametrize("word", TEN)
def test_a_whole_number_is_read_as_it_is_written(
    monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    assert k_of(monkeypatch, word) == 10


@pytest.mark.parametrize("word", NOT_TEN)
def test_what_only_looks_like_a_whole_number_is_refused(
    monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    with pytest.raises(PolicyError, match=r"recall\.k"):
        k_of(monkeypatch, word)
    assert k_of(monkeypatch, "7") == 7


@pytest.mark.parametrize(("word", "value"), [("none", None), ("NULL", None), ("0", 0), ("", None)])
def test_zero_is_a_limit_and_none_is_no_limit(
    monkeypatch: pytest.MonkeyPatch, word: str, value: int | None
) -> None:
    monkeypatch.setenv("LAPSE_RECALL__BUDGET_WORDS", word)
    with Lapse.open("memory://", embedder=None, background=False) as mind:
        bank = mind.bank("alice")
        bank.remember("The harbour is quiet")
        assert bank.policy().policy.recall.budget_words == value
        assert len(bank.recall("harbour").hits) == (0 if value == 0 else 1)
