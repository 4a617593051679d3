"""The MCP server: lists the tools of a caller's profile, and carries calls out.

Decides the order of a call: find out who calls, read what was given, show first what would be taken
away, call the operation on a thread of its own, tell. Refuses resources, prompts and sampling:
everything an agent needs is a tool.
"""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache, partial
from typing import TypeAlias

import anyio.to_thread
from mcp import types
from mcp.server import Server, ServerRequestContext

from lapse import __version__
from lapse.engine.erasing_widely import WideErasure
from lapse.errors import ConflictError, Fault, LapseError, ValidationError, fault
from lapse.faces.access import acting
from lapse.faces.logs import has_request, request
from lapse.faces.mcp import failing
from lapse.faces.mcp.answering import Document, answer, failed, holds_text, plain, recalled
from lapse.faces.mcp.confirming import (
    Word,
    begin_named,
    begin_of_name,
    gone,
    name_of_preview,
    word_of,
)
from lapse.faces.mcp.places import Caller
from lapse.faces.mcp.tools import ACTOR, CONFIRM, OfferedTool, toolbox
from lapse.faces.mcp.wording import INSTRUCTIONS, NOTICE
from lapse.faces.operations import Operation
from lapse.faces.operations.fields import FieldType
from lapse.faces.operations.operation import Target
from lapse.faces.previewed import PREVIEW_S, carried_out
from lapse.model.codec import Plain
from lapse.model.guards import ForgetMode
from lapse.model.query import Recall

_log = logging.getLogger("lapse.mcp")

Do = Callable[[Operation, Target, object], object]
"""Calls an operation on a target with a request; what measures calls goes around it."""

Outcome: TypeAlias = types.CallToolResult | types.InputRequiredResult

FACE = "mcp"
"""What the journal calls this face."""

SHOWN_GOING = 20
"""Most memories whose text a preview shows."""

_PARSED = frozenset(
    {FieldType.TEXTS, FieldType.CHOICES, FieldType.NUMBERS, FieldType.OBJECT, FieldType.ITEMS}
)
_ERASES = frozenset({"erase", "erase_everywhere"})
_NEXT = (
    "Nothing was changed. Show what would go to whoever wants it gone; to do it, call {name} again "
    "with the same arguments, confirm={preview} and a reason."
)
_OTHERWISE = (
    "what would go is no longer what was shown, or was never shown: call {name} without confirm "
    "and look again"
)
_TOO_LATE = (
    f"this names no preview of the last {PREVIEW_S // 60} minutes, for which one may be confirmed: "
    "call {name} without confirm and look again"
)
_REFUSED = "the user did not agree; nothing was changed"


def plainly(operation: Operation, target: Target, request: object) -> object:
    """Call an operation, and do nothing else."""
    return operation.call(target, request)


def build_server(who: Callable[[ServerRequestContext], Caller], do: Do = plainly) -> Server:
    """A server over the table.

    Args:
        who: Says who calls; a `LapseError` is told to the client instead of an answer.
        do: Calls operations, on a thread of its own each.
    """

    async def list_tools(
        context: ServerRequestContext, _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        caller = await anyio.to_thread.run_sync(who, context)
        tools = [
            each.tool
            for each in _toolbox_of(caller).values()
            if caller.rights.may(each.operation.needs(each.fixed))
        ]
        return types.ListToolsResult(tools=tools, ttl_ms=0, cache_scope="private")

    async def call_tool(
        context: ServerRequestContext, params: types.CallToolRequestParams
    ) -> Outcome:
        try:
            caller = await anyio.to_thread.run_sync(who, context)
        except Exception as error:  # noqa: BLE001 - the outermost place: nothing unforeseen is told to a model
            return _failure(error, params.name)
        with _named(caller):
            return await _answered(context, params, caller, do)

    return Server(
        "lapse",
        version=__version__,
        title="Lapse",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def _answered(
    context: ServerRequestContext, params: types.CallToolRequestParams, caller: Caller, do: Do
) -> Outcome:
    offered = _toolbox_of(caller).get(params.name)
    if offered is None:
        return failed("NotFoundError", "there is no such tool here; list the tools")
    began = caller.lapse.parts.stopwatch()
    status = "ok"
    try:
        return await _Call(context, params, caller, offered, do).run()
    except Exception as error:  # noqa: BLE001 - as above
        status = type(error).__name__
        return _failure(error, params.name)
    finally:
        took_ms = round((caller.lapse.parts.stopwatch() - began) * 1000, 3)
        told = {"operation": offered.operation.name, "face": FACE, "status": status}
        _log.info("answered", extra={**told, "duration_ms": took_ms})


def _failure(error: Exception, name: str) -> types.CallToolResult:
    if isinstance(error, LapseError):
        return failing.told(error)
    return failing.unforeseen(error, name)


def _named(caller: Caller) -> AbstractContextManager[None]:
    """Have what is logged carry the id of the request: that of HTTP, or else one of its own."""
    if has_request():
        return nullcontext()
    return request(caller.lapse.parts.entropy(8).hex())


_cached_toolbox = cache(toolbox)


def _toolbox_of(caller: Caller) -> Mapping[str, OfferedTool]:
    return _cached_toolbox(caller.profile, caller.reach)


class _Call:
    """One call of one tool."""

    def __init__(
        self,
        context: ServerRequestContext,
        params: types.CallToolRequestParams,
        caller: Caller,
        offered: OfferedTool,
        do: Do,
    ) -> None:
        self._context = context
        self._params = params
        self._caller = caller
        self._offered = offered
        self._do = do

    async def run(self) -> Outcome:
        """Do it, or show what it would do."""
        given = _parsed(self._offered, self._params.arguments or {})
        if self._offered.confirms:
            return await self._run_confirmed(given)
        return self._tell(await self._done(given), given)

    async def _run_confirmed(self, given: dict[str, object]) -> Outcome:
        name = self._offered.operation.name
        confirm = given.pop(CONFIRM, None)
        shown = await self._done(given)
        now = self._caller.lapse.parts.clock.now()
        entropy = self._caller.lapse.parts.entropy
        begin = begin_of_name(now, entropy) if confirm is None else begin_named(confirm, now)
        if begin is None:
            raise ConflictError(_TOO_LATE.format(name=name))
        named = partial(name_of_preview, self._caller, name, shown, begin)
        preview = await anyio.to_thread.run_sync(named)
        if confirm is None:
            return await self._show(shown, preview)
        if confirm != preview:
            raise ConflictError(_OTHERWISE.format(name=name))
        if self._erases(given):
            word = await word_of(self._context, self._params, preview, gone(shown))
            if isinstance(word, types.InputRequiredResult):
                return word
            if word is Word.NO:
                return failed("GuardedError", _REFUSED)
            if word is Word.YES:
                await self._check_unchanged(given, preview)
        return self._tell(await self._done({**given, "yes": True}, preview), given)

    async def _check_unchanged(self, given: Mapping[str, object], preview: str) -> None:
        """Refuse what somebody agreed to when it became something else while they read.

        Raises:
            ConflictError: It did, or they read too long.
        """
        name, now = self._offered.operation.name, self._caller.lapse.parts.clock.now()
        begin = begin_named(preview, now)
        if begin is None:
            raise ConflictError(_TOO_LATE.format(name=name))
        named = partial(name_of_preview, self._caller, name, await self._done(given), begin)
        if await anyio.to_thread.run_sync(named) != preview:
            raise ConflictError(_OTHERWISE.format(name=name))

    async def _show(self, shown: object, preview: str) -> types.CallToolResult:
        following = _NEXT.format(name=self._offered.operation.name, preview=preview)
        # What goes in several banks is named by bank, and its texts are for each bank to show.
        ids = [] if isinstance(shown, WideErasure) else gone(shown)[:SHOWN_GOING]
        going = await anyio.to_thread.run_sync(self._texts, ids)
        told: Document = {"result": plain(shown), "preview": preview, "next": following}
        return answer(told | {"going": going} if going else told, notice=NOTICE if going else "")

    def _texts(self, ids: list[str]) -> list[Plain]:
        bank = self._caller.lapse.bank(self._caller.bank, tenant=self._caller.tenant)
        return [{"id": each, "text": bank.get(each).memory.text} for each in ids]

    async def _done(self, given: Mapping[str, object], preview: str = "") -> object:
        """Call the operation on a thread of its own, which waiting for a store may block.

        With the name of a preview, carry that out.
        """
        operation = self._offered.operation
        named = {**given, **self._offered.fixed, **self._caller.place(operation)}
        self._caller.rights.check(operation, named)
        named = acting(self._caller.rights, operation, named)
        if any(each.name == ACTOR for each in operation.fields):
            named[ACTOR] = self._caller.actor
        work = partial(self._call, operation, named, preview)
        return await anyio.to_thread.run_sync(work)

    def _call(self, operation: Operation, named: Mapping[str, object], preview: str) -> object:
        lapse = self._caller.lapse
        once = carried_out(lapse, preview) if preview else nullcontext()
        with lapse.through(FACE), once:
            return self._do(operation, self._caller.target(operation), operation.read(named))

    def _erases(self, given: Mapping[str, object]) -> bool:
        mode = {**given, **self._offered.fixed}.get("mode")
        return self._offered.operation.name in _ERASES or mode == ForgetMode.ERASE

    def _tell(self, result: object, given: Mapping[str, object]) -> types.CallToolResult:
        if isinstance(result, Recall):
            told = recalled(result)
            if given.get("explain"):
                told["result"] = plain(result)
            return answer(told, notice=NOTICE)
        notice = NOTICE if holds_text(self._offered.operation.result) else ""
        return answer({"result": plain(result)}, notice=notice)


def _parsed(offered: OfferedTool, arguments: Mapping[str, object]) -> dict[str, object]:
    """What the client gave, with lists and objects that it wrote as JSON text read.

    Some clients hand every argument over as text.

    Raises:
        ValidationError: Arguments that the tool does not take, hidden ones among them, and whatever
            else is wrong with the others.
    """
    kinds = {each.name: each.type for each in offered.fields}
    takes = (*kinds, CONFIRM) if offered.confirms else tuple(kinds)
    given = {
        name: _read(value) if kinds.get(name) in _PARSED else value
        for name, value in arguments.items()
        if name in takes
    }
    known = ", ".join(takes) or "none"
    faults = [
        fault(name, "…", f"unknown argument; known are {known}")
        for name in arguments
        if name not in takes
    ]
    if faults:
        raise ValidationError([*faults, *_faults_beside(offered, given)])
    return given


def _faults_beside(offered: OfferedTool, given: Mapping[str, object]) -> Sequence[Fault]:
    """What is wrong with a request besides arguments that are unknown."""
    acts: dict[str, object] = {ACTOR: "somebody", **offered.fixed}
    names = {each.name for each in offered.operation.fields}
    try:
        offered.operation.read(
            {name: each for name, each in {**acts, **given}.items() if name in names}
        )
    except ValidationError as error:
        return error.faults
    return ()


def _read(value: object) -> object:
    if not isinstance(value, str) or not value.lstrip().startswith(("[", "{")):
        return value
    try:
        read: object = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return read
