"""Memories of conversations, and the terms they are compared by."""

from dataclasses import replace

from lapse.model.memory import Memory, Role
from lapse.testing.fakes import memory
from lapse.text.tokens import Tokeniser

TERMS = Tokeniser().terms


def turn(name: str, text: str, *, session: str | None = "s1", source: str | None = None) -> Memory:
    """One turn of a session."""
    return replace(memory(name, text), session=session, source=source, role=Role.USER)
