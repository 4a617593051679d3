"""B180: the documented import does not exist in the released package.

That every block of every document runs is tested in `tests/test_docs.py`; here the names are.
Waits: the wheel in a clean environment with the oldest and the newest Python, for the release.
"""

import ast
import importlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.project_files import ROOT, assert_none, documents, python

BLOCK = re.compile(r"^```(?:python|pycon)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROMPT = re.compile(r"^(?:>>> |\.\.\. )", re.MULTILINE)


def imports(source: str) -> Iterator[tuple[str, str | None]]:
    """Each name of Lapse that a piece of code imports: its module, and the name in it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((each.name, None) for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield from ((node.module, each.name) for each in node.names)


def shown() -> Iterator[tuple[Path, str, str | None]]:
    """Each import of Lapse in a document, a block that is not run included."""
    for path in documents():
        for block in BLOCK.findall(path.read_text(encoding="utf-8")):
            lines = block.splitlines()
            if any(each.startswith(">>> ") for each in lines):
                lines = [PROMPT.sub("", each) for each in lines if PROMPT.match(each)]
            for module, name in imports("\n".join(lines)):
                if module.partition(".")[0] == "lapse":
                    yield path, module, name


def test_every_import_of_lapse_in_a_document_exists() -> None:
    found = list(shown())
    assert ("lapse", "Lapse") in {(module, name) for _, module, name in found}
    assert_none(
        f"{path.name}: from {module} import {name}"
        for path, module, name in found
        if name is not None and not hasattr(importlib.import_module(module), name)
    )


def test_every_command_for_an_extra_names_one_that_exists() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = {
        (path.name, extra)
        for path in [*documents(), *python("src")]
        for extra in re.findall(r"lapse\[([a-z,]+)\]", path.read_text(encoding="utf-8"))
    }
    assert {extra for _, extra in named} >= {"remote", "plots"}
    assert_none(
        f"{name}: lapse[{extra}]"
        for name, extra in named
        if not set(extra.split(",")) <= project["optional-dependencies"].keys()
    )


WITHOUT: dict[str, tuple[str, str]] = {
    "httpx": (
        "from lapse.embed.remote import Endpoint, RemoteEmbedder\n"
        "RemoteEmbedder(Endpoint(model='m', url='http://127.0.0.1:9/v1')).embed(['tea'], None)",
        "pip install 'lapse[remote]'",
    ),
    "wordllama": (
        "from lapse.embed.wordllama import WordLlamaEmbedder\n"
        "WordLlamaEmbedder().embed(['tea'], None)",
        "pip install 'wordllama",
    ),
    "matplotlib": (
        "from lapse.faces.cli import main\n"
        "raise SystemExit(main(['laws', '--plot', 'curves.png']))",
        "pip install 'lapse[plots]'",
    ),
}


@pytest.mark.parametrize("missing", WITHOUT)
def test_without_an_optional_library_the_command_to_install_it_is_told(
    tmp_path: Path, missing: str
) -> None:
    code, hint = WITHOUT[missing]
    hidden = f"import sys\nsys.modules[{missing!r}] = None\n"
    done = subprocess.run(
        [sys.executable, "-c", hidden + code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert hint in done.stderr
    assert "ModuleNotFoundError" not in done.stderr.splitlines()[-1]


def test_without_any_optional_library_the_library_works(tmp_path: Path) -> None:
    hidden = "import sys\nfor each in ('httpx', 'matplotlib'): sys.modules[each] = None\n"
    code = (
        "from lapse import Lapse, LapseError, presets\n"
        "mind = Lapse.open('x.db', policy=presets.companion(), embedder=None)\n"
        "mind.bank('a').remember('The harbour is quiet')\n"
        "print([hit.text for hit in mind.bank('a').recall('harbour').hits])\nmind.close()"
    )
    done = subprocess.run(
        [sys.executable, "-c", hidden + code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "['The harbour is quiet']\n"
