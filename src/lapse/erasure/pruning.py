"""Pruning: destroying what has long been archived, to make room.

Content goes as completely as by an erasure, and nothing else does: no tombstone stays, since
nobody asked that it never return, and nothing that was made of it goes along. So what stays must
not lean on what goes: a memory that anything else was made of is spared, wherever that stands, as
is one that took the place of another that stays, which would hold again without it.

Decides who leans on whom and what changes beside. Refuses to choose what is pruned, and to ask any
other guard (`lapse.lifecycle.guards`).
"""

from collections.abc import Mapping, Sequence

from lapse.erasure.removing import Settle, without, without_answers
from lapse.model.canary import Canary
from lapse.model.changeset import Changes
from lapse.model.view import View


def leaning(view: View, citing: Mapping[str, Sequence[str]], memory_id: str) -> tuple[str, ...]:
    """Ids of the memories that were made of one, wherever they stand, by what is stored now.

    Args:
        view: Holds everything that `citing` names.
        citing: Who cites whom, as it was read before; who came since is active and in the view.
        memory_id: The memory.
    """
    known = (*citing.get(memory_id, ()), *view.cited_by.get(memory_id, ()))
    return tuple(
        each
        for each in dict.fromkeys(known)
        if each not in view.records or memory_id in view.records[each].memory.derived_from
    )


def pruned(going: Sequence[str], canaries: Sequence[Canary], settle: Settle, view: View) -> Changes:
    """What is written when memories are pruned.

    Args:
        going: Their ids; each is in the view, with all that was made of it.
        canaries: The bank's canaries; one that asked for nothing else is dropped.
        settle: Puts the claims of a key in order.
        view: What the store read.
    """
    removed = frozenset(going)
    cut = [
        name
        for name, record in view.records.items()
        if name not in removed and not removed.isdisjoint(record.memory.derived_from)
    ]
    names = dict.fromkeys(going)
    dropped = [each for each in canaries if removed >= set(each.expected_ids)]
    return Changes(
        removed=tuple(going),
        amended=tuple(without(removed, cut, settle, view).values()),
        canaries=without_answers(names, canaries, dropped),
        canaries_gone=tuple(each.id for each in dropped),
    )
