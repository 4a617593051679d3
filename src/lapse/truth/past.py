"""How a memory stood by what was known at an earlier time.

A memory's rows say how it stands now. What was believed at an instant follows from three things:
the content version recorded by then, the closings known then, and, for a claim, the other claims of
its key that were known then.

Decides that. Refuses to look anything up, and to know of attention (the journal does).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from lapse.model.closing import Closing, ClosingKind
from lapse.model.instants import Instant
from lapse.model.memory import Memory
from lapse.truth.supersession import alone, settle


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A memory with all that was ever recorded of its truth.

    Attributes:
        memory: As it is stored now.
        versions: Earlier content versions, oldest first.
        closings: Of this memory.
    """

    memory: Memory
    versions: Sequence[Memory] = ()
    closings: Sequence[Closing] = ()


def believed(told: Told, rivals: Sequence[Told], recorded: Instant) -> Memory | None:
    """The memory as it was believed at an instant, or None when it was not told yet.

    Args:
        told: The memory.
        rivals: All claims of its key, itself among them, in order of arrival; nothing for a memory
            without a key.
        recorded: The instant of knowledge.
    """
    own = _by_itself(told, recorded)
    if own is None or own.key is None or own.multi or own.recorded_to is not None:
        return own
    known = [_by_itself(each, recorded) for each in rivals]
    settled = settle([each for each in known if each is not None and each.key == own.key])
    return next((each for each in settled if each.id == own.id), own)


def holds(memory: Memory, valid: Instant) -> bool:
    """Whether a memory held in the world at an instant; missing bounds are open, ends exclusive."""
    begun = memory.valid_from is None or memory.valid_from <= valid
    ended = memory.valid_to is not None and memory.valid_to <= valid
    return memory.recorded_to is None and begun and not ended


def _by_itself(told: Told, recorded: Instant) -> Memory | None:
    written = [each for each in (*told.versions, told.memory) if each.recorded_from <= recorded]
    if not written:
        return None
    known = [each for each in told.closings if each.known_at(recorded)]
    retracted = [each.recorded_from for each in known if each.kind is ClosingKind.RETRACTED]
    memory = replace(
        alone(written[-1]),
        supersedes=told.memory.supersedes,
        recorded_to=min(retracted, default=None),
    )
    return _ended(memory, (each for each in known if each.kind is ClosingKind.SUPERSEDED))


def _ended(memory: Memory, ends: Iterable[Closing]) -> Memory:
    starts = [(each.starts_at, each.by_id) for each in ends if each.starts_at is not None]
    if not starts:
        return memory
    start, by_id = min(starts, key=lambda each: (each[0], each[1] or ""))
    own = memory.stated_to
    return replace(
        memory,
        valid_to=start if own is None else min(own, start),
        superseded_by=by_id,
        is_latest=False,
    )
