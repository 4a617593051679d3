"""The index of field reports is current, and every kind that is tested has cases of our own."""

import re
import runpy
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent


@pytest.fixture(scope="module")
def generator(project_root: Path) -> Mapping[str, Any]:
    """Names of docs/generate/field_reports.py, which is a script and no module."""
    return runpy.run_path(str(project_root / "docs" / "generate" / "field_reports.py"))


def test_the_index_says_what_the_tests_say_now(generator: Mapping[str, Any]) -> None:
    committed = (FOLDER / "INDEX.md").read_text(encoding="utf-8")
    assert committed == generator["page"](), "run: make docs"


def test_every_file_tests_a_report_that_is_known(generator: Mapping[str, Any]) -> None:
    known = set(generator["reports"]()) | set(generator["KINDS"])
    files = list(generator["files_of"]())
    assert len(files) > 50
    assert [each.path.name for each in files if each.about not in known] == []
    assert set(generator["reports"]().values()) == set(generator["KINDS"])


def test_every_kind_that_is_tested_has_two_cases_that_nobody_reported(
    generator: Mapping[str, Any],
) -> None:
    kinds, files = generator["reports"](), list(generator["files_of"]())
    tested = {kinds[each.about] for each in files if each.about in kinds}
    own = Counter(each.about for each in files if each.about in generator["KINDS"])
    assert "K01" in tested
    assert {kind: own[kind] for kind in sorted(tested) if own[kind] < 2} == {}


def test_a_file_without_its_opening_is_refused(
    generator: Mapping[str, Any], tmp_path: Path
) -> None:
    (tmp_path / "test_B001_zones.py").write_text('"""Zones."""\n')
    with pytest.raises(ValueError, match="B001"):
        list(generator["files_of"](tmp_path))


def test_the_paragraphs_of_a_docstring_are_told_apart(
    generator: Mapping[str, Any], tmp_path: Path
) -> None:
    (tmp_path / "test_B001_zones.py").write_text(
        '"""B001: zones.\n\nOf no matter.\nDesign differs: by a\nhair: one.\n'
        'Waits: a thing, for `it`.\n\nMore: of no matter.\n"""\n'
    )
    (found,) = generator["files_of"](tmp_path)
    assert (found.says, found.differs, found.waits) == (
        "zones.",
        "by a hair: one.",
        "a thing, for `it`.",
    )


def test_ids_and_kinds_are_those_of_the_reports_where_they_are_at_hand(
    generator: Mapping[str, Any], shared_data: Callable[[str], Path]
) -> None:
    text = shared_data("cases/field_reports.md").read_text(encoding="utf-8")
    headings = re.findall(r"^### (B\d{3}) · (K\d{2})", text, re.MULTILINE)
    assert dict(headings) == generator["reports"]()
