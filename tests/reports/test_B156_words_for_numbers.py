"""B156: a word in a numeric setting becomes NaN, and a floor or a feature is silently off.

Every setting of every section is tried, from the environment, from TOML and by `set_policy`.
"""

import math
from pathlib import Path

import pytest

from lapse import Lapse
from lapse.errors import PolicyError
from lapse.model.policy import SETTINGS, describe
from lapse.model.settings import Spec, ValueType
from tests.reports.helping import Place

WORDS = ("high", "thirty", "0.9;", "1,5", "1e400", "nan", "inf", "0x10", "1_000", "٣", "½")
NUMERIC = (ValueType.NUMBER, ValueType.INTEGER, ValueType.NUMBERS, ValueType.NAMED_NUMBERS)


def numeric() -> list[Spec]:
    """Every setting that holds numbers."""
    return [each for each in describe() if each.type in NUMERIC]


def variable(path: str) -> str:
    return f"LAPSE_{path.replace('.', '__').upper()}"


@pytest.mark.parametrize("word", WORDS)
def test_a_word_in_any_numeric_variable_refuses_the_start_and_says_which_and_why(
    monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    for spec in numeric():
        with monkeypatch.context() as patched:
            patched.setenv(variable(spec.path), word)
            with pytest.raises(PolicyError) as caught:
                Lapse.open("memory://", background=False)
        (told,) = caught.value.faults
        assert (told.field, told.value) == (spec.path, repr(word))
        assert variable(spec.path) in told.problem
        assert spec.expected in told.problem
    assert len(numeric()) > 60


def test_every_wrong_variable_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = {"law.decay": "high", "retention.grace_days": "thirty", "recall.min_relevance": "0.9;"}
    for path, word in wrong.items():
        monkeypatch.setenv(variable(path), word)
    with pytest.raises(PolicyError) as caught:
        Lapse.open("memory://", background=False)
    assert {each.field for each in caught.value.faults} == set(wrong)


def test_a_number_in_its_range_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable("law.decay"), " 0.6 ")
    monkeypatch.setenv(variable("recall.k"), "+12")
    with Lapse.open("memory://", embedder=None, background=False) as mind:
        resolved = mind.bank("alice").policy()
    assert (resolved.policy.law.decay, resolved.policy.recall.k) == (0.6, 12)
    assert resolved.origin_of("law.decay") == "environment"


@pytest.mark.parametrize("written", ['"high"', "1e400", "nan", "inf", '"1,5"', "true", "[]"])
def test_a_file_is_held_to_the_same_rule(tmp_path: Path, written: str) -> None:
    config = tmp_path / "lapse.toml"
    config.write_text(f"[law]\ndecay = {written}\n")
    with pytest.raises(PolicyError, match=r"law\.decay"):
        Lapse.open("memory://", config=config, background=False)


@pytest.mark.parametrize("given", ["high", "1e400", math.nan, math.inf, True, "1,5", [0.5]])
def test_a_policy_with_a_word_is_refused_and_the_one_before_stays(
    place: Place, given: object
) -> None:
    bank = place.bank()
    bank.set_policy({"law": {"decay": 0.6}})
    with pytest.raises(PolicyError, match=r"law\.decay"):
        bank.set_policy({"law": {"decay": given}, "recall": {"k": 3}})  # type: ignore[dict-item]  # NaN is no JSON
    assert bank.policy().policy.law.decay == 0.6
    assert bank.policy().policy.recall.k == SETTINGS["recall.k"].default
