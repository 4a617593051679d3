"""The one written form of a value in a memory's metadata.

Decides when two such values are the same: numbers by value, everything else by type and content.
Refuses to know where they are looked up.
"""

import json
from collections.abc import Mapping

from lapse.model.memory import JsonValue


def written_form(value: JsonValue) -> str:
    """Write a value so that the same values, and no others, are written alike.

    1 and 1.0 are the same, 1 and true are not.
    """
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value, sort_keys=True, default=_plain)


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is no JSON value")
