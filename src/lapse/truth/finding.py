"""Finding what a new statement replaces, with nothing but the statements and a query.

Decides which candidates no longer hold, how, and how surely. Refuses to act on it, to search for
candidates, and to call a language model; a model may be put behind it as another `Finder`.

A candidate is judged by its best pair of sentences, one of either side. Where there are n pairs to
choose from, the odds are divided by n: the best of many is often good by chance.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from lapse.model.finding import ChangeKind, Finding, Statement
from lapse.text.tokens import Tokeniser
from lapse.truth.asking import Question, asked_signs, question_of
from lapse.truth.comparing import fact_signs, tally_signs
from lapse.truth.partial import Loss, loss
from lapse.truth.reading import Sentence, read
from lapse.truth.signs import (
    ASKED,
    ASKED_PRIOR,
    FACT,
    FACT_PRIOR,
    TALLY,
    TALLY_PRIOR,
    Sign,
    confidence,
    evidence,
)

WORTH_TELLING: Final = 0.1
"""Confidence below which a finding is not worth anybody's attention."""

LONGEST: Final = 40
"""Sentences read of one statement: a chapter is no claim."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Candidate:
    """An old statement with what it says and where it stands among the candidates."""

    statement: Statement
    sentences: tuple[Sentence, ...]
    rank: Mapping[Sign, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Verdict:
    """What was found of one candidate."""

    candidate: _Candidate
    hit: Sentence
    confidence: float
    evidence: tuple[str, ...]


class ChangeFinder:
    """A `model.finding.Finder` by rules. Pure: it keeps nothing between calls.

    Thread-safe, as the tokeniser is.
    """

    def __init__(self, tokeniser: Tokeniser) -> None:
        """Take the bank's tokeniser: words count as the same here as they do in its index."""
        self._tokeniser = tokeniser

    def __call__(
        self, new: Statement, candidates: Sequence[Statement], query: str | None = None, /
    ) -> Sequence[Finding]:
        """Find what is replaced; see `model.finding.Finder`.

        Without a query, a candidate is left out that is of another subject or of another key, that
        tells of a later time than the new statement, or that says the same.
        """
        said = read(new.text, self._tokeniser)[:LONGEST]
        question = None if query is None else question_of(query, said, self._tokeniser)
        open_ = [each for each in candidates if question is not None or _may_give_way(new, each)]
        ranked = self._ranked([each for each in open_ if each.id != new.id])
        verdicts = list(self._verdicts(said, ranked, question))
        verdicts.sort(key=lambda each: (-each.confidence, each.candidate.statement.id))
        if question is not None:
            verdicts = _meant(verdicts)
        return [self._finding(said, verdict, question) for verdict in verdicts]

    def _ranked(self, statements: Sequence[Statement]) -> list[_Candidate]:
        likeness = sorted((each.similarity for each in statements), reverse=True)
        found: list[_Candidate] = []
        for each in statements:
            first = each.similarity == likeness[0]
            next_ = likeness[1] if first and len(likeness) > 1 else 0.0 if first else likeness[0]
            found.append(
                _Candidate(
                    statement=each,
                    sentences=read(each.text, self._tokeniser)[:LONGEST],
                    rank={
                        Sign.SIMILAR: each.similarity,
                        Sign.NEAREST: float(first),
                        Sign.AHEAD: each.similarity - next_,
                    },
                )
            )
        return found

    def _verdicts(
        self, said: Sequence[Sentence], candidates: Sequence[_Candidate], question: Question | None
    ) -> Iterator[_Verdict]:
        for candidate in candidates:
            if question is not None:
                verdict = self._asked(said, candidate, question)
            else:
                verdict = self._surer(said, candidate)
            if verdict is not None and verdict.confidence >= WORTH_TELLING:
                yield verdict

    def _surer(self, said: Sequence[Sentence], candidate: _Candidate) -> _Verdict | None:
        """As a fact or as a tally, whichever is surer."""
        claims = [each for each in said if each.claiming]
        olds = [each for each in candidate.sentences if each.claiming]
        chance = math.log(max(1, len(claims) * len(olds)))
        as_fact = _best(
            candidate,
            claims,
            olds,
            lambda new, old: fact_signs(new, old, self._tokeniser),
            FACT,
            FACT_PRIOR - chance,
        )
        as_tally = _best(
            candidate,
            [each for each in said if each.tallies and not each.asking],
            [each for each in candidate.sentences if each.tallies and not each.asking],
            tally_signs,
            TALLY,
            TALLY_PRIOR,
        )
        found = [each for each in (as_fact, as_tally) if each is not None]
        return max(found, key=lambda each: each.confidence, default=None)

    def _asked(
        self, said: Sequence[Sentence], candidate: _Candidate, question: Question
    ) -> _Verdict | None:
        return _best(
            candidate,
            said,
            candidate.sentences,
            lambda new, old: asked_signs(question, new, old, self._tokeniser),
            ASKED,
            ASKED_PRIOR,
        )

    def _finding(
        self, said: Sequence[Sentence], verdict: _Verdict, question: Question | None
    ) -> Finding:
        old = verdict.candidate
        words = frozenset() if question is None else question.words
        lost = loss(said, old.statement.text, old.sentences, verdict.hit, words, self._tokeniser)
        return _as_finding(old.statement.id, lost, verdict)


def named_loss(
    old_id: str, new: Sequence[Sentence], old_text: str, tokeniser: Tokeniser
) -> Finding:
    """What a memory of one sentence loses that a caller names as replaced; the whole in doubt."""
    sentences = read(old_text, tokeniser)
    if not sentences:
        return Finding(ids=(old_id,), kind=ChangeKind.REPLACEMENT, confidence=1.0)
    lost = loss(new, old_text, sentences, sentences[0], frozenset(), tokeniser)
    return Finding(
        ids=(old_id,),
        kind=lost.kind,
        confidence=1.0,
        clause=lost.clause,
        rest=lost.rest,
        until=lost.until,
    )


def _as_finding(old_id: str, lost: Loss, verdict: _Verdict) -> Finding:
    return Finding(
        ids=(old_id,),
        kind=lost.kind,
        confidence=verdict.confidence,
        evidence=verdict.evidence,
        clause=lost.clause,
        rest=lost.rest,
        until=lost.until,
    )


def _may_give_way(new: Statement, old: Statement) -> bool:
    """Whether an old statement can be about the same matter at an earlier time."""
    if new.subject is not None and old.subject is not None and new.subject != old.subject:
        return False
    if new.key is not None and old.key is not None and new.key != old.key:
        return False
    later, earlier = new.occurred_at, old.occurred_at
    if later is not None and earlier is not None and earlier > later:
        return False
    return new.text.casefold().split() != old.text.casefold().split()


def _best(
    candidate: _Candidate,
    news: Sequence[Sentence],
    olds: Sequence[Sentence],
    signs_of: Callable[[Sentence, Sentence], dict[Sign, float] | None],
    weights: Mapping[Sign, float],
    prior: float,
) -> _Verdict | None:
    """The surest pair of sentences."""
    best: _Verdict | None = None
    for old in olds:
        for new in news:
            signs = signs_of(new, old)
            if signs is None:
                continue
            signs |= candidate.rank
            sure = confidence(signs, weights, prior)
            if best is None or sure > best.confidence:
                best = _Verdict(
                    candidate=candidate,
                    hit=old,
                    confidence=sure,
                    evidence=evidence(signs, weights),
                )
    return best


_CLOSE: Final = 0.9
"""Share of the best confidence from which another candidate was meant by the same query."""


def _meant(verdicts: Sequence[_Verdict]) -> list[_Verdict]:
    """What a query means: the best, and those about the same of the same that are as sure."""
    if not verdicts:
        return []
    first = verdicts[0]
    return [
        each
        for each in verdicts
        if each is first
        or (
            each.confidence >= _CLOSE * first.confidence
            and each.hit.verbs & first.hit.verbs
            and each.hit.subject == first.hit.subject
        )
    ]
