"""How an error is shown and which exit code it has.

Decides the words around an error's own words, and the codes that no error class has. Refuses to
show a traceback unless it was asked for.
"""

import json
import re
import traceback
from collections.abc import Mapping
from types import MappingProxyType

import typer

from lapse.errors import LapseError, ValidationError
from lapse.faces.cli.streams import note, note_line

_BARE_SETTING = re.compile(r"extra argument.*\(([\w.]+=\S*?)[ )]")

OK = 0
FOUND = 1
USAGE = 2
INTERNAL = 70
INTERRUPTED = 130
BROKEN_PIPE = 141

EXIT_CODES: Mapping[int, str] = MappingProxyType(
    {
        OK: "Done. For `doctor`: nothing found.",
        FOUND: "`doctor` or the demo's own check found something.",
        USAGE: "The command line, or a value on it, can never be right.",
        INTERNAL: "A fault in Lapse itself.",
        INTERRUPTED: "Interrupted from the keyboard.",
        BROKEN_PIPE: "Whoever read the output stopped reading.",
    }
)
"""Exit codes that belong to no error class; the others are in the errors' own `exit_code`."""

# Typer carries its own copy of Click in new versions and uses the installed one in old ones: only
# `BadParameter` is public in both, and this is the root of its family.
CommandLineError: type[Exception] = typer.BadParameter.__mro__[2]
"""What Typer raises for a command line that it cannot read."""


def report(error: Exception, *, as_json: bool, debug: bool) -> int:
    """Show an error on standard error, and give the exit code."""
    if debug:
        note("".join(traceback.format_exception(error)).rstrip())
    code = code_of(error)
    if as_json:
        note_line(json.dumps({"error": described(error, code)}, sort_keys=True))
    else:
        note(paragraph(error))
    return code


def code_of(error: Exception) -> int:
    """The exit code of an error."""
    if isinstance(error, LapseError):
        return error.exit_code
    return USAGE if isinstance(error, CommandLineError) else INTERNAL


def paragraph(error: Exception) -> str:
    """An error for people: every fault on a line of its own."""
    if isinstance(error, ValidationError) and len(error.faults) > 1:
        lines = [f"  {each}" for each in error.faults]
        return "\n".join([f"{len(lines)} things are wrong:", *lines])
    if isinstance(error, LapseError):
        return str(error)
    if isinstance(error, CommandLineError):
        return _command_line(error)
    return (
        f"unexpected {type(error).__name__}: {error}\n"
        "This is a fault in Lapse. Run the same with --debug to see where, and report it."
    )


def described(error: Exception, code: int) -> dict[str, object]:
    """An error for programs."""
    return {
        "type": type(error).__name__,
        "message": _message(error),
        "exit_code": code,
        "fields": error.fields if isinstance(error, LapseError) else {},
        "faults": [
            {"field": each.field, "value": each.value, "problem": each.problem}
            for each in (error.faults if isinstance(error, ValidationError) else ())
        ],
    }


def _command_line(error: Exception) -> str:
    context = getattr(error, "ctx", None)
    where = "lapse" if context is None else str(context.command_path)
    if not _message(error):  # a group alone: its help stands above
        return f"name one of the commands of `{where}`"
    setting = _BARE_SETTING.search(_message(error))
    if setting is not None and where.endswith("set-policy"):
        return f"{_message(error)}\nTry: {where} --set {setting[1]}"
    return f"{_message(error)}\nTry: {where} --help"


def _message(error: Exception) -> str:
    say = getattr(error, "format_message", None)
    return str(say()) if callable(say) else str(error)
