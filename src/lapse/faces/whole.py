"""A whole server: the REST routes, MCP beside them, metrics, and the thread that tends the store.

Decides what is mounted where, and who may read the metrics, once keys are asked for: whoever may
audit, and reaches every bank there is, because they count all banks together. Refuses to bind a
port (`serving`).
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lapse.errors import AccessError, LapseError
from lapse.faces.access import Door, OpenDoor
from lapse.faces.app import Lapse
from lapse.faces.limits import Pace
from lapse.faces.metrics.meter import CONTENT_TYPE, Meter
from lapse.faces.operations import TABLE, Permission
from lapse.faces.rest.app import create_app
from lapse.faces.rest.asking import bearer
from lapse.faces.rest.neighbours import check_at_home
from lapse.faces.rest.problems import problem_of
from lapse.faces.tending import EVERY_S, Tender

METRICS_PATH = "/metrics"

Endpoint = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """What a process serves and runs.

    Attributes:
        app: The web application.
        tender: Started by whoever serves, and stopped before the store is closed.
        meter: What is counted.
    """

    app: FastAPI
    tender: Tender
    meter: Meter


def compose(lapse: Lapse, door: Door | OpenDoor, every_s: float = EVERY_S) -> Whole:
    """Put a server together over an open store.

    MCP is left out where its SDK, an extra, is not installed.

    Raises:
        StoreError: This kind of store keeps no keys and jobs.
    """
    TABLE["recall"].load()
    meter = Meter(lapse.parts.stopwatch)

    def ended(outcome: str) -> None:
        meter.round_ended(outcome=outcome)
        if not lapse.parts.ending():  # nobody would read it
            meter.take_census(lapse)

    tender = Tender(lapse, every_s, ended, meter.note_sweeps)
    pace = Pace()
    app = create_app(
        lapse,
        door,
        alive=lambda: {"scheduler": tender.healthy()},
        counted=meter.count,
        pace=pace,
    )
    app.router.routes.append(Route(METRICS_PATH, _scrape(lapse, door, meter), methods=["GET"]))
    _mount_mcp(app, lapse, door, meter, pace)
    return Whole(app=app, tender=tender, meter=meter)


def _mount_mcp(app: FastAPI, lapse: Lapse, door: Door | OpenDoor, meter: Meter, pace: Pace) -> None:
    try:
        # Late, because the SDK is an extra.
        from lapse.faces.mcp import mounting  # noqa: PLC0415
        from lapse.faces.mcp.server import plainly  # noqa: PLC0415
    except ModuleNotFoundError:
        return
    make = mounting.mount if isinstance(door, Door) else mounting.mount_locally
    mounted = make(lapse, door, meter.around("mcp", plainly), pace)
    app.router.routes.append(Route(mounting.PATH, mounted.app))
    app.state.lifespans = (*getattr(app.state, "lifespans", ()), mounted.life)


def _scrape(lapse: Lapse, door: Door | OpenDoor, meter: Meter) -> Endpoint:
    def admit(request: Request) -> None:
        address = "" if request.client is None else request.client.host
        shown = bearer(request.headers.get("authorization"))
        caller = door.admit(shown, address=address, now=lapse.parts.clock.now())
        if not caller.key_id:
            check_at_home(request.headers)
        if not caller.may(Permission.AUDIT):
            raise AccessError(f"a key of role {caller.grant.role} may not read metrics")
        refs = lapse.parts.store.refs()
        if not all(caller.grant.reaches(each.tenant, each.name) for each in refs):
            raise AccessError("metrics count every bank: make a key with --tenant '*' for them")

    async def endpoint(request: Request) -> Response:
        try:
            await run_in_threadpool(admit, request)
        except LapseError as error:
            problem = problem_of(error, "")
            return Response(str(problem.body["detail"]), problem.status, problem.headers)
        return Response(meter.text(), media_type=CONTENT_TYPE)

    return endpoint
