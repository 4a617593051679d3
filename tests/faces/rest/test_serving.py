"""A real server, from its keys on the command line to its end."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from lapse import Lapse
from lapse.errors import AccessError, ValidationError
from lapse.faces.access import Grant, KeyRing, Role
from lapse.faces.serving import QUIET_S, bind, described, is_loopback
from tests.faces.conftest import Cli


@contextmanager
def running(path: Path, port: int) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [sys.executable, "-c", "from lapse.faces.cli import main; raise SystemExit(main())"]
    process = subprocess.Popen(
        [*command, "serve", "--db", str(path), "--port", str(port)],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "LAPSE_MEMORY__EMBEDDER": "none"},
    )
    try:
        assert process.stderr is not None
        yield process, process.stderr.readline()
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def port_of_ones_own() -> int:
    import socket  # noqa: PLC0415 - only here

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def asking(port: int, key: str) -> httpx.Client:
    # Until it listens, a connection is tried anew.
    return httpx.Client(
        base_url=f"http://127.0.0.1:{port}",
        headers={"Authorization": f"Bearer {key}"} if key else {},
        transport=httpx.HTTPTransport(retries=8),
    )


def test_a_served_bank_is_told_asked_and_left_whole(tmp_path: Path, cli: Cli) -> None:
    path, port = tmp_path / "served.db", port_of_ones_own()
    made = cli("--json", "keys", "create", "ada", "--role", "operator", "--db", str(path))
    key: str = json.loads(made.out)["key"]
    with running(path, port) as (process, said), asking(port, key) as client:
        assert f"127.0.0.1:{port}; callers show a key" in said
        bank = "/v1/tenants/default/banks/notes"
        assert client.get("/healthz").json() == {"status": "ok"}
        assert client.get("/readyz").status_code == 200
        told = client.post(f"{bank}/memories", json={"text": "The kettle is blue", "id": "k"})
        assert told.status_code == 201
        found = client.post(f"{bank}/recalls", json={"query": "kettle"}).json()
        assert [each["memory"]["id"] for each in found["hits"]] == ["k"]
        assert httpx.get(f"http://127.0.0.1:{port}{bank}/memories").status_code == 401
        assert httpx.post(f"http://127.0.0.1:{port}/mcp", json={}).status_code == 401
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=30)
        assert out == ""
        assert "Traceback" not in err
        assert "kettle" not in err
        assert process.returncode == 0  # it ended by itself, having finished, and not by the signal
    with Lapse.open(path, embedder=None, background=False) as lapse:
        entry = lapse.bank("notes").history("k").happenings[0]
        assert (entry.by, entry.via) == ("ada", "rest")


def test_a_server_without_keys_says_so_and_is_this_machines_alone(tmp_path: Path) -> None:
    path, port = tmp_path / "open.db", port_of_ones_own()
    with running(path, port) as (_, said), asking(port, "") as client:
        assert "WITHOUT KEYS, to this machine alone" in said
        assert client.get("/v1/tenants/default/banks/notes/statistics").status_code == 200


def test_other_machines_are_listened_to_only_with_a_key() -> None:
    with Lapse.open("memory://", embedder=None, background=False) as lapse:
        for host in ("0.0.0.0", "::", "192.0.2.7", "lapse.example"):
            with pytest.raises(AccessError, match="keys create"):
                bind(lapse, host, 8377)
        assert not bind(lapse, "127.0.0.1", 8377).asks_for_keys
        assert "WITHOUT KEYS" in described(bind(lapse, "::1", 8377))
        parts = lapse.parts
        ring = KeyRing(lapse.notes)
        grant = Grant(owner="ada", role=Role.READER)
        made = ring.create(grant, now=parts.clock.now(), entropy=parts.entropy)
        assert bind(lapse, "0.0.0.0", 8377).asks_for_keys
        ring.revoke(made.key.id, now=parts.clock.now())
        with pytest.raises(AccessError):
            bind(lapse, "0.0.0.0", 8377)
        with pytest.raises(ValidationError):
            bind(lapse, "127.0.0.1", 70_000)


def test_a_quiet_connection_is_closed_by_its_client_and_not_under_a_request_of_its_own() -> None:
    kept_s = httpx.Limits().keepalive_expiry
    assert kept_s is not None
    assert kept_s < QUIET_S


def test_what_only_this_machine_reaches_is_known() -> None:
    assert all(is_loopback(each) for each in ("127.0.0.1", "127.8.8.8", "::1", "localhost"))
    assert not any(
        is_loopback(each) for each in ("0.0.0.0", "::", "10.0.0.1", "localhost.evil", "")
    )


def test_a_key_is_shown_once_listed_without_its_secret_and_revoked(
    tmp_path: Path, cli: Cli
) -> None:
    db = ("--db", str(tmp_path / "k.db"))
    made = cli("keys", "create", "ada", "--bank", "notes", "--expires", "2099-01-01", *db)
    written = made.out.strip()
    found = re.fullmatch(r"lapse_([0-9a-f]{12})_[0-9a-f]{64}", written)
    assert found is not None
    listed = cli("keys", "list", *db, "--json")
    (seen,) = json.loads(listed.out)["keys"]
    assert (seen["id"], seen["owner"], seen["role"]) == (found[1], "ada", "writer")
    assert seen["expires_at"].startswith("2099-01-01")
    assert written.rpartition("_")[2] not in listed.out
    assert found[1] in cli("keys", "list", *db).out
    assert cli("keys", "revoke", found[1], *db).code == 0
    (seen,) = json.loads(cli("keys", "list", *db, "--json").out)["keys"]
    assert seen["revoked_at"] is not None
    assert cli("keys", "revoke", "nobody", *db).code == 3


@pytest.mark.parametrize(
    "wrong", [("--role", "king"), ("--voice", "god"), ("--expires", "soon"), ("--tenant", "")]
)
def test_a_key_that_makes_no_sense_is_refused(
    wrong: tuple[str, str], tmp_path: Path, cli: Cli
) -> None:
    ended = cli("keys", "create", "ada", *wrong, "--db", str(tmp_path / "k.db"))
    assert ended.code == 2
    assert wrong[0][2:] in ended.err
