"""`doctor` on the command line: the file itself, then what is in it.

Decides what is looked at in the file from outside: who may read it, whether there is anything in
it, and whether it opens. Refuses to mend anything.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from stat import S_IMODE

from lapse.errors import StoreError
from lapse.faces.cli.common import DEFAULT_TARGET, Common, named_place
from lapse.faces.cli.running import (
    IN_MEMORY,
    Place,
    file_of,
    opened,
    present,
    require_store,
    run,
)
from lapse.faces.operations import Operation

_OTHERS = 0o077
_SIDES = ("", "-wal", "-shm")
"""Files that SQLite keeps beside its own, with content in them."""


def examine(operation: Operation, common: Common) -> bool:
    """Examine a store and print what was found. Says whether anything was.

    Raises:
        NotFoundError: There is no store.
        ValidationError: A tenant or bank that cannot be a name.
        TypeError: The operation gave something else than a diagnosis, which is a fault of ours.
    """
    from lapse.faces.operations.results import (  # noqa: PLC0415 - loads the engine, which help must not
        Diagnosis,
        Finding,
    )

    if common.url is not None:
        return _has_findings(run(operation, {}, common))
    target = DEFAULT_TARGET if common.db is None else common.db
    tenant, bank = named_place(common)
    require_store(target)
    asked = {"tenant": tenant, "banks": [] if common.bank is None else [common.bank]}
    outside = [*mode_faults(target), *size_faults(target)]
    of_file = [Finding(where="file", problem=each) for each in outside]
    place = Place(lapse=None, tenant=tenant, bank=bank)
    try:
        with opened(operation, common) as place:
            found = operation.call(place.lapse, operation.read(asked))
    except StoreError as error:
        found = Diagnosis(banks=(), findings=(Finding(where="file", problem=str(error)),))
    if not isinstance(found, Diagnosis):
        raise TypeError("doctor gives a Diagnosis")
    whole = replace(found, findings=(*of_file, *found.findings))
    present(whole, place, common)
    return bool(whole.findings)


def _has_findings(found: object) -> bool:
    return bool(getattr(found, "findings", ()))


def mode_faults(target: str) -> Iterator[str]:
    """Say which files of a store others on the machine may read or write."""
    if target == IN_MEMORY:
        return
    for side in _SIDES:
        path = Path(f"{file_of(target)}{side}")
        mode = S_IMODE(path.stat().st_mode) if path.exists() else 0
        if mode & _OTHERS:
            yield (
                f"{path} has mode {mode:04o}: others on this machine may open it. "
                f"Run: chmod 600 {path}"
            )


def size_faults(target: str) -> Iterator[str]:
    """Say when a store's file is there and holds nothing at all, before it is opened and made."""
    if target == IN_MEMORY:
        return
    path = file_of(target)
    if path.is_file() and path.stat().st_size == 0:
        yield (
            f"{path} is empty: nothing was ever written to it, or it was cut off. "
            "If it held something, restore a backup"
        )
