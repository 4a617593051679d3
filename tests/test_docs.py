"""Every Python example in the documents runs.

The blocks of one document run in order in one namespace, in an empty folder. A block under a
comment `<!-- not run: reason -->` is shown only.
"""

import doctest
import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.project_files import ROOT, documents

BLOCK = re.compile(
    r"(?P<reason><!-- not run: [^>]+ -->\n+)?^```(?P<language>python|pycon)\n(?P<code>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One fenced block that is to be run."""

    language: str
    code: str
    line: int


def examples(path: Path) -> list[Example]:
    text = path.read_text(encoding="utf-8")
    return [
        Example(
            language=block["language"],
            code=block["code"],
            line=text.count("\n", 0, block.start("code")),
        )
        for block in BLOCK.finditer(text)
        if block["reason"] is None
    ]


def run(example: Example, path: Path, names: dict[str, object]) -> None:
    """Run one block so that a traceback points into the document.

    Raises:
        AssertionError: A session's output is not what the document shows.
        Exception: Whatever the block itself raises.
    """
    if example.language == "python":
        # Blank lines in front make the line numbers those of the document.
        exec(compile("\n" * example.line + example.code, str(path), "exec"), names)
        return
    session = doctest.DocTestParser().get_doctest(
        example.code, names, path.name, str(path), example.line
    )
    outcome = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(session, clear_globs=False)
    names.update(session.globs)
    assert outcome.failed == 0, f"{path}:{example.line} shows another output"


WITH_EXAMPLES = [path for path in documents() if examples(path)]


@pytest.mark.parametrize(
    "path", WITH_EXAMPLES, ids=[str(path.relative_to(ROOT)) for path in WITH_EXAMPLES]
)
def test_the_examples_of_a_document_run(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = examples(path)
    if any("Lapse" in example.code for example in found) and find_spec("lapse.faces.app") is None:
        pytest.skip("lapse.Lapse is not built yet")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "example"}
    for example in found:
        run(example, path, names)
    assert found


def test_the_readme_has_an_example() -> None:
    assert examples(ROOT / "README.md")


def test_a_block_with_a_reason_is_not_run(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(
        "<!-- not run: needs a server -->\n```python\n1 / 0\n```\n\n```python\nx = 1\n```\n"
    )
    assert [(example.code, example.line) for example in examples(path)] == [("x = 1\n", 6)]


def test_a_session_that_shows_another_output_is_found(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text("```pycon\n>>> 1 + 1\n3\n```\n")
    with pytest.raises(AssertionError, match="shows another output"):
        run(examples(path)[0], path, {})


def test_the_ten_lines_print_what_the_readme_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    readme = ROOT / "README.md"
    run(examples(readme)[0], readme, {"__name__": "readme"})
    printed = capsys.readouterr().out.strip()
    assert printed == "I prefer tea, not coffee 0.95"
    assert f"`{printed}`" in readme.read_text(encoding="utf-8")
