import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from lapse.embed.remote import Endpoint, RemoteEmbedder
from tests.unit.embed.endpoint_service import KEY, Opened, Reply, Service


@pytest.fixture
def service() -> Iterator[Service]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            found.requests.append({**body, "path": self.path})
            found.keys.append(self.headers["Authorization"])
            reply = found.replies.pop(0) if found.replies else Reply()
            if reply.hold:
                found.closing.wait(20)
                return
            payload = found.well(body["input"]) if reply.body is None else reply.body
            self.send_response_only(reply.status)
            for name, value in {"Content-Length": str(len(payload)), **reply.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as the base class
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    found = Service(url=f"http://127.0.0.1:{server.server_port}/v1")
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield found
    found.closing.set()
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def connect(service: Service) -> Iterator[Callable[..., Opened]]:
    opened: list[Opened] = []

    def build(**settings: object) -> Opened:
        waits: list[float] = []
        endpoint = Endpoint(**{"model": "words", "url": service.url, "api_key": KEY, **settings})  # type: ignore[arg-type]
        opened.append(Opened(RemoteEmbedder(endpoint, sleep=waits.append), waits))
        return opened[-1]

    yield build
    for each in opened:
        each.embedder.close()
