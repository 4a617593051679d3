"""Logs of long-running faces: one JSON object to a line, on standard error.

Decides which fields a line has, and that the id of the request it belongs to is among them. Refuses
content: what is logged is a message of ours with names, numbers and kinds in it, never the text of
a memory, and of an exception its kind and its places alone.
"""

import json
import logging
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum
from pathlib import PurePath
from typing import TextIO

from lapse.model.instants import Instant, to_iso

_REQUEST: ContextVar[str] = ContextVar("lapse.request", default="")

ROOT = "lapse"
OWN_FIELDS = frozenset({"operation", "face", "status", "duration_ms", "bank_class", "job"})
"""Fields that a log call may add by `extra=`; any other is left out."""


class LogLevel(StrEnum):
    """How much is logged."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class JsonLines(logging.Formatter):
    """One JSON object to a line: at, level, logger, message, request, and our own fields."""

    def format(self, record: logging.LogRecord) -> str:
        """Write a record."""
        told: dict[str, object] = {
            "at": to_iso(Instant(int(record.created * 1_000_000))),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if request := _REQUEST.get():
            told["request"] = request
        told |= {name: each for name, each in vars(record).items() if name in OWN_FIELDS}
        if record.exc_info and record.exc_info[1] is not None:
            told["error"] = type(record.exc_info[1]).__name__
            told["where"] = places(record.exc_info[1])
        return json.dumps(told, default=str)


def places(error: BaseException) -> list[str]:
    """Where an exception was raised, innermost first: files and lines, none of its words."""
    frames = traceback.extract_tb(error.__traceback__)
    return [f"{PurePath(each.filename).name}:{each.lineno}" for each in reversed(frames)]


def log_to(stream: TextIO | None = None, level: LogLevel = LogLevel.INFO) -> logging.Handler:
    """Send what this process logs to a stream, standard error if left out, and nowhere else.

    Other libraries are heard from WARNING on: their own words at lower levels may hold anything.
    """
    handler = logging.StreamHandler(sys.stderr if stream is None else stream)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger(ROOT).setLevel(level.upper())
    return handler


@contextmanager
def request(name: str) -> Iterator[None]:
    """Have everything that is logged within carry the id of a request."""
    token = _REQUEST.set(name)
    try:
        yield
    finally:
        _REQUEST.reset(token)


def has_request() -> bool:
    """Whether what is logged here carries the id of a request already."""
    return bool(_REQUEST.get())
