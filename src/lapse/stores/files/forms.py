"""What is kept of a bank as files say it.

Decides which file holds what: a memory with its earlier versions, its state, its vectors, and the
logs of all that is kept beside. Ids of terms stand with the memory, so that the dictionary follows
from the memories and is kept nowhere. Refuses to open a file and to say where one lies.
"""

from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from lapse.model.bank import Bank, Space
from lapse.model.codec import Plain, decode, encode
from lapse.model.memory import Memory, TextFacets
from lapse.model.retention import RetentionState, UseEvent
from lapse.stores.memory_bank import BankData, Row

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryForm:
    """A memory's file.

    Attributes:
        row: Internal number.
        term_ids: Ids of the terms of its facets, in order, with repeats.
        salt: Salt of its digests in the journal.
        revision: The bank's revision that last changed its content.
        versions: Earlier content versions, oldest first.
    """

    row: int
    memory: Memory
    facets: TextFacets
    term_ids: tuple[int, ...]
    salt: bytes
    revision: int
    versions: tuple[Memory, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StateForm:
    """A state's file: whose it is, and the bank's revision that last changed it."""

    memory_id: str
    state: RetentionState
    revision: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BankForm:
    """A bank's own file.

    Attributes:
        bank: Its record; its spaces have files of their own and are named by number.
        next_term, next_use, next_row: Numbers that were never given yet; those of memories are
            the whole store's.
        space_revision: The revision at which the current vector space became the current one.
        next_answer: Number of the next cached answer.
    """

    bank: Bank
    next_term: int
    next_use: int
    next_row: int
    space_revision: int
    space: int | None = None
    building: int | None = None
    next_answer: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class UseForm:
    """A line of the log of events: an event that came in, or what became of one (no event)."""

    number: int
    pending: bool
    memory_id: str
    event: UseEvent | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovalForm:
    """A line of the log of removals: an internal number, and the revision that removed it."""

    row: int
    revision: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GoneForm:
    """A line of another log that takes the entry of that name out."""

    gone: str


def plain_of(value: object) -> dict[str, Plain]:
    """Give a form as a JSON object; what is absent is left out."""
    found = encode(value)
    assert isinstance(found, dict)  # noqa: S101 - every form is a dataclass
    return found


def memory_form(row: Row) -> MemoryForm:
    """Give a memory's file."""
    return MemoryForm(
        row=row.row,
        memory=row.memory,
        facets=row.facets,
        term_ids=row.term_ids,
        salt=row.salt,
        revision=row.content_revision,
        versions=row.versions,
    )


def vectors_plain(row: Row) -> dict[str, Plain]:
    """Give a memory's vectors, by number of their space, as JSON values."""
    vectors: dict[str, Plain] = {
        str(space): b64encode(data).decode() for space, data in sorted(row.vectors.items())
    }
    return {
        "memory_id": row.memory.id,
        "content_version": row.memory.content_version,
        "revision": row.content_revision,
        "vectors": vectors,
    }


def read_vectors(plain: Mapping[str, object]) -> tuple[str, int, dict[int, bytes]]:
    """Give whose vectors they are, of which revision, and the vectors by space.

    Raises:
        ValueError: They have another form.
    """
    match plain:
        case {"memory_id": str() as name, "revision": int() as at, "vectors": dict() as found}:
            vectors = {int(space): b64decode(data, validate=True) for space, data in found.items()}
            return name, at, vectors
        case _:
            raise ValueError("holds no vectors")


def bank_form(data: BankData, next_row: int) -> BankForm:
    """Give a bank's own file."""
    bank = data.record
    return BankForm(
        bank=replace(bank, space=None, building=None),
        next_term=data.next_term,
        next_use=data.next_use,
        next_row=next_row,
        space_revision=data.space_revision,
        space=None if bank.space is None else bank.space.number,
        building=None if bank.building is None else bank.building.number,
        next_answer=data.next_answer,
    )


def bank_data(form: BankForm, spaces: Mapping[int, Space], before: BankData | None) -> BankData:
    """Give a bank's value with a new record of its own.

    Raises:
        ValueError: The file of a space that it uses is not there.
    """
    named = [each for each in (form.space, form.building) if each is not None]
    if missing := [each for each in named if each not in spaces]:
        raise ValueError(f"needs the file of space {missing[0]}")
    record = replace(
        form.bank,
        space=None if form.space is None else spaces[form.space],
        building=None if form.building is None else spaces[form.building],
    )
    return replace(
        before or BankData(record=record),
        record=record,
        next_term=form.next_term,
        next_use=form.next_use,
        space_revision=form.space_revision,
        next_answer=form.next_answer,
    )


def read_form(kind: type[T], plain: object) -> T:
    """Read a form.

    Raises:
        ValidationError: It is another.
    """
    return decode(kind, plain)
