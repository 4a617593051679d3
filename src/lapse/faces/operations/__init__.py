"""The table of operations: what Lapse can be asked to do, once for every face.

Decides nothing itself: `table` lists, `operation` describes, `calls` does. Importing it loads no
engine, so that a face can show its help at once.
"""

from lapse.faces.operations.operation import (
    Effect,
    Example,
    Milder,
    Operation,
    Permission,
    Presence,
    Subject,
)
from lapse.faces.operations.table import GROUPS, TABLE

__all__ = [
    "GROUPS",
    "TABLE",
    "Effect",
    "Example",
    "Milder",
    "Operation",
    "Permission",
    "Presence",
    "Subject",
]
