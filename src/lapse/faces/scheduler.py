"""The worker that does upkeep off the path, in one thread of the process that opened Lapse.

Decides when upkeep runs: a moment after it was woken, now and then by itself, so that scheduled
sweeps find their quiet hour, and once more when Lapse is closed. Refuses to decide what upkeep is
(`engine.upkeep`) and which bank a sweep is due for (`engine.sweep_schedule`). Any number of
processes may run one: both are safe to repeat.
"""

import logging
import threading
from collections.abc import Callable
from typing import Final

from lapse.errors import StoppedError
from lapse.faces.ending import Ending

_log = logging.getLogger("lapse.upkeep")


GATHER_S: Final = 0.25
"""Seconds from a wake to the work. A round looks at every open bank, whatever woke it: without a
pause a bank that is written to twenty times a second would be looked at all the time."""


class Worker:
    """A thread that calls `work` soon after a wake; wakes that come meanwhile are one.

    Args:
        work: What is done.
        every_s: Seconds after which it is done without a wake, once the thread runs, or None.
        ending: What the work asks whether to end; None where it does not ask.
        gather_s: Seconds from a wake to the work.
    """

    def __init__(
        self,
        work: Callable[[], object],
        every_s: float | None = None,
        ending: Ending | None = None,
        gather_s: float = GATHER_S,
    ) -> None:
        """Start no thread yet: the first wake does."""
        self._work = work
        self._every_s = every_s
        self._ending = ending or Ending()
        self._gather_s = gather_s
        self._stopping = threading.Event()
        self.begin_anew()

    def begin_anew(self) -> None:
        """Have no thread yet, as in a forked process: threads stay with the parent."""
        ended, self._stopping = self._stopping.is_set(), threading.Event()
        if ended:
            self._stopping.set()
        self._lock = threading.Lock()
        self._woken = threading.Event()
        self._thread: threading.Thread | None = None

    def wake(self) -> None:
        """Have the work done soon. Returns at once."""
        with self._lock:
            if self._stopping.is_set():
                return
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="lapse-upkeep", daemon=True)
                self._thread.start()
        self._woken.set()

    def stop(self) -> None:
        """Let the step under way end, then stop. What still waits is done by whoever runs next."""
        with self._lock:
            self._stopping.set()
            thread = self._thread
        self._woken.set()
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        while True:
            self._woken.wait(self._every_s)
            if self._stopping.wait(self._gather_s):
                return
            self._woken.clear()
            try:
                with self._ending.during(self._stopping):
                    self._work()
            except StoppedError:
                return
            except Exception as error:  # noqa: BLE001 - a failed round must not end the thread; the next wake tries again
                _log.warning("upkeep failed and will be tried again: %s", type(error).__name__)
