"""The configuration file: what is laid out is read back, and only what differs is set."""

import tomllib
from pathlib import Path

import pytest

from lapse.errors import ConflictError, StoreError, ValidationError
from lapse.faces import configuration
from lapse.model import presets
from lapse.model.policy import SETTINGS
from lapse.model.policy_layers import DEFAULT, Origin, merge


@pytest.mark.parametrize("name", presets.NAMES)
def test_a_file_laid_out_gives_its_preset_back(name: str, tmp_path: Path) -> None:
    path = tmp_path / "lapse.toml"
    configuration.write(path, configuration.layout(presets.named(name), DEFAULT))
    assert merge(configuration.read(path, {})).policy == presets.named(name)


@pytest.mark.parametrize("name", presets.NAMES)
def test_each_line_that_is_commented_out_may_be_taken_in(name: str) -> None:
    text = configuration.layout(presets.named(name), presets.named(name))
    assert not any(tomllib.loads(text).values())
    taken_in = "\n".join(
        line.removeprefix("# ") if " = " in line and _names_a_setting(line) else line
        for line in text.splitlines()
    )
    document = tomllib.loads(taken_in)
    assert {f"{s}.{name}" for s, values in document.items() for name in values} == set(SETTINGS)


def _names_a_setting(line: str) -> bool:
    return line.removeprefix("# ").partition(" = ")[0] in {s.name for s in SETTINGS.values()}


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text("[recall]\nk = 3\nmin_relevance = 0.2\n", encoding="utf-8")
    resolved = merge(configuration.read(path, {"LAPSE_RECALL__K": "4", "LAPSE_CONFIG": "x"}))
    assert (resolved.policy.recall.k, resolved.origin_of("recall.k")) == (4, Origin.ENVIRONMENT)
    assert resolved.origin_of("recall.min_relevance") is Origin.TOML


def test_a_file_that_was_named_wins_over_the_variable_and_the_folder(tmp_path: Path) -> None:
    own = tmp_path / "lapse.toml"
    assert configuration.found(None, {}, tmp_path) is None
    own.touch()
    assert configuration.found(None, {"LAPSE_CONFIG": ""}, tmp_path) == own
    assert configuration.found(None, {"LAPSE_CONFIG": "b"}, tmp_path) == Path("b")
    assert configuration.found("a", {"LAPSE_CONFIG": "b"}, tmp_path) == Path("a")


def test_an_existing_file_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "lapse.toml"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(ConflictError, match="exists already"):
        configuration.write(path, "other")
    assert path.read_text(encoding="utf-8") == "mine"


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be written"):
        configuration.write(tmp_path / "none" / "lapse.toml", "")
    with pytest.raises(ValidationError, match="can be read as UTF-8"):
        configuration.read(tmp_path / "missing.toml", {})
