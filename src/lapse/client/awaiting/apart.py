"""What of a bank is no call that gives a value: views, canaries, two people, the reflecting block.

Decides that nothing is opened before the first call on it, so that nothing blocks.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from lapse.bank import Bank
from lapse.client.awaiting.answer_cache import AsyncAnswerCache
from lapse.client.awaiting.canary_book import AsyncCanaryBook
from lapse.client.awaiting.consenting import AsyncTwoPeople, two_people_of
from lapse.client.awaiting.twin import Twin
from lapse.client.awaiting.view import AsyncView
from lapse.engine.using import Reflection
from lapse.model.instants import InstantLike


class Apart(Twin[Bank]):
    """Views, canaries, reflection. Awaited."""

    def as_of(
        self, *, valid: InstantLike | None = None, recorded: InstantLike | None = None
    ) -> AsyncView:
        """The bank as of two times, to read only. An unreadable time is told by the first reading.

        Args:
            valid: What held in the world then; now if left out.
            recorded: What was known then, attention included; now if left out.
        """
        return AsyncView(
            lambda: self._opening().as_of(valid=valid, recorded=recorded), self._driver
        )

    @property
    def cache(self) -> AsyncAnswerCache:
        """The bank's cache of answers."""
        return AsyncAnswerCache(lambda: self._opening().cache, self._driver)

    @property
    def canaries(self) -> AsyncCanaryBook:
        """The bank's canaries."""
        return AsyncCanaryBook(lambda: self._opening().canaries, self._driver)

    @property
    def two_people(self) -> AsyncTwoPeople:
        """What takes a second person with a key of their own, where the bank is served."""
        return AsyncTwoPeople(
            lambda: two_people_of(getattr(self._opening(), "two_people", None)), self._driver
        )

    @asynccontextmanager
    async def reflect(self, *, limit: int | None = None) -> AsyncIterator[Reflection]:
        """Collect what an answer cites, and count it once, only if the block succeeds.

        Args:
            limit: Most memories that one reflection reinforces; the policy's if left out.

        Raises:
            NotFoundError: On leaving the block: some ids are not in this bank; nothing was counted.
            ValidationError: `limit` is below 1.
        """
        inner = await self._inner()
        block = inner.reflect(limit=limit)
        reflection = await self._do(block.__enter__)
        try:
            yield reflection
        except BaseException as error:
            # The block learns of it, so that nothing is counted; it swallows nothing.
            await self._do(block.__exit__, type(error), error, error.__traceback__)
            raise
        await self._do(block.__exit__, None, None, None)
