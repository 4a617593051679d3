"""B158: `False` in the environment switches the feature on."""

import pytest

from lapse import Lapse
from lapse.errors import PolicyError
from lapse.model.policy import describe, value_at
from lapse.model.settings import Value, ValueType

ON = ("true", "TRUE", "True", "1", "yes", "on", " on ")
OFF = ("false", "FALSE", "False", "0", "no", "off", "Off\n")
NEITHER = ("maybe", "2", "-1", "tru", "null", "1.0", "да")
BLANK = ("", " ", "\t")

BOOLEANS = [each for each in describe() if each.type is ValueType.BOOLEAN]


def in_force(monkeypatch: pytest.MonkeyPatch, path: str, word: str) -> Value:
    """What a setting is when its variable holds a word."""
    with monkeypatch.context() as patched:
        patched.setenv(f"LAPSE_{path.replace('.', '__').upper()}", word)
        with Lapse.open("memory://", embedder=None, background=False) as mind:
            return value_at(mind.bank("alice").policy().policy, path)


@pytest.mark.parametrize("path", [each.path for each in BOOLEANS])
def test_each_word_for_yes_is_on_each_for_no_is_off_and_blank_is_the_default(
    monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    default = next(each.default for each in BOOLEANS if each.path == path)
    assert [in_force(monkeypatch, path, each) for each in ON] == [True] * len(ON)
    assert [in_force(monkeypatch, path, each) for each in OFF] == [False] * len(OFF)
    assert [in_force(monkeypatch, path, each) for each in BLANK] == [default] * len(BLANK)


@pytest.mark.parametrize("word", NEITHER)
def test_a_word_for_neither_refuses_the_start(monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    for spec in BOOLEANS:
        with pytest.raises(PolicyError, match="true or false") as caught:
            in_force(monkeypatch, spec.path, word)
        assert [each.field for each in caught.value.faults] == [spec.path]
    assert len(BOOLEANS) > 10


def test_switching_forgetting_off_switches_it_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAPSE_FORGETTING__ENABLED", "False")
    with Lapse.open("memory://", embedder=None, background=False) as mind:
        assert mind.bank("alice").stats().mode == "off"
    monkeypatch.setenv("LAPSE_FORGETTING__ENABLED", "True")
    with Lapse.open("memory://", embedder=None, background=False) as mind:
        assert mind.bank("alice").stats().mode == "rank"
