"""Saying yes to what was shown: by who asked, and where two people are needed by a second one.

Decides that whoever asks confirms a preview by its id; that a second person consents to the same
preview with a key of their own, having sent the same request and been shown the same; and that the
consent names that person and holds no longer than the preview or the key. Refuses to say when two
people are needed (`lapse.engine.people`) and what is shown (`service`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from lapse.errors import AccessError, ConflictError, ValidationError, fault
from lapse.faces.access import Caller, KeyRing
from lapse.faces.operations import Operation, Permission
from lapse.faces.rest.tokens import Tokens
from lapse.model.instants import Instant

CONFIRM: Final = "confirm"
"""Member of a body that names the preview to carry out, in place of the table's `yes`."""
APPROVE: Final = "approve"
"""Member of a body that names the preview of somebody else to consent to."""
APPROVAL: Final = "approval"
"""Member of a body, beside `confirm`: the consent of a second person, as `approve` gave it."""
MEMBERS: Final = (CONFIRM, APPROVE, APPROVAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """What a request says of a preview; nothing, and it asks for one.

    Attributes:
        confirm: The preview to carry out.
        approve: The preview of somebody else to consent to.
        approval: The consent that somebody else gave.
    """

    confirm: str | None = None
    approve: str | None = None
    approval: str | None = None


def wants_two(operation: Operation) -> bool:
    """Whether it takes the name of a second person."""
    return any(each.name == "approved_by" for each in operation.fields)


def take_consent(operation: Operation, given: dict[str, object]) -> Consent:
    """Take what a body says of previews out of it.

    Raises:
        ValidationError: Something else than the id of one, or what does not go together.
    """
    names = MEMBERS if wants_two(operation) else (CONFIRM,)
    told = {each: given.pop(each) for each in names if given.get(each) is not None}
    faults = [
        fault(name, type(each).__name__, "needs what an answer named")
        for name, each in told.items()
        if not isinstance(each, str)
    ]
    if APPROVE in told and len(told) > 1:
        faults.append(fault(APPROVE, "…", f"goes with neither {CONFIRM} nor {APPROVAL}"))
    if APPROVAL in told and CONFIRM not in told:
        faults.append(fault(APPROVAL, "…", f"goes with {CONFIRM}"))
    if faults:
        raise ValidationError(faults)
    return Consent(**{name: str(each) for name, each in told.items()})


def check_may_approve(caller: Caller, operation: Operation) -> None:
    """Refuse a consent of whoever may not approve.

    Raises:
        AccessError: Their role does not allow it.
    """
    if not caller.may(Permission.APPROVE):
        raise AccessError(
            f"a key of role {caller.grant.role} may not approve; an approver's or operator's may",
            fields={"role": caller.grant.role, "operation": operation.name},
        )


class Consents:
    """Gives and checks them."""

    def __init__(self, tokens: Tokens, ring: KeyRing) -> None:
        self._tokens = tokens
        self._ring = ring

    def check(self, what: Mapping[str, str], confirm: str, now: Instant) -> None:
        """Refuse a yes to something else.

        Raises:
            ConflictError: This is not what was shown, or it was too long ago.
        """
        if not self._tokens.confirms(what, confirm, now):
            raise ConflictError(
                "this is not what was shown, or it was shown too long ago: ask without confirm, "
                "look, and confirm that preview",
                fields={"field": CONFIRM},
            )

    def given(
        self, what: Mapping[str, str], approve: str, caller: Caller, now: Instant
    ) -> dict[str, str]:
        """The consent of a caller to somebody else's preview: its id, whose it is, its end.

        Raises:
            ConflictError: It showed something else than the same request shows now.
        """
        theirs = {**what, "who": self._tokens.shown_to(approve)}
        if not self._tokens.confirms(theirs, approve, now):
            raise ConflictError(
                "that preview is not of this, or is too old: ask for it anew, and send the same "
                "request with its id as approve",
                fields={"field": APPROVE},
            )
        name = self._tokens.consent(approve, caller.grant.owner, caller.key_id)
        return {"id": name, "by": caller.grant.owner, "preview": approve}

    def second(self, confirm: str, approval: str, now: Instant) -> str:
        """Who consented to a preview that is being confirmed.

        Raises:
            ConflictError: Nobody did by this, or with a key that opens nothing any more.
        """
        told = self._tokens.consented(confirm, approval)
        key = None if told is None else self._ring.find(told[1])
        if told is None or key is None or not key.holds(now):
            raise ConflictError(
                "this is no consent to that preview, or its giver's key opens nothing any more: "
                "let them approve the preview anew",
                fields={"field": APPROVAL},
            )
        return told[0]
