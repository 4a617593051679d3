"""One request, made by whichever face: what it gave, or how it was refused, in comparable words.

Decides how an operation of the table is asked for through each face on one open store, as the host
or with a key. Imitates nothing: commands are run, requests are sent, tools are called.
"""

import io
import json
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="needs the extra server: pip install 'lapse[server]'")
pytest.importorskip("httpx", reason="needs the extra remote: pip install 'lapse[remote]'")
pytest.importorskip("mcp", reason="needs the extra mcp: pip install 'lapse[mcp]'")

from mcp import Client

from lapse import Lapse
from lapse.client import LapseClient
from lapse.errors import LapseError
from lapse.faces.access import Role, Voice
from lapse.faces.cli import main
from lapse.faces.cli.writing import typed_out
from lapse.faces.mcp.profiles import Profile
from lapse.faces.operations import TABLE, Operation
from lapse.model.codec import dumps
from lapse.model.instants import to_iso
from tests.faces.awaited import over_http, over_threads
from tests.faces.mcp_helping import talk
from tests.faces.remote_helping import URL, Inside, listening
from tests.faces.rest.serving import Served

Given = Mapping[str, object]

OF_FACES = {"request_id", "preview", "next_cursor"}
ACTORS = {"by", "approved_by"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a request ended.

    Attributes:
        error: The class of the error; empty where there was none.
        words: Result or error as JSON.
    """

    error: str
    words: str

    @property
    def document(self) -> dict[str, object]:
        """The result."""
        assert not self.error, self.words
        found: dict[str, object] = json.loads(self.words)
        return found

    def without(self, name: str) -> "Outcome":
        """The same, whatever was called so."""
        return Outcome(error=self.error, words=self.words.replace(name, "…"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Speaker:
    """Who asks, and where.

    Attributes:
        lapse: The open store.
        path: Its file.
        tenant, bank: Which bank is asked about.
        key: What is shown where a face asks for one; empty where the host itself speaks.
    """

    lapse: Lapse
    path: Path
    tenant: str = "a"
    bank: str = "notes"
    key: str = ""

    def ask(self, face: str, operation: str, given: Given) -> Outcome:
        """Ask for an operation of the table by its name."""
        return FACES[face](self, TABLE[operation], given)


def key_of(lapse: Lapse, *, voice: Voice = Voice.HOST, role: Role = Role.OPERATOR) -> str:
    """A new key of Ada's, to whatever is tenant a's."""
    return Served(lapse).key(role, owner="ada", tenant="a", voice=voice)


def by_library(who: Speaker, operation: Operation, given: Given) -> Outcome:
    return _called(who.lapse, who, operation, given)


def by_threads(who: Speaker, operation: Operation, given: Given) -> Outcome:
    with over_threads(who.lapse) as store:
        return _called(store, who, operation, given)


def by_client(who: Speaker, operation: Operation, given: Given) -> Outcome:
    app = Served(who.lapse, keys=bool(who.key)).app
    with LapseClient.open(URL, key=who.key or None, transport=Inside(app)) as store:
        return _called(store, who, operation, given)  # type: ignore[arg-type]  # it has the methods


def by_awaited_client(who: Speaker, operation: Operation, given: Given) -> Outcome:
    app = Served(who.lapse, keys=bool(who.key)).app
    with over_http(app, key=who.key or None) as store:
        return _called(store, who, operation, given)


def by_rest(who: Speaker, operation: Operation, given: Given) -> Outcome:
    served = Served(who.lapse, keys=bool(who.key))
    client = served.client(who.key or None, tenant=who.tenant, bank=who.bank)
    answer = client.do(operation, given)
    told = answer.json()
    if answer.is_success:
        kept = {name: each for name, each in told.items() if name not in OF_FACES}
        return Outcome(error="", words=json.dumps(kept))
    assert answer.status_code < 500, answer.text
    told.pop("request_id")
    return Outcome(error=told["error"], words=json.dumps(told))


def by_mcp(who: Speaker, operation: Operation, given: Given) -> Outcome:
    asked = {name: each for name, each in given.items() if name not in {*ACTORS, "yes"}}
    ended: list[Outcome] = []

    async def call(client: Client, arguments: dict[str, object]) -> dict[str, object] | None:
        told = await client.call_tool(operation.name, arguments)
        document: dict[str, object] = told.structured_content or {}
        if told.is_error:
            error = document["error"]
            assert isinstance(error, dict)
            ended.append(Outcome(error=error["type"], words=json.dumps(error)))
            return None
        return document

    async def hold(client: Client) -> None:
        shown = await call(client, asked)
        if shown is not None and given.get("yes"):
            shown = await call(client, {**asked, "confirm": shown["preview"]})
        if shown is not None:
            ended.append(Outcome(error="", words=json.dumps(shown.get("result", shown))))

    talk(who.lapse, hold, profile=Profile.FULL, tenant=who.tenant, bank=who.bank, actor="ada")
    (found,) = ended
    return found


def by_command(who: Speaker, operation: Operation, given: Given) -> Outcome:
    now = to_iso(who.lapse.parts.clock.now())
    return _typed(who, operation, given, ("--db", str(who.path), "--now", now))


def by_remote_command(who: Speaker, operation: Operation, given: Given) -> Outcome:
    with listening(who.lapse, keys=bool(who.key)) as (url, _):
        shown = ("--key", who.key) if who.key else ()
        return _typed(who, operation, given, ("--url", url, *shown))


def _typed(who: Speaker, operation: Operation, given: Given, at: tuple[str, ...]) -> Outcome:
    typed = typed_out(operation, given)
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        where = ("--tenant", who.tenant, "--bank", who.bank, "--json")
        code = main([*at, *where, *typed.arguments])
    if code == 0:
        return Outcome(error="", words=out.getvalue())
    assert out.getvalue() == ""
    error = json.loads(err.getvalue())["error"]
    return Outcome(error=error["type"], words=json.dumps(error))


def _called(store: Lapse, who: Speaker, operation: Operation, given: Given) -> Outcome:
    try:
        bank = store.bank(who.bank, tenant=who.tenant)
        return Outcome(error="", words=dumps(operation.call(bank, operation.read(given))))
    except LapseError as error:
        told = {"says": str(error), "fields": dict(error.fields)}
        return Outcome(error=type(error).__name__, words=json.dumps(told))


FACES: Mapping[str, Callable[[Speaker, Operation, Given], Outcome]] = {
    "library": by_library,
    "awaited": by_threads,
    "command": by_command,
    "rest": by_rest,
    "mcp": by_mcp,
    "client": by_client,
    "awaited client": by_awaited_client,
    "remote command": by_remote_command,
}
"""Every face."""

WITH_KEYS = ("rest", "client", "awaited client", "remote command")
"""Faces that a key is shown to; `tests/faces/test_mcp_http.py` does so at /mcp."""

by_every_face = pytest.mark.parametrize("face", FACES)
by_every_face_with_keys = pytest.mark.parametrize("face", WITH_KEYS)
