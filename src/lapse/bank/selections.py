"""The verb that says which memories are meant.

Decides its signature. Refuses arithmetic, SQL and rules.
"""

from collections.abc import Iterable
from typing import Unpack

from lapse.bank.base import BankBase
from lapse.engine import selecting
from lapse.engine.choosing import Marks, read_selector
from lapse.engine.selecting import NEAR, SHOWN, Selection
from lapse.engine.untyped import as_count
from lapse.model.selector import Reach


class Selections(BankBase):
    """Select."""

    def select(
        self,
        query: str | None = None,
        *,
        ids: Iterable[str] = (),
        reach: Reach | str = Reach.BANK,
        everything: bool = False,
        limit: int = SHOWN,
        near: int = NEAR,
        **marks: Unpack[Marks],
    ) -> Selection:
        """Which memories are meant, why each is, and which nearly are. Changes nothing.

        Decided by equality, whatever the spelling: an identifier finds every way to write it and no
        neighbour that shares a prefix; a name counts in its own case; statements that two names are
        one are followed. Costs a pass over the bank.

        Args:
            query: What is meant, in plain words, such as "everything about Alice".
            ids: Only these memories.
            reach: This bank, or all banks of its tenant.
            everything: All there is.
            limit: Most matches shown, from 1; all are counted.
            near: Most neighbours shown, from 1.
            marks: What the memories have in common. See `Marks`.

        Raises:
            ValidationError: Nothing is asked for, or something that cannot be.
        """
        selector = read_selector(ids, {**marks, "query": query}, reach=reach, everything=everything)
        return selecting.select(
            self._core,
            self._runtime,
            selector,
            limit=as_count("limit", limit),
            near=as_count("near", near),
        )
