"""ForgetEval over the public API: does what was superseded, released or purged stay away?

The harness is the evaluation's own; it is given the class below and files of cases:

    python forgeteval.py --stress benchmarks.forgeteval:Adapter CASES.json …

Decides how its three mutations are said in Lapse's verbs. Refuses to look at any case: what is
meant is found by the bank.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from itertools import count
from typing import Final

from lapse import Lapse
from lapse.bank import Bank
from lapse.errors import TombstonedError
from lapse.testing.fakes import FakeClock

EVERY: Final = 100_000
"""More memories than any case has."""

STEP_SECONDS: Final = 60.0
"""Between two calls: what is told later is later, as in life."""


class Adapter:
    """A fresh bank for each case, at a clock that moves on with each call."""

    def __init__(self) -> None:
        self._clock = FakeClock(datetime(2026, 1, 1, tzinfo=UTC))
        self._app = Lapse.open("memory://", clock=self._clock, background=False)
        self._cases = count()
        self._bank = self._next()

    def reset(self) -> None:
        """Begin another case."""
        self._bank = self._next()

    def inscribe(self, text: str) -> None:
        """Store a fact."""
        self._step()
        self._bank.remember(text)

    def recall_texts(self, query: str, k: int) -> list[str]:
        """Texts that come to mind, best first."""
        self._step()
        return [each.text for each in self._bank.recall(query, k=k).hits]

    def supersede(self, old_query: str, new_text: str) -> None:
        """Correct what the query names."""
        self._step()
        self._bank.supersede(query=old_query, new=new_text)

    def release(self, query: str) -> None:
        """Let go of everything the query names."""
        self._away(self._bank.suppress, query)

    def purge(self, query: str) -> None:
        """Let go of it for good."""
        self._away(self._bank.erase, query)

    def _away(self, put: Callable[..., object], query: str) -> None:
        self._step()
        meant = self._bank.select(query, limit=EVERY)
        if not meant.matches:
            return
        put([each.id for each in meant.matches], by="user", reason="forgetting was asked for")
        for each in meant.matches:
            # What the same sentence says of others is offered beside it, and is still so.
            if each.rest is not None:
                with suppress(TombstonedError):
                    self._bank.remember(each.rest)

    def _next(self) -> Bank:
        return self._app.bank(f"case-{next(self._cases)}")

    def _step(self) -> None:
        self._clock.advance(seconds=STEP_SECONDS)
