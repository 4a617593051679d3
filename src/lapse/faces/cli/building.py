"""Commands made of operations.

Decides how the fields of a request become arguments and options. Refuses to run anything: a command
hands what was typed to `running`.
"""

import re
from collections.abc import Callable, Iterator
from inspect import Parameter, Signature
from typing import Annotated

import typer

from lapse.faces.cli.common import common_parameters
from lapse.faces.operations import Operation
from lapse.faces.operations.fields import Field, FieldType, From

Command = Callable[..., int]
"""A command: takes a context and what was typed, gives the exit code."""

REQUEST_PANEL = "For this request only, over the policy"
UNSET = "unset"
"""Name of the option that empties fields."""

_METAVARS = {
    FieldType.TEXT: "TEXT",
    FieldType.INTEGER: "N",
    FieldType.NUMBER: "X",
    FieldType.INSTANT: "TIME",
    FieldType.CHOICE: "NAME",
    FieldType.TEXTS: "TEXT",
    FieldType.CHOICES: "NAME",
    FieldType.NUMBERS: "X,X,…",
    FieldType.OBJECT: "KEY=VALUE",
    FieldType.ITEMS: "FILE",
}
_CODE = re.compile("`([^`]*)`")
_OVERRIDES = "overrides"
_SINGULARS = {"policies": "policy"}
_RENAMED = {"diff": "set"}
_ACTOR = "by"
_OWNER = " Needed here; a server knows it by the key."
_ALSO = {"reason": ("--because",)}
"""What an option may be called as well, by the field's name."""
_LISTS = frozenset({FieldType.TEXTS, FieldType.CHOICES, FieldType.OBJECT})


GROUPED = ("lab",)
"""Words with which the names of some operations begin: groups of commands on the command line."""


def command_name(operation: Operation) -> str:
    """Name of an operation on the command line: one word, or a group's and its own."""
    first, _, rest = operation.name.partition("_")
    name = operation.name.replace("_", "-")
    return f"{first} {rest.replace('_', '-')}" if first in GROUPED and rest else name


def option_name(field: Field) -> str:
    """Name of the option of a field; the members of a list are given one by one."""
    name = _RENAMED.get(field.name, field.name)
    if field.type in (FieldType.TEXTS, FieldType.CHOICES):
        name = name.removesuffix("ies") + "y" if name.endswith("ies") else name.removesuffix("s")
    return "--" + name.replace("_", "-")


def emptiable(operation: Operation) -> tuple[str, ...]:
    """Fields that null empties; they cannot be typed as null, so an option names them."""
    return tuple(each.name for each in operation.fields if each.null_counts and not each.required)


def parameters(operation: Operation) -> list[Parameter]:
    """Arguments and options of an operation's command, its own before the common ones."""
    own = [each for each in operation.fields if each.source is not From.PLACE]
    positional = [_argument(each) for each in own if each.source is From.POSITION]
    options = [one for each in own if each.source is From.NAME for one in _options(each)]
    return [*positional, *options, *_unset(emptiable(operation)), *common_parameters()]


def with_signature(command: Command, found: list[Parameter], doc: str) -> Command:
    """Give a command the parameters that Typer reads, with the context as the first."""
    context = Parameter("context", Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
    signature = Signature([context, *found], return_annotation=int)
    # Typer asks inspect for the signature and typing for the annotations.
    command.__signature__ = signature  # type: ignore[attr-defined]  # functions may carry one
    command.__annotations__ = {
        each.name: each.annotation for each in signature.parameters.values()
    } | {"return": int}
    command.__doc__ = doc
    return command


def help_of(operation: Operation) -> str:
    """Help of a command: the summary, and what one should know besides."""
    return _CODE.sub(r"“\1”", f"{operation.summary}\n\n{operation.details}")


def described(field: Field) -> str:
    """Help of a field with its choices and default."""
    text = field.help
    if field.choices:
        text += f" One of {', '.join(field.choices)}."
    if field.default not in (None, (), False, "", 0):
        told = field.default
        text += f" Default: {', '.join(map(str, told)) if isinstance(told, tuple) else told}."
    if field.type is FieldType.ITEMS:
        text += " A JSON array or one object a line; a dash reads standard input."
    return text


def _argument(field: Field) -> Parameter:
    many = field.type is FieldType.TEXTS
    name = _SINGULARS.get(field.name, "id") if many else field.name
    metavar = "FILE" if field.type is FieldType.ITEMS else name.upper()
    dash = " A dash reads it from standard input." if field.name in ("text", "query") else ""
    about = typer.Argument(
        metavar=f"{metavar}..." if many else metavar, help=described(field) + dash
    )
    if not field.required:
        # Something else may take its place.
        open_hint: object = Annotated[(list[str] if many else str) | None, about]
        return Parameter(field.name, Parameter.KEYWORD_ONLY, default=None, annotation=open_hint)
    hint = Annotated[list[str], about] if many else Annotated[str, about]
    return Parameter(field.name, Parameter.KEYWORD_ONLY, annotation=hint)


def _options(field: Field) -> Iterator[Parameter]:
    declared = option_name(field)
    panel = REQUEST_PANEL if field.group == _OVERRIDES else None
    if field.type is FieldType.BOOLEAN:
        declared = f"{declared}/--no-{declared[2:]}" if field.group == _OVERRIDES else declared
        yield option(field.name, bool | None, declared, described(field), None, panel)
        return
    hint = list[str] | None if field.type in _LISTS else str | None
    metavar = _METAVARS[field.type]
    if field.required and not field.null_counts and field.name != _ACTOR:
        yield _required(field, declared, metavar)
        return
    told = _OWNER if field.required and field.name == _ACTOR else ""
    yield option(field.name, hint, declared, described(field) + told, metavar, panel)
    if field.required and not told:
        # The value null, which has to be said, and cannot be typed as text.
        text = f"Instead of {declared}: none."
        yield option(f"no_{field.name}", bool | None, f"--no-{declared[2:]}", text, None, panel)


def _required(field: Field, declared: str, metavar: str) -> Parameter:
    names = (declared, *_ALSO.get(field.name, ()))
    about = typer.Option(*names, help=described(field), metavar=metavar)
    hint = Annotated[str, about]
    return Parameter(field.name, Parameter.KEYWORD_ONLY, annotation=hint)


def option(
    name: str,
    hint: object,
    declared: str,
    text: str,
    metavar: str | None,
    panel: str | None = None,
) -> Parameter:
    """An option that may be left out, as the parameter of a command."""
    names = (declared, *_ALSO.get(name, ()))
    about = typer.Option(
        *names, help=text, metavar=metavar, show_default=False, rich_help_panel=panel
    )
    whole: object = Annotated[hint, about]
    return Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=whole)


def _unset(names: tuple[str, ...]) -> Iterator[Parameter]:
    if names:
        text = f"Empty a field: {', '.join(names)}."
        yield option(UNSET, list[str] | None, "--unset", text, "FIELD", None)
