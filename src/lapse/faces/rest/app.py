"""The web application: FastAPI around the service.

Decides how requests reach the service's threads, and that every answer carries a request id. The
table reads what is asked, not FastAPI's own models: one reading for every face. Refuses to bind a
port (`faces.serving`).
"""

import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import unquote

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Match
from starlette.routing import Route as Served
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lapse import __version__
from lapse.errors import AccessError, LapseError, NotFoundError, ValidationError
from lapse.faces.access import Door, OpenDoor
from lapse.faces.app import Lapse
from lapse.faces.limits import Pace, bounded, check_size
from lapse.faces.logs import places
from lapse.faces.logs import request as logged_request
from lapse.faces.rest.answers import Answer
from lapse.faces.rest.asking import Asked, Guest
from lapse.faces.rest.copying import EXPORTS, IMPORTS, spooled
from lapse.faces.rest.flowing import Flow
from lapse.faces.rest.openapi import document
from lapse.faces.rest.problems import MEDIA_TYPE, Problem, not_there, plain, problem_of
from lapse.faces.rest.reading import LINES, pages, ways_in
from lapse.faces.rest.routes import BANK, Method, Route, routes
from lapse.faces.rest.service import FACE, Counted, Service, uncounted
from lapse.ports import Entropy

REQUEST_ID: Final = "X-Request-ID"
_GZIP_FROM: Final = 1024
_GZIP_LEVEL: Final = 1
"""The fastest: an answer of 84 kB takes 0.7 ms, where level 9 takes 14, for a fifth more bytes."""
_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_log = logging.getLogger("lapse.rest")

_NOBODY_THERE: Final = 499
"""What is logged of a request whose caller went before it was whole; nobody is told."""

_READ_AHEAD: Final = 65_536
"""Bytes of a body that are read before it is known who sends them: the server that listens reads as
much ahead by itself, and a request that is there whole needs one thread, once."""


@dataclass(slots=True, kw_only=True)
class _Visit:
    """A request on its way, and whose it is once that is known."""

    asked: Asked
    guest: Guest | None = None


Endpoint = Callable[[Request], Awaitable[Response]]
Act = Callable[[Request, _Visit], Awaitable[Response]]
Alive = Callable[[], dict[str, bool]]


def create_app(
    lapse: Lapse,
    door: Door | OpenDoor,
    *,
    alive: Alive = dict,
    counted: Counted = uncounted,
    pace: Pace | None = None,
    title: str = "Lapse",
) -> FastAPI:
    """The application that serves an open store. Whoever opened the store closes it.

    Args:
        lapse: The store.
        door: Who comes in.
        alive: What else has to be there to serve, by name, such as a scheduler; for `/readyz`.
        counted: Calls operations; what measures them is put here.
        pace: Counts requests, those of other faces of the process too; its own if left out.
        title: What it is called in its OpenAPI document.

    Raises:
        StoreError: This kind of store keeps no keys and jobs.
    """
    entropy = lapse.parts.entropy
    service = Service(lapse, door, counted, pace)
    app = FastAPI(
        title=title,
        version=__version__,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_lifespan(service),
    )
    app.state.service = service
    app.state.door = door
    app.openapi = document  # type: ignore[method-assign]  # as FastAPI documents it
    app.add_middleware(GZipMiddleware, minimum_size=_GZIP_FROM, compresslevel=_GZIP_LEVEL)
    for route in routes():
        app.add_route(route.path, _endpoint(service, route), methods=[route.method])
    app.add_route(f"{BANK}/jobs/{{job}}", _job(service), methods=["GET"])
    app.add_route(f"{BANK}/{EXPORTS}", _exports(service), methods=["POST"])
    app.add_route(f"{BANK}/{IMPORTS}", _imports(service), methods=["POST"])
    app.add_route("/healthz", _healthz, methods=["GET"])
    app.add_route("/readyz", _readyz(service, alive), methods=["GET"])
    app.add_exception_handler(HTTPException, _answered_by_framework)
    app.add_middleware(_Named, entropy=entropy)
    app.add_middleware(_AsWritten)
    return app


class _Named:
    """Gives every request an id, and every answer the same."""

    def __init__(self, app: ASGIApp, entropy: Entropy) -> None:
        self._app = app
        self._entropy = entropy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get(REQUEST_ID, "")
        name = given if _ID.fullmatch(given) else self._entropy(8).hex()
        scope.setdefault("state", {})["request_id"] = name

        async def named(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[REQUEST_ID] = name
            await send(message)

        with logged_request(name):
            await self._app(scope, receive, named)


class _AsWritten:
    """Matches paths as they were written, so that a name may hold an escaped slash."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        raw = scope.get("raw_path")
        if scope["type"] == "http" and raw and raw.startswith(b"/v1/"):
            scope = {**scope, "path": raw.partition(b"?")[0].decode("latin-1")}
        await self._app(scope, receive, send)


def _lifespan(service: Service) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def span(app: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            # What is mounted, such as MCP, has a life of its own that is entered here.
            for each in getattr(app.state, "lifespans", ()):
                await stack.enter_async_context(each())
            yield
        await run_in_threadpool(service.close)

    return span


def _endpoint(service: Service, route: Route) -> Endpoint:
    def at_once(visit: _Visit) -> Answer:
        guest = _welcomed(service, visit, route.path)
        check_size(len(visit.asked.body), guest.limits.max_request_bytes)
        return service.answer(route, visit.asked, guest)

    async def act(request: Request, visit: _Visit) -> Response:
        if route.method is Method.GET and pages(route) and _wants_lines(visit.asked):
            guest = await run_in_threadpool(_welcomed, service, visit, route.path)
            return await run_in_threadpool(_streamed, service.lines(route, visit.asked, guest))
        if ways_in(route):
            limit = _READ_AHEAD
            if not _is_short(visit.asked):
                guest = await run_in_threadpool(_welcomed, service, visit, route.path)
                limit = guest.limits.max_request_bytes
            body = await bounded(request.stream(), limit)
            visit.asked = replace(visit.asked, body=body)
        if visit.guest is None:
            return _sent(await run_in_threadpool(at_once, visit))
        return _sent(await run_in_threadpool(service.answer, route, visit.asked, visit.guest))

    return _guarded(service, route.operation.name, act)


def _job(service: Service) -> Endpoint:
    def at_once(visit: _Visit) -> Answer:
        return service.job(visit.asked, _welcomed(service, visit, BANK))

    async def act(_: Request, visit: _Visit) -> Response:
        return _sent(await run_in_threadpool(at_once, visit))

    return _guarded(service, "job", act)


def _exports(service: Service) -> Endpoint:
    async def act(request: Request, visit: _Visit) -> Response:
        guest = await run_in_threadpool(_welcomed, service, visit, BANK)
        body = await bounded(request.stream(), guest.limits.max_request_bytes)
        asked = replace(visit.asked, body=body)
        lines = await run_in_threadpool(service.export, asked, guest)
        return Flow(lines)

    return _guarded(service, "export", act)


def _imports(service: Service) -> Endpoint:
    async def act(request: Request, visit: _Visit) -> Response:
        guest = await run_in_threadpool(_welcomed, service, visit, BANK)
        wish = await run_in_threadpool(service.may_import, visit.asked, guest)
        file = await spooled(request.stream(), guest.limits.max_import_bytes)
        return _sent(await run_in_threadpool(service.import_, wish, guest, file))

    return _guarded(service, "import", act)


def _welcomed(service: Service, visit: _Visit, path: str) -> Guest:
    """Let a caller in, and see that what they send can be read."""
    visit.guest = guest = service.welcome(visit.asked, path)
    _check_written_plainly(visit.asked)
    return guest


def _is_short(asked: Asked) -> bool:
    """Whether a body says that it is short."""
    length = asked.headers.get("content-length", "")
    return length.isdecimal() and int(length) <= _READ_AHEAD


def _guarded(service: Service, operation: str, act: Act) -> Endpoint:
    """Has what a caller asks answered, and logs how that ended."""

    async def answered(request: Request) -> Response:
        try:
            visit = _Visit(asked=_asked(request))
        except ValidationError as error:
            return _problem(problem_of(error, _id_of(request)))
        try:
            return await act(request, visit)
        except LapseError as error:
            return _refused(error, visit, operation)
        except ClientDisconnect:
            return Response(status_code=_NOBODY_THERE)
        except Exception as error:  # noqa: BLE001 - the server's own log would show its words, which may be a memory's
            return _unexpected(error, visit.asked)

    async def endpoint(request: Request) -> Response:
        began = service.stopwatch()
        answer = await answered(request)
        took_ms = round((service.stopwatch() - began) * 1000, 3)
        told = {"operation": operation, "face": FACE, "status": answer.status_code}
        _log.info("answered", extra={**told, "duration_ms": took_ms})
        return answer

    return endpoint


async def _healthz(_: Request) -> Response:
    return JSONResponse({"status": "ok"})


def _readyz(service: Service, alive: Alive) -> Endpoint:
    async def endpoint(_: Request) -> Response:
        found = await run_in_threadpool(service.ready)
        found |= alive()
        ready = all(found.values())
        told = {name: "ok" if each else "failing" for name, each in found.items()}
        status = "ok" if ready else "failing"
        return JSONResponse({"status": status, **told}, 200 if ready else 503)

    return endpoint


def _asked(request: Request) -> Asked:
    client = request.client
    return Asked(
        path={name: _unescaped(name, value) for name, value in request.path_params.items()},
        query=list(request.query_params.multi_items()),
        headers={name.lower(): value for name, value in request.headers.items()},
        address="" if client is None else client.host,
        request_id=_id_of(request),
    )


def _unescaped(name: str, written: str) -> str:
    """A part of a path; what is no UTF-8 names nothing, and not the same as other such bytes."""
    try:
        return unquote(written, errors="strict")
    except UnicodeDecodeError:
        raise ValidationError.of(name, "…", "needs UTF-8") from None


def _check_written_plainly(asked: Asked) -> None:
    coding = asked.headers.get("content-encoding", "identity").lower()
    if coding != "identity":
        # What is small when it comes and large when it is opened has no limit that is its own.
        raise ValidationError.of("Content-Encoding", "…", "send the body as it is")


def _wants_lines(asked: Asked) -> bool:
    return LINES in asked.headers.get("accept", "")


def _streamed(lines: Iterator[bytes]) -> Response:
    # The first line is made here, so that what is wrong is told as a problem.
    first = next(lines, b"")

    def whole() -> Generator[bytes, None, None]:
        yield first
        yield from lines

    return Flow(whole())


def _sent(answer: Answer) -> Response:
    if not answer.body:
        return Response(status_code=answer.status, headers=dict(answer.headers))
    return Response(
        answer.body, answer.status, headers=dict(answer.headers), media_type=answer.media_type
    )


def _refused(error: LapseError, visit: _Visit, operation: str) -> Response:
    asked, guest = visit.asked, visit.guest
    problem = problem_of(error, asked.request_id)
    if isinstance(error, AccessError) or (guest is None and isinstance(error, NotFoundError)):
        _log.warning(
            "refused: %s, key %s, from %s",
            type(error).__name__,
            "none" if guest is None else guest.who or "none",
            asked.address,
            extra={"operation": operation, "face": FACE},
        )
    return _problem(problem)


def _problem(problem: Problem) -> Response:
    return JSONResponse(
        problem.body, problem.status, headers=problem.headers, media_type=MEDIA_TYPE
    )


async def _answered_by_framework(request: Request, error: Exception) -> Response:
    request_id = _id_of(request)
    if not isinstance(error, HTTPException) or error.status_code == 404:
        return _problem(problem_of(not_there(), request_id))
    kind = "MethodNotAllowedError" if error.status_code == 405 else "RequestError"
    detail = "this path has no such method" if error.status_code == 405 else "cannot be answered"
    found = plain(error.status_code, kind, detail, request_id)
    headers = dict(error.headers or {})
    if error.status_code == 405:
        # Each method is a route of its own, and the framework tells of the first alone.
        headers["Allow"] = ", ".join(_methods(request))
    return _problem(replace(found, headers=headers))


def _methods(request: Request) -> list[str]:
    """The methods that a path has."""
    found: set[str] = set()
    for route in request.app.router.routes:
        if isinstance(route, Served) and route.matches(request.scope)[0] is not Match.NONE:
            found |= route.methods or set()
    return sorted(found)


def _unexpected(error: Exception, asked: Asked) -> Response:
    _log.error("unexpected %s at %s", type(error).__name__, " < ".join(places(error)))
    return _problem(problem_of(error, asked.request_id))


def _id_of(request: Request) -> str:
    named: str = getattr(request.state, "request_id", "")
    return named
