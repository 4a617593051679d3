"""A chat endpoint that answers as told and misbehaves as told, served by a thread of the test."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = "sk-very-secret"


@dataclass
class Bad:
    """What the server does with one request instead of answering."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    hold: bool = False  # says nothing until the server closes
    drip: int = 0  # so many pieces of the body, one by one


@dataclass
class ChatService:
    """An endpoint: one fault per request while there are any, then `answer(prompt)`."""

    url: str
    answer: Callable[[str], str] = lambda _: "7"
    faults: list[Bad] = field(default_factory=list)
    requests: list[dict[str, object]] = field(default_factory=list)
    prompts: list[str] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)


def said(answer: str, reason: str = "stop") -> bytes:
    """The reply that holds this answer."""
    choice = {"index": 0, "message": {"role": "assistant", "content": answer}}
    return json.dumps({"choices": [{**choice, "finish_reason": reason}]}).encode()


@contextmanager
def chat_service() -> Iterator[ChatService]:
    """Serve until the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            prompt = body["messages"][-1]["content"]
            found.requests.append({**body, "path": self.path})
            found.prompts.append(prompt)
            found.keys.append(self.headers["Authorization"])
            bad = found.faults.pop(0) if found.faults else Bad(body=said(found.answer(prompt)))
            if bad.hold:
                found.closing.wait(20)
                return
            self.send_response_only(bad.status)
            for name, value in {"Content-Length": str(len(bad.body)), **bad.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            step = max(len(bad.body) // bad.drip, 1) if bad.drip else max(len(bad.body), 1)
            for start in range(0, len(bad.body), step):
                try:
                    self.wfile.write(bad.body[start : start + step])
                    self.wfile.flush()
                except OSError:  # the other side has had enough
                    return

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as the base class
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    found = ChatService(url=f"http://127.0.0.1:{server.server_port}/v1")
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield found
    finally:
        found.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()
