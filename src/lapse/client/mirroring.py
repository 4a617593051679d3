"""From a call of a bank's method to an operation of the table, and from its result back.

Decides which operation stands behind each method and how the two differ in form: most not at all,
so that only those that do have a line here. Refuses every rule: the server has them.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from inspect import Parameter, Signature, signature
from types import MappingProxyType
from typing import Final

from lapse.bank import HOST, Bank
from lapse.engine.untyped import as_given
from lapse.errors import ValidationError
from lapse.faces.operations import TABLE, Operation, results
from lapse.faces.operations.erasure_calls import ToldTombstone, Tombstones
from lapse.faces.operations.operation import Progress
from lapse.faces.remote.exchange import Asker, exchange
from lapse.faces.remote.steps import Exchange
from lapse.model.instants import to_iso
from lapse.model.memory import BankRef
from lapse.model.paging import Listing
from lapse.model.policy_layers import Origin, Resolved
from lapse.model.policy_sources import from_mapping
from lapse.model.proposal import Proposal, ProposalStatus
from lapse.model.query import AsOf
from lapse.model.tombstone import KeptTombstone, Tombstone

Given = dict[str, object]

ANOTHER_BANK: Final = "*"
"""In a tombstone: a bank that is not told."""
TOMBSTONE_PAGE: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Mirrored:
    """How one method is asked for.

    Attributes:
        operation: Name in the table.
        ask: Turns the method's arguments, by name, into fields of the request.
        tell: Turns the operation's result into the method's.
    """

    operation: str
    ask: Callable[[Given], Given]
    tell: Callable[[object], object]


def asked(name: str, arguments: Given, asker: Asker) -> Exchange[object]:
    """The exchange that a call of a bank's method is.

    Args:
        name: Of the method.
        arguments: By name, defaults left out; see `bound`.
        asker: Whose bank, and how.

    Raises:
        LapseError: What the method of a bank raises.
    """
    mirrored = mirrored_as(name)
    progress = arguments.pop("progress", None)
    watched: Progress | None = progress if callable(progress) else None
    given = mirrored.ask(arguments)
    operation: Operation = TABLE[mirrored.operation]
    return mirrored.tell((yield from exchange(operation, given, asker, watched)))


def bound(method: Callable[..., object], args: Iterable[object], kwargs: Given) -> Given:
    """Arguments of a method by name, those of its `**fields` among them.

    What is the default is left out, the actor with it: the server names the key's owner.

    Raises:
        TypeError: As Python raises it for the method itself.
    """
    shape = _signature(method)
    given: Given = {}
    for name, value in shape.bind(None, *args, **kwargs).arguments.items():
        kind = shape.parameters[name].kind
        if kind is Parameter.VAR_KEYWORD:
            given.update(value)
        elif name != "self" and not _is_default(name, value, shape.parameters[name].default):
            given[name] = value
    return given


def mirrored_as(name: str) -> Mirrored:
    """How a method of that name is asked for.

    Raises:
        KeyError: The table has nothing of that name.
    """
    operation = _OPERATIONS.get(name, name.removesuffix("_"))
    if operation not in TABLE:
        raise KeyError(name)
    return Mirrored(operation=operation, ask=_ASKING.get(name, dict), tell=_TELLING.get(name, bare))


def methods() -> Iterable[str]:
    """Names of the methods of a bank that an operation of the table stands behind."""
    for name in dir(Bank):
        operation = _OPERATIONS.get(name, name.removesuffix("_"))
        if not name.startswith("_") and name not in APART and operation in TABLE:
            yield name


def bare(result: object) -> object:
    """What a bank gives where the table gives a result that holds nothing else, or a policy."""
    kind = type(result)
    if isinstance(result, results.PolicyInForce):
        return _resolved(result)
    if kind.__module__ != results.__name__:
        return result
    inner = [each.name for each in fields(kind)]  # type: ignore[arg-type]  # results are dataclasses
    return getattr(result, inner[0]) if len(inner) == 1 else result


def two_times(as_of: AsOf) -> Given:
    """Two times as they are written, those that are told."""
    times = {"valid": as_of.valid, "recorded": as_of.recorded}
    return {name: to_iso(each) for name, each in times.items() if each is not None}


def of_listing(given: Given) -> Given:
    """The fields of a listing."""
    listing = as_given("listing", given.get("listing"), Listing())
    return {each.name: getattr(listing, each.name) for each in fields(Listing)}


def _at_two_times(given: Given) -> Given:
    as_of = as_given("as_of", given.pop("as_of", None), AsOf())
    return given | {f"as_of_{name}": each for name, each in two_times(as_of).items()}


def _meant(given: Given) -> Given:
    """A wish in plain words, given in place of ids, is a query."""
    if isinstance(given.get("ids"), str):
        given["query"] = given.pop("ids")
    return given


def _done(given: Given) -> Given:
    return given | {"yes": True}


def _all_unrated(given: Given) -> Given:
    return given | {"backfill": True}


def _some(field: str) -> Callable[[Given], Given]:
    """One name may be given in place of a list."""

    def ask(given: Given) -> Given:
        if isinstance(given.get(field), str):
            given[field] = [given[field]]
        return given

    return ask


def _part(given: Given) -> Given:
    """An empty choice is a mistake; over the wire it would say nothing, and choose everything."""
    ids = given.get("ids")
    if ids is None or isinstance(ids, str):
        return given
    named = list(ids) if isinstance(ids, Iterable) else ids
    if named == []:
        raise ValidationError.of("ids", (), "needs at least one id; leave it out for all")
    return given | {"ids": named}


def _plan(given: Given) -> Given:
    known = {each.name for each in TABLE["plan"].fields}
    traits = [name for name, each in given.items() if name not in known and each is not None]
    if traits:
        problem = "is not served with plan: sessions=[…] limits it, or select first and plan(ids=…)"
        raise ValidationError.of(traits[0], "…", problem)
    return _part({name: each for name, each in given.items() if name in known})


def _resolved(result: results.PolicyInForce) -> Resolved:
    origins = {p: o for p, o in result.origins.items() if o is not Origin.DEFAULT}
    return Resolved(policy=from_mapping(result.policy), origins=origins)


def _problems(result: object) -> object:
    if not isinstance(result, results.Diagnosis):
        return result
    return tuple(each.problem for each in result.findings)


def _first(result: object) -> object:
    return result.sweeps[0] if isinstance(result, results.Sweeps) else result


@cache
def _signature(method: Callable[..., object]) -> Signature:
    return signature(method)


def _is_default(name: str, value: object, default: object) -> bool:
    return value is default or (name == "by" and value == HOST == default)


_OPERATIONS: Final[Mapping[str, str]] = MappingProxyType(
    {"preview_erasure": "erase", "backfill_ratings": "rate"}
)
_ASKING: Final[Mapping[str, Callable[[Given], Given]]] = MappingProxyType(
    {
        "backfill_ratings": _all_unrated,
        "list": of_listing,
        "recall": _at_two_times,
        "why": _at_two_times,
        "forget": _meant,
        "preview_erasure": _meant,
        "suppress": _done,
        "archive": _done,
        "erase": _done,
        "supersede": _some("old"),
        "retract": _some("ids"),
        "unretract": _some("ids"),
        "plan": _plan,
        "approve": _part,
    }
)
_TELLING: Final[Mapping[str, Callable[[object], object]]] = MappingProxyType(
    {"doctor": _problems, "sweep": _first}
)

APART: Final[Mapping[str, str]] = MappingProxyType(
    {
        "as_of": "gives a view; its methods are asked for",
        "canaries": "is a book; its methods are asked for",
        "cache": "is a book; its methods are asked for",
        "reflect": "is a block; what it collected is reported as used",
        "engine": "is the server's",
        "export": "is a stream into a file",
        "import_": "is a stream out of a file",
        "conflicts": "is asked for each status where none is named",
        "tombstones": "is asked for page by page; digests stay where they are",
    }
)
"""Methods that are no single operation, and why."""


def all_conflicts(status: ProposalStatus | None, asker: Asker) -> Exchange[tuple[Proposal, ...]]:
    """What waits for a decision, or with None what was decided too, in the order it came up."""
    found: list[Proposal] = []
    for each in ProposalStatus if status is None else (status,):
        told = yield from exchange(TABLE["conflicts"], {"status": each}, asker)
        found.extend(told.conflicts if isinstance(told, results.Conflicts) else ())
    return tuple(sorted(found, key=lambda each: (each.at, each.id)))


def all_tombstones(
    after: int, most: int | None, asker: Asker
) -> Exchange[tuple[KeptTombstone, ...]]:
    """Tombstones after a number, page by page, at most so many or all."""
    found: list[KeptTombstone] = []
    cursor: int | None = after
    while cursor is not None and (most is None or len(found) < most):
        left = TOMBSTONE_PAGE if most is None else min(most - len(found), TOMBSTONE_PAGE)
        page = yield from exchange(TABLE["tombstones"], {"after": cursor, "limit": left}, asker)
        assert isinstance(page, Tombstones)  # noqa: S101 - the table says so
        found += [_kept(each, asker.place) for each in page.tombstones]
        cursor = page.next_after
    return tuple(found)


def _kept(told: ToldTombstone, place: BankRef) -> KeptTombstone:
    stone = Tombstone(
        id=told.id,
        tenant=place.tenant,
        bank=ANOTHER_BANK if told.bank is None else told.bank,
        scope=told.scope,
        key_id=told.key_id,
        salt=b"",
        exact=b"",
        sums=b"",
        slips=b"",
        at=told.at,
        by=told.by,
        lift=told.lift,
    )
    return KeptTombstone(number=told.number, tombstone=stone)
