"""The verbs that ask what should come to mind.

Decides their signatures. Refuses arithmetic, SQL and rules.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Unpack

from lapse.bank.base import BankBase
from lapse.engine import asking, overlaying
from lapse.engine.candidates import read_candidates, read_query_vector
from lapse.engine.judging import Asked
from lapse.engine.recalling import Why
from lapse.engine.requests import (
    RANK_FILTERS,
    RECALL_FILTERS,
    WHY_FILTERS,
    Overrides,
    read_scope,
    request_of,
)
from lapse.engine.untyped import as_given, as_name
from lapse.model.memory import JsonValue, Kind
from lapse.model.query import AsOf, Candidate, NumberRow, Recall


class Recalls(BankBase):
    """Recall, why, rank."""

    def recall(
        self,
        query: str,
        *,
        kinds: Iterable[Kind | str] = (),
        session: str | None = None,
        subject: str | None = None,
        tags: Iterable[str] = (),
        metadata: Mapping[str, JsonValue] | None = None,
        as_of: AsOf | None = None,
        **overrides: Unpack[Overrides],
    ) -> Recall:
        """What comes to mind for a question, what does not, and why.

        Args:
            query: The question; its punctuation is plain text.
            kinds: Only these kinds; none for all.
            session: The current session.
            subject: Only memories about exactly this.
            tags: Only memories that carry all of these.
            metadata: Only memories whose metadata holds these values.
            as_of: The two times to ask at; None for now.
            overrides: What this request lays over the policy. See `Overrides`.

        Raises:
            ValidationError: A blank or over-long query, an unknown kind.
            PolicyError: An override out of range, or a mode above the one in force.
        """
        scope = read_scope(kinds, session, subject, tags, metadata)
        asked = Asked(
            query=query,
            scope=scope,
            as_of=as_given("as_of", as_of, AsOf()),
            overrides=request_of(overrides, beside=RECALL_FILTERS),
        )
        return asking.answer(self._core, self._runtime, asked)

    def why(
        self,
        query: str,
        id: str,  # noqa: A002 - the field's own name, as everywhere
        *,
        session: str | None = None,
        as_of: AsOf | None = None,
        **overrides: Unpack[Overrides],
    ) -> Why:
        """Why one memory is or is not among the answers to a question.

        Raises:
            NotFoundError: No such memory in this bank.
        """
        scope = read_scope((), session, None, (), None)
        asked = Asked(
            query=query,
            scope=scope,
            as_of=as_given("as_of", as_of, AsOf()),
            overrides=request_of(overrides, beside=WHY_FILTERS),
        )
        return asking.explain(self._core, self._runtime, asked, as_name("id", id))

    def rank(
        self,
        candidates: Iterable[Candidate | Mapping[str, object]],
        *,
        query: str,
        query_vector: Sequence[float] | NumberRow | None = None,
        session: str | None = None,
        **overrides: Unpack[Overrides],
    ) -> Recall:
        """Lapse beside another store: order what it found by relevance and strength.

        States are kept under the candidates' own ids and dated from their own `created_at`. A bank
        first made this way starts in mode `observe`, and the result says so.

        Args:
            candidates: `Candidate`s, or mappings with at least `id` and `text`. Vectors are best
                given as NumPy arrays: they are not copied.
            query: The question they were found for.
            query_vector: Its vector in the other store's space; then the candidates' own `vector`s
                are compared with it, whatever their lengths, and nothing is embedded.
            session: The current session.
            overrides: What this request lays over the policy. See `Overrides`.

        Raises:
            ValidationError: Faults of the candidates by position, repeated ids among them; a
                query vector that is no list of finite numbers.
        """
        asked = Asked(
            query=query,
            scope=read_scope((), session, None, (), None),
            overrides=request_of(overrides, beside=RANK_FILTERS),
            vector=read_query_vector(query_vector),
        )
        return overlaying.rank(self._core, self._runtime, asked, read_candidates(candidates))
