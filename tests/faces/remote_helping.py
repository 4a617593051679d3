"""A store served to clients of this process: by a real server, or without a network."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

pytest.importorskip("fastapi", reason="needs the extra server: pip install 'lapse[server]'")
pytest.importorskip("httpx", reason="needs the extra remote: pip install 'lapse[remote]'")

import httpx
import uvicorn

from lapse import Lapse
from tests.faces.rest.serving import Served

URL = "http://127.0.0.1"


class Inside(httpx.BaseTransport):
    """Hands requests straight to an application, one event loop for each."""

    def __init__(self, app: object) -> None:
        self._app = app
        self.asked: list[httpx.Request] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.read()  # it may come in pieces
        self.asked.append(request)
        return asyncio.run(self._handled(request))

    async def _handled(self, request: httpx.Request) -> httpx.Response:
        inner = httpx.ASGITransport(app=self._app)  # type: ignore[arg-type]  # an ASGI application
        sent = httpx.Request(
            request.method, request.url, headers=request.headers, content=request.content
        )
        async with inner:
            answer = await inner.handle_async_request(sent)
            body = await answer.aread()
        headers = [(k, v) for k, v in answer.headers.items() if k != "content-encoding"]
        return httpx.Response(answer.status_code, headers=headers, content=body)


def inside(lapse: Lapse) -> Inside:
    """A way into a served store that asks for no key."""
    return Inside(Served(lapse, keys=False).app)


@contextmanager
def listening(lapse: Lapse, *, keys: bool = False) -> Iterator[tuple[str, Served]]:
    """A real server on this machine, while it is needed: where it answers, and its keys."""
    served = Served(lapse, keys=keys)
    config = uvicorn.Config(served.app, log_level="error", access_log=False)
    server = uvicorn.Server(config)
    # Named as TCP, because only then asyncio sends small answers at once.
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as door:
        door.bind(("127.0.0.1", 0))
        door.listen()
        port = door.getsockname()[1]
        thread = threading.Thread(target=server.run, kwargs={"sockets": [door]}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{port}", served
        finally:
            server.should_exit = True
            thread.join(timeout=30)
