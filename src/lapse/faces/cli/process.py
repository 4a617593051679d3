"""Commands that are no operations: they run the process rather than work on a bank.

Decides which they are. Refuses to tell their stories.
"""

from pathlib import Path
from typing import Annotated

import typer

from lapse.faces.cli.streams import results

PANEL = "Begin"
SERVE_PANEL = "Serve"
PROCESS_COMMANDS = (
    "demo",
    "init",
    "config",
    "serve",
    "keys",
    "mcp",
    "worker",
    "restore-backup",
    "migrate",
)
"""Commands and groups beside the table. This module makes the first."""


def add_process_commands(app: typer.Typer) -> None:
    """Add them."""
    app.command("demo", rich_help_panel=PANEL)(demo)


def demo(
    data: Annotated[
        Path | None,
        typer.Option(
            help="A conversation in the format of LoCoMo instead of the one that comes along.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    png: Annotated[
        Path | None,
        typer.Option(
            help="Where to save the curves; lapse-demo.png if left out.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
) -> int:
    """Watch eight months of memories fade, last and come to mind.

    A story on a simulated clock, in memory only: nothing of yours is read or written but the PNG.
    """
    from lapse.faces.demo.story import run  # noqa: PLC0415 - loads the engine, which help must not

    return run(data, png, results())
