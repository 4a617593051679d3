"""Routes: by which method and under which noun each operation is asked for.

Decides the names that are nicer than what could be derived, and which operations have no route and
why. An operation without a row here is asked for by `POST …/<its name>`, so that none is forgotten.
Refuses everything else: fields, permissions and errors come from the table of operations.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from lapse.faces.operations import TABLE, Effect, Operation, Subject
from lapse.faces.operations.fields import Field, From

TENANT: Final = "/v1/tenants/{tenant}"
BANK: Final = "/v1/tenants/{tenant}/banks/{bank}"
GENERAL: Final = "/v1"


class Method(StrEnum):
    """A method of HTTP."""

    GET = "GET"
    POST = "POST"
    PATCH = "PATCH"
    DELETE = "DELETE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """How one operation is asked for.

    Attributes:
        operation: Which.
        method: By GET its fields are query parameters, else members of a JSON body.
        path: Template; names in braces besides tenant and bank are fields of the request.
        status: Of an answer that is not asked for minimally.
        fields_in_path: Fields of the request that the path holds.
    """

    operation: Operation
    method: Method
    path: str
    status: int
    fields_in_path: tuple[str, ...]


_GET, _POST, _PATCH, _DELETE = Method.GET, Method.POST, Method.PATCH, Method.DELETE

_NAMED: Final[Mapping[str, tuple[Method, str]]] = MappingProxyType(
    {
        "remember": (_POST, "memories"),
        "remember_many": (_POST, "memory-batches"),
        "ingest": (_POST, "conversations"),
        "update": (_PATCH, "memories/{id}"),
        "recall": (_POST, "recalls"),
        "rank": (_POST, "rankings"),
        "why": (_POST, "explanations"),
        "get": (_GET, "memories/{id}"),
        "list": (_GET, "memories"),
        "select": (_POST, "selections"),
        "supersede": (_POST, "supersessions"),
        "unsupersede": (_POST, "supersession-reversals"),
        "retract": (_POST, "retractions"),
        "unretract": (_POST, "retraction-reversals"),
        "as_of": (_GET, "pasts"),
        "conflicts": (_GET, "conflicts"),
        "accept": (_POST, "conflicts/{id}/acceptances"),
        "dismiss": (_POST, "conflicts/{id}/dismissals"),
        "used": (_POST, "reinforcements"),
        "pin": (_POST, "pins"),
        "unpin": (_POST, "pin-removals"),
        "exempt": (_POST, "exemptions"),
        "verify_outcome": (_POST, "verifications"),
        "suppress": (_POST, "suppressions"),
        "archive": (_POST, "archivals"),
        "forget": (_POST, "forgettings"),
        "restore": (_POST, "restorations"),
        "suppressed": (_GET, "suppressed-memories"),
        "archived": (_GET, "archived-memories"),
        "search_archive": (_POST, "archive-searches"),
        "hold": (_POST, "holds"),
        "release": (_POST, "holds/{name}/releases"),
        "holds": (_GET, "holds"),
        "erase": (_POST, "erasures"),
        "lift_tombstone": (_POST, "tombstones/{id}/lifts"),
        "subject_report": (_POST, "subject-reports"),
        "suggest": (_GET, "suggestions"),
        "plan": (_POST, "plans"),
        "plan_to_budget": (_POST, "budget-plans"),
        "plans": (_GET, "plans"),
        "get_plan": (_GET, "plans/{plan}"),
        "approve": (_POST, "plans/{plan}/approvals"),
        "apply": (_POST, "plans/{plan}/applications"),
        "history": (_GET, "memories/{id}/history"),
        "access_log": (_GET, "access-log"),
        "verify_journal": (_GET, "journal/verification"),
        "sweep": (_POST, "sweeps"),
        "canaries": (_GET, "canaries"),
        "add_canary": (_POST, "canaries"),
        "drop_canary": (_DELETE, "canaries/{canary}"),
        "cache_put": (_POST, "cache/answers"),
        "cache_get": (_POST, "cache/lookups"),
        "cache_purge": (_POST, "cache/purges"),
        "cache_clear": (_DELETE, "cache/answers"),
        "policy": (_GET, "policies/current"),
        "set_policy": (_PATCH, "policies/current"),
        "stats": (_GET, "statistics"),
        "laws": (_GET, "laws"),
        "drain": (_POST, "drains"),
        "rate": (_POST, "ratings"),
        "consolidate": (_POST, "consolidations"),
        "reembed": (_POST, "reembeddings"),
        "doctor": (_POST, "diagnoses"),
        "share": (_POST, "shares"),
        "tombstones": (_GET, "tombstones"),
        "banks": (_GET, "banks"),
        "erase_everywhere": (_POST, "erasures"),
    }
)

_OF_A_TENANT: Final = frozenset({"banks", "erase_everywhere"})
"""Operations that are asked of no one bank."""

_CREATES: Final = frozenset(
    {"remember", "remember_many", "ingest", "supersede", "hold", "plan", "plan_to_budget"}
    | {"add_canary", "cache_put"}
)

ABSENT: Mapping[str, str] = MappingProxyType(
    {
        "backup": "it writes every tenant's banks to the server's own disk: `lapse backup` there",
        "export": "it is no call but a stream: `POST exports` gives the file",
        "import": "it is no call but a stream: `POST imports` takes the file",
        "verify_receipt": "it needs no server: `lapse verify-receipt` where the receipt lies",
    }
)
"""Operations without a route, and why."""


def route_of(operation: Operation) -> Route:
    """The route of an operation."""
    method, noun = _NAMED.get(operation.name) or (_POST, operation.name.replace("_", "-"))
    prefix = _prefix(operation)
    named = {each.name for each in operation.fields}
    held = tuple(
        each[1:-1] for each in noun.split("/") if each.startswith("{") and each[1:-1] in named
    )
    return Route(
        operation=operation,
        method=method,
        path=f"{prefix}/{noun}",
        status=201 if operation.name in _CREATES else 200,
        fields_in_path=held,
    )


def _prefix(operation: Operation) -> str:
    if operation.subject is Subject.NOTHING:
        return GENERAL
    return TENANT if operation.name in _OF_A_TENANT else BANK


def is_placed(operation: Operation, field: Field) -> bool:
    """Whether the path says a field. That of a tenant says no banks: a request may name some."""
    chosen = operation.name in _OF_A_TENANT and field.name == "banks"
    return field.source is From.PLACE and not chosen


def routes() -> tuple[Route, ...]:
    """Every route, in the order of the table."""
    return tuple(route_of(each) for name, each in TABLE.items() if name not in ABSENT)


def takes_two_calls(operation: Operation) -> bool:
    """Whether it shows what it would do first, and does it when that is confirmed by name."""
    shows = any(each.name == "yes" for each in operation.fields)
    return operation.effect is Effect.DESTRUCTIVE and shows


def may_be_a_job(operation: Operation) -> bool:
    """Whether it may take so long that a caller should not have to wait."""
    return operation.reports_progress or operation.name in {"plan", "plan_to_budget", "apply"}
