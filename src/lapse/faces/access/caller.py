"""A caller of a served face: how far they reach, what they may do, and in whose name.

Decides that what lies out of reach is answered as what does not exist; that the actor is the key's
owner, whatever a request says; that nobody names another as the second of two people; and that a
key with a model's voice never speaks for a user. Refuses to read keys (`door`) and to know routes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from lapse.errors import AccessError, NotFoundError
from lapse.faces.access.keys import ANY, Grant
from lapse.faces.access.roles import ALLOWED, Role, Voice
from lapse.faces.operations import Operation, Permission
from lapse.model.retention import UseSource

EVERYTHING: Final = Grant(owner="host", role=Role.OPERATOR, tenant=ANY)
"""What a server without keys gives whoever reaches it, which is this machine alone."""

_OUT_OF_REACH: Final = "no such bank, or none that this key opens"
_SPEAKS: Final = "role"
_MODEL: Final = "model"
_LOWLY: Final = frozenset({"assistant", "tool", _MODEL})
"""Roles without authority over what is stored: a model may tell under these."""
_TOLD_MANY: Final = ("drafts", "messages")
_VOUCHES: Final = frozenset({"pin", "unpin", "exempt", "verify_outcome"})
_EVIDENCE: Final = tuple(each.value for each in UseSource if each is not UseSource.EXPLICIT)
_CLAIMS: Final = ("pinned", "exempt", "audit_evidence")


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who calls.

    Attributes:
        key_id: The key they showed; empty where none is asked for.
        grant: What it is given for.
    """

    key_id: str
    grant: Grant

    def may(self, permission: Permission) -> bool:
        """Whether their role allows it."""
        return permission in ALLOWED[self.grant.role]

    def check(self, operation: Operation, given: Mapping[str, object]) -> None:
        """Refuse what their role does not allow.

        Raises:
            AccessError: It does not.
        """
        needed = operation.needs(given)
        if not self.may(needed):
            roles = [each for each in Role if needed in ALLOWED[each]]
            raise AccessError(
                f"a key of role {self.grant.role} may not {operation.name}; roles that may:"
                f" {', '.join(roles)}",
                fields={"role": self.grant.role, "operation": operation.name},
            )

    def check_reach(self, tenant: str, bank: str | None) -> None:
        """Refuse what their key does not open, as if it were not there.

        Raises:
            NotFoundError: It does not.
        """
        if not self.grant.reaches(tenant, bank):
            raise NotFoundError(_OUT_OF_REACH)

    def check_tenant(self, tenant: str) -> None:
        """Refuse a tenant of which their key opens nothing, as if it were not there.

        Raises:
            NotFoundError: It opens nothing.
        """
        if not self.grant.knows(tenant):
            raise NotFoundError(_OUT_OF_REACH)


def open_caller() -> Caller:
    """Whoever calls a server that asks for no key."""
    return Caller(key_id="", grant=EVERYTHING)


def acting(caller: Caller, operation: Operation, given: Mapping[str, object]) -> dict[str, object]:
    """What an operation is asked with, in the name of the caller.

    Where no key is asked for, whoever reaches the server is trusted with the name they give.

    Raises:
        AccessError: It names another actor than the key's owner, or somebody as the second of two
            people, or the key has a model's voice and would vouch for something.
    """
    named = _in_their_name(caller, operation, given) if caller.key_id else dict(given)
    if caller.grant.voice is Voice.HOST:
        return named
    if operation.name in _VOUCHES:
        raise AccessError(
            f"a key with a model's voice may not {operation.name}",
            fields={"operation": operation.name},
        )
    return _as_model(operation, named)


def _in_their_name(
    caller: Caller, operation: Operation, given: Mapping[str, object]
) -> dict[str, object]:
    owner = caller.grant.owner
    named = dict(given)
    fields = {each.name for each in operation.fields}
    for field in ("by", "approved_by"):
        if named.get(field) not in (None, owner):
            remedy = (
                "leave it out"
                if field == "by"
                else "let the other approve a plan or a preview of it with a key of their own"
            )
            raise AccessError(
                f"{field} names another than the owner of the key: {remedy}",
                fields={"field": field},
            )
    if "by" in fields:
        named["by"] = owner
    return named


def _as_model(operation: Operation, given: dict[str, object]) -> dict[str, object]:
    if any(each.name == _SPEAKS for each in operation.fields):
        given = _humbly(given)
    for field in _TOLD_MANY:
        told = given.get(field)
        if isinstance(told, list | tuple):
            given[field] = [_humbly(each) if isinstance(each, Mapping) else each for each in told]
    if operation.name == "used" and given.get("source") not in (None, *_EVIDENCE):
        given["source"] = UseSource.CITED.value
    return given


def _humbly(told: Mapping[str, object]) -> dict[str, object]:
    """What is told, as a model's: under its own role in place of one with authority."""
    claimed = [each for each in _CLAIMS if told.get(each)]
    if claimed:
        raise AccessError(
            f"a key with a model's voice may not tell something as {claimed[0]}",
            fields={"field": claimed[0]},
        )
    role = told.get(_SPEAKS)
    return {**told, _SPEAKS: role if isinstance(role, str) and role in _LOWLY else _MODEL}


def as_model(caller: Caller) -> Caller:
    """The same caller through a face that only a model speaks through."""
    return replace(caller, grant=replace(caller.grant, voice=Voice.MODEL))
