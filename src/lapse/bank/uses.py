"""The verbs that report use: the evidence that makes memories stronger.

Decides their signatures. Refuses arithmetic, SQL and rules.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from lapse.bank.base import BankBase
from lapse.engine import using
from lapse.engine.using import Reflection, UseReport
from lapse.model.instants import InstantLike
from lapse.model.retention import UseSource


class Uses(BankBase):
    """Report what was used."""

    def used(
        self,
        ids: Iterable[str],
        *,
        source: UseSource | str = UseSource.CITED,
        recall: str | None = None,
        event_id: str | None = None,
        at: InstantLike | None = None,
    ) -> UseReport:
        """Report that memories were used: the evidence that makes them stronger.

        The events are durable when this returns; folding them into strengths follows off the path.
        The same report twice counts once.

        Args:
            ids: What was used.
            source: What it is evidence of; `rejected` is evidence against.
            recall: Id of the recall it answers.
            event_id: Your own name for the event, for retries.
            at: When it happened; now if left out, and never later.

        Raises:
            NotFoundError: Some ids are not in this bank; nothing was counted.
            ValidationError: An unknown source.
        """
        use = using.read_use(self._core, ids, source, recall=recall, event_id=event_id, at=at)
        return using.report_uses(self._core, self._runtime, [use])

    @contextmanager
    def reflect(self, *, limit: int | None = None) -> Iterator[Reflection]:
        """Collect what an answer cites, and count it once, only if the block succeeds.

        Args:
            limit: Most memories that one reflection reinforces; the policy's if left out.

        Raises:
            NotFoundError: On leaving the block: some ids are not in this bank; nothing was counted.
            ValidationError: `limit` is below 1.
        """
        policy = self._runtime.rule.policy.reinforcement
        reflection = Reflection(
            limit=policy.reflect_limit if limit is None else limit,
            occasion=self._core.parts.new_id(self._core.now()),
        )
        yield reflection
        using.report_uses(self._core, self._runtime, using.collected_uses(self._core, reflection))
