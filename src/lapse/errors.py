"""Every error that Lapse raises, in one tree.

Decides what kinds of failure exist, what each one carries, and how a face answers it
(`http_status`, `exit_code`). Refuses to decide how an error is shown: faces format, the core only
raises.

    LapseError
    ├── ValidationError            input that can never be right: all faults at once
    │   ├── PolicyError            a setting, by its dotted path
    │   └── DomainError            a number outside a formula's domain
    ├── NotFoundError              nothing by that name here, or not yours: the same answer
    ├── ConflictError              right by itself, but not against what is stored
    │   ├── VersionConflictError   `if_version` does not match
    │   ├── GuardedError           a guard spared the memory
    │   └── PlanError              a plan cannot be made, approved or applied
    ├── TombstonedError            the content was erased and may not come back
    ├── AccessError                the caller may not do this
    │   └── UnknownCallerError     no key, or none that holds
    ├── LimitError                 too much at once, or too fast
    │   └── TooLargeError          more in one request than is taken
    ├── EmbedderError              a vector could not be made
    ├── GeneratorError             a language model gave no answer
    ├── StoppedError               the process ends: what waits goes on at its next start
    └── StoreError                 the store could not do it
        ├── StoreBusyError         another writer held the store too long
        ├── StoreFullError         no room is left where the store is kept
        ├── KeyMissingError        a key that tombstones were made under is not here
        ├── SchemaError            the store was written by another version
        ├── CorruptStoreError      the store contradicts itself
        └── UnreachableError       a served store did not answer, or not as Lapse does
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing wrong with one field.

    Attributes:
        field: Name or dotted path of the field, as the caller wrote it.
        value: What was given, shortened for display; never the text of a memory.
        problem: What would be right.
    """

    field: str
    value: str
    problem: str

    def __str__(self) -> str:
        return f"{self.field} = {self.value}: {self.problem}"


def fault(field: str, value: object, problem: str) -> Fault:
    """Describe a fault, with `value` shortened to 60 characters of its `repr`."""
    try:
        shown = repr(value)
    except (ValueError, RecursionError):
        # Python shows no integer of more than 4,300 digits, nor anything that holds one, nor what
        # is nested a thousand levels deep.
        shown = type(value).__name__
    return Fault(
        field=field, value=shown if len(shown) <= 60 else shown[:57] + "...", problem=problem
    )


class LapseError(Exception):
    """Root of all errors; `except LapseError` catches everything Lapse raises on purpose."""

    http_status: ClassVar[int] = 500
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, fields: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.fields: dict[str, str] = dict(fields or {})


class ValidationError(LapseError):
    """Input that can never be right. `faults` lists everything that is wrong with it."""

    http_status: ClassVar[int] = 422
    exit_code: ClassVar[int] = 2

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults: tuple[Fault, ...] = tuple(faults)
        super().__init__(
            "; ".join(str(each) for each in self.faults),
            fields={each.field: each.problem for each in self.faults},
        )

    @classmethod
    def of(cls, field: str, value: object, problem: str) -> "ValidationError":
        """Build the error for a single fault."""
        return cls([fault(field, value, problem)])


class PolicyError(ValidationError):
    """A policy was refused; the previous one stays in force."""


class DomainError(ValidationError):
    """A number lies outside the domain of a formula."""


class NotFoundError(LapseError):
    """Nothing by that name here. What belongs to somebody else gets the same answer."""

    http_status: ClassVar[int] = 404
    exit_code: ClassVar[int] = 3


class ConflictError(LapseError):
    """The request contradicts what is stored."""

    http_status: ClassVar[int] = 409
    exit_code: ClassVar[int] = 4


class VersionConflictError(ConflictError):
    """`if_version` names another version than the stored one. Read again, then decide."""


class GuardedError(ConflictError):
    """A guard spares the memory; `fields` name the memory and the guard."""


class PlanError(ConflictError):
    """A plan cannot be made, approved or applied as things stand; `fields` name the plan."""


class TombstonedError(LapseError):
    """The content was erased and may not be stored again. Only an audited lift allows it."""

    http_status: ClassVar[int] = 409
    exit_code: ClassVar[int] = 5


class AccessError(LapseError):
    """The caller is known and may not do this. Ask whoever gives keys for another role."""

    http_status: ClassVar[int] = 403
    exit_code: ClassVar[int] = 8


class UnknownCallerError(AccessError):
    """No key was shown, or none that holds here and now. Which of these it is, is not told."""

    http_status: ClassVar[int] = 401


class LimitError(LapseError):
    """Too much at once, or too fast; it may be tried again after `retry_after_s`."""

    http_status: ClassVar[int] = 429
    exit_code: ClassVar[int] = 9

    def __init__(
        self,
        message: str,
        *,
        fields: Mapping[str, str] | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message, fields=fields)
        self.retry_after_s = retry_after_s


class TooLargeError(LimitError):
    """One request holds more than is taken at once. Cut it into several."""

    http_status: ClassVar[int] = 413


class EmbedderError(LapseError):
    """A vector could not be made. What is stored stays findable by its text."""

    http_status: ClassVar[int] = 503
    exit_code: ClassVar[int] = 6


class GeneratorError(LapseError):
    """A language model gave no answer that can be used. Whoever asked does without it."""

    http_status: ClassVar[int] = 503
    exit_code: ClassVar[int] = 10


class StoppedError(LapseError):
    """What is done off the path was stopped, since its process ends. Nothing is lost by it."""

    http_status: ClassVar[int] = 503
    exit_code: ClassVar[int] = 11


class StoreError(LapseError):
    """The store could not do what was asked; nothing of it was written."""

    http_status: ClassVar[int] = 503
    exit_code: ClassVar[int] = 7


class StoreBusyError(StoreError):
    """Another writer held the store longer than the busy timeout. Try again."""


class StoreFullError(StoreError):
    """No room is left where the store is kept: reading works, writing does not. Make room."""

    http_status: ClassVar[int] = 507


class KeyMissingError(StoreError):
    """A key that tombstones were made under is not here: reading works, writing does not.

    Without it nobody can tell whether what is to be written was erased.
    """


class SchemaError(StoreError):
    """The store was written by a version of Lapse with another schema."""


class CorruptStoreError(StoreError):
    """The store contradicts itself. `lapse doctor` says where."""


class UnreachableError(StoreError):
    """A served store did not answer, or not as Lapse of this version does.

    Whether what was asked was done is not known. To ask the same again is safe where the client
    says so: what reads, and what it sent under an Idempotency-Key.
    """


def at_position(position: int, error: ValidationError) -> list[Fault]:
    """The error's faults, with fields named by position in a list, such as `[3].key`.

    A fault without a field is one of the whole item: `[3]`.
    """
    return [
        Fault(
            field=f"[{position}].{each.field}".removesuffix("."),
            value=each.value,
            problem=each.problem,
        )
        for each in error.faults
    ]


def raise_all(faults: Iterable[Fault]) -> None:
    """Raise one `ValidationError` for all faults, or return when there are none."""
    collected = tuple(faults)
    if collected:
        raise ValidationError(collected)
