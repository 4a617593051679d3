"""Options that every command has, and that may stand before or after its name.

Decides their names, and that the later one wins. Refuses to open anything.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from inspect import Parameter
from pathlib import Path
from typing import Annotated

import typer

from lapse.errors import raise_all
from lapse.model.memory import name_faults

PANEL = "Common options"
DEFAULT_TARGET = "lapse.db"
DEFAULT_NAME = "default"
ENVIRONMENT: Mapping[str, str] = {"db": "LAPSE_DB", "url": "LAPSE_URL", "api_key": "LAPSE_KEY"}
"""Variables that name a store, a server and the key to it where no option does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Common:
    """Where, when and how; None for what nobody said.

    Attributes:
        db: Path or URL of the store.
        url: Where a store is served, in place of `db`.
        api_key: Shown there; never printed. Said before the command's name alone, since after it
            `--key` is that of a claim.
        tenant, bank: Whose memories.
        config: The file of settings.
        now: Instant to judge at, as it was typed.
        json: Whether results are one JSON document.
        debug: Whether errors show where they come from.
    """

    db: str | None = None
    url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    tenant: str | None = None
    bank: str | None = None
    config: str | None = None
    now: str | None = None
    json: bool | None = None
    debug: bool | None = None


_FILE = "@"

_TEXTS: Mapping[str, tuple[str, str]] = {
    "db": ("PATH", "A path, sqlite:///path or memory://; else $LAPSE_DB, else lapse.db."),
    "url": ("URL", "A served store in place of one here, such as https://host; else $LAPSE_URL."),
    "tenant": ("NAME", "Whose banks; default if left out."),
    "bank": ("NAME", "Which bank; default if left out."),
    "config": (
        "FILE",
        "A TOML file of settings; else $LAPSE_CONFIG, else lapse.toml in the current folder.",
    ),
    "now": ("TIME", "Judge at this instant, such as 2026-03-01T09:00Z."),
}
_KEY = (
    "KEY",
    "The key to it, or @FILE that holds it; else $LAPSE_KEY. The list of processes shows neither a "
    "file's content nor $LAPSE_KEY. Before the command only: after it, --key is a claim's.",
)
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


def local_parameters() -> list[Parameter]:
    """The same for a command on the store itself: a server is not offered, and refused if named."""
    return [
        _text(each.name, environment=None, hidden=True) if each.name == "url" else each
        for each in common_parameters()
    ]


def program_parameters() -> list[Parameter]:
    """The same for the program itself, before the command's name.

    Only there the environment is asked, so that it never wins over what was typed.
    """
    found = [
        _text(each.name, environment=ENVIRONMENT[each.name]) if each.name in ENVIRONMENT else each
        for each in common_parameters()
    ]
    at = 1 + [each.name for each in found].index("url")
    return [*found[:at], _text("api_key", environment=ENVIRONMENT["api_key"]), *found[at:]]


def take(values: dict[str, object]) -> Common:
    """Take the common options out of a command's values."""
    taken = {each.name: values.pop(each.name, None) for each in fields(Common)}
    return Common(**taken)  # type: ignore[arg-type]  # the parameters above gave them their types


def laid_over(before: Common, after: Common) -> Common:
    """What was said before the command's name, and after it: the later word wins.

    A store and a server stand for one another: the later one wins here, too.
    """
    _refuse_both(after)
    if after.db is not None:
        before = replace(before, url=None)
    elif after.url is not None:
        before = replace(before, db=None)
    said = {
        each.name: getattr(after, each.name)
        for each in fields(Common)
        if getattr(after, each.name) is not None
    }
    return replace(before, **said)


def chosen(context: typer.Context, common: Common) -> Common:
    """What was said before the command's name: what was typed wins over the environment.

    Raises:
        typer.BadParameter: A store and a server are named in the same way, or there is no key in
            the file that is named for one.
    """
    common = replace(common, api_key=_key_of(common.api_key))
    typed = {name for name in ("db", "url") if _is_typed(context, name)}
    if len(typed) == 1:
        return replace(common, url=None) if "db" in typed else replace(common, db=None)
    _refuse_both(common)
    return common


def named_place(common: Common) -> tuple[str, str]:
    """The tenant and the bank that were named, else the default ones.

    Raises:
        ValidationError: A name that no bank can have, such as an empty one.
    """
    tenant = DEFAULT_NAME if common.tenant is None else common.tenant
    bank = DEFAULT_NAME if common.bank is None else common.bank
    raise_all([*name_faults("tenant", tenant), *name_faults("bank", bank)])
    return tenant, bank


def _key_of(written: str | None) -> str | None:
    """A key as it was given, or out of the file that is named in its place."""
    if written is None or not written.startswith(_FILE):
        return written
    try:
        return Path(written.removeprefix(_FILE)).expanduser().read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        raise typer.BadParameter("--key @FILE: the file cannot be read") from None


def _is_typed(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _refuse_both(common: Common) -> None:
    if common.db is not None and common.url is not None:
        raise typer.BadParameter("--db and --url (or $LAPSE_DB and $LAPSE_URL) exclude each other")


def _text(name: str, *, environment: str | None, hidden: bool = False) -> Parameter:
    metavar, help_text = _TEXTS.get(name, _KEY)
    option = typer.Option(
        f"--{name.removeprefix('api_')}",
        metavar=metavar,
        help=help_text,
        envvar=environment,
        show_envvar=False,
        show_default=False,
        hidden=hidden,
        rich_help_panel=PANEL,
    )
    return _parameter(name, Annotated[str | None, option])


def _flag(name: str) -> Parameter:
    option = typer.Option(f"--{name}", help=_FLAGS[name], show_default=False, rich_help_panel=PANEL)
    return _parameter(name, Annotated[bool | None, option])


def _parameter(name: str, hint: object) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=hint)
