"""Through which face the act under way came.

Decides that it is known to the thread that acts, and to no other. Refuses to name the faces.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Via:
    """Names the face of the act under way in this thread; empty outside `through`."""

    def __init__(self) -> None:
        self._here = threading.local()

    def __call__(self) -> str:
        """The face's name, or empty."""
        named: str = getattr(self._here, "face", "")
        return named

    @contextmanager
    def through(self, face: str) -> Iterator[None]:
        """Name the face while it acts."""
        before = self()
        self._here.face = face
        try:
            yield
        finally:
            self._here.face = before
