"""The whole of recall once more, memory by memory: slow, short, and written from the prose."""

import math
from collections import Counter

import numpy as np

from lapse.laws import law_for
from lapse.laws.strength import Held, columns_of
from lapse.laws.traces import told_once
from lapse.model.instants import EARLIEST, HOUR, Instant
from lapse.model.memory import Kind
from lapse.model.policy import Policy, RelevanceKind
from lapse.model.query import Reason, Scope
from lapse.model.retention import Lifecycle, Strength
from tests.unit.index.deltas import Row, terms_of


def reason_of(row: Row, rows: list[Row], scope: Scope, policy: Policy, now: int) -> Reason | None:
    """First reason that takes a row out before ranking, for a question about now."""
    recall = policy.recall
    if (
        (scope.kinds and row.kind not in scope.kinds)
        or (scope.subject is not None and row.subject != scope.subject)
        or not set(scope.tags) <= set(row.tags)
        or any(row.metadata.get(name) != value for name, value in scope.metadata.items())
    ):
        return Reason.OUT_OF_SCOPE
    if scope.session and not recall.include_other_sessions and row.session != scope.session:
        return Reason.OTHER_SESSION
    if scope.max_age_hours is not None and now - row.created_at > scope.max_age_hours * HOUR:
        return Reason.TOO_OLD
    if row.expires_at is not None and row.expires_at <= now:
        return Reason.EXPIRED
    if row.valid_from is not None and row.valid_from > now:
        return Reason.NOT_YET_VALID
    ended = row.valid_to is not None and row.valid_to <= now
    if ended and (recall.latest_per_key or row.is_latest):
        return Reason.SUPERSEDED
    if recall.latest_per_key and (
        any(replaces(other, row, now) for other in rows)
        or (not row.is_latest and (row.valid_to is None or row.valid_to <= now))
    ):
        return Reason.SUPERSEDED
    if row.recorded_to is not None:
        return Reason.RETRACTED
    return Reason.SUPPRESSED if row.lifecycle is Lifecycle.SUPPRESSED else None


def replaces(new: Row, old: Row, now: int) -> bool:
    """Whether `new` is a newer claim with the same key that counts now."""
    if (
        old.key is None
        or old.multi
        or new.multi
        or new.key != old.key
        or new.recorded_to is not None
    ):
        return False
    return (new.valid_from is None or new.valid_from <= now) and age_key(new) > age_key(old)


def age_key(row: Row) -> tuple[int, int, int]:
    starts = EARLIEST if row.valid_from is None else row.valid_from
    return (starts, recorded(row), row.row)


def recorded(row: Row) -> int:
    return row.created_at if row.recorded_from is None else row.recorded_from


class Naive:
    """Scores of all rows of a bank for one question."""

    def __init__(self, rows: list[Row], policy: Policy) -> None:
        self.rows = [each for each in rows if each.lifecycle is not Lifecycle.ARCHIVED]
        self.every = rows
        self.policy = policy
        self.bags = {each.row: Counter(terms_of(each.text)) for each in self.rows}

    def idf(self, term: str) -> float:
        df = sum(term in bag for bag in self.bags.values())
        return math.log(1 + (len(self.rows) - df + 0.5) / (df + 0.5))

    def bm25(self, row: Row, query: tuple[str, ...]) -> float:
        k1, b = self.policy.recall.bm25_k1, self.policy.recall.bm25_b
        lengths = [bag.total() for bag in self.bags.values()]
        mean = sum(lengths) / len(lengths)
        bag, total = self.bags[row.row], 0.0
        for term in dict.fromkeys(query):
            tf = bag[term]
            norm = k1 * (1 - b + b * bag.total() / mean)
            total += self.idf(term) * tf * (k1 + 1) / (tf + norm) if tf else 0.0
        return total

    def tfidf(self, row: Row, query: tuple[str, ...]) -> float:
        def weigh(bag: Counter[str]) -> dict[str, float]:
            n = len(self.rows)
            df = {t: sum(t in other for other in self.bags.values()) for t in bag}
            return {
                t: (1 + math.log(c)) * (math.log((1 + n) / (1 + df[t])) + 1) for t, c in bag.items()
            }

        ours, theirs = weigh(Counter(query)), weigh(self.bags[row.row])
        dot = sum(ours[t] * theirs[t] for t in ours.keys() & theirs.keys())
        length = math.hypot(*ours.values()) * math.hypot(*theirs.values())
        return dot / length if length else 0.0

    def coverage(self, row: Row, query: tuple[str, ...]) -> float:
        mass = {term: self.idf(term) for term in query}
        covered = sum(idf for term, idf in mass.items() if self.bags[row.row][term])
        return covered / sum(mass.values()) if mass else 0.0

    def retrievability(self, row: Row, now: int) -> float:
        if row.pinned or row.verified or row.exempt:
            return 1.0
        importance = 0.5 if row.importance is None else row.importance
        strength = Strength(
            traces=told_once(),
            traces_at=Instant(row.created_at),
            stability_days=30.0,
            difficulty=5.0,
        )
        held = Held(
            created_at=Instant(row.created_at),
            strength=strength,
            importance=importance,
            decay=self.policy.law.decay,
        )
        law = law_for(self.policy.law)
        return float(law.retrievability(columns_of([held]), Instant(now))[0])

    def order(
        self,
        query: tuple[str, ...],
        vector: tuple[float, ...] | None,
        scope: Scope,
        now: int,
        k: int,
    ) -> tuple[list[str], dict[str, Reason]]:
        """Ids of the hits in order, and the reasons of the rest that were in an arm's list."""
        size = max(self.policy.recall.pool_minimum, self.policy.recall.pool_factor * k)
        for _ in range(3):
            told, left, listed = self.drawn(query, vector, scope, now, (k, size))
            if len(told) >= k or listed < size or Reason.DUPLICATE not in left.values():
                return told, left
            size *= 4
        told, left, _ = self.drawn(query, vector, scope, now, (k, size))
        return told, left

    def drawn(
        self,
        query: tuple[str, ...],
        vector: tuple[float, ...] | None,
        scope: Scope,
        now: int,
        room: tuple[int, int],
    ) -> tuple[list[str], dict[str, Reason], int]:
        """The same from lists of one length, and how many rows in scope are in a list."""
        k, size = room
        out = {r.row: reason_of(r, self.every, scope, self.policy, now) for r in self.rows}
        arms, relevance = self.measured(query, vector)
        ranks = {row.row: [self.rank(row, arm, out, size) for arm in arms] for row in self.rows}
        hits: list[tuple[tuple[float, float, float, str], Row]] = []
        left: dict[str, Reason] = {}
        kind_arms = 2 if self.policy.recall.relevance is RelevanceKind.HYBRID else 1
        for row in self.rows:
            if not any(ranks[row.row]):
                continue
            why = out[row.row]
            if why is None and not relevance[row.row] > 0:
                why = Reason.NO_MATCH
            if why is not None:
                left[row.name] = why
                continue
            fused = sum(61 / (60 + each) for each in ranks[row.row] if each) / kind_arms
            signal = 0.2 + 0.8 * self.retrievability(row, now)
            score = round(fused * (1 + 0.2 * (signal - 0.5)), 6)
            key = (-score, -relevance[row.row], -recorded(row), row.name)
            hits.append(((key[0], key[1], key[2], key[3]), row))
        ordered = [row for _, row in sorted(hits, key=lambda each: each[0])]
        ordered = [r for r in ordered if r.pinned] + [r for r in ordered if not r.pinned]
        told: list[Row] = []
        texts: set[tuple[str | None, str | None, str]] = set()
        for row in ordered:
            text = (*matter(row), row.text.casefold())
            if text in texts or any(near(same, row) for same in told):
                left[row.name] = Reason.DUPLICATE
            else:
                told.append(row)
            texts.add(text)
        left.update({row.name: Reason.OVER_COUNT for row in told[k:]})
        listed = sum(any(ranks[row.row]) and out[row.row] is None for row in self.rows)
        return [row.name for row in told[:k]], left, listed

    def measured(
        self, query: tuple[str, ...], vector: tuple[float, ...] | None
    ) -> tuple[list[dict[int, float]], dict[int, float]]:
        kind = self.policy.recall.relevance
        lexical = self.tfidf if kind is RelevanceKind.TFIDF else self.bm25
        text = {row.row: round(lexical(row, query), 6) for row in self.rows}
        covered = {row.row: round(self.coverage(row, query), 6) for row in self.rows}
        if vector is None or kind in (RelevanceKind.TEXT, RelevanceKind.TFIDF):
            return [text], text if kind is RelevanceKind.TFIDF else covered
        cosines = {row.row: cosine(row.vector, vector) for row in self.rows}
        seen = {r.row: r.vector is not None and any(r.vector) for r in self.rows}
        missing = covered if kind is RelevanceKind.HYBRID else dict.fromkeys(covered, 0.0)
        relevance = {row: max(cosines[row], 0) if seen[row] else missing[row] for row in cosines}
        return [text, cosines] if kind is RelevanceKind.HYBRID else [cosines], relevance

    def rank(
        self, row: Row, arm: dict[int, float], out: dict[int, Reason | None], size: int
    ) -> int | None:
        """Rank in one arm among what no filter took out, None outside the list."""
        mine = arm[row.row]
        inside = [each for each in self.rows if out[each.row] is None and arm[each.row] > 0]
        best = sorted(inside, key=lambda each: (-arm[each.row], -recorded(each), each.name))
        listed = best[:size]
        full = len(listed) == size
        if mine <= 0 or (out[row.row] is None and row not in listed):
            return None
        if out[row.row] is not None and full and mine < arm[listed[-1].row]:
            return None
        return 1 + sum(arm[each.row] > mine for each in listed)


def cosine(one: "tuple[float, ...] | object", other: tuple[float, ...]) -> float:
    if one is None:
        return 0.0
    a, b = np.array(one, dtype=np.float32), np.array(other, dtype=np.float32)
    return round(float(a.astype(float) @ b.astype(float)), 6)


def near(one: Row, other: Row) -> bool:
    if one.vector is None or other.vector is None or one.distinctions != other.distinctions:
        return False
    return matter(one) == matter(other) and cosine(one.vector, tuple(other.vector)) >= 0.95


def matter(row: Row) -> tuple[str | None, str | None]:
    return row.subject, row.key


KINDS = tuple(Kind)
