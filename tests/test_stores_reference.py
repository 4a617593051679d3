"""The matrix of stores is what the contracts of this version ask of the stores of this version."""

import runpy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from lapse.testing.store_contract import StoreContract, clauses


@pytest.fixture(scope="module")
def matrix(project_root: Path) -> Mapping[str, Any]:
    """The names of docs/generate/stores.py, which is a script and no module."""
    return runpy.run_path(str(project_root / "docs" / "generate" / "stores.py"))


def test_the_matrix_of_stores_is_current(matrix: Mapping[str, Any], project_root: Path) -> None:
    committed = (project_root / "docs" / "reference" / "stores.md").read_text(encoding="utf-8")
    assert committed == matrix["page"]().rstrip("\n") + "\n", "run: make docs"


def test_every_shipped_store_is_held_to_every_case_of_the_contract(
    matrix: Mapping[str, Any],
) -> None:
    stores, asked = matrix["stores"](), matrix["capabilities"]()
    assert {"memory://", "sqlite:///", "file:///", "postgresql+psycopg://"} <= {
        each.address for each in stores
    }
    for each in stores:
        cases = {case for base in each.bases for one in asked.get(base, []) for case in one.cases}
        assert {name for name, _ in clauses(StoreContract)} <= cases, each.address


def test_a_store_that_does_not_say_how_it_was_tested_is_an_error(
    matrix: Mapping[str, Any], tmp_path: Path
) -> None:
    silent = "class TestSilentStore(StoreContract):\n    pass\n"
    (tmp_path / "test_silent.py").write_text(silent)
    with pytest.raises(ValueError, match="TestSilentStore"):
        matrix["stores"](tmp_path)
