"""What is asked for an operation, and what follows on each answer.

Decides that a request without an answer is asked again only where that acts once: what reads, and
what goes under an Idempotency-Key made for it; that what destroys is looked at and confirmed in one
go, as its caller said yes; and that long work whose progress somebody watches is a job. Refuses to
send anything (`wire`), and to wait longer than its caller allows.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from lapse.errors import ConflictError, UnreachableError, ValidationError
from lapse.faces.operations import Effect, Operation
from lapse.faces.operations.operation import Progress
from lapse.faces.remote.asks import served_route, told, written
from lapse.faces.remote.raising import (
    document_in,
    error_in,
    error_of,
    pause_of,
    unexpected,
)
from lapse.faces.remote.steps import Ask, Exchange, Lost, Manner, Outcome, Pause, Reply
from lapse.faces.rest.consenting import CONFIRM
from lapse.faces.rest.routes import Method, Route, may_be_a_job, takes_two_calls
from lapse.model.codec import Plain, decode_from_later
from lapse.model.memory import BankRef

WHO_AND_WHY: Final = frozenset({"by", "reason", "approved_by"})
"""Fields that say who does something and why, and not what."""
BESIDE: Final = frozenset({"preview", "approval"})
"""Members of an answer that are no part of an operation's result."""
_MAY_PASS: Final = frozenset({429, 502, 503, 504})
"""Statuses after which another moment may answer otherwise."""
_LOOKS: Final = 3
"""How often something that changes meanwhile is looked at before it is confirmed."""
_FIRST_PAUSE_S: Final = 0.1
_LONGEST_POLL_S: Final = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """Whose memories are asked about, and how.

    Attributes:
        place: The bank.
        manner: Repeats and pauses.
    """

    place: BankRef
    manner: Manner


def exchange(
    operation: Operation,
    given: Mapping[str, object],
    asker: Asker,
    progress: Progress | None = None,
) -> Exchange[object]:
    """Ask for an operation; the exchange ends with its result, as `Operation.call` gives it.

    Args:
        operation: Which.
        given: Its fields. `yes` confirms what destroys.
        asker: Where and how.
        progress: Told (done, total) of long work, which is a job then.

    Raises:
        ValidationError: It is not served, or a field has no JSON form.
        UnreachableError: No answer came, or none of Lapse's.
        LapseError: What the store raised.
    """
    route = served_route(operation)
    fields = told(operation, given)
    if takes_two_calls(operation):
        confirmed = fields.pop("yes", False)
        shown = {name: each for name, each in fields.items() if name not in WHO_AND_WHY}
        if confirmed:
            return (yield from _confirmed(route, shown, fields, asker))
        return (yield from _asked(route, shown, asker))
    if progress is not None and may_be_a_job(operation):
        return (yield from _job(route, fields, asker, progress))
    return (yield from _asked(route, fields, asker))


def followed(
    operation: Operation, begun: Reply, manner: Manner, progress: Progress
) -> Exchange[object]:
    """The result of an operation that became a job, once that has ended; or of one that did not.

    Args:
        operation: Which.
        begun: What was answered to it.
        manner: Repeats.
        progress: Told (done, total).

    Raises:
        LapseError: What stopped it.
    """
    where = begun.headers.get("location")
    if begun.status != 202 or where is None:
        return _result(operation, _document(begun))
    pause, seen = _FIRST_PAUSE_S, 0
    while True:
        yield Pause(seconds=pause)
        pause = min(pause * 1.5, _LONGEST_POLL_S)
        look = Ask(method=Method.GET, path=where)
        job = _document((yield from repeated(look, manner)))
        done, total = job.get("done"), job.get("total")
        if isinstance(done, int) and done > seen:
            seen = done
            progress(done, total if isinstance(total, int) else done)
        match job.get("status"):
            case "done":
                return _result(operation, _mapping(job.get("result")))
            case "failed":
                raise error_of(_mapping(job.get("problem")))
            case _:
                pass


def repeated(ask: Ask, manner: Manner) -> Exchange[Reply]:
    """Ask again where another moment may answer otherwise.

    What was lost of a stream is not sent anew: part of it may have been taken. A request whose
    answer was lost and that the server is still at is waited for, which is no attempt.

    Raises:
        UnreachableError: No answer came.
        LapseError: What the answer tells of.
        AssertionError: Never: the last attempt returns or raises.
    """
    for attempt in range(manner.retries + 1):
        reply = yield ask
        if isinstance(reply, Reply) and attempt and _under_way(reply):
            reply = yield from _awaited(ask, reply, manner)
        last = attempt == manner.retries
        pause = _FIRST_PAUSE_S * 2**attempt
        if isinstance(reply, Lost):
            if last or ask.flows:
                raise UnreachableError(f"the server did not answer: {reply.why}")
        elif isinstance(reply, Reply):
            if 200 <= reply.status < 300:
                return reply
            wanted = _worth_waiting(reply)
            if last or wanted is None or wanted > manner.longest_wait_s:
                raise error_in(reply)
            pause = max(pause, wanted)
        yield Pause(seconds=pause)
    raise AssertionError("the last attempt returns or raises")


def _awaited(ask: Ask, reply: Reply, manner: Manner) -> Exchange[Outcome]:
    """Ask until the request that was lost on its way back has its answer."""
    waited, pause = 0.0, _FIRST_PAUSE_S
    found: Outcome = reply
    while isinstance(found, Reply) and _under_way(found) and waited < manner.patience_s:
        yield Pause(seconds=pause)
        waited, pause = waited + pause, min(pause * 1.5, _LONGEST_POLL_S)
        found = yield ask
    return found


def answered(
    operation: Operation, fields: Mapping[str, Plain], asker: Asker
) -> Exchange[tuple[object, Mapping[str, object]]]:
    """Ask with fields as they are written, and give the result and the whole answer."""
    route = served_route(operation)
    reply = yield from _answered(written(route, fields, asker.place, {}), route, asker.manner)
    document = _document(reply)
    own = {name: each for name, each in document.items() if name not in BESIDE}
    return _result(operation, own), document


def _asked(route: Route, fields: Mapping[str, Plain], asker: Asker) -> Exchange[object]:
    reply = yield from _answered(written(route, fields, asker.place, {}), route, asker.manner)
    return _result(route.operation, _document(reply))


def _confirmed(
    route: Route, shown: Mapping[str, Plain], fields: Mapping[str, Plain], asker: Asker
) -> Exchange[object]:
    for look in range(1, _LOOKS + 1):
        ask = written(route, shown, asker.place, {})
        reply = yield from _answered(ask, route, asker.manner)
        preview = _document(reply).get("preview")
        if not isinstance(preview, Mapping):
            raise unexpected(reply)
        try:
            return (yield from _asked(route, {**fields, CONFIRM: str(preview["id"])}, asker))
        except ConflictError as error:
            # Somebody else wrote between the two calls, so that it would show something else now.
            if error.fields.get("field") != CONFIRM or look == _LOOKS:
                raise
    raise AssertionError("the last look returns or raises")


def _job(
    route: Route, fields: Mapping[str, Plain], asker: Asker, progress: Progress
) -> Exchange[object]:
    ask = written(route, fields, asker.place, {"Prefer": "respond-async"})
    reply = yield from _answered(ask, route, asker.manner)
    return (yield from followed(route.operation, reply, asker.manner, progress))


def _answered(ask: Ask, route: Route, manner: Manner) -> Exchange[Reply]:
    """Ask, under a key where repeating would act twice without one."""
    reads = route.method is Method.GET or route.operation.effect is Effect.READ
    if not reads and manner.retries:
        ask = replace(ask, headers={**ask.headers, "Idempotency-Key": manner.new_word()})
    elif not reads:
        manner = replace(manner, retries=0)
    return (yield from repeated(ask, manner))


def _under_way(reply: Reply) -> bool:
    """Whether the same request came before, and is still at work."""
    fields = (document_in(reply) or {}).get("fields") if reply.status == 409 else None
    return isinstance(fields, Mapping) and "under_way" in fields


def _worth_waiting(reply: Reply) -> float | None:
    """Seconds after which asking again may be answered otherwise, or None."""
    asked_for = pause_of(reply)
    if reply.status in _MAY_PASS:
        gateway = reply.status in (502, 504)
        return asked_for if asked_for is not None or not gateway else 0.0
    return None


def _document(reply: Reply) -> dict[str, object]:
    found = document_in(reply)
    if found is None:
        raise unexpected(reply)
    return dict(found)


def _mapping(value: object) -> dict[str, object]:
    if not isinstance(value, Mapping):
        raise UnreachableError("the server told of a job that has no outcome")
    return dict(value)


def _result(operation: Operation, document: dict[str, object]) -> object:
    document.pop("preview", None)
    if "next_cursor" in document:
        cursor = document.pop("next_cursor")
        document["next_after"] = None if cursor is None else int(str(cursor))
    kind = operation.result
    try:
        # A server may be newer than its clients: what it tells beside is not asked for here.
        found: object = decode_from_later(kind, document)
    except ValidationError as error:
        where = ", ".join(each.field for each in error.faults[:3])
        raise UnreachableError(
            f"the server's answer to {operation.name} is not of this version: {where}"
        ) from None
    return found
