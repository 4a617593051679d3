"""The pictures of the architecture are those of the imports now."""

import runpy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="module")
def generator(project_root: Path) -> Mapping[str, Any]:
    """Names of docs/generate/architecture.py, which is a script and no module."""
    return runpy.run_path(str(project_root / "docs" / "generate" / "architecture.py"))


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A project of three packages: high imports both others, middle imports low."""
    (tmp_path / "pyproject.toml").write_text(
        "[[tool.importlinter.contracts]]\n"
        'id = "layers"\nlayers = ["high", "middle | (absent)", "low"]\n'
    )
    for name, code in {
        "high": "import lapse.low.deep\nfrom lapse import middle",
        "middle": "from lapse.low import deep",
        "low": "",
    }.items():
        folder = tmp_path / "src" / "lapse" / name
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text(f'"""What {name} is. And more."""\n{code}\n')
    return tmp_path


def test_the_pictures_are_those_of_the_imports(
    generator: Mapping[str, Any], project_root: Path
) -> None:
    committed = (project_root / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert committed == generator["page"](), "run: make docs"


def test_every_package_is_in_the_picture(generator: Mapping[str, Any]) -> None:
    placed = {name for layer in generator["layers"]() for name in layer}
    assert set(generator["packages"]()) <= placed | {"py"}


def test_an_arrow_that_follows_from_two_others_is_left_out(
    generator: Mapping[str, Any], small: Path
) -> None:
    drawn = generator["picture"](small)
    assert "  high --> middle" in drawn
    assert "  middle --> low" in drawn
    assert "  high --> low" not in drawn
    assert "Not built yet: `absent`." in drawn
    assert "│ middle  What middle is " in drawn


def test_a_page_without_its_marks_is_refused(generator: Mapping[str, Any], small: Path) -> None:
    (small / "ARCHITECTURE.md").write_text("# Architecture\n")
    with pytest.raises(ValueError, match="needs the lines"):
        generator["page"](small)
