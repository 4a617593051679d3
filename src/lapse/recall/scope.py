"""Hard filters: which rows are out before anything is ranked, and for what first reason.

Decides what scope, age, expiry, validity, claims and lifecycle take out, in the order of
`model.query.Reason`. Refuses to look at relevance or strength.
"""

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lapse.index.columns import KINDS
from lapse.index.facets import metadata_facet, tag_facet
from lapse.index.snapshot import Snapshot
from lapse.index.states import GONE, SUPPRESSED
from lapse.model.closing import Closing, ClosingKind
from lapse.model.index_delta import MISSING, BoolArray, IntArray
from lapse.model.instants import Instant, hours
from lapse.model.policy import RecallPolicy
from lapse.model.query import Reason
from lapse.recall.question import Question

REASONS: tuple[Reason | None, ...] = (None, *Reason)
"""Reason by its code; 0 for none."""

CODE_OF: dict[Reason, int] = {reason: code for code, reason in enumerate(REASONS) if reason}


LONGEST_HOURS = 1e9
"""More than all of writable time, and safe to multiply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """The hard filters of one question, ready to be asked.

    Without an `as_of.recorded` everything counts that is known now, whatever clock wrote it;
    without an `as_of.valid` the world is as of the question's `now`.
    """

    snapshot: Snapshot
    question: Question
    policy: RecallPolicy

    @property
    def valid(self) -> int:
        """Instant in the world that the question is about."""
        valid = self.question.as_of.valid
        return self.question.now if valid is None else valid

    def passing(self) -> BoolArray:
        """For each slot, whether no filter takes it out; dead slots never pass."""
        everything = slice(None)
        out: BoolArray = self.snapshot.live.status == GONE
        for _, taken in self._checks(everything):
            out |= taken
        passing: BoolArray = ~out
        return passing

    def reasons(self, slots: IntArray) -> NDArray[np.uint8]:
        """Code of the first reason that takes each of these living slots out; 0 for none."""
        codes = np.zeros(len(slots), np.uint8)
        for reason, taken in self._checks(slots):
            codes[(codes == 0) & taken] = CODE_OF[reason]
        return codes

    def _checks(self, at: "slice | IntArray") -> Iterator[tuple[Reason, BoolArray]]:
        """Each filter that can apply, in the order of `Reason`, over the slots asked for."""
        yield from self._scope_checks(at)
        yield from self._time_checks(at)
        yield from self._truth_checks(at)
        yield Reason.SUPPRESSED, self.snapshot.live.status[at] == SUPPRESSED

    def _scope_checks(self, at: "slice | IntArray") -> Iterator[tuple[Reason, BoolArray]]:
        scope, live, codes = self.question.scope, self.snapshot.live, self.snapshot.codes
        if scope.kinds:
            wanted = np.array([kind in scope.kinds for kind in KINDS])
            yield Reason.OUT_OF_SCOPE, ~wanted[live.kind[at]]
        if scope.subject is not None:
            yield Reason.OUT_OF_SCOPE, live.subject[at] != codes.subject.find(scope.subject)
        for tag in scope.tags:
            yield Reason.OUT_OF_SCOPE, self._without(tag_facet(tag))[at]
        for name, value in scope.metadata.items():
            yield Reason.OUT_OF_SCOPE, self._without(metadata_facet(name, value))[at]
        if scope.session is not None and not self.policy.include_other_sessions:
            yield Reason.OTHER_SESSION, live.session[at] != codes.session.find(scope.session)

    def _time_checks(self, at: "slice | IntArray") -> Iterator[tuple[Reason, BoolArray]]:
        live, now = self.snapshot.live, self.question.now
        since = oldest(self.question, self.policy)
        if since is not None:
            yield Reason.TOO_OLD, live.created_at[at] < since
        if "expires_at" in live.dated:
            yield Reason.EXPIRED, _set_and_passed(live.expires_at[at], now)

    def _truth_checks(self, at: "slice | IntArray") -> Iterator[tuple[Reason, BoolArray]]:
        live, recorded = self.snapshot.live, self.question.as_of.recorded
        if "valid_from" in live.dated:
            yield Reason.NOT_YET_VALID, live.valid_from[at] > self.valid
        if recorded is None:
            yield from self._truth_now(at)
        else:
            yield from self._truth_then(at, recorded)

    def _truth_now(self, at: "slice | IntArray") -> Iterator[tuple[Reason, BoolArray]]:
        """By all that is known now, whoever wrote it and whatever their clock said."""
        live = self.snapshot.live
        if "valid_to" in live.dated:
            ended = _set_and_passed(live.valid_to[at], self.valid)
            if not self.policy.latest_per_key:
                # A replaced claim ended because it was replaced; to ask for all of a claim's values
                # is to ask for it, too.
                ended &= live.is_latest[at]
            yield Reason.SUPERSEDED, ended
        if self.policy.latest_per_key:
            outdated: BoolArray = live.outdated_from[at] <= self.valid
            if self.question.as_of.valid is None:
                # A claim replaced by one that begins later still holds until its own end.
                outdated |= ~live.is_latest[at] & (live.valid_to[at] <= self.valid)
            yield Reason.SUPERSEDED, outdated
        if "recorded_to" in live.dated:
            yield Reason.RETRACTED, live.recorded_to[at] != MISSING

    def _truth_then(
        self, at: "slice | IntArray", recorded: int
    ) -> Iterator[tuple[Reason, BoolArray]]:
        """By what was known at `recorded`: what was told or taken back later does not count."""
        live = self.snapshot.live
        yield Reason.NOT_YET_VALID, live.recorded_from[at] > recorded
        # An end that another memory gave follows from that memory, if it was known.
        yield Reason.SUPERSEDED, _set_and_passed(live.stated_to[at], self.valid)
        known = [each for each in self.question.closings if each.known_at(Instant(recorded))]
        retracted = {each.memory_id for each in known if each.kind is ClosingKind.RETRACTED}
        if self.policy.latest_per_key:
            ended = [each for each in known if each.kind is ClosingKind.SUPERSEDED]
            yield Reason.SUPERSEDED, self._slots(self._replaced(ended, retracted))[at]
            outdated = self.snapshot.outdated(self.valid, recorded, retracted)
            yield Reason.SUPERSEDED, outdated[at]
        yield Reason.RETRACTED, _set_and_passed(live.recorded_to[at], recorded)
        yield Reason.RETRACTED, self._slots(retracted)[at]

    def _replaced(self, ended: Iterable[Closing], retracted: Container[str]) -> set[str]:
        """Ids of what had ended by `valid`; what was retracted by then ended nothing."""
        return {
            each.memory_id
            for each in ended
            if each.by_id not in retracted
            and each.starts_at is not None
            and each.starts_at <= self.valid
        }

    def _slots(self, ids: Iterable[str]) -> BoolArray:
        """For each live slot, whether it is one of these memories."""
        live = self.snapshot.live
        found: BoolArray = np.zeros(len(live), np.bool_)
        found[[slot for each in ids if (slot := live.find(each)) is not None]] = True
        return found

    def _without(self, facet: tuple[str, str, str]) -> BoolArray:
        count = len(self.snapshot.live)
        without: BoolArray = np.ones(count, np.bool_)
        without[self.snapshot.facets.slots(facet, count)] = False
        return without


def oldest(question: Question, policy: RecallPolicy) -> Instant | None:
    """Since when an answer may have been created, inclusive; None for ever."""
    asked = question.scope.max_age_hours
    max_age_hours = policy.max_age_hours if asked is None else asked
    if max_age_hours is None:
        return None
    return Instant(question.now - hours(min(max_age_hours, LONGEST_HOURS)))


def _set_and_passed(instants: IntArray, at: int) -> BoolArray:
    """Whether an instant is given and not later than `at`: half-open intervals end there."""
    passed: BoolArray = (instants != MISSING) & (instants <= at)
    return passed
