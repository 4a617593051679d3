"""The cache of answers: keeping one, giving one again, letting go of what is stale.

Decides that an answer is read where it is kept at the moment it is given, so that one which died a
moment ago in any process is not given; and that a bank's stale answers go when a process first
meets them, with every answer kept, and in upkeep. Refuses the rules (`lapse.cache`).
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from lapse.cache.choosing import choose
from lapse.cache.freshness import end_of_life
from lapse.cache.keeping import judge_put, stale
from lapse.cache.matching import Words, likeness, words_of
from lapse.cache.shelf import Answered, Shelf
from lapse.engine.answer_desk import Met
from lapse.engine.core import Core
from lapse.engine.embedding import vectors_for
from lapse.engine.recalling import query_vector
from lapse.engine.runtime import BankRuntime
from lapse.errors import ConflictError, LapseError, NotFoundError, TombstonedError
from lapse.model.answer import (
    ANY_DOMAIN,
    AnswerChanges,
    CacheCounts,
    CachedAnswer,
    Lookup,
    Miss,
    answer_id,
)
from lapse.model.changeset import Changes
from lapse.model.index_delta import Float32Array
from lapse.model.instants import SECOND, Instant
from lapse.model.verbs import Verb
from lapse.model.view import Reads
from lapse.text.normalise import clean

_TRIES: Final = 8
"""How often another answer is chosen where the one chosen has just died."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What somebody wants kept.

    Attributes:
        query: The question.
        answer: What was answered.
        sources: Ids of the memories it was made from.
        domain: What it is about.
    """

    query: str
    answer: str
    sources: tuple[str, ...] = ()
    domain: str = ANY_DOMAIN


def put(core: Core, runtime: BankRuntime, told: Told) -> CachedAnswer | None:
    """Keep an answer, in place of an earlier one to the same question.

    Returns:
        The answer as it is kept; None where the policy lets none live.

    Raises:
        ConflictError: A source is out of sight, replaced, taken back or over.
        NotFoundError: A source is not in this bank.
        TombstonedError: Question or answer says what was erased.
        ValidationError: Blank, too long, or not to be written.
    """
    runtime.follow()
    limit = runtime.rule.policy.memory.max_text_bytes
    policy = runtime.rule.policy.cache
    query, answer = clean(told.query, "query", limit), clean(told.answer, "answer", limit)
    now = core.now()
    kept = CachedAnswer(
        id=answer_id(words_of(query).folded),
        query=query,
        answer=answer,
        domain=told.domain,
        sources=told.sources,
        put_at=now,
        expires_at=end_of_life(policy, told.domain, now),
    )
    if kept.expires_at <= now:
        return None
    shelf = _followed(core, runtime)
    reads = Reads(ids=kept.sources, answers=shelf.seen)
    judge = partial(judge_put, policy, kept, shelf.entries())
    try:
        committed = core.commit(Verb.CACHE, runtime.ref, now, reads, judge)
    except (ConflictError, NotFoundError, TombstonedError):
        runtime.answers.count(Met.REFUSED)
        raise
    done = committed.changes.answers
    shelf.drop(done.gone)
    return done.put[0]


def get(core: Core, runtime: BankRuntime, query: str) -> Lookup:
    """Give the answer to a question that asks the same, or say why there is none.

    Raises:
        ValidationError: A blank or over-long question.
    """
    runtime.follow()
    text = clean(query, "query", runtime.rule.policy.memory.max_text_bytes)
    now = core.now()
    found = _looked_up(core, runtime, text, now)
    runtime.answers.count(Met.HIT if found.hit else Met.MISS)
    return found


def purge(core: Core, runtime: BankRuntime) -> int:
    """Drop every answer that may not be given any more. Returns how many."""
    runtime.follow()
    shelf = _caught_up(core, runtime)
    return _drop(core, runtime, stale(runtime.rule.policy.cache, shelf.entries(), core.now()))


def clear(core: Core, runtime: BankRuntime) -> int:
    """Drop every answer. Returns how many."""
    runtime.follow()
    return _drop(core, runtime, tuple(each.id for each in _caught_up(core, runtime).entries()))


def counts(core: Core, runtime: BankRuntime) -> CacheCounts:
    """How the cache stands, and what this process did with it."""
    desk = runtime.answers
    return CacheCounts(
        answers=core.parts.store.answer_count(runtime.ref),
        hits=desk.counted(Met.HIT),
        misses=desk.counted(Met.MISS),
        refusals=desk.counted(Met.REFUSED),
    )


def _looked_up(core: Core, runtime: BankRuntime, text: str, now: Instant) -> Lookup:
    policy = runtime.rule.policy.cache
    if policy.ttl_hours == 0:
        return Lookup(at=now, miss=Miss.OFF)
    words = words_of(text)
    shelf = _followed(core, runtime)
    for _ in range(_TRIES):
        entries = shelf.entries()
        likely = _similarity(core, runtime, shelf, entries, text, words)
        choice = choose(policy, words, entries, likely, now)
        if not choice.chosen:
            return Lookup(at=now, miss=choice.miss, similarity=choice.similarity)
        first = choice.chosen[0]
        kept = core.parts.store.answer(runtime.ref, first.id)
        if kept is not None and kept.number == first.number:
            return Lookup(
                at=now,
                miss=None,
                answer=kept.answer,
                similarity=choice.similarity,
                age_s=max(now - kept.answer.put_at, 0) / SECOND,
            )
        # It died, or another took its place, since the questions were looked at.
        shelf.drop([first.id])
        shelf = _caught_up(core, runtime)
    return Lookup(at=now, miss=Miss.NONE)


def _similarity(
    core: Core,
    runtime: BankRuntime,
    shelf: Shelf,
    entries: Sequence[Answered],
    text: str,
    words: Words,
) -> Mapping[int, float]:
    """Similarity of a question to each that was answered, by number: by vectors, else by words."""
    asked, _ = query_vector(core, runtime, text) if entries else (None, ())
    vectors = {} if asked is None else _vectors(core, runtime, shelf)
    found: dict[int, float] = {}
    for each in entries:
        other = vectors.get(each.number)
        if asked is None or other is None or len(other) != len(asked):
            found[each.number] = likeness(words, each.words)
        else:
            found[each.number] = min(max(float(asked @ other), 0.0), 1.0)
    return found


def _vectors(core: Core, runtime: BankRuntime, shelf: Shelf) -> Mapping[int, Float32Array]:
    """Vectors of the questions in the bank's space, made in RAM where they are missing."""
    bank = runtime.bank
    space = None if bank is None else bank.space
    if space is None:
        return {}
    missing = shelf.without_vector(space.number)
    if missing:
        made = vectors_for(core, runtime, [each.query for each in missing]).vectors
        shelf.take_vectors(
            space.number,
            {
                each.number: np.frombuffer(vector.data, dtype="<f4")
                for each, vector in zip(missing, made, strict=True)
                if vector is not None
            },
        )
    return shelf.vectors(space.number)


def _followed(core: Core, runtime: BankRuntime) -> Shelf:
    """The questions, after stale ones went if this process meets them for the first time."""
    if not runtime.answers.opened:
        runtime.answers.opened = True
        # What cannot be purged now is not given either, and goes another time.
        with suppress(LapseError):
            purge(core, runtime)
    return _caught_up(core, runtime)


def _caught_up(core: Core, runtime: BankRuntime) -> Shelf:
    """The questions as they are by now, whoever put or dropped some."""
    store, shelf = core.parts.store, runtime.answers.shelf
    shelf.take(store.answers(runtime.ref, shelf.seen))
    if len(shelf) != store.answer_count(runtime.ref):
        shelf.clear()
        shelf.take(store.answers(runtime.ref))
    return shelf


def _drop(core: Core, runtime: BankRuntime, ids: tuple[str, ...]) -> int:
    if not ids:
        return 0
    changes = Changes(answers=AnswerChanges(gone=ids))
    core.commit(Verb.CACHE, runtime.ref, core.now(), Reads(), lambda _: changes)
    runtime.answers.shelf.drop(ids)
    return len(ids)
