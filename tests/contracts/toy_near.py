"""A toy that searches near: by looking at everything, in RAM."""

from dataclasses import fields, replace
from typing import Any, TypeVar

import numpy as np

from lapse.model.index_delta import MISSING, ContentRows, IndexDelta, StateRows
from lapse.model.memory import BankRef
from lapse.model.near import Near, Wanted
from lapse.model.retention import Lifecycle
from lapse.model.written_form import written_form
from lapse.stores.memory import MemoryStore

Columns = TypeVar("Columns", ContentRows, StateRows)


class ToyNear(MemoryStore):
    """The reference, with an index that is a promise."""

    def __init__(self) -> None:
        super().__init__()
        self._followed: set[BankRef] = set()

    def follow_near(self, ref: BankRef) -> bool:
        self._followed.add(ref)
        return True

    def near(self, ref: BankRef, wanted: Wanted) -> Near | None:
        if ref not in self._followed:
            return None
        whole = self.changes(ref, 0)
        searched = [at for at, each in enumerate(whole.states.lifecycle) if each in SEARCHED]
        fitting = [at for at in searched if fits(whole, at, wanted)]
        terms = {each: whole.terms[each] for each in wanted.terms if each in whole.terms}
        arms = [by_words(whole, fitting, set(terms.values())), by_vector(whole, fitting, wanted)]
        sought = {at for arm in arms for at in arm[: wanted.count]}
        found = set(sought)
        found |= {at for at, each in enumerate(whole.content.ids) if each in wanted.ids}
        keys = {whole.content.keys[at] for at in found} - {None}
        found |= {at for at, each in enumerate(whole.content.keys) if each in keys}
        places = sorted(found)
        lengths = [len(whole.content.term_ids[at]) for at in searched]
        return Near(
            delta=replace(
                whole,
                content=taken(whole.content, places),
                states=taken(whole.states, places),
                terms=terms,
            ),
            frequency={
                number: sum(number in whole.content.term_ids[at] for at in searched)
                for number in terms.values()
            },
            memory_count=len(searched),
            mean_length=float(np.mean(lengths)) if lengths else 1.0,
            found=whole.content.rows[sorted(sought)],
            cut=any(len(arm) >= wanted.count for arm in arms),
        )


SEARCHED = (Lifecycle.ACTIVE, Lifecycle.SUPPRESSED)


def fits(whole: IndexDelta, at: int, wanted: Wanted) -> bool:
    rows, present = whole.content, wanted.present
    told = {name: written_form(each) for name, each in (rows.metadata[at] or {}).items()}
    tests = [
        not wanted.kinds or rows.kinds[at] in wanted.kinds,
        wanted.session in (None, rows.sessions[at]),
        wanted.subject in (None, rows.subjects[at]),
        set(wanted.tags) <= set(rows.tags[at]),
        all(told.get(name) == written_form(each) for name, each in wanted.metadata.items()),
        wanted.created_from is None or rows.created_at[at] >= wanted.created_from,
        not wanted.lifecycles or whole.states.lifecycle[at] in wanted.lifecycles,
    ]
    if present is not None:
        ends, expires = rows.valid_to[at], rows.expires_at[at]
        tests += [
            rows.recorded_to[at] == MISSING,
            rows.valid_from[at] <= present.valid,
            present.ended is None or ends == MISSING or ends > present.ended,
            expires == MISSING or expires > present.now,
        ]
    return all(tests)


def by_words(whole: IndexDelta, fitting: list[int], terms: set[int]) -> list[int]:
    shared = {at: len(terms & set(whole.content.term_ids[at].tolist())) for at in fitting}
    return sorted((at for at in fitting if shared[at]), key=lambda at: -shared[at])


def by_vector(whole: IndexDelta, fitting: list[int], wanted: Wanted) -> list[int]:
    asked, own = wanted.vector, whole.space
    if asked is None or own is None or wanted.space != own.number:
        return []
    cosines = {
        at: float(np.frombuffer(data, "<f4") @ asked)
        for at in fitting
        if (data := whole.content.vectors[at]) is not None
    }
    return sorted(cosines, key=lambda at: -cosines[at])


def taken(columns: Columns, places: list[int]) -> Columns:
    changed: dict[str, Any] = {}  # a column of whatever type its name says
    for each in fields(columns):
        column = getattr(columns, each.name)
        whole = isinstance(column, np.ndarray)
        changed[each.name] = column[places] if whole else [column[at] for at in places]
    return replace(columns, **changed)
