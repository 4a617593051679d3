"""What writing verbs give back.

Decides the shape of results. Refuses to compute them.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType

from lapse.engine.core import Core
from lapse.engine.reading import fetch
from lapse.engine.runtime import BankRuntime
from lapse.errors import StoreBusyError, StoreError
from lapse.model.memory import Memory
from lapse.model.outcome import Action, Outcome
from lapse.model.record import Record

WRITTEN = "it was written, but could not be read back: {}"
"""Told where the store fails after a write, with the reason."""

_READS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """What became of something told.

    Attributes:
        memory: The memory as stored now; of the one told before, when it was told again; as it was
            told, when it was refused.
        action: created, unchanged, reconfirmed, updated or, of one in a batch, refused.
        superseded: Ids of the claims it replaced.
        note: What the caller should know, or empty.
    """

    memory: Memory
    action: Action
    superseded: tuple[str, ...] = ()
    note: str = ""

    @property
    def id(self) -> str:
        """Id of the memory."""
        return self.memory.id


def remembered(
    core: Core,
    runtime: BankRuntime,
    outcomes: Sequence[Outcome],
    known: Mapping[str, Memory] = MappingProxyType({}),
) -> list[Remembered]:
    """The outcomes with their memories as stored now.

    Args:
        known: Memories by id that need not be fetched.

    Raises:
        StoreError: They could not be read; the error says that they were written.
    """
    ids = dict.fromkeys(each.memory_id for each in outcomes if each.memory_id not in known)
    fetched = _read_back(core, runtime, list(ids)) if ids else []
    memories = {**known, **{each.memory.id: each.memory for each in fetched}}
    return [
        Remembered(
            memory=memories[each.memory_id],
            action=each.action,
            superseded=each.superseded,
            note=each.note,
        )
        for each in outcomes
    ]


def _read_back(core: Core, runtime: BankRuntime, ids: Sequence[str]) -> Sequence[Record]:
    for _ in range(_READS - 1):
        with suppress(StoreBusyError):
            return fetch(core, runtime, ids)
    try:
        return fetch(core, runtime, ids)
    except StoreError as error:
        # Whoever was told no more than that the store failed would write again what is there.
        raise StoreError(WRITTEN.format(error), fields=error.fields) from error
