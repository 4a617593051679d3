"""`lapse serve` and `lapse keys`: who may come in, and letting them in.

Decides what is typed and said. Refuses to know what a key is (`faces.access`) and how to listen
(`faces.serving`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from lapse.errors import ValidationError
from lapse.faces.cli.common import DEFAULT_TARGET, Common
from lapse.faces.cli.failing import OK
from lapse.faces.cli.keys import rotation
from lapse.faces.cli.process import SERVE_PANEL
from lapse.faces.cli.remote import refuse_url
from lapse.faces.cli.running import configuration_of, require_store
from lapse.faces.cli.streams import note, show, write_line
from lapse.faces.logs import LogLevel, log_to
from lapse.model.codec import dumps
from lapse.model.instants import to_iso

if TYPE_CHECKING:
    from lapse.faces.access import ApiKey
    from lapse.faces.app import Lapse

_DB = typer.Option("--db", metavar="PATH", help="The store.", show_default=False)
_JSON = typer.Option("--json", help="Give the result as one JSON document.", show_default=False)
Db = Annotated[str | None, _DB]
Json = Annotated[bool, _JSON]

KEYS = "keys"
KEYS_HELP = (
    "Keys to a served store: create, list, revoke. rotate: the key of tombstones and receipts."
)


def add_serving(app: typer.Typer) -> None:
    """Add `serve`, and the commands about keys as a group."""
    app.command("serve", rich_help_panel=SERVE_PANEL)(serve)
    group = typer.Typer(name=KEYS, help=KEYS_HELP, no_args_is_help=True)
    group.command("create")(create)
    group.command("list")(list_keys)
    group.command("rotate")(rotation())
    group.command("revoke")(revoke)
    app.add_typer(group, rich_help_panel=SERVE_PANEL)


def serve(
    context: typer.Context,
    host: Annotated[
        str, typer.Option(help="Where to listen; other machines' only with a key.", metavar="HOST")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Which port.", metavar="N")] = 8377,
    log_level: Annotated[
        str, typer.Option(help="debug, info, warning or error.", metavar="NAME")
    ] = "info",
    db: Db = None,
) -> int:
    """Serve the store over HTTP until the process is told to end.

    The routes are those of the table of operations; /openapi.json lists them. MCP is at /mcp,
    metrics at /metrics. Callers show a key (Authorization: Bearer). Without any key the server
    listens to this machine alone. Logs go to standard error, a JSON object to a line.
    """
    levels = {each.value: each for each in LogLevel}
    _require_known("log-level", log_level, tuple(levels))
    from lapse.faces.serving import bind  # noqa: PLC0415 - help loads no engine
    from lapse.faces.serving import serve as run  # noqa: PLC0415 - as above

    log_to(level=levels[log_level])
    with _made(context, db) as lapse:
        run(lapse, bind(lapse, host, port), note)
    return OK


def create(
    context: typer.Context,
    owner: Annotated[
        str, typer.Argument(metavar="OWNER", help="Who acts with it: the journal's actor.")
    ],
    *,
    role: Annotated[
        str, typer.Option(help="reader, writer, approver, operator or auditor.", metavar="NAME")
    ] = "writer",
    tenant: Annotated[
        str, typer.Option(help="Whose banks; * for every tenant's.", metavar="NAME")
    ] = "default",
    bank: Annotated[
        list[str] | None,
        typer.Option(help="Which bank, may be repeated; * for all, which is the default."),
    ] = None,
    voice: Annotated[
        str, typer.Option(help="host, or model for a key that only a model uses.", metavar="NAME")
    ] = "host",
    expires: Annotated[
        str | None, typer.Option(help="From when it opens nothing any more.", metavar="TIME")
    ] = None,
    db: Db = None,
    as_json: Json = False,
) -> int:
    """Make a key and show it, once: only its owner has it afterwards."""
    from lapse.faces.access import Grant, KeyRing  # noqa: PLC0415 - help loads no engine
    from lapse.faces.access.roles import Role, Voice  # noqa: PLC0415 - as above
    from lapse.model.instants import parse_instant  # noqa: PLC0415 - as above

    roles = {each.value: each for each in Role}
    voices = {each.value: each for each in Voice}
    _require_known("role", role, tuple(roles))
    _require_known("voice", voice, tuple(voices))
    grant = Grant(
        owner=owner,
        role=roles[role],
        tenant=tenant,
        banks=tuple(bank or ("*",)),
        voice=voices[voice],
        expires_at=None if expires is None else parse_instant(expires, "expires"),
    )
    with _made(context, db) as lapse:
        parts = lapse.parts
        issued = KeyRing(lapse.notes).create(grant, now=parts.clock.now(), entropy=parts.entropy)
    if _wants_json(context, as_json):
        write_line(dumps(_Made(key=issued.written, id=issued.key.id)))
        return OK
    write_line(issued.written)
    note("this is the only time it is shown; keep it where only its owner reads")
    return OK


def list_keys(context: typer.Context, *, db: Db = None, as_json: Json = False) -> int:
    """List keys, without their secrets."""
    from lapse.faces.access import KeyRing  # noqa: PLC0415 - help loads no engine

    with _open(context, db) as lapse:
        now, keys = lapse.parts.clock.now(), KeyRing(lapse.notes).all()
    if _wants_json(context, as_json):
        write_line(dumps(_Listed(keys=tuple(_seen(each) for each in keys))))
        return OK
    if not keys:
        note("no keys yet; `lapse keys create OWNER` makes one")
        return OK
    from rich.table import Table  # noqa: PLC0415 - Rich loads slowly

    table = Table(box=None)
    for column in ("key", "owner", "role", "tenant", "banks", "voice", "holds"):
        table.add_column(column)
    for each in keys:
        grant, holds = each.grant, "yes" if each.holds(now) else "no"
        banks = ", ".join(grant.banks)
        table.add_row(each.id, grant.owner, grant.role, grant.tenant, banks, grant.voice, holds)
    show(table)
    return OK


def revoke(
    context: typer.Context,
    key: Annotated[str, typer.Argument(metavar="ID", help="The key, by the id that list shows.")],
    db: Db = None,
) -> int:
    """Let a key open nothing from now on, at any server of the store."""
    from lapse.faces.access import KeyRing  # noqa: PLC0415 - help loads no engine

    with _open(context, db) as lapse:
        revoked = KeyRing(lapse.notes).revoke(key, now=lapse.parts.clock.now())
    note(f"{revoked.id} of {revoked.grant.owner} opens nothing any more")
    return OK


@dataclass(frozen=True, slots=True, kw_only=True)
class _Made:
    key: str
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    id: str
    owner: str
    role: str
    tenant: str
    banks: tuple[str, ...]
    voice: str
    created_at: str
    expires_at: str | None
    revoked_at: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Listed:
    keys: tuple[_Seen, ...]


def _seen(key: "ApiKey") -> _Seen:
    grant = key.grant
    return _Seen(
        id=key.id,
        owner=grant.owner,
        role=grant.role.value,
        tenant=grant.tenant,
        banks=grant.banks,
        voice=grant.voice.value,
        created_at=to_iso(key.created_at),
        expires_at=None if grant.expires_at is None else to_iso(grant.expires_at),
        revoked_at=None if key.revoked_at is None else to_iso(key.revoked_at),
    )


def _wants_json(context: typer.Context, here: bool) -> bool:  # noqa: FBT001 - Typer's own flag
    before: Common = context.obj
    return here or bool(before.json)


def _target(context: typer.Context, db: str | None) -> str:
    before: Common = context.obj
    if db is None:
        refuse_url(before)
    return db or before.db or DEFAULT_TARGET


@contextmanager
def _made(context: typer.Context, db: str | None) -> Iterator["Lapse"]:
    """Open the store, made where there is none yet."""
    from lapse.faces.app import Lapse  # noqa: PLC0415 - help loads no engine

    settings = configuration_of(context.obj)
    with Lapse.open(_target(context, db), config=settings) as lapse:
        yield lapse


@contextmanager
def _open(context: typer.Context, db: str | None) -> Iterator["Lapse"]:
    """Open the store, which has to be there."""
    require_store(_target(context, db))
    with _made(context, db) as lapse:
        yield lapse


def _require_known(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise ValidationError.of(name, value, f"needs one of {', '.join(known)}")
