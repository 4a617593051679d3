"""A whole server in one process, and visitors to it."""

from collections.abc import Awaitable, Callable

import anyio
import httpx2

from lapse.faces.access import Door, Grant, KeyRing, Role
from lapse.faces.app import Lapse
from lapse.faces.whole import Whole, compose

Visit = Callable[[httpx2.AsyncClient], Awaitable[None]]
HERE = "http://127.0.0.1:8377"


def key(lapse: Lapse, role: Role, tenant: str = "default", bank: str = "*") -> dict[str, str]:
    """Headers that show a new key of a role, to banks of a tenant."""
    parts = lapse.parts
    grant = Grant(owner="ada", role=role, tenant=tenant, banks=(bank,))
    made = KeyRing(lapse.notes).create(grant, now=parts.clock.now(), entropy=parts.entropy)
    return {"authorization": f"Bearer {made.written}"}


def visit(whole: Whole, to_do: Visit) -> None:
    """Serve the application to one visitor."""

    async def hold() -> None:
        async with whole.app.router.lifespan_context(whole.app):
            transport = httpx2.ASGITransport(whole.app)
            async with httpx2.AsyncClient(transport=transport, base_url=HERE) as http:
                await to_do(http)

    anyio.run(hold)


def closed(lapse: Lapse) -> Whole:
    return compose(lapse, Door(KeyRing(lapse.notes), lapse.parts.entropy))
