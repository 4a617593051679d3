"""A server that is told to end: whatever it acknowledged is kept, and what it began it ends."""

import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

pytest.importorskip("httpx", reason="needs the extra remote: pip install 'lapse[remote]'")
pytest.importorskip("uvicorn", reason="needs the extra server: pip install 'lapse[server]'")

import httpx

from lapse import Lapse

PROGRAM = "from lapse.faces.cli import main; raise SystemExit(main())"
CLIENTS = 4
ENOUGH = 20
"""Acknowledged writes after which the server is told to end."""
PATIENCE_S = 60


def free_port() -> int:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        port: int = door.getsockname()[1]
        return port


class Load:
    """Clients that write until there is nobody any more."""

    def __init__(self, url: str) -> None:
        self.acknowledged: list[str] = []
        self.statuses: set[int] = set()
        self.enough = threading.Event()
        self._url = f"{url}/v1/tenants/default/banks/notes/memories"

    def write(self, client: int) -> None:
        with httpx.Client(timeout=PATIENCE_S) as http:
            for at in range(10_000):
                name = f"n{client}-{at}"
                try:
                    answer = http.post(self._url, json={"text": f"Note {name}", "id": name})
                except httpx.TransportError:
                    return
                self.statuses.add(answer.status_code)
                if answer.status_code == 201:
                    self.acknowledged.append(name)
                if len(self.acknowledged) >= ENOUGH:
                    self.enough.set()


def test_a_server_that_is_told_to_end_loses_nothing_that_it_acknowledged(
    apart: Path,
) -> None:
    port, store = free_port(), apart / "s.db"
    command = [sys.executable, "-c", PROGRAM, "--db", str(store), "serve", "--port", str(port)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    late = threading.Timer(PATIENCE_S, process.kill)
    late.start()
    assert process.stderr is not None
    with process, ThreadPoolExecutor(CLIENTS) as pool:
        url = f"http://127.0.0.1:{port}"
        with httpx.Client() as http:
            while process.poll() is None:
                try:
                    if http.get(f"{url}/healthz").status_code == 200:
                        break
                except httpx.TransportError:
                    threading.Event().wait(0.1)
        load = Load(url)
        written = [pool.submit(load.write, each) for each in range(CLIENTS)]
        assert load.enough.wait(PATIENCE_S)
        process.send_signal(signal.SIGTERM)
        for each in written:
            each.result(PATIENCE_S)
        process.stderr.read()
    late.cancel()
    assert process.returncode == 0
    assert load.statuses == {201}
    with Lapse.open(store, embedder=None, background=False) as lapse:
        bank = lapse.bank("notes")
        for name in load.acknowledged:
            assert bank.get(name).memory.text == f"Note {name}"
        # What was being answered when the connection closed may have been written as well.
        assert bank.stats().memories - len(load.acknowledged) <= CLIENTS
        assert list(bank.doctor()) == []
