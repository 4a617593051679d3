"""Whether what a thread does off the path is to end, because its process ends.

Decides that a thread is told by an event of whoever runs it, and that no other thread hears of it.
Refuses to end anything: whoever works asks between two steps, and a question to a model is given
up (`background`).
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Ending:
    """Says whether this thread's work is to end; never outside `during`."""

    def __init__(self) -> None:
        self._here = threading.local()

    def __call__(self) -> bool:
        """Whether it is to end."""
        event = self._event()
        return event is not None and event.is_set()

    @property
    def possible(self) -> bool:
        """Whether anybody may tell this thread to end."""
        return self._event() is not None

    @contextmanager
    def during(self, event: threading.Event) -> Iterator[None]:
        """End what this thread does meanwhile as soon as `event` is set."""
        before = self._event()
        self._here.event = event
        try:
            yield
        finally:
            self._here.event = before

    def _event(self) -> threading.Event | None:
        found: threading.Event | None = getattr(self._here, "event", None)
        return found
