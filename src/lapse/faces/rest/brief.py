"""Recalls in short: what came to mind, and of what did not only how many and why.

Decides what is left away when a caller asks for little: every candidate that was left out, with
some thirty numbers each, is most of an answer and of the time that it takes. Refuses to leave away
what belongs to a hit.
"""

from dataclasses import replace
from typing import Final

from lapse.faces.operations import Operation
from lapse.faces.rest.schemas import Components
from lapse.faces.rest.telling import plain
from lapse.model.left_out import reasons_of
from lapse.model.query import Reason, Recall

LEFT_OUT: Final = "left_out"
_EXCLUSIONS: Final = "exclusions"
_SCHEMA: Final = "BriefRecall"


def can_be_brief(operation: Operation) -> bool:
    """Whether an operation's minimal answer is a shorter one, and not an empty one."""
    return operation.result is Recall


def brief(recall: Recall) -> dict[str, object]:
    """A recall as plain JSON values, its exclusions as counts by reason."""
    told = plain(replace(recall, exclusions=()))
    del told[_EXCLUSIONS]
    counts = reasons_of(recall.exclusions)
    told[LEFT_OUT] = {str(each): counts[each] for each in sorted(counts)}
    return told


def brief_schema(components: Components) -> dict[str, object]:
    """A reference to the schema of what `brief` gives."""
    components.of(Recall)
    whole = components.found[Recall.__name__]
    properties = whole["properties"]
    assert isinstance(properties, dict)  # noqa: S101 - schemas of results are objects
    told = {name: each for name, each in properties.items() if name != _EXCLUSIONS}
    told[LEFT_OUT] = {
        "type": "object",
        "description": "How many candidates were left out, by the first reason.",
        "properties": {each.value: {"type": "integer", "minimum": 1} for each in Reason},
        "additionalProperties": False,
    }
    components.found[_SCHEMA] = {
        "type": "object",
        "description": "What came to mind, and how much did not: `Prefer: return=minimal`.",
        "properties": told,
        "required": list(told),
    }
    return {"$ref": f"#/components/schemas/{_SCHEMA}"}
