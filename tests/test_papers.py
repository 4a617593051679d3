"""What is written around the code keeps its promises: decisions, commands, settings, wording."""

import re
import subprocess
import sys
import tomllib
from importlib import import_module
from importlib.util import find_spec

import pytest

import lapse
from tests.project_files import ROOT, assert_none, documents, lines, place

ADR = ROOT / "docs" / "adr"
SECTIONS = ("Status", "Context", "Decision", "Consequences")
HEAVY = ("numpy", "sqlalchemy", "typer", "rich", "wordllama", "snowballstemmer", "pydantic")

# Spelled in pieces, so that this file keeps its own rules.
LEFT_OVERS = r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X)\b"
PLACES = (
    r"/wo" + r"rk/(main|shared)",
    r"/op" + r"t/(pypi|wheels)",
    r"(pypi|pythonhosted|npmjs|crates)\." + r"(org|com|io)\b",
    r"index-" + r"url",
    r"\bissues? " + r"#?\d",
)


def records() -> list[str]:
    return sorted(path.name for path in ADR.glob("*.md"))


def test_every_core_dependency_has_a_decision_record() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = [re.split(r"[<>=~!\[; ]", wanted)[0] for wanted in project["dependencies"]]
    assert names
    assert_none(
        f"no record in docs/adr/ is named after {name}"
        for name in names
        if not any(name in record for record in records())
    )


def test_every_decision_record_has_its_four_parts() -> None:
    faults = [
        f"docs/adr/{record} has no section {section!r}"
        for record in records()
        for section in SECTIONS
        if f"## {section}" not in (ADR / record).read_text(encoding="utf-8").splitlines()
    ]
    assert records()
    assert_none(faults)


def test_no_two_decision_records_share_a_number() -> None:
    numbers = [record.partition("-")[0] for record in records()]
    assert_none(
        f"docs/adr/: more than one record is numbered {number}"
        for number in sorted(set(numbers))
        if numbers.count(number) > 1
    )


def test_every_make_command_in_the_documents_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    faults = [
        f"{place(path, number)} make {target}"
        for path, number, line in lines()
        if path.suffix == ".md"
        for target in re.findall(r"(?:`|^\s*|&& )make ([a-z]+)", line)
        if target not in targets
    ]
    assert {"demo", "test", "check", "bench", "docs", "clean"} <= targets
    assert_none(faults)


def test_nothing_is_left_for_later_in_a_comment() -> None:
    assert_none(
        place(path, number) for path, number, line in lines() if re.search(LEFT_OVERS, line)
    )


def test_no_file_names_the_place_where_it_was_written() -> None:
    faults = [
        f"{place(path, number)} {found[0]}"
        for path, number, line in lines()
        for pattern in PLACES
        if (found := re.search(pattern, line))
    ]
    assert_none(faults)


def test_every_link_between_documents_leads_somewhere() -> None:
    faults = [
        f"{path.relative_to(ROOT)} -> {target}"
        for path in documents()
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8"))
        if "://" not in target and not (path.parent / target).exists()
    ]
    assert_none(faults)


def test_importing_lapse_loads_nothing_heavy() -> None:
    program = f"import sys, lapse; print(*(name for name in {HEAVY!r} if name in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


def test_importing_lapse_loads_no_part_of_it() -> None:
    program = "import sys, lapse; print(*(name for name in sys.modules if 'lapse.' in name))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


def test_the_public_names_are_listed_before_they_are_loaded() -> None:
    assert dir(lapse) == sorted(
        [
            "Lapse",
            "LapseError",
            "__version__",
            "migrate",
            "presets",
            "preview_restore",
            "render",
            "restore_backup",
        ]
    )


def test_a_name_that_lapse_does_not_have_is_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'recollect'"):
        _ = lapse.recollect


def test_every_lazy_name_has_its_type() -> None:
    source = (ROOT / "src" / "lapse" / "__init__.py").read_text(encoding="utf-8")
    typed, _, lazy = source.partition("__version__ =")
    modules = {
        "Lapse": "lapse.faces.app",
        "LapseError": "lapse.errors",
        "migrate": "lapse.faces.migrating",
        "presets": "lapse.model.presets",
        "preview_restore": "lapse.faces.restoring",
        "restore_backup": "lapse.faces.restoring",
        "render": "lapse.recall.qualifying",
    }
    assert all(name in lazy and module in lazy for name, module in modules.items())
    assert_none(
        f"src/lapse/__init__.py: import {name} under TYPE_CHECKING, now that {module} exists"
        for name, module in modules.items()
        if find_spec(module) is not None and f" {name} as {name}" not in typed
    )


def test_the_public_names_lead_to_their_modules() -> None:
    assert lapse.LapseError is import_module("lapse.errors").LapseError
    assert lapse.presets is import_module("lapse.model.presets")
