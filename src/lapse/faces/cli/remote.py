"""Commands on a served store: the same operations, asked over HTTP.

Decides what of a command line does not go with a server, and that an operation that needs no store
is done here where no server offers it. Refuses to print a key.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeVar

from lapse.errors import LapseError, UnknownCallerError, ValidationError, fault, raise_all
from lapse.faces.cli.common import Common, named_place
from lapse.faces.operations import TABLE, Operation, Subject
from lapse.faces.operations.operation import Progress

if TYPE_CHECKING:
    from lapse.faces.remote.exchange import Asker
    from lapse.faces.remote.steps import Exchange
    from lapse.faces.remote.wire import Wire

T = TypeVar("T")

_NO_KEY: Final = (
    "this server asks for a key: set LAPSE_KEY, or give --key @FILE before the command's name; "
    "`lapse keys create` makes one where the store is"
)

_STREAMS: Final = frozenset({"export", "import"})
"""Operations that are no request but a file that comes or goes."""


class ServedPlace:
    """One bank of a served store."""

    def __init__(self, wire: "Wire", asker: "Asker") -> None:
        """Name it; `served` does this."""
        self._wire = wire
        self._asker = asker

    def ask(
        self, operation: Operation, given: Mapping[str, object], progress: Progress | None
    ) -> object:
        """Have an operation done.

        Raises:
            LapseError: What it raises there, or there is no answer.
        """
        from lapse.engine.embedding import no_progress  # noqa: PLC0415 - loads the engine
        from lapse.faces.operations.copy_calls import (  # noqa: PLC0415 - as above
            export_of,
            import_into,
        )
        from lapse.faces.operations.copy_requests import (  # noqa: PLC0415 - as above
            ExportRequest,
            ImportRequest,
        )
        from lapse.faces.remote.copying import ServedCopies  # noqa: PLC0415 - as above
        from lapse.faces.remote.exchange import exchange  # noqa: PLC0415 - as above

        if operation.name in _STREAMS:
            # The file is here: the server gives and takes its lines alone.
            copies = ServedCopies(self._wire, self._asker)
            request = operation.read(given)
            if isinstance(request, ExportRequest):
                return export_of(copies, request, progress or no_progress)
            assert isinstance(request, ImportRequest)  # noqa: S101 - it is one of the two
            return import_into(copies, request, progress or no_progress)
        return self._wire.run(exchange(operation, given, self._asker, progress))

    def run(self, begin: "Callable[..., Exchange[T]]", *given: object) -> "T":
        """Carry an exchange about this bank to its end: that which `begin` makes of what is given.

        Raises:
            LapseError: What it raises.
        """
        return self._wire.run(begin(*given, self._asker))

    def text_of(self, memory_id: str) -> str | None:
        """Text of a memory for people to read, or None where it cannot be had."""
        try:
            record = self.ask(TABLE["get"], {"id": memory_id}, None)
        except LapseError:
            return None
        text = getattr(getattr(record, "memory", None), "text", None)
        return text if isinstance(text, str) else None


def is_asked_of_a_server(operation: Operation, common: Common) -> bool:
    """Whether a server is named, and has to do with the operation."""
    if common.url is None:
        return False
    from lapse.faces.rest.routes import ABSENT  # noqa: PLC0415 - help needs none of REST

    return operation.subject is not Subject.NOTHING or operation.name not in ABSENT


@contextmanager
def served(common: Common) -> Iterator[ServedPlace]:
    """The bank of the server that was named.

    Raises:
        ValidationError: A URL or key that is none, what is the server's to say, or the extra
            `remote` is not installed.
        UnknownCallerError: It asks for a key and none was given.
    """
    from lapse.faces.app import new_word  # noqa: PLC0415 - the engine loads slowly
    from lapse.faces.remote.exchange import Asker  # noqa: PLC0415 - as above
    from lapse.faces.remote.steps import Manner  # noqa: PLC0415 - as above
    from lapse.faces.remote.wire import Server, Wire  # noqa: PLC0415 - as above
    from lapse.model.memory import BankRef  # noqa: PLC0415 - as above

    theirs = {"now": common.now, "config": common.config}
    raise_all(
        fault(name, each, "is the server's: leave it out, or name a store with --db")
        for name, each in theirs.items()
        if each is not None
    )
    tenant, bank = named_place(common)
    wire = Wire(Server(url=common.url or "", key=common.api_key))
    try:
        place = BankRef(tenant=tenant, name=bank)
        yield ServedPlace(wire, Asker(place=place, manner=Manner(new_word=new_word)))
    except UnknownCallerError:
        if common.api_key is not None:
            raise
        raise UnknownCallerError(_NO_KEY) from None
    finally:
        wire.close()


def refuse_url(common: Common) -> None:
    """Refuse a server where a command works on the store itself.

    Raises:
        ValidationError: One is named.
    """
    if common.url is not None:
        problem = (
            "this command works on the store itself: run it where the store is, and leave --url "
            "and LAPSE_URL out"
        )
        raise ValidationError.of("url", "…", problem)
