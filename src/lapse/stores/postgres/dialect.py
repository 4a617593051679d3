"""A statement for SQLite in PostgreSQL's words.

Decides that a statement built by parts is compiled anew, that a text with a twin is replaced by it,
and that any other text is taken as it is but for the marks of its parameters. What names a row that
is to be replaced names its bank as well, since tables are laid apart by bank. Refuses to run
anything.
"""

import re
from functools import lru_cache
from typing import Final

from sqlalchemy import Dialect, Insert
from sqlalchemy.dialects.postgresql.base import PGDialect

from lapse.stores.postgres.twins import TWINS
from lapse.stores.sql.driver import Statement

PARTED: Final = (
    "memory", "memory_version", "retention", "vector", "event", "term", "identifier", "citation",
)  # fmt: skip
"""Tables that are laid apart by bank."""

# Theirs has no types.
DIALECT: Final[Dialect] = PGDialect(paramstyle="format")  # type: ignore[no-untyped-call]

_CONFLICT: Final = re.compile(r"INSERT INTO (\w+) .* ON CONFLICT \((?!bank\b)", re.DOTALL)
_NUMBERED: Final = re.compile(r"\?(\d)")
_MOST_KEPT: Final = 2048


@lru_cache(maxsize=_MOST_KEPT)
def in_postgres(statement: str) -> tuple[str, tuple[int, ...] | None]:
    """Give the text with `%s` for each parameter, and which parameter stands where.

    Returns:
        The text, and places in the caller's parameters, counted from 0; None where they stand in
        their own order.
    """
    twin = TWINS.get(statement)
    if twin is not None:
        return twin, None
    # Both write what is put in the place of a row in the same words, but SQLAlchemy does not know.
    if isinstance(statement, Statement) and not isinstance(statement.core, Insert):
        compiled = statement.core.compile(
            dialect=DIALECT, compile_kwargs={"render_postcompile": True}
        )
        text = f"{compiled} LIMIT %s" if statement.limit else str(compiled)
        return text, None
    text = statement.replace("%", "%%")
    places = tuple(int(each) - 1 for each in _NUMBERED.findall(text))
    if places:
        return _NUMBERED.sub("%s", text), places
    return _with_bank(text.replace("?", "%s")), None


def _with_bank(text: str) -> str:
    found = _CONFLICT.match(text)
    if found is None or found[1] not in PARTED:
        return text
    return f"{text[: found.end()]}bank, {text[found.end() :]}"
