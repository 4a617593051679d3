"""The project's own files, for the tests that read them. Decides what is ours; judges nothing."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
NOT_OURS = {".git", "build", "dist", "htmlcov", "__pycache__", "demo-output"}
WRITTEN = {".py", ".md", ".toml", ".mako", ".sh", ".html", ".js", ".css", ".yml", ""}


def files(folder: Path = ROOT) -> Iterator[Path]:
    """Every file of the project below a folder, without what tools left behind, in order."""
    for path in sorted(folder.iterdir()):
        if path.name in NOT_OURS:
            continue
        if path.is_file():
            yield path
        elif path.name == ".ci" or not path.name.startswith("."):
            yield from files(path)


def python(*folders: str) -> list[Path]:
    """Every Python file below some folders of the project; a folder may not exist yet."""
    standing = [ROOT / name for name in folders if (ROOT / name).is_dir()]
    return [path for folder in standing for path in files(folder) if path.suffix == ".py"]


def trees(*folders: str) -> Iterator[tuple[Path, ast.Module]]:
    """Every Python file below some folders, parsed."""
    for path in python(*folders):
        yield path, ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def documents() -> list[Path]:
    """Every Markdown file of the project."""
    return [path for path in files() if path.suffix == ".md"]


def lines() -> Iterator[tuple[Path, int, str]]:
    """Every line that a person wrote: code, documents, settings; no data."""
    for path in files():
        if path.suffix in WRITTEN and not path.name.startswith(".coverage"):
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
