"""A bank as of an earlier time.

Decides the signatures of a view that only reads. Refuses arithmetic, SQL and rules.
"""

from collections.abc import Sequence
from typing import Unpack

from lapse.bank.base import BankBase
from lapse.engine import asking, past
from lapse.engine.core import Core
from lapse.engine.judging import Asked
from lapse.engine.past import Past
from lapse.engine.requests import RECALL_FILTERS, Overrides, read_scope, request_of
from lapse.engine.runtime import BankRuntime
from lapse.engine.untyped import as_given, as_name
from lapse.model.instants import InstantLike
from lapse.model.paging import Listing
from lapse.model.query import AsOf, Recall


class View:
    """What held, and what was known, at two times. Nothing can be written through it."""

    def __init__(self, core: Core, runtime: BankRuntime, as_of: AsOf) -> None:
        """Look at a bank; `Bank.as_of` does this."""
        self._core = core
        self._runtime = runtime
        self.as_of = as_of

    def recall(self, query: str, **overrides: Unpack[Overrides]) -> Recall:
        """What would have come to mind. Texts are searched as they are written now.

        Raises:
            ValidationError: A blank or over-long query.
            PolicyError: An override out of range, or a mode above the one in force.
        """
        asked = Asked(
            query=query,
            scope=read_scope((), None, None, (), None),
            as_of=self.as_of,
            overrides=request_of(overrides, beside=RECALL_FILTERS),
        )
        return asking.answer(self._core, self._runtime, asked)

    def get(self, id: str) -> Past:  # noqa: A002 - the field's own name, as everywhere
        """One memory as it was believed: content, validity, links, and where it stood.

        Raises:
            NotFoundError: No such memory, or it was not told yet.
        """
        return past.look_back(self._core, self._runtime, as_name("id", id), self.as_of)

    def list(self, listing: Listing | None = None) -> Sequence[Past]:
        """Those memories of a page that were there and held.

        Raises:
            ValidationError: `listing` is something else than a `Listing`.
        """
        page = as_given("listing", listing, Listing())
        return past.list_back(self._core, self._runtime, page, self.as_of)


class Views(BankBase):
    """As of."""

    def as_of(
        self, *, valid: InstantLike | None = None, recorded: InstantLike | None = None
    ) -> View:
        """The bank as of two times, to read only.

        Args:
            valid: What held in the world then; now if left out.
            recorded: What was known then, attention included; now if left out.

        Raises:
            ValidationError: An instant that cannot be read.
        """
        asked = AsOf(valid=valid, recorded=recorded)  # type: ignore[arg-type]  # AsOf reads them
        return View(self._core, self._runtime, asked)
