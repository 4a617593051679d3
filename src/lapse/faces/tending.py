"""Tending a store: a thread that does what waits in every bank, round after round.

Decides how often, that one round ends before the next begins, what healthy means, and how long the
round under way is waited for by whoever ends. Refuses to decide what upkeep is and which sweep is
due: leases in the store keep several servers apart (`engine.upkeep`, `engine.sweep_schedule`).
"""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lapse.errors import LapseError, StoppedError
from lapse.faces.app import Lapse
from lapse.faces.ending import Ending
from lapse.model.sweep import Swept

_log = logging.getLogger("lapse.worker")

EVERY_S = 60.0
"""Seconds between the ends of two rounds' beginnings, if the earlier one takes less."""
LATE_AFTER = 10
"""Periods without the end of a round after which a tender is not healthy."""

ENDS_WITHIN_S = 30.0
"""Seconds for which the step under way is waited for once a tender is to end."""

Ended = Callable[[str], None]
"""Told how a round ended: ok or failed."""
SweptBy = Callable[[Sequence[Swept]], None]
"""Told what the sweeps of a round did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a tender stands.

    Attributes:
        running: Whether its thread lives.
        rounds: Rounds that ended.
        failures: Of the latest rounds, how many failed in a row.
        quiet_s: Seconds since the last round ended, or since the start.
    """

    running: bool
    rounds: int
    failures: int
    quiet_s: float


class Tender:
    """Tends a store until it is stopped. A failed round is logged and tried again."""

    def __init__(
        self,
        lapse: Lapse,
        every_s: float = EVERY_S,
        ended: Ended | None = None,
        swept: SweptBy | None = None,
    ) -> None:
        """Start no thread yet.

        Args:
            lapse: The store; whoever opened it closes it, after `stop`.
            every_s: Seconds between two rounds.
            ended: Told how each round ended.
            swept: Told what scheduled sweeps did, in rounds that ended well.
        """
        self._lapse = lapse
        self._every_s = every_s
        self._ended = ended
        self._swept = swept
        self._stopwatch = lapse.parts.stopwatch
        asked = lapse.parts.ending
        self._ending = asked if isinstance(asked, Ending) else Ending()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lapse-tender", daemon=True)
        self._rounds = 0
        self._failures = 0
        self._last = self._stopwatch()

    def start(self) -> None:
        """Begin with a round at once, in a thread of its own."""
        self._thread.start()

    def stop(self, within_s: float = ENDS_WITHIN_S) -> bool:
        """Let the step under way end, with its leases given back; begin no other.

        A question to a model is given up, and what waits for it waits on in the store. A step that
        takes longer is left to itself: its thread ends with the process, half of a write is none,
        and its leases, if it holds any, end by the clock.

        Args:
            within_s: Seconds for which it is waited for.

        Returns:
            Whether nothing is under way any more.
        """
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(within_s)
        if self._thread.is_alive():
            _log.warning("a round was left under way: it did not end within %g s", within_s)
            return False
        return True

    def standing(self) -> Standing:
        """How it stands now."""
        return Standing(
            running=self._thread.is_alive(),
            rounds=self._rounds,
            failures=self._failures,
            quiet_s=self._stopwatch() - self._last,
        )

    def healthy(self) -> bool:
        """Whether it lives and has ended a round within the last ten periods."""
        standing = self.standing()
        return standing.running and standing.quiet_s <= LATE_AFTER * self._every_s

    def round(self) -> bool:
        """Do one round in this thread. Says whether all of it went well."""
        outcome = "ok"
        try:
            swept = self._lapse.tend()
            if swept and self._swept is not None:
                self._swept(swept)
        except StoppedError:
            _log.info("a round was broken off, as its process ends; the next one goes on")
        except LapseError as error:
            outcome = "failed"
            _log.warning("a round failed and will be tried again: %s", type(error).__name__)
        self._rounds += 1
        self._failures = 0 if outcome == "ok" else self._failures + 1
        self._last = self._stopwatch()
        if self._ended is not None:
            self._ended(outcome)
        return outcome == "ok"

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                with self._ending.during(self._stopping):
                    self.round()
            except Exception as error:  # noqa: BLE001 - a fault in one round must not end the thread
                _log.error("a round broke off: %s", type(error).__name__)
            self._stopping.wait(self._every_s)
