"""What two people do to what is served, awaited.

Decides nothing; see `lapse.client.consenting`.
"""

from lapse.client.awaiting.twin import Twin
from lapse.client.consenting import TwoPeople
from lapse.errors import ValidationError
from lapse.faces.remote.consenting import Consented, Looked


class AsyncTwoPeople(Twin[TwoPeople]):
    """Looks, consents and confirms. Awaited."""

    async def look(self, method: str, *args: object, **kwargs: object) -> Looked:
        """See what a method would do, and name that for a second person. See `TwoPeople.look`."""
        inner = await self._inner()
        return await self._do(inner.look, method, *args, **kwargs)

    async def consent(
        self, preview: str, method: str, *args: object, **kwargs: object
    ) -> Consented:
        """Say yes to what somebody else was shown. See `TwoPeople.consent`."""
        inner = await self._inner()
        return await self._do(inner.consent, preview, method, *args, **kwargs)

    async def confirm(
        self, preview: str, approval: str, method: str, *args: object, **kwargs: object
    ) -> object:
        """Do what was looked at and consented to. See `TwoPeople.confirm`."""
        inner = await self._inner()
        return await self._do(inner.confirm, preview, approval, method, *args, **kwargs)


def two_people_of(served: object) -> TwoPeople:
    """What two people do, where it is served.

    Raises:
        ValidationError: It is open in this process, where the second person is named.
    """
    if isinstance(served, TwoPeople):
        return served
    problem = "are of a served store: here name the second person, by approved_by="
    raise ValidationError.of("two_people", "…", problem)
