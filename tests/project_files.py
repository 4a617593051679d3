"""The project's own files, for the tests that read them. Decides what is ours; judges nothing."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
NOT_OURS = {"build", "dist", "htmlcov", "__pycache__", "demo-output"}
WRITTEN = {".py", ".md", ".toml", ".mako", ".sh", ".html", ".js", ".css", ".yml", ""}


def ours(path: Path) -> bool:
    """Whether a path is a file of the project, not one that a tool left behind."""
    folders = path.relative_to(ROOT).parts[:-1]
    return path.is_file() and not any(
        part in NOT_OURS or (part.startswith(".") and part != ".ci") for part in folders
    )


def python(*folders: str) -> list[Path]:
    """Every Python file below some folders of the project."""
    return sorted(path for name in folders for path in (ROOT / name).rglob("*.py") if ours(path))


def trees(*folders: str) -> Iterator[tuple[Path, ast.Module]]:
    """Every Python file below some folders, parsed."""
    for path in python(*folders):
        yield path, ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def documents() -> list[Path]:
    """Every Markdown file of the project."""
    return sorted(path for path in ROOT.rglob("*.md") if ours(path))


def lines() -> Iterator[tuple[Path, int, str]]:
    """Every line that a person wrote: code, documents, settings; no data."""
    for path in sorted(ROOT.rglob("*")):
        if path.suffix in WRITTEN and ours(path) and not path.name.startswith(".coverage"):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                yield path, number, line


def place(path: Path, line: int) -> str:
    """Where something is, as an editor understands it."""
    return f"{path.relative_to(ROOT)}:{line}"


def assert_none(faults: Iterable[str]) -> None:
    """Fail with the faults, one a line, and nothing around them.

    Raises:
        pytest.fail.Exception: There is a fault.
    """
    found = list(faults)
    if found:
        pytest.fail("\n".join(["", *found]), pytrace=False)
