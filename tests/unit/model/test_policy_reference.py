"""The generated reference of settings is current, and complete for the systems it maps."""

import re
import runpy
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from lapse.model import presets
from lapse.model.policy import SETTINGS, to_json, value_at

NAMES_THERE = re.compile(r"(?:MEMORIZZ|HINDSIGHT_API)_[A-Z_]+|FORGET_THRESHOLD")

# What the four systems call their settings, as published; each must be found in the reference.
NAMES_OF_ENVIRONMENT = {
    "MEMORIZZ": (
        "RECENCY_DECAY_PER_HOUR RECENCY_ANCHOR ALPHA_RECENCY ALPHA_IMPORTANCE ALPHA_RELEVANCE "
        "DEFAULT_IMPORTANCE SCORE_NORMALIZE IMPORTANCE_RATER IMPORTANCE_MODEL REFLECTION_ENABLED "
        "REFLECTION_THRESHOLD RETENTION_ENABLED RETENTION_MIN_SCORE RETENTION_GRACE_DAYS "
        "RETENTION_PROTECT_VERIFIED RETENTION_PROTECT_PINNED RETENTION_MAX_CANDIDATES "
        "RETENTION_MEMORY_TYPES"
    ),
    "HINDSIGHT_API": (
        "RECENCY_DECAY_FUNCTION RECENCY_DECAY_LINEAR_WINDOW_DAYS RECENCY_DECAY_HALFLIFE_DAYS "
        "FORGETTING_ENABLED FORGETTING_MODE FORGETTING_BASE_STABILITY_DAYS "
        "FORGETTING_MAX_STABILITY_DAYS FORGETTING_SCORE_ALPHA FORGETTING_SCORE_FLOOR "
        "FORGETTING_RECALL_THRESHOLD FORGETTING_REINFORCEMENT_ENABLED "
        "FORGETTING_REINFORCEMENT_COOLDOWN_HOURS FORGETTING_ARCHIVE_ENABLED "
        "FORGETTING_ARCHIVE_THRESHOLD FORGETTING_ARCHIVE_GRACE_DAYS "
        "FORGETTING_AUTO_PRUNE_ENABLED"
    ),
}


@pytest.fixture
def generator(project_root: Path, monkeypatch: pytest.MonkeyPatch) -> Mapping[str, Any]:
    """Names of docs/generate/policy.py, which is a script and no module."""
    folder = project_root / "docs" / "generate"
    monkeypatch.syspath_prepend(str(folder))
    return runpy.run_path(str(folder / "policy.py"))


@pytest.mark.parametrize("page", ["policy.md", "seed-settings.md"])
def test_a_page_of_the_reference_is_what_the_tree_says_now(
    page: str, generator: Mapping[str, Any], project_root: Path
) -> None:
    committed = (project_root / "docs" / "reference" / page).read_text(encoding="utf-8")
    assert committed == generator["PAGES"][page](), "run: make docs"


def test_every_setting_is_in_the_reference(project_root: Path) -> None:
    text = (project_root / "docs" / "reference" / "policy.md").read_text(encoding="utf-8")
    assert [path for path in SETTINGS if f"| `{path}`" not in text] == []


def test_every_setting_that_the_systems_name_is_mapped(project_root: Path) -> None:
    text = (project_root / "docs" / "reference" / "seed-settings.md").read_text(encoding="utf-8")
    names = [
        f"{system}_{name}"
        for system, joined in NAMES_OF_ENVIRONMENT.items()
        for name in joined.split()
    ]
    assert [name for name in names if f"`{name}`" not in text] == []


def test_no_setting_of_the_published_texts_was_overlooked(
    project_root: Path, shared_data: Callable[[str], Path]
) -> None:
    reference = project_root / "docs" / "reference" / "seed-settings.md"
    mapped = set(NAMES_THERE.findall(reference.read_text(encoding="utf-8")))
    named: set[str] = set()
    for text in shared_data("seeds").glob("*.txt"):
        named |= set(NAMES_THERE.findall(text.read_text(encoding="utf-8")))
    assert len(named) > 30
    assert named - mapped == set()


def test_each_preset_keeps_the_numbers_of_its_system(generator: Mapping[str, Any]) -> None:
    kept = 0
    for source in generator["SOURCES"]:
        policy = presets.named(source.preset)
        for row in source.rows:
            assert set(row.paths) <= set(SETTINGS), row.name
            if row.kept is not None:
                spec = SETTINGS[row.paths[0]]
                assert to_json(spec, value_at(policy, spec.path)) == row.kept, row.name
                kept += 1
    assert kept > 35
