"""Whole banks over HTTP: out as they are read, in whole or not at all, nothing erased with it."""

import asyncio
import json
import threading
from collections.abc import Generator, Iterator
from urllib.parse import quote

import pytest
from starlette.requests import ClientDisconnect
from starlette.types import Message

from lapse.errors import UnknownCallerError
from lapse.faces.access import ALLOWED, Role
from lapse.faces.operations import Permission
from lapse.faces.rest.copying import PIECE_BYTES, Pieces, streamed
from lapse.faces.rest.flowing import Flow
from lapse.faces.rest.holding import Holding
from tests.faces.rest.serving import Client, Served

LINES = {"Content-Type": "application/x-ndjson"}


def exported(client: Client) -> bytes:
    answer = client.post("exports", {"reason": "moving"})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    return answer.content


def into(client: Client, lines: bytes, **headers: str) -> "tuple[int, dict[str, object]]":
    path = f"imports?reason={quote('moving here')}"
    named = {name.replace("_", "-"): each for name, each in headers.items()}
    answer = client.request("POST", path, content=lines, headers={**LINES, **named})
    return answer.status_code, answer.json()


def test_a_bank_goes_out_and_comes_in_the_same(served: Served, operator: Client) -> None:
    lines = exported(operator)
    assert operator.bank.endswith("/notes")
    there = served.client(served.key(), bank="copied")
    status, told = into(there, lines)
    assert (status, told["created"], told["whole"]) == (200, 2, True)
    bank = served.lapse.bank("copied", tenant="acme")
    assert sorted(each.memory.id for each in bank.list().records) == ["lunch", "tea"]
    status, told = into(there, lines)
    assert (status, told["created"], told["unchanged"]) == (200, 0, 2)
    ref = served.lapse.bank("notes", tenant="acme").ref
    (entry,) = [
        each for each in served.lapse.parts.store.journal(ref, 0, 100) if each.verb == "export"
    ]
    assert (entry.by, entry.via) == ("ada", "rest")


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("noun", ["exports", "imports"])
def test_only_whoever_may_operate_moves_a_bank(noun: str, role: Role, served: Served) -> None:
    client = served.client(served.key(role))
    answer = client.request("POST", noun, content=b"", headers=LINES if noun == "imports" else {})
    allowed = Permission.OPERATE in ALLOWED[role]
    assert (answer.status_code == 403) is not allowed
    if allowed:
        assert answer.status_code == (200 if noun == "exports" else 422)


@pytest.mark.parametrize("noun", ["exports", "imports"])
def test_anothers_bank_is_as_if_it_were_not_there(noun: str, served: Served) -> None:
    key = served.key()
    answers = []
    for tenant in ("other", "nobody"):
        answer = served.client(key, tenant=tenant).request("POST", noun, content=b"")
        told = answer.json()
        told.pop("request_id")
        answers.append((answer.status_code, told))
    assert answers[0] == answers[1]
    assert answers[0][0] == 404
    assert served.client(None).request("POST", noun, content=b"").status_code == 401


def test_nobody_acts_in_anothers_name(operator: Client) -> None:
    assert operator.post("exports", {"by": "bob"}).status_code == 403
    assert operator.request("POST", "imports?by=bob", content=b"x").status_code == 403


def test_what_was_erased_here_stays_out_and_is_named(served: Served, operator: Client) -> None:
    lines = exported(operator)
    bank = served.lapse.bank("notes", tenant="acme")
    bank.erase(["lunch"], by="ada", reason="asked for")
    status, told = into(operator, lines)
    assert status == 200
    assert [each["memory_id"] for each in told["refused"]] == ["lunch"]  # type: ignore[attr-defined]  # a list of objects
    assert [each.memory.id for each in bank.list().records] == ["tea"]


@pytest.mark.parametrize("cut", ["in a line", "before the last line", "nothing", "no export"])
def test_a_file_that_is_not_whole_leaves_nothing_behind(
    cut: str, served: Served, operator: Client
) -> None:
    whole = exported(operator)
    part = {
        "in a line": whole[: len(whole) // 2],
        "before the last line": b"\n".join(whole.rstrip(b"\n").split(b"\n")[:-1]) + b"\n",
        "nothing": b"",
        "no export": json.dumps({"text": "The harbour is guarded"}).encode() + b"\n",
    }[cut]
    status, told = into(served.client(served.key(), bank="fresh"), part)
    assert (status, told["error"]) == (422, "ValidationError")
    assert "harbour" not in str(told)
    assert "fresh" not in served.lapse.banks(tenant="acme")


def test_an_upload_whose_sender_goes_away_leaves_nothing_behind(
    served: Served, operator: Client
) -> None:
    whole, key = exported(operator), served.key()
    coming: Iterator[dict[str, object]] = iter(
        [
            {"type": "http.request", "body": whole[:-10], "more_body": True},
            {"type": "http.disconnect"},
        ]
    )
    sent: list[object] = []

    async def receive() -> dict[str, object]:
        return next(coming)

    async def send(message: object) -> None:
        sent.append(message)

    path = "/v1/tenants/acme/banks/fresh/imports"
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(b"authorization", f"Bearer {key}".encode())],
        "client": ("127.0.0.1", 1),
        "server": ("lapse", 80),
        "scheme": "http",
    }
    asyncio.run(served.app(scope, receive, send))
    assert "fresh" not in served.lapse.banks(tenant="acme")
    assert into(served.client(key, bank="fresh"), whole)[0] == 200


def test_an_import_larger_than_may_be_is_refused(served: Served, operator: Client) -> None:
    whole = exported(operator)
    bank = served.lapse.bank("notes", tenant="acme")
    bank.set_policy({"server.max_import_bytes": 1024})
    status, told = into(operator, whole)
    assert (status, told["error"]) == (413, "TooLargeError")
    bank.set_policy({"server.max_import_bytes": len(whole), "server.max_request_bytes": 1024})
    assert into(operator, whole)[0] == 200


def test_an_import_may_be_a_job(served: Served, operator: Client) -> None:
    whole = exported(operator)
    client = served.client(served.key(), bank="later")
    status, told = into(client, whole, Prefer="respond-async")
    assert (status, told["operation"]) == (202, "import")
    served.app.state.service.close()
    done = client.get(f"jobs/{told['id']}").json()
    assert (done["status"], done["result"]["created"]) == ("done", 2)


def test_a_bank_that_is_not_there_is_a_problem_and_no_half_file(operator: Client) -> None:
    answer = operator.request("POST", operator.bank.replace("notes", "nobody") + "/exports")
    assert (answer.status_code, answer.json()["error"]) == (404, "NotFoundError")


def test_a_reader_that_goes_away_ends_what_writes_for_it() -> None:
    pieces = Pieces(patience_s=0.01)
    found = pieces.read()
    pieces.write(b"x" * PIECE_BYTES)
    assert len(next(found)) == PIECE_BYTES
    found.close()
    with pytest.raises(ConnectionError):
        pieces.write(b"x" * PIECE_BYTES)


def test_a_reader_that_stands_still_is_not_waited_for_for_ever() -> None:
    pieces = Pieces(patience_s=0.01)

    def write_on(times: int) -> None:
        for _ in range(times):
            pieces.write(b"x" * PIECE_BYTES)

    write_on(16)
    with pytest.raises(ConnectionError):
        write_on(1)


def test_a_reader_that_goes_away_frees_a_writer_that_waits_for_room() -> None:
    pieces, ended = Pieces(patience_s=60), threading.Event()

    def write_on() -> None:
        try:
            for _ in range(40):
                pieces.write(b"x" * PIECE_BYTES)
        except ConnectionError:
            ended.set()

    found = pieces.read()
    threading.Thread(target=write_on, daemon=True).start()
    next(found)
    found.close()
    assert ended.wait(30)


def test_what_flows_is_let_go_when_its_reader_has_gone() -> None:
    let_go = threading.Event()

    def lines() -> Generator[bytes, None, None]:
        try:
            while True:
                yield b"x"
        finally:
            let_go.set()

    async def send(message: Message) -> None:
        if message.get("body"):
            raise OSError("the reader has gone")

    async def receive() -> Message:
        await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    with pytest.raises(ClientDisconnect):
        asyncio.run(Flow(lines())({"type": "http", "asgi": {"spec_version": "2.4"}}, receive, send))
    assert let_go.is_set()


def test_a_key_that_is_revoked_meanwhile_ends_an_export(served: Served) -> None:
    def act(pieces: Pieces) -> object:
        for _ in range(3):
            pieces.write(b"x" * PIECE_BYTES)
        return None

    clock = served.lapse.parts.clock
    key = served.door.admit(served.key(), address="", now=clock.now())
    held = Holding(ring=served.ring, clock=clock)
    found = held.while_held(streamed(act), key)
    assert len(next(found)) == PIECE_BYTES
    served.ring.revoke(key.key_id, now=clock.now())
    with pytest.raises(UnknownCallerError):
        next(found)


def test_a_reader_that_comes_back_too_late_hears_that_it_was_given_up() -> None:
    pieces = Pieces(patience_s=0.01)
    for _ in range(16):
        pieces.write(b"x" * PIECE_BYTES)
    with pytest.raises(ConnectionError) as given_up:
        pieces.write(b"x" * PIECE_BYTES)
    pieces.end(given_up.value)
    with pytest.raises(ConnectionError):
        list(pieces.read())


def test_an_end_that_finds_no_room_is_told_as_a_break() -> None:
    pieces = Pieces(patience_s=0.01)
    for _ in range(16):
        pieces.write(b"x" * PIECE_BYTES)
    pieces.end()
    with pytest.raises(ConnectionError):
        list(pieces.read())


def test_what_breaks_off_in_the_middle_is_told_to_the_reader() -> None:
    def act(pieces: Pieces) -> object:
        pieces.write(b"x" * PIECE_BYTES)
        raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        list(streamed(act))
