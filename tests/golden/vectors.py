"""The golden values. Decides how a group is read; what it means is written in its cases."""

import json
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

FOLDER = Path(__file__).parent

# JSON has no types to offer, and each group has its own fields.
Case: TypeAlias = dict[str, Any]

RELATIVE = 1e-11
"""How close every implementation has to come: the values have twelve significant digits."""

ABSOLUTE = 1e-300
"""Below this a float64 holds no twelve digits any more."""


@cache
def _document() -> Case:
    loaded: Case = json.loads((FOLDER / "golden_vectors.json").read_text("utf-8"))
    return loaded


def group(law: str) -> list[Case]:
    """All cases of a group; never none."""
    cases = [case for case in _document()["cases"] if case["law"] == law]
    assert len(cases) == meta()["counts"][law]
    return cases


def meta() -> Case:
    """How the values were made."""
    found: Case = _document()["meta"]
    return found


def trace_weights() -> Case:
    """Time constants and weights of the ten traces."""
    loaded: Case = json.loads((FOLDER / "soe_weights.json").read_text("utf-8"))
    return loaded
