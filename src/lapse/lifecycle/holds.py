"""Which memories a hold covers.

Decides that a hold finds its memories by what they are now and whenever they arrive, that it reads
labels as people write them (case, spacing and width make no other label: a matter that kept too
little for a capital letter could not be mended), and that a memory it has covered stays covered
when it is relabelled. Refuses to spare anything itself: guards ask.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import assert_never

from lapse.model.hold import Hold, HoldScope, HoldTarget
from lapse.model.memory import Memory
from lapse.text.normalise import without_forms


def covers(hold: Hold, memory: Memory) -> bool:
    """Whether the hold keeps the memory from going."""
    return memory.id in hold.attached or _finds(hold.target, memory)


def holding(holds: Iterable[Hold], memory: Memory) -> tuple[str, ...]:
    """Names of the holds that cover the memory, in their order."""
    return tuple(each.name for each in holds if covers(each, memory))


def attached_to(holds: Iterable[Hold], changed: Iterable[tuple[Memory, Memory]]) -> Iterator[Hold]:
    """Holds that must take up ids, because a write relabels memories that they cover.

    Args:
        holds: The bank's holds.
        changed: Each memory the write changes: as it is, and as it will be.
    """
    pairs = tuple(changed)
    for hold in holds:
        leaving = [
            before.id for before, after in pairs if covers(hold, before) and not covers(hold, after)
        ]
        if leaving:
            yield replace(hold, attached=(*hold.attached, *dict.fromkeys(leaving)))


def _finds(target: HoldTarget, memory: Memory) -> bool:
    match target.scope:
        case HoldScope.BANK:
            return True
        case HoldScope.IDS:
            return memory.id in target.values
        case HoldScope.SUBJECT:
            return _alike(memory.subject, target.values[0])
        case HoldScope.SESSION:
            return _alike(memory.session, target.values[0])
        case HoldScope.TAG:
            return any(_alike(each, target.values[0]) for each in memory.tags)
        case HoldScope.KEY_PREFIX:
            return memory.key is not None and _plain(memory.key).startswith(
                _plain(target.values[0])
            )
        case _:
            assert_never(target.scope)


def _alike(label: str | None, wanted: str) -> bool:
    # Most labels are equal or not even nearly so: the cheap test first.
    return label is not None and (label == wanted or _plain(label) == _plain(wanted))


def _plain(label: str) -> str:
    # Punctuation stays: `user:` is no prefix of `users`.
    return " ".join(without_forms(label).casefold().split())
