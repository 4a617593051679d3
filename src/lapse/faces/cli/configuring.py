"""Commands about the configuration: `lapse init` and `lapse config show`.

Decides what they are called and what they show. Refuses to know how a file is laid out
(`faces.configuration`) or which layer wins (`model.policy_layers`).
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from inspect import Parameter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from lapse.faces import configuration
from lapse.faces.cli.building import Command, with_signature
from lapse.faces.cli.common import (
    DEFAULT_TARGET,
    Common,
    laid_over,
    local_parameters,
    named_place,
    take,
)
from lapse.faces.cli.failing import OK
from lapse.faces.cli.remote import refuse_url
from lapse.faces.cli.running import (
    Place,
    configuration_of,
    opened,
    present,
    store_stands,
)
from lapse.faces.cli.streams import note, write_line
from lapse.faces.operations import TABLE
from lapse.model import presets
from lapse.model.codec import dumps
from lapse.model.policy_layers import DEFAULT, Origin

if TYPE_CHECKING:
    from lapse.faces.operations.results import PolicyInForce

Act: TypeAlias = Callable[[dict[str, object], Common], None]
"""What a command does with what was typed for it."""

PANEL = "Begin"

INIT = """Write a file with every setting, its meaning and its default.

What the preset changes is set, everything else is commented out. A file that exists stays as it is.
Commands find lapse.toml in the folder they run in, or the file that --config or $LAPSE_CONFIG
names; the library takes it as config=."""

SHOW = """Every setting in force, and where its value comes from.

Layers, strongest first: the bank's own policy, the environment, the file of settings, the default.
Where there is no store yet, what a new bank would have."""


def add_configuring(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("init", rich_help_panel=PANEL)(_command(_init, INIT, [_path(), _preset()]))
    group = typer.Typer(
        name="config",
        help="The configuration in force.",
        no_args_is_help=True,
        rich_markup_mode="rich",
    )
    group.command("show")(_command(_show, SHOW, [_changed()]))
    app.add_typer(group, rich_help_panel=PANEL)


def _init(given: dict[str, object], common: Common) -> None:
    path = Path(str(given["path"]))
    chosen = presets.named(str(given["preset"]))
    configuration.write(path, configuration.layout(chosen, DEFAULT))
    if common.json:
        write_line(dumps({"path": str(path)}))
    else:
        note(f"wrote {path}: `lapse config show` tells what is in force")


def _show(given: dict[str, object], common: Common) -> None:
    found = _in_force(common)
    if given["changed"]:
        found = without_defaults(found)
    tenant, bank = named_place(common)
    present(found, Place(lapse=None, tenant=tenant, bank=bank), common)


def _in_force(common: Common) -> "PolicyInForce":
    refuse_url(common)
    from lapse.faces.app import settings_without_store  # noqa: PLC0415 - the engine loads slowly
    from lapse.faces.operations.calls import in_force  # noqa: PLC0415 - likewise

    if not store_stands(DEFAULT_TARGET if common.db is None else common.db):
        return in_force(settings_without_store(configuration_of(common)))
    with opened(TABLE["policy"], common) as place:
        return in_force(place.of_bank().policy())


def without_defaults(found: "PolicyInForce") -> "PolicyInForce":
    """A policy without what is as it would be if nobody had set anything."""
    origins = {path: each for path, each in found.origins.items() if each is not Origin.DEFAULT}
    return replace(found, origins=origins, policy=_only(found.policy, origins))


def _only(policy: Mapping[str, object], paths: Mapping[str, Origin]) -> Mapping[str, object]:
    """The sections of a policy with no more than these settings."""
    kept: dict[str, dict[str, object]] = {}
    for path in paths:
        section, name = path.split(".", maxsplit=1)
        values = policy[section]
        if isinstance(values, Mapping):
            kept.setdefault(section, {})[name] = values[name]
    return kept


def _command(act: Act, doc: str, own: list[Parameter]) -> Command:
    def command(context: typer.Context, **values: object) -> int:
        act(values, laid_over(context.obj, take(values)))
        return OK

    return with_signature(command, [*own, *local_parameters()], doc)


def _path() -> Parameter:
    about = typer.Option("--path", metavar="FILE", help="Where to write it.")
    return Parameter(
        "path",
        Parameter.KEYWORD_ONLY,
        default=configuration.FILE_NAME,
        annotation=Annotated[str, about],
    )


def _preset() -> Parameter:
    about = typer.Option(
        "--preset", metavar="NAME", help=f"Settings to begin with: {', '.join(presets.NAMES)}."
    )
    return Parameter(
        "preset", Parameter.KEYWORD_ONLY, default="assistant", annotation=Annotated[str, about]
    )


def _changed() -> Parameter:
    about = typer.Option("--changed", help="Only what is no default.", show_default=False)
    return Parameter(
        "changed", Parameter.KEYWORD_ONLY, default=False, annotation=Annotated[bool, about]
    )
