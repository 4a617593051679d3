"""What two people do to a served bank or store, each with a key and a program of their own.

    ada.two_people.look("erase", ids)                      -> what would go, and its name
    bob.two_people.consent(name, "erase", ids)             -> what would go, and an approval
    ada.two_people.confirm(name, approval, "erase", ids, by="ada", reason="asked for")

Decides nothing: a method is called as on the bank, and the server compares what each was shown. Of
a store it is `erase`, by `LapseClient.two_people`.
"""

from collections.abc import Callable, Iterable

from lapse.bank import Bank
from lapse.client.mirroring import Given, bound, mirrored_as
from lapse.errors import ValidationError
from lapse.faces.operations import TABLE, Operation
from lapse.faces.remote.consenting import (
    Consented,
    Looked,
    check_takes_two,
    confirmed_by_two,
    consented,
    looked,
)
from lapse.faces.remote.exchange import Asker
from lapse.faces.remote.wire import Wire

Reading = Callable[[str, Iterable[object], Given], tuple[Operation, Given]]
"""From a call of a method, by its name, to an operation and its fields."""
Telling = Callable[[str, object], object]
"""What a method of that name gives, from what the operation gave."""


class TwoPeople:
    """Looks, consents and confirms; `two_people` of a served bank or store gives it."""

    def __init__(self, asker: Asker, wire: Wire, reading: Reading, telling: Telling) -> None:
        """Name the place, what carries requests to it, and how a method is asked for there."""
        self._asker = asker
        self._wire = wire
        self._reading = reading
        self._telling = telling

    def look(self, method: str, *args: object, **kwargs: object) -> Looked:
        """See what a method would do, and name that for a second person.

        Args:
            method: Name of a method that takes `approved_by`, such as `erase`.
            args, kwargs: As it takes them; by whom and why may be left out.

        Raises:
            ValidationError: No such method.
            LapseError: What it raises.
        """
        operation, given = self._reading(method, args, kwargs)
        return self._wire.run(looked(operation, given, self._asker))

    def consent(self, preview: str, method: str, *args: object, **kwargs: object) -> Consented:
        """Say yes to what somebody else was shown, as the owner of this client's key.

        Args:
            preview: Its name.
            method, args, kwargs: The same as they looked at.

        Raises:
            AccessError: The key may not approve.
            ConflictError: The same shows something else now, or it was too long ago.
        """
        operation, given = self._reading(method, args, kwargs)
        return self._wire.run(consented(operation, given, preview, self._asker))

    def confirm(
        self, preview: str, approval: str, method: str, *args: object, **kwargs: object
    ) -> object:
        """Do what was looked at and consented to, and give what the method gives.

        Args:
            preview, approval: As `look` and `consent` gave them.
            method, args, kwargs: The same as was looked at, and why.

        Raises:
            ConflictError: It is no longer what was shown, or the consent is to something else.
        """
        operation, given = self._reading(method, args, kwargs)
        words = (preview, approval)
        found = self._wire.run(confirmed_by_two(operation, given, words, self._asker))
        return self._telling(method, found)


def of_a_bank(asker: Asker, wire: Wire) -> TwoPeople:
    """What two people do to one bank."""
    return TwoPeople(asker, wire, _read, lambda method, found: mirrored_as(method).tell(found))


def _read(method: str, args: Iterable[object], kwargs: Given) -> tuple[Operation, Given]:
    try:
        mirrored = mirrored_as(method)
    except KeyError:
        raise ValidationError.of("method", method, "needs a method of a bank") from None
    check_takes_two(TABLE[mirrored.operation])
    # Who does it and why may be left out, though the method itself wants to know.
    left_out = {"by", "reason"} - kwargs.keys()
    whole = kwargs | dict.fromkeys(left_out, "…")
    given = mirrored.ask(bound(getattr(Bank, method), args, whole))
    told = {name: each for name, each in given.items() if name not in left_out}
    return TABLE[mirrored.operation], told
