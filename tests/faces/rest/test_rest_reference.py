"""The generated reference of routes and roles is current."""

import runpy
from pathlib import Path


def test_the_reference_of_routes_is_what_the_routes_say_now(project_root: Path) -> None:
    script = runpy.run_path(str(project_root / "docs" / "generate" / "rest.py"))
    for name, page in script["PAGES"].items():
        committed = (project_root / "docs" / "reference" / name).read_text(encoding="utf-8")
        assert committed == page(), "run: make docs"
