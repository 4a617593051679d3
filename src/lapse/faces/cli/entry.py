"""The program `lapse`: from an argument list to an exit code.

Decides which commands there are (the table's and the process commands), and how every way of ending
becomes an exit code. Refuses to let an error out as a traceback unless it was asked for.
"""

import os
import sys
from collections.abc import Sequence
from inspect import Parameter
from typing import Annotated, TextIO

import typer

from lapse import __version__
from lapse.faces.cli import failing
from lapse.faces.cli.agents import add_mcp
from lapse.faces.cli.building import with_signature
from lapse.faces.cli.common import chosen, program_parameters, take
from lapse.faces.cli.configuring import add_configuring
from lapse.faces.cli.generated import add_operations
from lapse.faces.cli.learning import add_learning
from lapse.faces.cli.process import add_process_commands
from lapse.faces.cli.serving import add_serving
from lapse.faces.cli.streams import ReaderGoneError, be_tolerant, note, write_line
from lapse.faces.cli.tending import add_worker
from lapse.faces.cli.whole_stores import add_whole_stores

_INTRODUCTION = """The forgetting layer for the long-term memory of AI agents.

Results go to standard output, everything else to standard error. Common options stand before or
after the command."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command, and give its exit code.

    Args:
        arguments: What was typed after `lapse`; the process's own arguments if left out.
    """
    typed = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    be_tolerant()
    before_options_end = typed[: typed.index("--")] if "--" in typed else typed
    as_json, debug = "--json" in before_options_end, "--debug" in before_options_end
    try:
        ended = build_app()(args=typed, prog_name="lapse", standalone_mode=False)
    except (KeyboardInterrupt, typer.Abort):
        note("interrupted")
        return failing.INTERRUPTED
    except ReaderGoneError:
        _silence_output()
        return failing.BROKEN_PIPE
    except Exception as error:  # noqa: BLE001 - the outermost place: whatever it is gets an exit code
        return failing.report(error, as_json=as_json, debug=debug)
    if ended == failing.INTERRUPTED:
        note("interrupted")
    return ended if isinstance(ended, int) else failing.OK


def build_app() -> typer.Typer:
    """The program with all its commands."""
    app = typer.Typer(
        name="lapse",
        no_args_is_help=False,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich",
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    def start(context: typer.Context, **values: object) -> int:
        values.pop("version")
        context.obj = chosen(context, take(values))
        return failing.OK

    version = _version_parameter()
    app.callback()(with_signature(start, [version, *program_parameters()], _INTRODUCTION))
    add_operations(app)
    add_learning(app)
    add_process_commands(app)
    add_serving(app)
    add_mcp(app)
    add_worker(app)
    add_configuring(app)
    add_whole_stores(app)
    return app


def _version_parameter() -> Parameter:
    about = typer.Option(
        "--version", help="Show the version.", is_eager=True, callback=_show_version
    )
    return Parameter(
        "version", Parameter.KEYWORD_ONLY, default=False, annotation=Annotated[bool, about]
    )


def _show_version(value: bool) -> None:  # noqa: FBT001 - Typer hands the flag over
    if value:
        write_line(f"lapse {__version__}")
        raise typer.Exit


def _silence_output() -> None:
    """Send what is still buffered nowhere, so that closing the stream does not fail once more."""
    stream: TextIO | None = sys.stdout
    if stream is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
