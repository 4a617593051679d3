"""`lapse mcp`: serve a bank to an agent over standard input and output.

Decides the options of the command. Refuses to know the protocol (`lapse.faces.mcp`).
"""

from enum import StrEnum
from typing import TypeVar

import typer

from lapse.errors import Fault, ValidationError, fault, raise_all
from lapse.faces.cli.building import Command, option, with_signature
from lapse.faces.cli.common import DEFAULT_TARGET, laid_over, local_parameters, named_place, take
from lapse.faces.cli.failing import OK
from lapse.faces.cli.process import SERVE_PANEL
from lapse.faces.cli.remote import refuse_url
from lapse.faces.logs import LogLevel
from lapse.model.memory import name_faults

Choice = TypeVar("Choice", bound=StrEnum)

ACTOR = "agent"
"""Name of the client in the journal when none is given."""

_DOC = """Serve a bank to an agent: the Model Context Protocol over standard input and output.

The client starts this command itself; put it into the client's configuration. Ten tools are
offered, and forgetting can always be taken back; the profile operator adds what governs a bank,
erasure among it, and full the whole table. Logs go to standard error."""


def add_mcp(app: typer.Typer) -> None:
    """Add the command."""
    app.command("mcp", rich_help_panel=SERVE_PANEL)(_command())


def _command() -> Command:
    options = [
        option("profile", str | None, "--profile", "default, operator or full.", "NAME"),
        option("actor", str | None, "--as", f"Who acts, for the journal; else {ACTOR}.", "NAME"),
        option("level", str | None, "--log-level", "debug, info, warning or error.", "NAME"),
    ]

    def command(context: typer.Context, **values: object) -> int:
        common = laid_over(context.obj, take(values))
        refuse_url(common)
        tenant, bank = named_place(common)
        actor = _text(values.get("actor"), ACTOR)
        try:
            from lapse.faces.mcp.profiles import Profile  # noqa: PLC0415 - the table is slow to load
            from lapse.faces.mcp.serving import (  # noqa: PLC0415 - the SDK is an extra, and slow
                Served,
                serve,
            )
        except ModuleNotFoundError as error:
            raise _missing(error) from None
        faults: list[Fault] = list(name_faults("as", actor))
        profile = _chosen("profile", values.get("profile"), Profile.DEFAULT, faults)
        level = _chosen("log-level", values.get("level"), LogLevel.WARNING, faults)
        raise_all(faults)
        served = Served(
            target=DEFAULT_TARGET if common.db is None else common.db,
            tenant=tenant,
            bank=bank,
            actor=actor,
            profile=profile,
        )
        serve(served, level)
        return OK

    return with_signature(command, [*options, *local_parameters()], _DOC)


def _chosen(name: str, given: object, default: Choice, faults: list[Fault]) -> Choice:
    """One of the members of the enum of `default`, or a fault."""
    if given is None:
        return default
    known = {str(each): each for each in type(default)}
    if given not in known:
        faults.append(fault(name, given, f"needs one of {', '.join(known)}"))
    return known.get(str(given), default)


def _text(given: object, default: str) -> str:
    return default if given is None else str(given)


def _missing(error: ModuleNotFoundError) -> ValidationError:
    return ValidationError.of("mcp", error.name, "is not installed; run: pip install 'lapse[mcp]'")
