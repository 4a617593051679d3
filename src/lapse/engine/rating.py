"""Rating what is told when nobody rated it.

Decides that the caller's rating wins, that the others are rated by the heuristic with one read of
the store for a batch, and that each text of a batch is held against those before it as well, so
that a batch is rated as its texts would be one by one. Refuses the formula.
"""

from collections import Counter
from collections.abc import Sequence

from lapse.engine.core import Core
from lapse.engine.runtime import BankRuntime
from lapse.importance.heuristic import importance_of
from lapse.importance.signs import said
from lapse.intake.composing import UNRATED, Rating, rating_by_caller
from lapse.model.memory import Draft, TextFacets
from lapse.model.policy_enums import RaterMode
from lapse.model.retention import ImportanceSource
from lapse.model.term_counts import TermCounts
from lapse.text.classes import PERSON, USER

_NO_WORDS = frozenset({PERSON, USER})


def rated(
    core: Core, runtime: BankRuntime, drafts: Sequence[Draft], facets: Sequence[TextFacets]
) -> list[Rating]:
    """The rating each draft starts with, in order."""
    policy = runtime.rule.policy
    if policy.importance.rater is RaterMode.OFF or not any(map(_open, drafts)):
        return [rating_by_caller(each) for each in drafts]
    words = [
        terms_said(runtime, each.text, one.terms) for each, one in zip(drafts, facets, strict=True)
    ]
    asked = tuple(dict.fromkeys(term for each in words for term in each))
    known = core.parts.store.term_counts(runtime.ref, asked)
    frequency = Counter(known.frequency)
    ratings: list[Rating] = []
    for at, (draft, terms) in enumerate(zip(drafts, words, strict=True)):
        counts = TermCounts(memory_count=known.memory_count + at, frequency=frequency)
        rating = rating_by_caller(draft)
        if rating is UNRATED:
            kind = policy.memory.default_kind if draft.kind is None else draft.kind
            importance = importance_of(said(draft.text), terms, counts, role=draft.role, kind=kind)
            rating = Rating(importance=importance, source=rated_by(runtime))
        ratings.append(rating)
        frequency.update(terms)
    return ratings


def rated_by(runtime: BankRuntime) -> ImportanceSource:
    """Who a heuristic rating is stored as given by: for good, or until the model rates."""
    awaited = runtime.rule.policy.importance.rater is RaterMode.LLM
    return ImportanceSource.AWAITED if awaited else ImportanceSource.HEURISTIC


def terms_said(runtime: BankRuntime, text: str, terms: Sequence[str]) -> frozenset[str]:
    """The terms that count for a rating: words only, and not the speaker's name before them."""
    bare = said(text)
    read = terms if len(bare) == len(text) else runtime.tokeniser.terms(bare)
    return frozenset(read) - _NO_WORDS


def _open(draft: Draft) -> bool:
    return draft.importance is None
