"""What takes two people on a server: one looks, another consents, and the first confirms.

Decides only what is sent for each of the three. Refuses to keep anything between them: people hand
each other two words, the name of the preview and the approval.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from lapse.errors import ValidationError
from lapse.faces.operations import Operation
from lapse.faces.remote.asks import served_route, told
from lapse.faces.remote.exchange import WHO_AND_WHY, Asker, answered
from lapse.faces.remote.raising import told_of
from lapse.faces.remote.steps import Exchange
from lapse.faces.rest.consenting import APPROVAL, APPROVE, CONFIRM, wants_two
from lapse.faces.rest.routes import takes_two_calls
from lapse.model.codec import Plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """What somebody was shown.

    Attributes:
        shown: What would be done, as the operation gives it.
        preview: Its name, which a second person consents to and the first confirms.
        expires_at: Until when, in ISO 8601.
    """

    shown: object
    preview: str
    expires_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Consented:
    """What a second person consented to.

    Attributes:
        shown: What would be done, as they were shown it.
        preview: Whose consent it is to.
        approval: The consent, for the first person to confirm with.
        by: Who consented: the owner of the key.
    """

    shown: object
    preview: str
    approval: str
    by: str


def looked(operation: Operation, given: Mapping[str, object], asker: Asker) -> Exchange[Looked]:
    """Look at what would be done.

    Raises:
        ValidationError: It is nothing that two people do.
        LapseError: What the server answers.
    """
    asked = _asked_for(operation, given)
    shown, document = yield from answered(operation, asked, asker)
    preview = told_of(document, "preview")
    return Looked(shown=shown, preview=preview["id"], expires_at=preview["expires_at"])


def consented(
    operation: Operation, given: Mapping[str, object], preview: str, asker: Asker
) -> Exchange[Consented]:
    """Consent to what somebody else was shown, by the same request.

    Raises:
        AccessError: The key may not approve.
        ConflictError: The same request shows something else now, or it was too long ago.
        LapseError: What else the server answers.
    """
    asked = {**_asked_for(operation, given), APPROVE: preview}
    shown, document = yield from answered(operation, asked, asker)
    approval = told_of(document, "approval")
    return Consented(
        shown=shown, preview=approval["preview"], approval=approval["id"], by=approval["by"]
    )


def confirmed_by_two(
    operation: Operation, given: Mapping[str, object], words: tuple[str, str], asker: Asker
) -> Exchange[object]:
    """Do what was shown and consented to.

    Args:
        operation: Which.
        given: The same request as was looked at, and why.
        words: The name of the preview, and the approval.
        asker: Where and how.

    Raises:
        ConflictError: It is no longer what was shown, or the consent is to something else.
        LapseError: What else the server answers.
    """
    asked = told(operation, {name: each for name, each in given.items() if name != "yes"})
    both = dict(zip((CONFIRM, APPROVAL), words, strict=True))
    found, _ = yield from answered(operation, {**asked, **both}, asker)
    return found


def check_takes_two(operation: Operation) -> None:
    """Refuse what needs no second person.

    Raises:
        ValidationError: It needs none.
    """
    if not (takes_two_calls(operation) and wants_two(operation)):
        raise ValidationError.of(operation.name, "…", "is nothing that two people do directly")


def _asked_for(operation: Operation, given: Mapping[str, object]) -> dict[str, Plain]:
    served_route(operation)
    check_takes_two(operation)
    fields = told(operation, given)
    return {name: each for name, each in fields.items() if name not in {*WHO_AND_WHY, "yes"}}
