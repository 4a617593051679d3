"""The verbs of sweeping: a sweep, what earlier ones did, and the canaries that watch over them.

Decides their signatures. Refuses arithmetic, SQL and rules.
"""

from collections.abc import Iterable, Iterator, Sequence

from lapse.bank.base import HOST, BankBase
from lapse.engine import canaries
from lapse.engine.canaries import Told
from lapse.engine.core import Core
from lapse.engine.embedding import Progress, no_progress
from lapse.engine.runtime import BankRuntime
from lapse.engine.sweep_turns import read_turns, sweep_bank
from lapse.engine.untyped import as_name, as_names, as_text
from lapse.model.canary import Canary, CanaryCheck
from lapse.model.sweep import Swept


class CanaryBook:
    """The canaries of one bank: questions with the answers they should keep having."""

    def __init__(self, core: Core, runtime: BankRuntime) -> None:
        """Name the bank; `Bank.canaries` does this."""
        self._core = core
        self._runtime = runtime

    def add(
        self, query: str, expected_ids: Iterable[str] | None = None, *, by: str = HOST
    ) -> Canary:
        """Keep a question with the memories that should be among its answers.

        The same question again takes the place of the earlier one.

        Args:
            query: The question.
            expected_ids: 1 to 100 memories of this bank; if left out, the answers it has now.
            by: Who adds it, for the journal.

        Raises:
            NotFoundError: Some of the memories are not in this bank, or the question has no answer.
            ValidationError: A blank or over-long question; no memories, or too many.
        """
        asked = as_text("query", query)
        if expected_ids is None:
            told = canaries.answered(self._core, self._runtime, asked)
        else:
            told = Told(query=asked, expected_ids=as_names("expected_ids", expected_ids))
        return canaries.add_canary(self._core, self._runtime, told, by)

    def capture(
        self, recall: str, *, expected_ids: Iterable[str] | None = None, by: str = HOST
    ) -> Canary:
        """Keep the question of a recall that this process has just answered.

        Args:
            recall: Id of the recall.
            expected_ids: What should be found again; if left out, the hits that were reported as
                used for this recall, or all its hits where none was.
            by: Who adds it, for the journal.

        Raises:
            NotFoundError: No such recall is known here, it found nothing, or a memory is gone.
            ValidationError: No memories, or too many.
        """
        ids = None if expected_ids is None else as_names("expected_ids", expected_ids)
        name = as_name("recall", recall)
        told = canaries.captured(self._core, self._runtime, name, ids)
        return canaries.add_canary(self._core, self._runtime, told, by)

    def drop(self, canary: str, *, by: str = HOST) -> Canary:
        """Drop a canary, and give what it was.

        Args:
            canary: Its id or its question.
            by: Who drops it, for the journal.

        Raises:
            NotFoundError: No such canary in this bank.
        """
        return canaries.drop_canary(self._core, self._runtime, as_text("canary", canary), by)

    def list(self) -> Sequence[Canary]:
        """Every canary, in the order they were first added."""
        return canaries.list_canaries(self._core, self._runtime)

    def check(self) -> CanaryCheck:
        """Ask every canary now. Being asked counts as no use and leaves no trace."""
        return canaries.ask_canaries(self._core, self._runtime, self._core.now())

    def __iter__(self) -> Iterator[Canary]:
        return iter(self.list())

    def __len__(self) -> int:
        return len(self.list())


class Sweeps(BankBase):
    """Sweep, and what watches over it."""

    def sweep(
        self,
        *,
        limit: int | None = None,
        time_budget_s: float | None = None,
        by: str = HOST,
        progress: Progress = no_progress,
    ) -> Swept:
        """Visit what is due, in order of its date: archive it or plan to, as the policy says.

        Wants mode `lifecycle`. Without `auto_apply` the plan awaits approval. Twice at the same
        instant changes nothing the second time.

        Args:
            limit: Most memories that go or are planned; all that are due if left out.
            time_budget_s: Seconds after which no new portion is begun.
            by: Who sweeps, for the journal.
            progress: Called with (visited, at least so many in all).

        Raises:
            ValidationError: A limit below 1 or a negative time.
        """
        turns = read_turns(limit, time_budget_s, by)
        return sweep_bank(self._core, self.ref, turns, progress)

    @property
    def canaries(self) -> CanaryBook:
        """The bank's canaries."""
        return CanaryBook(self._core, self._runtime)
