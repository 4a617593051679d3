"""The cache of answers, as a part of a bank.

Decides its signatures. Refuses arithmetic, SQL and rules.
"""

from collections.abc import Iterable

from lapse.bank.base import BankBase
from lapse.engine import answers
from lapse.engine.answers import Told
from lapse.engine.core import Core
from lapse.engine.runtime import BankRuntime
from lapse.engine.untyped import as_name, as_names, as_text
from lapse.model.answer import ANY_DOMAIN, CacheCounts, CachedAnswer, Lookup


class AnswerCache:
    """The answers that one bank keeps, each as long as it is fresh and its sources stand."""

    def __init__(self, core: Core, runtime: BankRuntime) -> None:
        """Name the bank; `Bank.cache` does this."""
        self._core = core
        self._runtime = runtime

    def put(
        self, query: str, answer: str, *, domain: str = ANY_DOMAIN, sources: Iterable[str] = ()
    ) -> CachedAnswer | None:
        """Keep an answer, in place of an earlier one to the same question.

        It dies with the first of its sources that is rewritten, superseded, retracted, suppressed,
        archived, pruned or erased, and does not come back with it.

        Args:
            query: The question.
            answer: What was answered.
            domain: What it is about, such as `weather`; `cache.freshness_hours` may give it a
                shorter life than `cache.ttl_hours`.
            sources: Ids of the memories of this bank that it was made from.

        Returns:
            The answer as it is kept; None where `cache.ttl_hours` is 0.

        Raises:
            ConflictError: A source is out of sight, replaced, taken back or over.
            NotFoundError: A source is not in this bank.
            TombstonedError: Question or answer says what was erased.
            ValidationError: A blank or over-long text.
        """
        told = Told(
            query=as_text("query", query),
            answer=as_text("answer", answer),
            sources=tuple(dict.fromkeys(as_names("sources", sources))),
            domain=as_name("domain", domain),
        )
        return answers.put(self._core, self._runtime, told)

    def get(self, query: str) -> Lookup:
        """Give the answer to a question that asks the same, or say why there is none.

        Numbers, names and negations must be equal, and the similarity at least
        `cache.min_similarity`. What is given is untrusted text, and being given prolongs nothing.

        Raises:
            ValidationError: A blank or over-long question.
        """
        return answers.get(self._core, self._runtime, as_text("query", query))

    def purge(self) -> int:
        """Drop every answer that may not be given any more. Returns how many."""
        return answers.purge(self._core, self._runtime)

    def clear(self) -> int:
        """Drop every answer. Returns how many."""
        return answers.clear(self._core, self._runtime)

    def counts(self) -> CacheCounts:
        """How many answers there are, and this process's hits, misses and refusals."""
        return answers.counts(self._core, self._runtime)


class Cache(BankBase):
    """Answers that may be given again."""

    @property
    def cache(self) -> AnswerCache:
        """The bank's cache of answers."""
        return AnswerCache(self._core, self._runtime)
