"""Calls of the verbs by which memories leave a bank, come into one, or go from all of them.

Decides which files are opened, and that a file is whole or is not there. Refuses every rule.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO, Protocol

from lapse.bank import Bank
from lapse.engine.erasing_widely import WideErasure
from lapse.engine.exporting import Exported, Sink
from lapse.engine.importing import Imported, Source
from lapse.engine.sharing import Shared
from lapse.errors import ValidationError
from lapse.faces.app import Lapse
from lapse.faces.operations.copy_requests import (
    EraseEverywhereRequest,
    ExportRequest,
    ImportRequest,
    ShareRequest,
)
from lapse.faces.operations.operation import Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedTo:
    """Where an export is, and what it holds.

    Attributes:
        path: The file.
        memories, lines, bytes: How many of each.
        sha256: Digest of the file, in hexadecimal; equal banks have equal exports.
    """

    path: str
    memories: int
    lines: int
    bytes: int
    sha256: str


class Copied(Protocol):
    """A bank as far as its copies go, wherever it is."""

    def export(self, sink: Sink, *, by: str, reason: str, progress: Progress) -> Exported:
        """Write it."""
        ...

    def import_(self, source: Source, *, by: str, reason: str, progress: Progress) -> Imported:
        """Take into it."""
        ...


def export(bank: Bank, request: ExportRequest, progress: Progress) -> ExportedTo:
    """Write a bank to a new file."""
    return export_of(bank, request, progress)


def import_(bank: Bank, request: ImportRequest, progress: Progress) -> Imported:
    """Take in a file."""
    return import_into(bank, request, progress)


def export_of(bank: Copied, request: ExportRequest, progress: Progress) -> ExportedTo:
    """Write a bank to a new file that only its owner can read.

    Raises:
        ValidationError: The file is there already, or cannot be made.
    """
    with _new_file(request.path) as file:
        done = bank.export(file, by=request.by, reason=request.reason, progress=progress)
    return ExportedTo(
        path=request.path,
        memories=done.memories,
        lines=done.lines,
        bytes=done.bytes,
        sha256=done.sha256,
    )


def import_into(bank: Copied, request: ImportRequest, progress: Progress) -> Imported:
    """Take in a file.

    Raises:
        ValidationError: The file cannot be read.
    """
    try:
        with Path(request.path).open("rb") as file:
            return bank.import_(file, by=request.by, reason=request.reason, progress=progress)
    except (OSError, ValueError) as error:
        raise _unusable(request.path, error) from None


def share(bank: Bank, request: ShareRequest) -> Shared:
    """Copy memories into another bank."""
    return bank.share(request.ids, request.to_bank, by=request.by, reason=request.reason)


def erase_everywhere(lapse: Lapse, request: EraseEverywhereRequest) -> WideErasure:
    """Show what an erasure over a tenant's banks would take; with its yes, do it.

    Raises:
        ValidationError: It is to be done, and nobody or no reason is named.
    """
    if not request.yes:
        return lapse.preview_erasure(tenant=request.tenant, banks=request.banks, **request.where)
    return lapse.erase(
        tenant=request.tenant,
        banks=request.banks,
        by=named("by", request.by),
        reason=named("reason", request.reason),
        approved_by=request.approved_by,
        **request.where,
    )


def named(field: str, given: str | None) -> str:
    """What must be told before anything is done.

    Raises:
        ValidationError: It was not.
    """
    if given is None:
        raise ValidationError.of(field, given, "is needed to do it, for the journal")
    return given


COPY_CALLS: Mapping[str, Callable[..., object]] = MappingProxyType(
    {
        "share": share,
        "export": export,
        "import": import_,
        "erase_everywhere": erase_everywhere,
    }
)
"""The function of each of these operations, by its name in the table."""


@contextmanager
def _new_file(path: str) -> Iterator[BinaryIO]:
    try:
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except (OSError, ValueError) as error:
        raise _unusable(path, error) from None
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
    except BaseException:  # half a file must never be taken for an export
        with suppress(OSError):
            Path(path).unlink()
        raise


def _unusable(path: str, error: Exception) -> ValidationError:
    told = error.strerror if isinstance(error, OSError) else str(error)
    return ValidationError.of("path", path, f"cannot be used: {told}")
