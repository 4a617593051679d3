"""`lapse restore-backup` and `lapse migrate`: what is done to stores as wholes.

Decides the options of the commands, and that nothing is replaced before a yes. They stand beside
the table because an operation works on a store that is open: one needs a store that nobody has
open, the other works on two. Refuses to do them (`lapse.faces.restoring`, `lapse.faces.migrating`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from inspect import Parameter
from typing import TYPE_CHECKING, Annotated

import typer

from lapse.errors import ValidationError
from lapse.faces.cli.building import Command, option, with_signature
from lapse.faces.cli.common import DEFAULT_TARGET, laid_over, local_parameters, take
from lapse.faces.cli.failing import FOUND, OK
from lapse.faces.cli.remote import refuse_url
from lapse.faces.cli.streams import messages, results, show, write_line
from lapse.faces.operations.requests import HOST
from lapse.model.codec import dumps

if TYPE_CHECKING:
    from lapse.faces.migrating import Migrated
    from lapse.faces.operations.operation import Progress
    from lapse.faces.restoring import Restored

PANEL = "Keep"

_RESTORE = """Go back to a backup of an embedded file, without what was erased since.

Tombstones, holds and keys stand as they do now; what was put out of mind or taken back since is so
again. Without --yes it only shows what it would do. Nobody may have the file open meanwhile."""

_MIGRATE = """Move every bank of every tenant into another store, of whatever kind.

Nothing is taken out of the first. Each bank comes over whole or not at all and is compared
afterwards; what is there already is passed over, so that a move that was cut off goes on. Stop what
writes to either store first."""

_BY = option("by", str | None, "--by", "Who does it, for the journals.", "NAME")
_REASON = option(
    "reason", str | None, "--reason", "Why, for the journals; never the text of a memory.", "TEXT"
)


def add_whole_stores(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("restore-backup", rich_help_panel=PANEL)(_restoring())
    app.command("migrate", rich_help_panel=PANEL)(_migrating())


def _restoring() -> Command:
    file = Parameter(
        "backup",
        Parameter.POSITIONAL_OR_KEYWORD,
        annotation=Annotated[str, typer.Argument(help="What `backup` wrote.", metavar="FILE")],
    )
    keep = "A new file for what is replaced; else it is gone. Later erasures do not reach it."
    options = [
        _BY,
        _REASON,
        option("keep", str | None, "--keep", keep, "FILE"),
        option("yes", bool | None, "--yes", "Do it. Left out, nothing is done but shown.", None),
    ]

    def command(context: typer.Context, **values: object) -> int:
        common = laid_over(context.obj, take(values))
        refuse_url(common)
        done = _restored(values, DEFAULT_TARGET if common.db is None else common.db)
        _present(done, as_json=bool(common.json))
        return OK

    return with_signature(command, [file, *options, *local_parameters()], _RESTORE)


def _restored(values: dict[str, object], target: str) -> "Restored":
    from lapse.faces.restoring import (  # noqa: PLC0415 - loads the engine, as help must not
        preview_restore,
        restore_backup,
    )

    backup = str(values["backup"])
    if not values.get("yes"):
        return preview_restore(backup, target)
    with _bar("restore backup") as progress:
        return restore_backup(
            backup,
            target,
            by=_named("by", values),
            reason=_named("reason", values),
            keep=None if values.get("keep") is None else str(values["keep"]),
            progress=progress,
        )


def _migrating() -> Command:
    options = [
        option("source", str | None, "--from", "The store to read: a path or an address.", "URL"),
        option(
            "target", str | None, "--to", "The store to write; made where there is none.", "URL"
        ),
        _BY,
        _REASON,
    ]

    def command(context: typer.Context, **values: object) -> int:
        common = laid_over(context.obj, take(values))
        from lapse.faces.migrating import migrate  # noqa: PLC0415 - loads the engine

        addresses = [
            _named(name, values, "is needed: --from and --to name the stores")
            for name in ("source", "target")
        ]
        with _bar("migrate") as progress:
            done = migrate(
                *addresses,
                by=str(values.get("by") or HOST),
                reason=str(values.get("reason") or "moved to another store"),
                progress=progress,
            )
        _present(done, as_json=bool(common.json))
        return OK if done.whole else FOUND

    return with_signature(command, [*options, *local_parameters()], _MIGRATE)


def _named(
    name: str, values: dict[str, object], problem: str = "is needed to do it, for the journals"
) -> str:
    given = values.get(name)
    if given is None:
        raise ValidationError.of(name, given, problem)
    return str(given)


def _present(result: "Restored | Migrated", *, as_json: bool) -> None:
    if as_json:
        write_line(dumps(result))
        return
    from lapse.faces.tables.shapes import Layout  # noqa: PLC0415 - Rich loads slowly
    from lapse.faces.tables.whole_stores import parts_of  # noqa: PLC0415 - the same

    layout = Layout.SCREEN if results().is_terminal else Layout.LINES
    for part in parts_of(result, layout):
        show(part)


@contextmanager
def _bar(name: str) -> Iterator["Progress"]:
    """A bar on standard error, where somebody looks at it."""
    console = messages()
    if not console.is_terminal:
        yield lambda _done, _total: None
        return
    from rich.progress import Progress as Bars  # noqa: PLC0415 - loaded for long work only

    with Bars(console=console, transient=True) as bars:
        bar = bars.add_task(name, total=None)
        yield lambda done, total: bars.update(bar, completed=done, total=total)
