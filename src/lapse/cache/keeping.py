"""Keeping an answer: what it must rest on, and what gives way to it.

Decides that an answer is kept only while every memory it was made from is there, in sight and still
so, judged inside the transaction that keeps it; that what has expired goes with the same write; and
that of more answers than the policy allows, those put longest ago go, equal instants in the order
of putting. Refuses to look at what an answer says.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from lapse.cache.freshness import expired, expiry
from lapse.cache.shelf import Answered, answered
from lapse.errors import ConflictError, NotFoundError
from lapse.model.answer import AnswerChanges, CachedAnswer
from lapse.model.changeset import Changes
from lapse.model.instants import Instant
from lapse.model.policy import CachePolicy
from lapse.model.retention import Lifecycle
from lapse.model.view import View


def judge_put(
    policy: CachePolicy, told: CachedAnswer, known: Sequence[Answered], view: View
) -> Changes:
    """Keep an answer.

    Args:
        told: The answer, its end not yet cut to that of its sources.
        known: The answers that were seen before; `view.answers` holds those put since.

    Raises:
        ConflictError: A source is out of sight, replaced, taken back or over.
        CorruptStoreError: A source lost its state.
        NotFoundError: A source is not in this bank.
    """
    view.require_states()
    _check_sources(told, view)
    now = told.put_at
    sources = [view.records[each].memory for each in told.sources]
    answer = replace(told, expires_at=expiry(policy, told.domain, sources, now))
    standing = {each.id: each for each in (*known, *map(answered, view.answers))}
    standing.pop(answer.id, None)
    gone = stale(policy, tuple(standing.values()), now)
    left = [each for each in standing.values() if each.id not in gone]
    left.sort(key=lambda each: (each.put_at, each.number))
    excess = left[: max(len(left) + 1 - policy.max_entries, 0)]
    return Changes(
        answers=AnswerChanges(gone=(*gone, *(each.id for each in excess)), put=(answer,))
    )


def stale(policy: CachePolicy, known: Sequence[Answered], now: Instant) -> tuple[str, ...]:
    """Ids of the answers that may not be given any more, in the order of putting."""
    return tuple(
        each.id
        for each in sorted(known, key=lambda each: each.number)
        if expired(policy, each.domain, each.put_at, each.expires_at, now)
    )


def _check_sources(told: CachedAnswer, view: View) -> None:
    missing = [each for each in told.sources if each not in view.records]
    if missing:
        named = ", ".join(missing)
        raise NotFoundError(
            f"no such memories in this bank, so that no answer can rest on them: {named}",
            fields={"ids": named},
        )
    fallen = list(_fallen(told, view))
    if fallen:
        raise ConflictError(
            "an answer can rest only on what is in sight and still so: " + ", ".join(fallen),
            fields={"ids": ", ".join(fallen)},
        )


def _fallen(told: CachedAnswer, view: View) -> Iterator[str]:
    now = told.put_at
    for each in told.sources:
        record = view.records[each]
        memory = record.memory
        ends = (memory.valid_to, memory.expires_at)
        over = any(end is not None and end <= now for end in ends)
        replaced = not memory.is_latest or memory.superseded_by is not None
        if (
            record.state.lifecycle is not Lifecycle.ACTIVE
            or memory.recorded_to is not None
            or replaced
            or over
        ):
            yield each
