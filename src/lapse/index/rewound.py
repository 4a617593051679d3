"""A snapshot of a bank with its memories where they once stood, and as they were once written.

Decides only that. How strong they are is as it is now; the question filters what ended since.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from lapse.index.snapshot import Snapshot
from lapse.index.tables import Tables
from lapse.model.index_delta import MISSING, ContentRows, IndexDelta, IntArray
from lapse.model.instants import Instant
from lapse.model.memory import BankRef, Memory, TextFacets
from lapse.model.retention import Lifecycle

T = TypeVar("T")
N = TypeVar("N", bound=np.generic)


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A memory as it was written at an earlier time.

    Attributes:
        memory: Its content then.
        facets: What the text layer reads off that content.
        vector: Its float32 vector in the bank's present space, or None.
    """

    memory: Memory
    facets: TextFacets
    vector: bytes | None


def rewound_snapshot(
    ref: BankRef,
    delta: IndexDelta,
    stood: Mapping[int, Lifecycle],
    written: Mapping[str, Written],
) -> Snapshot:
    """Lay a bank out anew.

    Args:
        ref: The bank.
        delta: All of the bank, as `Store.changes` gives it since revision 0.
        stood: Where memories stood that stand elsewhere now, by internal number.
        written: Memories that have been rewritten since, as they were, by id.
    """
    states = delta.states
    lifecycle = [
        stood.get(row, now) for row, now in zip(states.rows.tolist(), states.lifecycle, strict=True)
    ]
    terms = _known_terms(delta.terms, written)
    tables = Tables(delta.space)
    tables.apply(
        replace(
            delta,
            states=replace(states, lifecycle=lifecycle),
            content=_rewritten(delta.content, terms, written),
            terms=terms,
        )
    )
    return tables.snapshot(ref, delta.revision)


def _known_terms(terms: Mapping[str, int], written: Mapping[str, Written]) -> dict[str, int]:
    """The dictionary with the terms that only an earlier text has."""
    known = dict(terms)
    next_id = max(known.values(), default=-1) + 1
    for each in written.values():
        for term in each.facets.terms:
            if term not in known:
                known[term] = next_id
                next_id += 1
    return known


def _rewritten(
    content: ContentRows, terms: Mapping[str, int], written: Mapping[str, Written]
) -> ContentRows:
    """The content with what was written then in place of what is written now."""
    found = [(at, written[name]) for at, name in enumerate(content.ids) if name in written]
    if not found:
        return content

    def listed(values: list[T], then: Callable[[Written], T]) -> list[T]:
        changed = list(values)
        for at, each in found:
            changed[at] = then(each)
        return changed

    def instants(values: IntArray, then: Callable[[Memory], Instant | None]) -> IntArray:
        changed = values.copy()
        for at, each in found:
            instant = then(each.memory)
            changed[at] = MISSING if instant is None else instant
        return changed

    def numbers(values: NDArray[N], then: Callable[[Written], float]) -> NDArray[N]:
        changed = values.copy()
        for at, each in found:
            changed[at] = then(each)
        return changed

    return replace(
        content,
        kinds=listed(content.kinds, lambda each: each.memory.kind),
        keys=listed(content.keys, lambda each: each.memory.key),
        sessions=listed(content.sessions, lambda each: each.memory.session),
        subjects=listed(content.subjects, lambda each: each.memory.subject),
        roles=listed(content.roles, lambda each: each.memory.role),
        tags=listed(content.tags, lambda each: each.memory.tags),
        metadata=listed(content.metadata, lambda each: each.memory.metadata or None),
        occurred_at=instants(content.occurred_at, lambda each: each.occurred_at),
        recorded_from=instants(content.recorded_from, lambda each: each.recorded_from),
        valid_from=instants(content.valid_from, lambda each: each.valid_from),
        stated_to=instants(content.stated_to, lambda each: each.stated_to),
        expires_at=instants(content.expires_at, lambda each: each.expires_at),
        multi=numbers(content.multi, lambda each: each.memory.multi),
        confidence=numbers(content.confidence, lambda each: each.memory.confidence),
        proof_count=numbers(content.proof_count, lambda each: each.memory.proof_count),
        entity_count=numbers(content.entity_count, lambda each: len(each.memory.entities)),
        word_count=numbers(content.word_count, lambda each: each.facets.word_count),
        fingerprints=listed(content.fingerprints, lambda each: each.facets.fingerprint),
        distinctions=listed(content.distinctions, lambda each: each.facets.distinctions),
        term_ids=listed(
            content.term_ids,
            lambda each: np.array([terms[term] for term in each.facets.terms], dtype=np.int32),
        ),
        vectors=listed(content.vectors, lambda each: each.vector),
    )
