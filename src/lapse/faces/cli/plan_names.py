"""Plans by the beginning of their names, as people type them.

Decides how much of a name is enough: eight of its hexadecimal digits, where no other plan of the
bank begins so. Refuses to guess between two.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final

from lapse.errors import ValidationError
from lapse.faces.operations import TABLE, Operation

FIELD: Final = "plan"
LEAST_DIGITS: Final = 8
_BEGINNING: Final = re.compile(rf"[0-9a-f]{{{LEAST_DIGITS},63}}")
_MOST_NAMED: Final = 5
_LOOKED_THROUGH: Final = 1000
"""Latest plans among which one is sought."""

Ask = Callable[[Operation, Mapping[str, object]], object]
"""Asks for an operation where the command is carried out."""


def with_whole_plan(given: Mapping[str, object], ask: Ask) -> Mapping[str, object]:
    """What is given, with the whole name of the plan whose beginning was typed.

    Raises:
        ValidationError: Several plans begin so.
        LapseError: The plans cannot be listed.
    """
    typed = given.get(FIELD)
    if not isinstance(typed, str) or not _BEGINNING.fullmatch(typed):
        return given
    listed = ask(TABLE["plans"], {"limit": _LOOKED_THROUGH})
    names = [each.id for each in getattr(listed, "plans", ()) if each.id.startswith(typed)]
    if len(names) > 1:
        named = ", ".join(names[:_MOST_NAMED])
        raise ValidationError.of(FIELD, typed, f"is the beginning of several: {named}")
    return {**given, FIELD: names[0]} if names else given
