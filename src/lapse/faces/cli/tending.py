"""`lapse worker`: what waits off the path, and scheduled sweeps, without serving anything.

Decides the options of the command, and that a signal to end lets the round under way end. Refuses
to decide what a round is (`lapse.faces.tending`).
"""

import signal
import threading
from pathlib import Path
from types import FrameType

import typer

from lapse.errors import ValidationError
from lapse.faces.cli.building import Command, option, with_signature
from lapse.faces.cli.common import DEFAULT_TARGET, laid_over, local_parameters, take
from lapse.faces.cli.failing import FOUND, OK
from lapse.faces.cli.process import SERVE_PANEL
from lapse.faces.cli.remote import refuse_url
from lapse.faces.cli.running import configuration_of, require_store
from lapse.faces.cli.streams import note
from lapse.faces.logs import LogLevel, log_to

SHORTEST_S = 1.0

_DOC = """Do what waits in every bank of a store, round after round, until told to end.

Uses are folded in, dates and vectors brought up to date, and banks whose policy wants it are swept
in their quiet hours. Any number of workers and servers may share a store."""


def add_worker(app: typer.Typer) -> None:
    """Add the command."""
    app.command("worker", rich_help_panel=SERVE_PANEL)(_command())


def _command() -> Command:
    options = [
        option("every", str | None, "--every", "Seconds between rounds; else 60.", "S"),
        option("once", bool | None, "--once", "One round, then end.", None),
    ]

    def command(context: typer.Context, **values: object) -> int:
        common = laid_over(context.obj, take(values))
        refuse_url(common)
        every, once = values.get("every"), bool(values.get("once"))
        target = DEFAULT_TARGET if common.db is None else common.db
        from lapse.faces.tending import EVERY_S  # noqa: PLC0415 - loads the engine, as help must not

        every_s = EVERY_S if every is None else _seconds(every)
        require_store(target)
        log_to(level=LogLevel.INFO)
        settings = configuration_of(common)
        return _once(target, settings) if once else _always(target, settings, every_s)

    return with_signature(command, [*options, *local_parameters()], _DOC)


def _once(target: str, settings: Path | None) -> int:
    from lapse.faces.app import Lapse  # noqa: PLC0415 - the engine loads slowly
    from lapse.faces.tending import Tender  # noqa: PLC0415 - the same

    with Lapse.open(target, config=settings, background=False) as lapse:
        return OK if Tender(lapse).round() else FOUND


def _always(target: str, settings: Path | None, every_s: float) -> int:
    from lapse.faces.app import Lapse  # noqa: PLC0415 - the engine loads slowly
    from lapse.faces.tending import Tender  # noqa: PLC0415 - the same

    ending = threading.Event()

    def end(_number: int, _frame: FrameType | None) -> None:
        ending.set()

    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, end)
    with Lapse.open(target, config=settings, background=False) as lapse:
        tender = Tender(lapse, every_s)
        tender.start()
        note(f"working on {target} every {every_s:g} s")
        ending.wait()
        tender.stop()
        rounds = tender.standing().rounds
        note(f"ended after {rounds} round{'' if rounds == 1 else 's'}")
    return OK


def _seconds(given: object) -> float:
    try:
        seconds = float(str(given))
    except ValueError:
        seconds = 0.0
    if not SHORTEST_S <= seconds < threading.TIMEOUT_MAX:
        raise ValidationError.of("every", given, f"needs a number of seconds from {SHORTEST_S:g}")
    return seconds
