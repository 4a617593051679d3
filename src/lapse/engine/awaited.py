"""Rating off the path: what waits for the background model, and what nobody rated when it was told.

Decides the order: find what waits, ask about a batch of it outside any transaction, and put each
rating in only where it is still waited for. A lease spares two processes the same questions; the
judge decides. Refuses the wording and the reading of answers (`importance`), and to lose a memory's
rating to a model: until it answers, and where it cannot, the heuristic's stands.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np

from lapse.engine.core import SYSTEM, Core
from lapse.engine.embedding import Progress, no_progress
from lapse.engine.rater import RatingCounts, ask
from lapse.engine.rating import rated_by, terms_said
from lapse.engine.runtime import BankRuntime
from lapse.errors import GeneratorError, ValidationError
from lapse.importance.heuristic import importance_of
from lapse.importance.signs import said
from lapse.importance.waiting import PATIENCE
from lapse.index.states import GONE
from lapse.intake.composing import Rating, Setting
from lapse.intake.rerating import Rerating, judge_ratings
from lapse.model.instants import MINUTE, Instant
from lapse.model.journal import JournalDraft
from lapse.model.policy_enums import RaterMode
from lapse.model.rating import RatingRun
from lapse.model.record import Record
from lapse.model.retention import ImportanceSource, RetentionState
from lapse.model.verbs import Verb
from lapse.model.view import Reads
from lapse.ports import Generate, Leasing

BATCHES_AT_ONCE: Final = 5
"""Batches that one round of upkeep asks about; what is left waits for the next."""

LOOKED_AT_ONCE: Final = 500
"""Memories read by one step."""

LEASE: Final = "rate"
LEASE_SPAN: Final = 10 * MINUTE
"""After that a bank is free again whose worker died. Taken anew before each batch."""


def rate_due(core: Core, runtime: BankRuntime, batches: int | None) -> RatingRun:
    """Have the model rate what waits, unless it failed a short while ago. Upkeep does this."""
    if runtime.waiting.not_before > core.now():
        return RatingRun(waiting=len(runtime.waiting.ids))
    asks = runtime.rule.policy.importance.rater is RaterMode.LLM
    if not asks or core.parts.generate is None:
        return RatingRun()
    rounds = _Rounds(core, runtime, SYSTEM)
    done = rounds.ask(batches)
    if batches is not None and done.waiting and runtime.waiting.not_before <= core.now():
        core.parts.wake()
    return done


def rate_waiting(
    core: Core, runtime: BankRuntime, by: str, progress: Progress = no_progress
) -> RatingRun:
    """Have the model rate all that waits, now.

    Raises:
        ValidationError: `importance.rater` is off, or it is llm and this process knows no model.
    """
    _ready(runtime)
    if runtime.rule.policy.importance.rater is RaterMode.LLM and core.parts.generate is None:
        problem = "needs a model to ask: name one, with importance.endpoint, or open with generate="
        raise ValidationError.of("importance.model", "none", problem)
    return _Rounds(core, runtime, by, progress).ask(None)


def backfill(
    core: Core, runtime: BankRuntime, by: str, progress: Progress = no_progress
) -> RatingRun:
    """Rate all that nobody rated, then have the model rate all that waits.

    Raises:
        ValidationError: `importance.rater` is off.
    """
    _ready(runtime)
    rounds = _Rounds(core, runtime, by, progress)
    given = rounds.give()
    return replace(rounds.ask(None), given=given)


def _ready(runtime: BankRuntime) -> None:
    runtime.follow()
    if runtime.rule.policy.importance.rater is RaterMode.OFF:
        raise ValidationError.of("importance.rater", "off", "needs heuristic or llm to rate with")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What came of one batch: the ratings to put in, and how the questions went."""

    given: Mapping[str, Rerating]
    counts: RatingCounts


class _Rounds:
    """The ratings of one call, over one bank."""

    def __init__(
        self, core: Core, runtime: BankRuntime, by: str, progress: Progress = no_progress
    ) -> None:
        self._core = core
        self._runtime = runtime
        self._by = by
        self._progress = progress
        self._holder = core.parts.new_id(core.now())

    def give(self) -> int:
        """Rate by the heuristic what nobody rated. Returns how many were."""
        ids, done = self._unrated(), 0
        for at in range(0, len(ids), LOOKED_AT_ONCE):
            portion = ids[at : at + LOOKED_AT_ONCE]
            records = self._core.get(self._runtime.ref, portion)
            open_ones = [each for each in records if each.state.importance is None]
            done += len(self._put({each.memory.id: self._by_heuristic(each) for each in open_ones}))
            self._progress(at + len(portion), len(ids))
        return done

    def ask(self, batches: int | None) -> RatingRun:
        """Ask the model about what waits, at most so many batches."""
        generate = self._core.parts.generate
        if self._runtime.bank is None:
            return RatingRun()
        self._find()
        if generate is None:
            return RatingRun(waiting=len(self._runtime.waiting.ids))
        store = self._core.parts.store
        if not self._runtime.waiting.ids or not isinstance(store, Leasing):
            return self._each(generate, batches, lambda: True)
        try:
            return self._each(generate, batches, partial(self._taken, store))
        finally:
            store.leave_lease(self._runtime.ref, LEASE, self._holder)

    def _each(self, generate: Generate, batches: int | None, free: Callable[[], bool]) -> RatingRun:
        waiting = self._runtime.waiting
        total, done = RatingRun(waiting=len(waiting.ids)), 0
        while waiting.ids and done != batches and free():
            run, done = self._batch(generate), done + 1
            total = RatingRun(
                by_model=total.by_model + run.by_model,
                fallbacks=total.fallbacks + run.fallbacks,
                waiting=run.waiting,
                asked=total.asked + run.asked,
                failed=total.failed + run.failed,
            )
            settled = total.by_model + total.fallbacks
            self._progress(settled, settled + total.waiting)
            if run.failed:
                break
        return total

    def _taken(self, store: Leasing) -> bool:
        now = self._core.now()
        until = Instant(now + LEASE_SPAN)
        return store.take_lease(self._runtime.ref, LEASE, self._holder, now=now, until=until)

    def _find(self) -> None:
        """Look at memories that this process did not look at yet, and keep those that wait."""
        waiting, live = self._runtime.waiting, self._runtime.refresh().live
        slots = np.flatnonzero((live.rows > waiting.through) & (live.status != GONE))
        slots = slots[np.argsort(live.rows[slots])]
        for at in range(0, len(slots), LOOKED_AT_ONCE):
            some = slots[at : at + LOOKED_AT_ONCE]
            records = self._core.get(self._runtime.ref, [live.ids[int(each)] for each in some])
            with self._runtime.lock:
                waiting.ids.update({each.memory.id: None for each in records if _waits(each.state)})
                waiting.through = max(waiting.through, int(live.rows[some[-1]]))

    def _batch(self, generate: Generate) -> RatingRun:
        waiting, most = self._runtime.waiting, self._runtime.rule.policy.importance.batch_size
        with self._runtime.lock:
            ids = waiting.batch(most)
        records = self._core.get(self._runtime.ref, ids)
        found = [each for each in records if _waits(each.state)]
        asked = self._asked(generate, found)
        states = self._put(asked.given)
        with self._runtime.lock:
            # What changed meanwhile is read again: it may wait on, with other words.
            open_ones = {each.memory.id for each in found} - states.keys()
            waiting.forget([each for each in ids if each not in open_ones])
            self._learn(asked.counts)
            left = len(waiting.ids)
        by_model = sum(each.importance_source is ImportanceSource.MODEL for each in states.values())
        return RatingRun(
            by_model=by_model,
            fallbacks=len(states) - by_model,
            waiting=left,
            asked=asked.counts.asked,
            failed=asked.counts.failed,
        )

    def _learn(self, counts: RatingCounts) -> None:
        if counts.failed:
            self._runtime.waiting.failed(self._core.now())
        elif counts.asked:
            self._runtime.waiting.answered()

    def _asked(self, generate: Generate, records: Sequence[Record]) -> _Asked:
        counts = RatingCounts()
        purpose = self._runtime.rule.policy.importance.purpose
        try:
            ratings = ask(generate, [each.memory.text for each in records], purpose, counts)
        except GeneratorError:
            ratings = [None] * len(records)
        alone = len(records) == 1 and self._runtime.waiting.setbacks >= PATIENCE
        settles = counts.failed == 0 or alone
        given = {
            record.memory.id: _settled(record, rating)
            for record, rating in zip(records, ratings, strict=True)
            if rating is not None or settles
        }
        return _Asked(given=given, counts=counts)

    def _put(self, given: Mapping[str, Rerating]) -> dict[str, RetentionState]:
        """Store the ratings that are still waited for. Returns the states that they are in now."""
        if not given:
            return {}
        now, rule, ref = self._core.now(), self._runtime.rule, self._runtime.ref
        setting = Setting(ref=ref, now=now, policy=rule.policy, law=rule.law, dating=rule.date)
        entry = JournalDraft(verb=Verb.RATE, at=now, by=self._by)
        judge = partial(judge_ratings, setting, given, entry)
        committed = self._core.commit(Verb.RATE, ref, now, Reads(ids=tuple(given)), judge)
        return dict(committed.changes.states)

    def _unrated(self) -> list[str]:
        snapshot = self._runtime.refresh()
        live = snapshot.live
        slots = np.flatnonzero(live.status != GONE)
        open_ones = slots[np.isnan(snapshot.states.importance[live.state[slots]])]
        ordered = open_ones[np.argsort(live.rows[open_ones])]
        return [live.ids[int(each)] for each in ordered]

    def _by_heuristic(self, record: Record) -> Rerating:
        memory, runtime = record.memory, self._runtime
        terms = terms_said(runtime, memory.text, runtime.tokeniser.terms(memory.text))
        known = self._core.parts.store.term_counts(runtime.ref, tuple(sorted(terms)))
        counts = known.without(terms)
        importance = importance_of(
            said(memory.text), terms, counts, role=memory.role, kind=memory.kind
        )
        rating = Rating(importance=importance, source=rated_by(runtime))
        return Rerating(
            content_version=memory.content_version,
            before=record.state.importance_source,
            rating=rating,
        )


def _settled(record: Record, rating: float | None) -> Rerating:
    source = ImportanceSource.FALLBACK if rating is None else ImportanceSource.MODEL
    return Rerating(
        content_version=record.memory.content_version,
        before=ImportanceSource.AWAITED,
        rating=Rating(importance=rating, source=source),
    )


def _waits(state: RetentionState) -> bool:
    return state.importance_source is ImportanceSource.AWAITED
