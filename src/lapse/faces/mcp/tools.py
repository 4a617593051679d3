"""Tools: what a client is told of each operation it is offered.

Decides a tool's arguments, its annotations, its words and the schema of what it gives, all of it
from the table. Refuses to run anything, and to let a model say who acts: `by` and `approved_by` are
no arguments here, and the yes of what takes memories away is the name of a preview.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from mcp import types

from lapse.faces.mcp.answering import recalled_schema, result_schema
from lapse.faces.mcp.profiles import Profile, Reach, offered
from lapse.faces.mcp.wording import WORDS
from lapse.faces.operations import Effect, Operation
from lapse.faces.operations.fields import Field, From
from lapse.faces.operations.json_schema import Schema, schema_of_fields
from lapse.model.memory import JsonValue
from lapse.model.query import Recall

ACTOR = "by"
CONFIRM = "confirm"
_YES = "yes"
_HIDDEN = frozenset({ACTOR, "approved_by", _YES, "reach"})
"""What a client is not asked: who acts, and other banks than the one that it speaks to."""

_NOT_A_MODELS = frozenset({"pinned", "exempt", "audit_evidence"})
"""What a model may not claim of what it tells."""

_REPEATABLE = frozenset(
    {"apply", "archive", "drain", "erase", "exempt", "forget", "pin", "suppress", "unpin"}
)
"""Operations that change nothing more when they are called again with the same arguments."""

_CONFIRM_TEXT = "Name of the preview that the first call gave. Left out, nothing is done but shown."

Told = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedTool:
    """One operation as a tool.

    Attributes:
        operation: The row of the table.
        fixed: Fields that the profile decides, whatever the client says.
        fields: Fields that the client may give.
        confirms: Whether it shows first and acts when the preview is named.
        tool: What the client is told.
    """

    operation: Operation
    fixed: Told
    fields: tuple[Field, ...]
    confirms: bool
    tool: types.Tool


def toolbox(profile: Profile, reach: Reach) -> Mapping[str, OfferedTool]:
    """The tools of a profile by name, those for agents first."""
    operations = offered(profile, reach)
    return MappingProxyType(
        {name: _tool(operation, profile) for name, operation in operations.items()}
    )


def gives_recall(operation: Operation) -> bool:
    """Whether it answers a question, and so is shown in short."""
    return operation.result is Recall


def _tool(operation: Operation, profile: Profile) -> OfferedTool:
    fixed: Told = {}
    if operation.name == "forget" and profile is Profile.DEFAULT:
        fixed = {"mode": "suppress"}  # an agent's forgetting can be taken back
    hidden = _HIDDEN | _NOT_A_MODELS if profile is Profile.DEFAULT else _HIDDEN
    confirms = any(each.name == _YES for each in operation.fields)
    shown = tuple(
        each
        for each in operation.fields
        if each.name not in hidden | fixed.keys() and each.source is not From.PLACE
    )
    takes = schema_of_fields(shown)
    if confirms:
        takes = _with_confirm(takes)
    tool = types.Tool(
        name=operation.name,
        title=operation.name.replace("_", " ").capitalize(),
        description=_description(operation),
        input_schema=dict(takes),
        output_schema=dict(_gives(operation)),
        annotations=_annotations(operation),
    )
    return OfferedTool(operation=operation, fixed=fixed, fields=shown, confirms=confirms, tool=tool)


def _annotations(operation: Operation) -> types.ToolAnnotations:
    reads = operation.effect is Effect.READ
    return types.ToolAnnotations(
        title=operation.name.replace("_", " ").capitalize(),
        read_only_hint=reads,
        destructive_hint=operation.effect is Effect.DESTRUCTIVE,
        idempotent_hint=reads or operation.name in _REPEATABLE,
        open_world_hint=False,
    )


def _description(operation: Operation) -> str:
    told = WORDS.get(operation.name)
    return told if told is not None else f"{operation.summary} {operation.details}".strip()


def _with_confirm(takes: Schema) -> Schema:
    properties = takes["properties"]
    confirm: JsonValue = {"type": "string", "description": _CONFIRM_TEXT}
    extended = {**properties, CONFIRM: confirm} if isinstance(properties, Mapping) else {}
    return takes | {"properties": extended}


def _gives(operation: Operation) -> Schema:
    return recalled_schema() if gives_recall(operation) else result_schema(operation.result)
