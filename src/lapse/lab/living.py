"""Living a corpus under several policies: what each finds, shows and keeps.

Every conversation is told to a bank of its own in RAM, session by session. Questions are asked at
their time; what is found of their evidence is reported as cited, as an agent would. Before each
session the bank lets go: at the share 1.0 by its own sweeps, else down to a share of what was told
so far, by its own budget and with no grace. All policies answer the same questions, so that they
are compared pair by pair.

Decides the figures of such a comparison. Refuses to name a winner, and to keep a bank.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from lapse.bank import Bank
from lapse.engine.embedding import Progress, no_progress
from lapse.engine.parts import Parts
from lapse.errors import ValidationError
from lapse.index.states import ACTIVE
from lapse.lab.comparing import RESAMPLES, Interval
from lapse.lab.corpus import Conversation, Question, Told
from lapse.lab.policies import put_in_force
from lapse.lab.twins import BY, LET_GO, Twin, in_memory
from lapse.laws import FloatArray
from lapse.model.instants import DAY, HOUR, Instant
from lapse.model.memory import BankRef, JsonValue

KEPT: Final = (1.0, 0.75, 0.5, 0.25)
"""Shares of what was told that are kept; 1.0 is the policy as it is."""

REST: Final = 25 * HOUR
"""Between the last thing told and the questions at the end: on the same day no use counts."""

_NAME: Final = BankRef(tenant="lab", name="lived")


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How many memories were active before a session, of how many told."""

    at: Instant
    active: int
    told: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Lived:
    """How one policy did at one share.

    Attributes:
        kept: The share.
        questions: How many were asked.
        recall: Mean share of the evidence among the answers, in [0, 1].
        stale: Share of the answers that showed what is no longer so.
        words: Mean words of an answer.
        needed_after_forgotten: Of a thousand memories that were needed, those that were gone.
        lead_on_first: Recall less that of the policy named first, at the same share.
        sizes: The active set over time, conversation after conversation.
    """

    kept: float
    questions: int
    recall: float
    stale: float
    words: float
    needed_after_forgotten: float
    lead_on_first: Interval
    sizes: tuple[Size, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    recall: float
    stale: bool
    words: int
    gone: int
    needed: int


@dataclass(slots=True, kw_only=True)
class _Life:
    """What came of one conversation."""

    answers: list[_Answer] = field(default_factory=list)
    sizes: list[Size] = field(default_factory=list)


def live_under(
    parts: Parts,
    corpus: Sequence[Conversation],
    policies: Mapping[str, Mapping[str, JsonValue]],
    *,
    kept: Sequence[float] = KEPT,
    seed: int = 0,
    progress: Progress = no_progress,
) -> dict[str, tuple[Lived, ...]]:
    """Live a corpus under each policy at each share.

    Args:
        parts: Embedder, deployment and keys of the banks; their store is not used.
        corpus: At least one conversation.
        policies: Settings of a bank's own, by name; at least one.
        kept: Shares, each in (0, 1].
        seed: Of the draws behind the intervals.
        progress: Called with (lives lived, lives in all).

    Raises:
        ValidationError: No policy, no conversation or a share out of range; a draft that is none.
    """
    if not policies or not corpus:
        raise ValidationError.of("policies", len(policies), "needs policies and a corpus")
    if not kept or not all(0 < each <= 1 for each in kept):
        raise ValidationError.of("kept", tuple(kept), "needs shares above 0 and up to 1")
    total, done = len(policies) * len(kept) * len(corpus), 0
    lives: dict[tuple[str, float], list[_Life]] = {}
    for name, settings in policies.items():
        for share in kept:
            for conversation in corpus:
                life = _live(parts, conversation, settings, share)
                lives.setdefault((name, share), []).append(life)
                done += 1
                progress(done, total)
    first = next(iter(policies))
    return {
        name: tuple(_lived(share, lives[name, share], lives[first, share], seed) for share in kept)
        for name in policies
    }


def _live(
    parts: Parts, conversation: Conversation, settings: Mapping[str, JsonValue], share: float
) -> _Life:
    life = _Life()
    with in_memory(parts, _NAME, conversation.told[0].at) as twin:
        bank = twin.bank
        put_in_force(bank, {**settings, **LET_GO}, BY)
        if share < 1:
            bank.set_policy({"retention.grace_days": 0, "retention.plan_limit": 100_000}, by=BY)
        told = 0
        for happening in _in_time(conversation):
            if isinstance(happening, Question):
                if happening.at is not None:
                    twin.clock.at = max(happening.at, twin.clock.at)
                life.answers.append(_ask(bank, happening))
                continue
            if told:
                twin.clock.at = max(happening[0].at, twin.clock.at)
                _let_go(bank, told, share)
                life.sizes.append(_size(twin, told))
            twin.clock.at = max(happening[-1].at, twin.clock.at)
            bank.remember_many([each.draft for each in happening], by=BY)
            told += len(happening)
        twin.clock.at = Instant(twin.clock.at + REST)
        _let_go(bank, told, share)
        life.sizes.append(_size(twin, told))
        last = [each for each in conversation.questions if each.at is None]
        life.answers += [_ask(bank, each) for each in last]
    return life


def _in_time(conversation: Conversation) -> Iterator[Question | list[Told]]:
    """Questions and runs of one session, in order of time; what is told comes before a question."""
    questions = sorted(
        (each for each in conversation.questions if each.at is not None),
        key=lambda each: each.at or 0,
    )
    run: list[Told] = []
    for each in conversation.told:
        while questions and (questions[0].at or 0) < each.at:
            if run:
                yield run
                run = []
            yield questions.pop(0)
        if run and _session(run[-1]) != _session(each):
            yield run
            run = []
        run.append(each)
    if run:
        yield run
    yield from questions


def _session(told: Told) -> str | int:
    return told.at // DAY if told.session is None else told.session


def _let_go(bank: Bank, told: int, share: float) -> None:
    bank.drain()
    if share == 1:
        bank.sweep(by=BY)
        return
    plan = bank.plan_to_budget(max_active=max(round(share * told), 1), by=BY)
    if plan.items:
        bank.approve(plan.id, by=f"{BY} itself", reason="over the share that is kept")
        bank.apply(plan.id)


def _size(twin: Twin, told: int) -> Size:
    active = twin.bank.engine.parts.store.active(twin.bank.ref)
    return Size(at=twin.clock.at, active=active, told=told)


def _ask(bank: Bank, question: Question) -> _Answer:
    recall = bank.recall(question.text, explain=False)
    shown = {each.id for each in recall.hits}
    found = shown & question.evidence
    if found:
        bank.used(sorted(found), source="cited", recall=recall.id)
    over = {each.id for each in recall.hits if not each.memory.current}
    store, ref = bank.engine.parts.store, bank.ref
    there = [each.id for each in store.contents(ref, sorted(question.evidence))]
    return _Answer(
        recall=len(found) / len(question.evidence),
        stale=bool(over | (shown & question.stale)),
        words=recall.words,
        gone=sum(not _active(bank, each) for each in there),
        needed=len(there),
    )


def _active(bank: Bank, memory_id: str) -> bool:
    live = bank.engine.runtime(bank.ref).refresh().live
    slot = live.find(memory_id)
    return slot is not None and int(live.status[slot]) == ACTIVE


def _lived(share: float, lives: Sequence[_Life], first: Sequence[_Life], seed: int) -> Lived:
    answers = [each for life in lives for each in life.answers]
    needed = sum(each.needed for each in answers)
    return Lived(
        kept=share,
        questions=len(answers),
        recall=float(np.mean([each.recall for each in answers])),
        stale=float(np.mean([each.stale for each in answers])),
        words=float(np.mean([each.words for each in answers])),
        needed_after_forgotten=1000 * sum(each.gone for each in answers) / max(needed, 1),
        lead_on_first=_lead(lives, first, seed),
        sizes=tuple(each for life in lives for each in life.sizes),
    )


def _lead(lives: Sequence[_Life], first: Sequence[_Life], seed: int) -> Interval:
    """Mean paired difference; conversations are drawn anew, or questions where there is one."""
    groups = [
        np.array([mine.recall - other.recall for mine, other in pairs])
        for pairs in (
            list(zip(one.answers, other.answers, strict=True))
            for one, other in zip(lives, first, strict=True)
        )
    ]
    if len(groups) == 1:
        groups = [np.array([each]) for each in groups[0]]
    sums: FloatArray = np.array([each.sum() for each in groups])
    counts: FloatArray = np.array([len(each) for each in groups], dtype=np.float64)
    drawn = np.random.default_rng(seed).integers(0, len(groups), (RESAMPLES, len(groups)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.quantile(means, (0.025, 0.975)).tolist()
    return Interval(mean=float(sums.sum() / counts.sum()), low=low, high=high)
