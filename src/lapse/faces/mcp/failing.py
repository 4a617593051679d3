"""What a model is told of an error.

Decides that it learns which field was wrong and what would be right, and never what a file is
called, what was given, or what an unforeseen exception says. Refuses to log texts: a traceback is
named by its places alone.
"""

import logging

from mcp import types

from lapse.errors import EmbedderError, KeyMissingError, LapseError, StoreError, ValidationError
from lapse.faces.logs import places
from lapse.faces.mcp.answering import failed
from lapse.faces.naming_faults import shown_field
from lapse.model.codec import Plain

_log = logging.getLogger("lapse.mcp")

_STORE = "the store could not do it; nothing was changed. Try again; if it stays so, tell whoever "
_STORE += "runs the server"
_KEY = "a key of the store is missing on the server: nothing can be written until it is there"
_EMBEDDER = "no vector could be made: the model that makes them does not answer. Try again later"


def told(error: LapseError) -> types.CallToolResult:
    """An error that Lapse raises on purpose."""
    name = type(error).__name__
    match error:
        case ValidationError():
            faults: list[Plain] = [
                {"field": shown_field(each.field), "problem": each.problem} for each in error.faults
            ]
            lines = "; ".join(f"{shown_field(each.field)}: {each.problem}" for each in error.faults)
            return failed(name, lines, faults)
        case KeyMissingError():
            return failed(name, _KEY)
        case StoreError():
            return failed(name, _STORE)
        case EmbedderError():
            return failed(name, _EMBEDDER)
        case _:
            return failed(name, str(error))


def unforeseen(error: Exception, operation: str) -> types.CallToolResult:
    """A fault in Lapse: its kind and its places are logged, and nothing of it is told."""
    where = " < ".join(places(error))
    _log.error("%s failed with %s at %s", operation, type(error).__name__, where)
    return failed("InternalError", f"{operation} failed inside the server, which has logged where")
