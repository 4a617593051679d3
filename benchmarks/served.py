"""A real server process over a store, and callers of it that keep their connection.

Decides how a benchmark starts and ends a server and how one call is made and timed. Refuses to
measure anything itself.
"""

import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from lapse import Lapse
from lapse.faces.access import Grant, KeyRing, Role

PROGRAM = "from lapse.faces.cli import main; raise SystemExit(main())"
BANK = "/v1/tenants/default/banks/notes"
STARTS_WITHIN_S = 60.0
FAST = {"server.requests_per_minute": 10_000_000}
"""Policy of a bank that is asked as fast as it answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One answer.

    Attributes:
        status: Of HTTP; 0 where the connection broke.
        body: The document, or what was left of it.
        took_s: From the first byte sent to the last one read.
    """

    status: int
    body: Mapping[str, object]
    took_s: float


class Caller:
    """One client with a connection of its own, made anew when it breaks."""

    def __init__(self, port: int, key: str) -> None:
        self._port = port
        self._headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        self._connection: http.client.HTTPConnection | None = None

    def __enter__(self) -> Self:
        """Use it, then close its connection."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close its connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def post(self, noun: str, body: Mapping[str, object]) -> Reply:
        """Ask about the bank."""
        return self._ask("POST", f"{BANK}/{noun}", json.dumps(body), self._headers)

    def recall(self, body: Mapping[str, object]) -> Reply:
        """Ask as an agent does, who wants the hits and not each candidate that was left out."""
        headers = {**self._headers, "Prefer": "return=minimal"}
        return self._ask("POST", f"{BANK}/recalls", json.dumps(body), headers)

    def patch(self, noun: str, body: Mapping[str, object]) -> Reply:
        """Change something of the bank."""
        return self._ask("PATCH", f"{BANK}/{noun}", json.dumps(body), self._headers)

    def get(self, path: str) -> Reply:
        """Look; a path without a slash before it is one within the bank."""
        path = path if path.startswith("/") else f"{BANK}/{path}"
        return self._ask("GET", path, None, self._headers)

    def _ask(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> Reply:
        began = time.perf_counter()
        try:
            if self._connection is None:
                self._connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
                self._connection.connect()
                self._connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._connection.request(method, path, body, headers)
            answer = self._connection.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException):
            self.__exit__()
            return Reply(status=0, body={}, took_s=time.perf_counter() - began)
        took_s = time.perf_counter() - began
        try:
            found = json.loads(text)
        except ValueError:
            found = {}
        return Reply(
            status=answer.status, body=found if isinstance(found, dict) else {}, took_s=took_s
        )


def key_to(path: Path) -> str:
    """A key of an operator to a store."""
    with Lapse.open(path, background=False) as lapse:
        parts = lapse.parts
        grant = Grant(owner="bench", role=Role.OPERATOR)
        made = KeyRing(lapse.notes).create(grant, now=parts.clock.now(), entropy=parts.entropy)
    return made.written


@contextmanager
def server(
    path: Path, *, before: Sequence[str] = (), environment: Mapping[str, str] | None = None
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A server of a store, ready, and the port it listens at. It is killed if it does not end.

    Args:
        path: The store.
        before: Lines of Python that its process runs first.
        environment: More variables of its environment.

    Raises:
        TimeoutError: It did not become ready.
    """
    port = _free_port()
    program = "\n".join((*before, PROGRAM))
    command = [sys.executable, "-c", program, "serve", "--db", str(path), "--port", str(port)]
    with Path(f"{path}.log").open("ab") as log:
        process = subprocess.Popen(
            [*command, "--log-level", "warning"],
            stderr=log,
            env={**os.environ, **(environment or {})},
        )
    try:
        _wait_until_ready(process, port)
        yield process, port
    finally:
        process.terminate()
        try:
            process.wait(40)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_until_ready(process: subprocess.Popen[bytes], port: int) -> None:
    ends = time.monotonic() + STARTS_WITHIN_S
    with Caller(port, "") as caller:
        while time.monotonic() < ends and process.poll() is None:
            if caller.get("/readyz").status == 200:
                return
            time.sleep(0.05)
    raise TimeoutError("the server did not become ready; its log lies beside the store")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
