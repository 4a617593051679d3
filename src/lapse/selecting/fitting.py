"""Whether a memory has the marks that a selector names: id, subject, key, tag, session, time.

Decides by equality, and says which mark it was; of a memory that just misses one, says how. Refuses
to read texts (`about` does).
"""

from collections.abc import Iterator
from typing import Final

from lapse.model.instants import Instant, to_iso
from lapse.model.memory import Memory
from lapse.model.selector import Ground, Near, Reason, Selector, Sparing

_NAMED: Final = (
    ("subject", Ground.SUBJECT),
    ("key", Ground.KEY),
    ("session", Ground.SESSION),
)


def fits(selector: Selector, memory: Memory) -> tuple[Reason, ...] | None:
    """Why a memory has every mark that is asked for, or None when it lacks one.

    An empty answer means that no mark is asked for.
    """
    reasons = list(_grounds(selector, memory))
    wanted = _asked_for(selector)
    return tuple(reasons) if len(reasons) == wanted else None


def nearly_fits(selector: Selector, memory: Memory) -> Near | None:
    """How a memory misses the name that is asked for, when only its case or its end differs."""
    pairs = [
        (getattr(selector, name), value)
        for name, _ in _NAMED
        if (value := getattr(memory, name)) is not None
    ]
    pairs += [(selector.tag, each) for each in memory.tags]
    for wanted, value in pairs:
        if wanted is None or wanted == value:
            continue
        if wanted.casefold() == value.casefold():
            return Near(id=memory.id, sparing=Sparing.OTHER_CASE, detail=value)
        if value.casefold().startswith(wanted.casefold()):
            return Near(id=memory.id, sparing=Sparing.LONGER_NAME, detail=value)
    return None


def _asked_for(selector: Selector) -> int:
    named = [getattr(selector, name) for name, _ in _NAMED]
    given = [*named, selector.tag, selector.ids or None]
    timed = selector.since is not None or selector.until is not None
    return sum(each is not None for each in given) + timed


def _grounds(selector: Selector, memory: Memory) -> Iterator[Reason]:
    if selector.ids and memory.id in selector.ids:
        yield Reason(ground=Ground.ID, detail=memory.id)
    for name, ground in _NAMED:
        wanted = getattr(selector, name)
        if wanted is not None and getattr(memory, name) == wanted:
            yield Reason(ground=ground, detail=wanted)
    if selector.tag is not None and selector.tag in memory.tags:
        yield Reason(ground=Ground.TAG, detail=selector.tag)
    if selector.since is not None or selector.until is not None:
        at = memory.created_at if memory.occurred_at is None else memory.occurred_at
        if _within(selector, at):
            yield Reason(ground=Ground.TIME, detail=to_iso(at))


def _within(selector: Selector, at: Instant) -> bool:
    after = selector.since is None or at >= selector.since
    return after and (selector.until is None or at < selector.until)
