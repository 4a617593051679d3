"""The generated reference of operations, commands and errors is current."""

import runpy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from lapse import errors
from lapse.errors import LapseError
from lapse.faces.operations import TABLE


@pytest.fixture(scope="module")
def pages(project_root: Path) -> Mapping[str, Any]:
    """Pages of docs/generate/cli.py, which is a script and no module."""
    found: Mapping[str, Any] = runpy.run_path(str(project_root / "docs" / "generate" / "cli.py"))
    return dict(found["PAGES"])


@pytest.mark.parametrize("name", ["cli.md", "operations.md", "errors.md"])
def test_a_page_of_the_reference_is_what_the_table_says_now(
    name: str, pages: Mapping[str, Any], project_root: Path
) -> None:
    committed = (project_root / "docs" / "reference" / name).read_text(encoding="utf-8")
    assert committed == pages[name](), "run: make docs"


def test_every_operation_and_every_error_is_in_the_reference(project_root: Path) -> None:
    reference = project_root / "docs" / "reference"
    operations = (reference / "operations.md").read_text(encoding="utf-8")
    listed = (reference / "errors.md").read_text(encoding="utf-8")
    assert [each for each in TABLE if f"\n## {each}\n" not in operations] == []
    kinds = [
        name
        for name, each in vars(errors).items()
        if isinstance(each, type) and issubclass(each, LapseError)
    ]
    assert len(kinds) > 10
    assert [each for each in kinds if f"`{each}`" not in listed] == []
