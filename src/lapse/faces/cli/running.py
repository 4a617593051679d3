"""Running an operation: open what it works on, call it, show what it gives.

Decides when a store may be made, which clock counts, and what is said beside the result. Refuses
every rule of memory.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from lapse.errors import LapseError, NotFoundError
from lapse.faces.cli.common import DEFAULT_TARGET, Common, named_place
from lapse.faces.cli.plan_names import with_whole_plan
from lapse.faces.cli.remote import is_asked_of_a_server, refuse_url, served
from lapse.faces.cli.streams import messages, note, results, show, write_line
from lapse.faces.folders import files_path, is_files
from lapse.faces.operations import Effect, Operation, Presence, Subject
from lapse.faces.operations.operation import Progress, Target
from lapse.model.codec import dumps
from lapse.model.instants import Instant, parse_instant

if TYPE_CHECKING:
    from lapse.bank import Bank
    from lapse.faces.app import Lapse

IN_MEMORY = "memory://"
_URL_PREFIX = "sqlite:///"


class Reader(Protocol):
    """Where the texts of memories are found."""

    def text_of(self, memory_id: str) -> str | None:
        """Text of a memory for people to read, or None where there is none of that id."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What a command found open: the store, and which bank of it.

    Attributes:
        lapse: The open store; None where an operation needs none.
        tenant, bank: Whose memories.
    """

    lapse: "Lapse | None"
    tenant: str
    bank: str

    def target(self, subject: Subject) -> Target:
        """What an operation on `subject` is called on."""
        if self.lapse is None or subject is Subject.STORE:
            return self.lapse
        return self.lapse.bank(self.bank, tenant=self.tenant)

    def of_bank(self) -> "Bank":
        """The bank that was named.

        Raises:
            NotFoundError: Nothing was opened.
        """
        if self.lapse is None:
            raise NotFoundError("there is no store to look into")
        return self.lapse.bank(self.bank, tenant=self.tenant)

    def text_of(self, memory_id: str) -> str | None:
        """Text of a memory for people to read, or None where there is none of that id."""
        if self.lapse is None:
            return None
        try:
            return self.lapse.bank(self.bank, tenant=self.tenant).get(memory_id).memory.text
        except LapseError:
            return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixed:
    """A clock that stands at the instant somebody typed."""

    at: Instant

    def now(self) -> Instant:
        """Give the instant."""
        return self.at


def run(
    operation: Operation,
    given: Mapping[str, object],
    common: Common,
    watched: Progress | None = None,
) -> object:
    """Carry an operation out and print its result.

    Args:
        operation: Which.
        given: What it is asked with.
        common: What every command is told.
        watched: Told how far it is, beside the bar that a terminal shows; None for nobody.

    Raises:
        LapseError: What the operation raised, or there is no store to work on.
    """
    with carried_out(operation, given, common, watched) as (result, reader):
        present(result, reader, common)
        return result


@contextmanager
def carried_out(
    operation: Operation,
    given: Mapping[str, object],
    common: Common,
    watched: Progress | None = None,
) -> Iterator[tuple[object, Reader]]:
    """Carry an operation out where it was asked for: its result, and where texts are found.

    Raises:
        LapseError: As for `run`.
    """
    if is_asked_of_a_server(operation, common):
        with served(common) as there, progress_of(operation) as progress:
            whole = with_whole_plan(given, partial(there.ask, progress=None))
            yield there.ask(operation, whole, watched or progress), there
        return
    request = operation.read(given)
    with opened(operation, common) as place, progress_of(operation) as progress:
        target = place.target(operation.subject)
        whole = with_whole_plan(given, lambda asked, told: asked.call(target, asked.read(told)))
        request = request if whole is given else operation.read(whole)
        yield operation.call(target, request, progress=watched or progress), place


def present(result: object, place: Reader, common: Common) -> None:
    """Print a result: one JSON document, or what people read."""
    if common.json:
        write_line(dumps(result))
        return
    from lapse.faces.tables import (  # noqa: PLC0415 - Rich and the engine load slowly
        Layout,
        notes_of,
        parts_of,
    )

    for text in notes_of(result):
        note(text)
    layout = Layout.SCREEN if results().is_terminal else Layout.LINES
    for part in parts_of(result, place.text_of, layout):
        show(part)


@contextmanager
def opened(operation: Operation, common: Common) -> Iterator[Place]:
    """Open the store that an operation works on, if it needs one.

    Raises:
        NotFoundError: There is none, and the operation would not make one.
        ValidationError: A server is named, and the command needs the store itself.
    """
    tenant, bank = named_place(common)
    clock = None if common.now is None else Fixed(at=parse_instant(common.now, "now"))
    if operation.subject is Subject.NOTHING:
        yield Place(lapse=None, tenant=tenant, bank=bank)
        return
    refuse_url(common)
    target = DEFAULT_TARGET if common.db is None else common.db
    if operation.presence is Presence.EXISTING:
        require_store(target)
    from lapse.faces.app import Lapse  # noqa: PLC0415 - the engine loads slowly, help must not

    lapse = Lapse.open(target, config=configuration_of(common), clock=clock, background=False)
    try:
        if operation.subject is Subject.BANK and operation.presence is Presence.EXISTING:
            _note_unknown_bank(lapse, tenant, bank)
        with lapse.through("cli"):
            yield Place(lapse=lapse, tenant=tenant, bank=bank)
    except BaseException:
        _close_quietly(lapse)
        raise
    _close(lapse, operation.effect)


def configuration_of(common: Common) -> Path | None:
    """The file of settings that counts for a command, or None."""
    from lapse.faces.app import settings_file  # noqa: PLC0415 - the engine loads slowly

    return settings_file(common.config)


def file_of(target: str) -> Path:
    """The file that a path or `sqlite:///path` names."""
    return Path(target.removeprefix(_URL_PREFIX))


def store_stands(target: str) -> bool:
    """Whether there is a store already; of what is no file this cannot be told without opening."""
    if is_files(target):
        return Path(files_path(target)).exists()
    if target == IN_MEMORY or ("://" in target and not target.startswith(_URL_PREFIX)):
        return True
    return file_of(target).exists()


def require_store(target: str) -> None:
    """Refuse to make a store where there is none.

    Raises:
        NotFoundError: No file there.
    """
    if not store_stands(target):
        path = Path(files_path(target)) if is_files(target) else file_of(target)
        raise NotFoundError(
            f"there is no database {path}. `lapse remember TEXT` makes it; --db PATH or $LAPSE_DB "
            "names another one",
            fields={"path": str(path)},
        )


@contextmanager
def progress_of(operation: Operation) -> Iterator[Progress | None]:
    """A bar on standard error for operations that take long; nothing where nobody looks."""
    console = messages() if operation.reports_progress else None
    if console is None or not console.is_terminal:
        yield None
        return
    from rich.progress import Progress as Bars  # noqa: PLC0415 - loaded for long work only

    with Bars(console=console, transient=True) as bars:
        bar = bars.add_task(operation.name.replace("_", " "), total=None)
        yield lambda done, total: bars.update(bar, completed=done, total=total)


def _note_unknown_bank(lapse: "Lapse", tenant: str, bank: str) -> None:
    banks = lapse.banks(tenant=tenant)
    if bank not in banks:
        others = f"it has {', '.join(banks)}" if banks else "it has none yet"
        note(f"tenant {tenant} has no bank {bank}: {others}")


def _close(lapse: "Lapse", effect: Effect) -> None:
    try:
        lapse.close()
    except LapseError as error:
        # The answer is there; upkeep that did not happen now happens with the next command.
        if effect is not Effect.READ:
            raise
        note(f"upkeep was put off: {error}")


def _close_quietly(lapse: "Lapse") -> None:
    """Close on the way out of another error, which is the one to be told."""
    try:
        lapse.close()
    except LapseError as error:
        note(f"upkeep was put off: {error}")
