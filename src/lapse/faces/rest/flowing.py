"""Answers that flow: lines are sent as they are made.

Decides that whoever makes them is let go at once when the reader has gone or the answer broke off:
an export holds a moment of the store, and what is erased meanwhile cannot be overwritten before.
Refuses to make lines.
"""

from collections.abc import Generator

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from lapse.faces.rest.reading import LINES


class Flow(StreamingResponse):
    """Lines of JSON, one piece after another."""

    def __init__(self, lines: Generator[bytes, None, None]) -> None:
        """Send these; nothing is made of them yet."""
        super().__init__(lines, media_type=LINES)
        self._lines = lines

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send, and let go.

        Raises:
            Exception: What broke the lines off.
        """
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._lines.close()
