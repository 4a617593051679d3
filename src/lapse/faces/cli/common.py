"""Options that every command has, and that may stand before or after its name.

Decides their names, and that the later one wins. Refuses to open anything.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from inspect import Parameter
from typing import Annotated

import typer

PANEL = "Common options"
DEFAULT_TARGET = "lapse.db"
DEFAULT_NAME = "default"
ENVIRONMENT = "LAPSE_DB"
"""Variable that names the store where `--db` does not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Common:
    """Where, when and how; None for what nobody said.

    Attributes:
        db: Path or URL of the store.
        tenant, bank: Whose memories.
        config: The file of settings.
        now: Instant to judge at, as it was typed.
        json: Whether results are one JSON document.
        debug: Whether errors show where they come from.
    """

    db: str | None = None
    tenant: str | None = None
    bank: str | None = None
    config: str | None = None
    now: str | None = None
    json: bool | None = None
    debug: bool | None = None


_TEXTS: Mapping[str, tuple[str, str]] = {
    "db": ("PATH", f"A path, sqlite:///path or memory://; else ${ENVIRONMENT}, else lapse.db."),
    "tenant": ("NAME", "Whose banks; default if left out."),
    "bank": ("NAME", "Which bank; default if left out."),
    "config": (
        "FILE",
        "A TOML file of settings; else $LAPSE_CONFIG, else lapse.toml in the current folder.",
    ),
    "now": ("TIME", "Judge at this instant, such as 2026-03-01T09:00Z."),
}
_FLAGS: Mapping[str, str] = {
    "json": "Give the result as one JSON document; errors too.",
    "debug": "Show where an error comes from.",
}


def common_parameters() -> list[Parameter]:
    """The common options as parameters of a command."""
    return [
        *(_text(name, environment=None) for name in _TEXTS),
        *(_flag(name) for name in _FLAGS),
    ]


def program_parameters() -> list[Parameter]:
    """The same for the program itself, before the command's name.

    Only there the environment is asked, so that it never wins over what was typed.
    """
    return [
        _text("db", environment=ENVIRONMENT) if each.name == "db" else each
        for each in common_parameters()
    ]


def take(values: dict[str, object]) -> Common:
    """Take the common options out of a command's values."""
    taken = {each.name: values.pop(each.name, None) for each in fields(Common)}
    return Common(**taken)  # type: ignore[arg-type]  # the parameters above gave them their types


def laid_over(before: Common, after: Common) -> Common:
    """What was said before the command's name, and after it: the later word wins."""
    said = {
        each.name: getattr(after, each.name)
        for each in fields(Common)
        if getattr(after, each.name) is not None
    }
    return replace(before, **said)


def _text(name: str, *, environment: str | None) -> Parameter:
    metavar, help_text = _TEXTS[name]
    option = typer.Option(
        f"--{name}",
        metavar=metavar,
        help=help_text,
        envvar=environment,
        show_envvar=False,
        show_default=False,
        rich_help_panel=PANEL,
    )
    return _parameter(name, Annotated[str | None, option])


def _flag(name: str) -> Parameter:
    option = typer.Option(f"--{name}", help=_FLAGS[name], show_default=False, rich_help_panel=PANEL)
    return _parameter(name, Annotated[bool | None, option])


def _parameter(name: str, hint: object) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=hint)
