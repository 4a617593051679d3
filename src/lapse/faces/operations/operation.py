"""What an operation is: what every face must know to offer it.

Decides what the table says of an operation and how one is called. Refuses to do anything itself
(`calls`) and to say how a face shows it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias, get_type_hints

from lapse.errors import LapseError
from lapse.faces.operations.fields import Field, fields_of, read_request
from lapse.model.memory import JsonValue

if TYPE_CHECKING:
    from lapse.bank import Bank
    from lapse.faces.app import Lapse

Target: TypeAlias = "Bank | Lapse | None"
Progress = Callable[[int, int], None]


class Effect(StrEnum):
    """What an operation may do to what is stored."""

    READ = "read"
    WRITE = "write"
    DESTRUCTIVE = "destructive"


class Permission(StrEnum):
    """What a caller must be allowed in order to use an operation."""

    SURVEY = "survey"
    """See how things stand: numbers, settings, plans, holds; nothing of what is remembered."""
    READ = "read"
    """See what is remembered."""
    WRITE = "write"
    """Tell, correct, mark, put out of mind and bring back."""
    OPERATE = "operate"
    """Plan and apply, archive, hold, erase, set the policy, do upkeep."""
    APPROVE = "approve"
    """Approve what somebody planned."""
    AUDIT = "audit"
    """Read the journal and check it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Milder:
    """What a smaller form of an operation asks of its caller.

    Attributes:
        field: The field that tells the form.
        values: Its values in the smaller form; leaving it out is one of them.
        permission: What is enough then.
    """

    field: str
    values: frozenset[str]
    permission: "Permission"


class Subject(StrEnum):
    """What an operation works on, and so what `Operation.call` is given."""

    BANK = "bank"
    STORE = "store"
    NOTHING = "nothing"


class Presence(StrEnum):
    """What happens when there is no store yet."""

    EXISTING = "existing"
    """It is an error: reading never makes a file."""
    MADE = "made"
    """One is made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One call that works, as it is written in JSON.

    Attributes:
        says: What it shows, in a few words.
        given: Fields of the request.
    """

    says: str
    given: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One row of the table.

    Attributes:
        name: Its name in the library; on the command line with hyphens.
        summary: What it does, in one line.
        details: What a caller should know besides; complete sentences.
        request: Frozen dataclass of its arguments.
        effect: Whether it reads, writes or destroys.
        permission: What its caller must be allowed.
        milder: A smaller form of it for which less is enough, or None.
        subject: What it is called on.
        presence: What happens without a store.
        errors: Errors that it raises besides `StoreError`, which any operation on a store may.
        examples: At least one call that works.
        reports_progress: Whether it may take long and says how far it is.
    """

    name: str
    summary: str
    details: str
    request: type
    effect: Effect
    permission: Permission
    errors: tuple[type[LapseError], ...]
    examples: tuple[Example, ...]
    subject: Subject = Subject.BANK
    presence: Presence = Presence.EXISTING
    reports_progress: bool = False
    milder: Milder | None = None

    @property
    def fields(self) -> tuple[Field, ...]:
        """Fields of the request, as every face offers them."""
        return fields_of(self.request)

    def needs(self, given: Mapping[str, object]) -> Permission:
        """What the caller of this very call must be allowed."""
        milder = self.milder
        if milder is None:
            return self.permission
        told = given.get(milder.field)
        small = told is None or (isinstance(told, str) and told in milder.values)
        return milder.permission if small else self.permission

    @property
    def result(self) -> type:
        """Frozen dataclass of its result. Loads the engine."""
        hint: type = get_type_hints(self._function)["return"]
        return hint

    def load(self) -> None:
        """Load the engine now, so that the first caller does not wait for it."""
        self._function  # noqa: B018 - finding it is what loads it

    def read(self, given: Mapping[str, object]) -> object:
        """Make the request from named values, as they come from JSON.

        Raises:
            ValidationError: Unknown, missing or misshapen fields; all of them at once.
        """
        request: object = read_request(self.request, given)
        return request

    def call(self, target: Target, request: object, *, progress: Progress | None = None) -> object:
        """Do it.

        Args:
            target: A bank, a store, or None, as `subject` says.
            request: What `read` made.
            progress: Called with (done, total) by operations that report progress.

        Raises:
            LapseError: One of `errors`, or a `StoreError`.
        """
        arguments = (request,) if self.subject is Subject.NOTHING else (target, request)
        if self.reports_progress:
            return self._function(*arguments, progress or _silent)
        return self._function(*arguments)

    @property
    def _function(self) -> Callable[..., object]:
        # By name and late: the engine loads NumPy and SQLAlchemy, and help must be there at once.
        calls: Mapping[str, Callable[..., object]] = import_module(
            "lapse.faces.operations.calls"
        ).CALLS
        return calls[self.name]


def _silent(_done: int, _total: int) -> None:
    """Report to nobody."""
