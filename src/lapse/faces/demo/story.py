"""The demo: a conversation is remembered, time passes, and what comes to mind is told.

Decides the order of the story and what counts as a failure: a claim that does not hold. Refuses the
wall clock, the network and any number that was not computed in this run.
"""

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from lapse.faces.app import Lapse
from lapse.faces.demo import pages, play
from lapse.faces.demo.claims import claims
from lapse.faces.demo.conversation import Conversation, companion
from lapse.faces.demo.locomo import read_locomo
from lapse.faces.demo.play import Experience
from lapse.faces.opening import IN_MEMORY
from lapse.model import presets
from lapse.testing.fakes import FakeClock

PNG = Path("lapse-demo.png")
"""Where the picture is saved unless another place is given."""

INSTALL_PLOTS = "pip install 'lapse[plots]'"


def run(data: Path | None, png: Path | None, console: Console) -> int:
    """Tell the story.

    Args:
        data: A file in the format of LoCoMo; None for the bundled conversation.
        png: Where to save the curves; None for `lapse-demo.png` in the current folder.
        console: Where to tell it. Where it is no terminal, pages are `pages.WIDTH` columns wide.

    Returns:
        0, or 1 when a claim of the story does not hold.

    Raises:
        ValidationError: `data` is not of the format.
    """
    if not console.is_terminal:
        console.width = pages.WIDTH
    if isinstance(console.file, TextIOWrapper):
        # A stream that cannot write dots or marks gets question marks, not an error.
        console.file.reconfigure(errors="replace")
    experience = live_through(companion() if data is None else read_locomo(data))
    pages.show(console, pages.opening(experience))
    for seen in experience.seen:
        pages.show(console, pages.visit(experience, seen))
    pages.show(console, pages.strengths(experience, min(pages.WIDTH, console.width)))
    pages.show(console, pages.ending(experience))
    pages.show(console, iter([Text(), Text(_picture(experience, png or PNG))]))
    return 0 if all(each.holds for each in claims(experience)) else 1


def live_through(conversation: Conversation) -> Experience:
    """Live through a conversation in memory, under the preset `companion`."""
    clock = FakeClock(conversation.sessions[0].at)
    with (
        Lapse.open(IN_MEMORY, policy=presets.companion(), clock=clock, background=False) as mind,
        _progress() as progress,
    ):
        return play.play(conversation, mind.bank("demo"), clock, progress)


@contextmanager
def _progress() -> Iterator[play.Progress]:
    """A bar on the error stream, so that the story alone is on standard output."""
    console = Console(stderr=True)
    columns = (TextColumn("remembering"), BarColumn(), MofNCompleteColumn(), TextColumn("sessions"))
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("sessions", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _picture(experience: Experience, path: Path) -> str:
    """Save the curves, and say where, or why not."""
    if importlib.util.find_spec("matplotlib") is None:
        return f"The curves as a PNG need matplotlib: {INSTALL_PLOTS}, then run this again."
    from lapse.faces.demo import picture  # noqa: PLC0415 - matplotlib is an extra and loads slowly

    try:
        picture.save(experience, _title(experience), path)
    except OSError as error:
        return f"The curves could not be saved: {error}."
    return f"The curves are saved as {path.resolve()}."


def _title(experience: Experience) -> str:
    if all(each.holds for each in claims(experience)):
        return "What matters or is used stays, the rest fades"
    return "Need of the followed memories"
