"""MCP over streamable HTTP, mounted beside the REST routes at `/mcp`.

Decides that the same keys open it, before anything of a body is read; which bank and profile a
client speaks to, by its URL; and that each request stands alone, so that any server may answer it.
Refuses what a key does not open as if it were not there.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from math import ceil
from typing import Final, Protocol

import anyio.to_thread
from mcp.server import ServerRequestContext
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lapse.errors import LapseError, LimitError, NotFoundError, TooLargeError, UnknownCallerError
from lapse.faces.access import Caller as Rights
from lapse.faces.access.keys import ANY
from lapse.faces.app import Lapse
from lapse.faces.limits import Pace, bounded, limits_of
from lapse.faces.mcp.places import Caller, spoken_for
from lapse.faces.mcp.profiles import Profile, Reach
from lapse.faces.mcp.server import Do, build_server, plainly
from lapse.model.instants import Instant
from lapse.model.policy_server import ServerPolicy

PATH: Final = "/mcp"
DEFAULT_NAME: Final = "default"
_RIGHTS: Final = "lapse.rights"
_LOCAL_HOSTS: Final = ("127.0.0.1:*", "localhost:*", "[::1]:*")


class Admits(Protocol):
    """Says who a caller is, by the key that they show."""

    def admit(self, written: str | None, *, address: str, now: Instant) -> Rights:
        """See `lapse.faces.access.Door.admit`."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Mount:
    """What a web application needs to serve MCP.

    Attributes:
        app: Answers every request at `PATH`.
        life: Entered while the application serves.
    """

    app: ASGIApp
    life: Callable[[], AbstractAsyncContextManager[None]]


def mount(lapse: Lapse, door: Admits, do: Do = plainly, pace: Pace | None = None) -> Mount:
    """MCP over HTTP for callers anywhere: they show a key, and may give any host name.

    Args:
        lapse: The store.
        door: Who comes in.
        do: Calls operations.
        pace: Counts requests of other faces of this process too; its own if left out.
    """
    anywhere = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    return _mount(lapse, door, anywhere, do, pace or Pace())


def mount_locally(lapse: Lapse, door: Admits, do: Do = plainly, pace: Pace | None = None) -> Mount:
    """MCP over HTTP for this machine alone. See `mount`.

    A page in a browser here that was led to this machine by another name is turned away.
    """
    origins = [f"http://{each}" for each in _LOCAL_HOSTS]
    here = TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=list(_LOCAL_HOSTS),
        allowed_origins=origins,
    )
    return _mount(lapse, door, here, do, pace or Pace())


def _mount(
    lapse: Lapse, door: Admits, security: TransportSecuritySettings, do: Do, pace: Pace
) -> Mount:
    def who(context: ServerRequestContext) -> Caller:
        return _caller(lapse, context.request)

    manager = StreamableHTTPSessionManager(
        build_server(who, do), json_response=True, stateless=True, security_settings=security
    )
    gate = _Gate(StreamableHTTPASGIApp(manager), lapse, door, pace)
    return Mount(app=gate, life=manager.run)


class _Gate:
    """Lets requests through whose key holds, neither too many of them nor too large ones."""

    def __init__(self, inner: ASGIApp, lapse: Lapse, door: Admits, pace: Pace) -> None:
        self._inner = inner
        self._lapse = lapse
        self._door = door
        self._pace = pace

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            rights, limits = await anyio.to_thread.run_sync(self._admit, request)
            scope[_RIGHTS] = rights
            if request.method != "POST":
                # Each request stands alone, so that a stream for later would say nothing for ever.
                await Response(status_code=405, headers={"Allow": "POST"})(scope, receive, send)
                return
            body = await bounded(request.stream(), limits.max_request_bytes)
            receive = _again(body, receive)
        except LapseError as error:
            await _turned_away(error)(scope, receive, send)
            return
        await self._inner(scope, receive, send)

    def _admit(self, request: Request) -> tuple[Rights, ServerPolicy]:
        kind, _, written = request.headers.get("authorization", "").partition(" ")
        shown = written.strip() if kind.lower() == "bearer" else None
        address = "" if request.client is None else request.client.host
        now = self._lapse.parts.clock.now()
        rights = self._door.admit(shown, address=address, now=now)
        limits = self._limits(rights, request)
        self._pace.check(rights.key_id or address, limits.requests_per_minute, now)
        return rights, limits

    def _limits(self, rights: Rights, request: Request) -> ServerPolicy:
        try:
            tenant, bank = _place(rights, request.query_params)
        except NotFoundError:
            # Told in the form of the protocol when a tool is called.
            return ServerPolicy()
        return limits_of(self._lapse.bank(bank, tenant=tenant))


def _again(body: bytes, receive: Receive) -> Receive:
    """Gives a body that was read already, then what comes after it."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return waiting.pop() if waiting else await receive()

    return receive_again


def _turned_away(error: LapseError) -> Response:
    """An answer in the form that clients of the protocol read."""
    headers: dict[str, str] = {}
    match error:
        case UnknownCallerError():
            name, headers["WWW-Authenticate"] = "invalid_token", 'Bearer error="invalid_token"'
        case TooLargeError():
            name = "too_large"
        case LimitError():
            name, headers["Retry-After"] = "slow_down", str(ceil(error.retry_after_s or 1))
        case _:
            name = "server_error"
    body = {"error": name, "error_description": str(error)}
    if name == "server_error":
        body.pop("error_description")
    return JSONResponse(body, error.http_status, headers=headers)


def _caller(lapse: Lapse, request: object) -> Caller:
    """Who speaks, and to which bank and profile: `/mcp?bank=…&profile=…`.

    Raises:
        NotFoundError: A bank that the key does not open, or a profile that does not exist.
    """
    if not isinstance(request, Request):
        raise NotFoundError("MCP over HTTP needs a request")
    rights: Rights = request.scope[_RIGHTS]
    asked: Mapping[str, str] = request.query_params
    tenant, bank = _place(rights, asked)
    profile = asked.get("profile", Profile.DEFAULT.value)
    if profile not in set(Profile):
        raise NotFoundError(f"no such profile; there are {', '.join(Profile)}")
    return Caller(
        lapse=lapse,
        tenant=tenant,
        bank=bank,
        actor=rights.grant.owner,
        profile=Profile(profile),
        reach=Reach.REMOTE,
        rights=spoken_for(rights, Profile(profile)),
    )


def _place(rights: Rights, asked: Mapping[str, str]) -> tuple[str, str]:
    """Tenant and bank that a URL names.

    Raises:
        NotFoundError: The key does not open it.
    """
    own = DEFAULT_NAME if rights.grant.tenant == ANY else rights.grant.tenant
    tenant, bank = asked.get("tenant", own), asked.get("bank", _own_bank(rights))
    rights.check_reach(tenant, bank)
    return tenant, bank


def _own_bank(rights: Rights) -> str:
    """The bank of a key that opens just one, else the default one."""
    banks = rights.grant.banks
    return banks[0] if len(banks) == 1 and banks[0] != ANY else DEFAULT_NAME
