"""Jobs: long work that a caller asks after instead of waiting for it.

Decides that a job is known by an id of 16 random bytes to whoever holds it and the same key, that
its state lies sealed in the store so that any server can tell it, that progress is written at most
twice a second, and that a server which has jobs says every few seconds that it still does: a job of
which nothing was heard for longer has failed, because its server ended. What works only tells how
far it is, and another thread writes that: work may tell it while it holds the store's one place for
writers. An outcome that cannot be written yet is written later. A server that ends gives what runs
a while and begins nothing any more: what it leaves has failed, and says so. Refuses to know what
the work is.
"""

import json
import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from lapse.errors import LapseError, LimitError, NotFoundError
from lapse.faces.rest.problems import plain
from lapse.faces.rest.sealing import Seal
from lapse.faces.rest.tokens import Tokens
from lapse.model.instants import HOUR, SECOND, Instant, to_iso
from lapse.model.note import Note, Shelf
from lapse.ports import Clock, Entropy, Notes

AT_ONCE: Final = 2
"""Jobs of one process that run at the same time; others wait."""
MOST_WAITING: Final = 64
BEAT_S: Final = 5
"""Seconds between two signs of life of the jobs of one server."""
SILENT_S: Final = 30
"""Seconds without one after which a job counts as cut off."""
SILENT_WHILE_WRITING_S: Final = 3600
"""As SILENT_S, for work in one transaction, during which some stores let nobody else write."""
_ONE_TRANSACTION: Final = frozenset({"import"})
_BETWEEN_NOTES_S: Final = 0.5
_LAST_TRIES: Final = 20
"""How often a server that ends tries to write outcomes which could not be written before."""
GRACE_S: Final = 20.0
"""Seconds that what runs has to end in when its server ends."""
_LAST_WORD_S: Final = 2.0
"""Seconds after that for work that was told to stop to do so."""
_ID_BYTES: Final = 16
_SEEN: Final = "seen"
"""Member of the kept document, not of the told one: the last sign of life, in microseconds."""
_CUT_OFF: Final = (
    "the server that did it ended before it was done; what was done of it stands, so look before "
    "it is asked for again"
)
_NOT_BEGUN: Final = "cut off by a shutdown before it was begun: nothing was done; ask again"
_STOPPED: Final = (
    "cut off by a shutdown before it was done; what was done of it stands, so look before it is "
    "asked for again"
)

_log = logging.getLogger("lapse.rest")

Progress = Callable[[int, int], None]


class JobStatus(StrEnum):
    """How a job stands."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What work came to: a result, or the problem that stopped it."""

    result: object = None
    problem: dict[str, object] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    id: str
    operation: str
    seal: Seal
    note: Note
    told: dict[str, object]
    changed: bool = False
    ended: bool = False


Work = Callable[[Progress], Outcome]
"""What is done; a word about how far it is may stop it, with an exception that it lets through or
tells as its outcome."""


class _StoppedError(Exception):
    """Stops work whose server ends."""


class Jobs:
    """The jobs of one server."""

    def __init__(self, notes: Notes, tokens: Tokens, clock: Clock, entropy: Entropy) -> None:
        """Run nothing yet."""
        self._notes = notes
        self._tokens = tokens
        self._clock = clock
        self._entropy = entropy
        self._lock = threading.Lock()
        """For what is in memory. Nobody holds it while they wait for the store."""
        self._turn = threading.Condition(self._lock)
        self._queue: deque[tuple[str, Work]] = deque()
        self._threads = self._running = 0
        self._closing = self._stopping = False
        self._pen = threading.Lock()
        self._waiting: dict[str, _Job] = {}
        self._ending = threading.Event()
        self._beating: threading.Thread | None = None

    def start(
        self,
        place: str,
        who: str,
        operation: str,
        work: Work,
        keep_hours: float,
    ) -> dict[str, object]:
        """Have work done, and give its state.

        Args:
            place: The bank: who asks from elsewhere does not find it.
            who: The key that asked for it; another does not find it either.
            operation: Its name, for whoever asks.
            work: Called with something to tell progress to.
            keep_hours: For how long the result is kept.

        Raises:
            LimitError: Too many wait already, or the server is ending.
        """
        if self._closing:
            raise LimitError("the server is ending: ask again", retry_after_s=10)
        if len(self._waiting) >= MOST_WAITING:
            raise LimitError("too many jobs wait already", retry_after_s=10)
        job_id, now = self._entropy(_ID_BYTES).hex(), self._clock.now()
        told: dict[str, object] = {
            "id": job_id,
            "operation": operation,
            "status": JobStatus.QUEUED.value,
            "done": 0,
            "total": None,
            "created_at": to_iso(now),
            "updated_at": to_iso(now),
            "result": None,
            "problem": None,
        }
        seal = Seal.of(self._tokens, self._entropy, "job", place, who, job_id)
        until = Instant(now + round(keep_hours * HOUR))
        note = Note(shelf=Shelf.JOB, name=seal.name, place=place, version=1, body=b"", until=until)
        job = _Job(id=job_id, operation=operation, seal=seal, note=note, told=told)
        job = replace(job, note=self._put(job))
        with self._turn:
            self._waiting[job_id] = job
            self._queue.append((job_id, work))
            more = self._threads < min(AT_ONCE, len(self._queue) + self._running)
            self._threads += more
            self._turn.notify()
        if more:
            # Daemons: work that does not stop must not keep an ended process.
            threading.Thread(target=self._work, name="lapse-job", daemon=True).start()
        self._beat_from_now_on()
        return told

    def find(self, place: str, who: str, job_id: str) -> dict[str, object]:
        """The state of a job.

        Raises:
            NotFoundError: There is none of that id here.
        """
        seal = Seal.of(self._tokens, self._entropy, "job", place, who, job_id)
        with self._lock:
            here = self._waiting.get(job_id)
            if here is not None and here.seal.name == seal.name:
                return here.told
        note = self._notes.get(Shelf.JOB, seal.name)
        text = None if note is None else seal.open(note.body)
        if text is None:
            raise NotFoundError("no such job, or its time is over", fields={"job": job_id})
        found: dict[str, object] = json.loads(text)
        seen = found.pop(_SEEN)
        assert isinstance(seen, int)  # noqa: S101 - every note of a job has it
        ended = found["status"] in (JobStatus.DONE.value, JobStatus.FAILED.value)
        silent_s = (
            SILENT_S if found["operation"] not in _ONE_TRANSACTION else SILENT_WHILE_WRITING_S
        )
        if not ended and self._clock.now() - seen > silent_s * SECOND:
            found["status"] = JobStatus.FAILED.value
            found["problem"] = plain(503, "JobCutOffError", _CUT_OFF, "").body
        return found

    def forget(self, place: str) -> None:
        """Drop the results of a place."""
        self._notes.clear(Shelf.JOB, place)

    def close(self, grace_s: float = GRACE_S) -> None:
        """End: what runs has so many seconds, what waits is not begun. Both are told to who asks.

        Args:
            grace_s: Seconds; work that goes on beyond them is stopped where it tells how far it
                is, and given up a moment later where it tells nothing.
        """
        with self._turn:
            self._closing = True
            left = [job_id for job_id, _ in self._queue]
            self._queue.clear()
            self._turn.notify_all()
        for job_id in left:
            self._cut_off(job_id, _NOT_BEGUN)
        with self._turn:
            if not self._turn.wait_for(self._is_idle, grace_s):
                self._stopping = True
                self._turn.wait_for(self._is_idle, min(_LAST_WORD_S, grace_s))
        for job_id, job in self._held():
            if not job.ended:
                self._cut_off(job_id, _STOPPED)
        self._ending.set()
        if self._beating is not None:
            self._beating.join()
        for _ in range(_LAST_TRIES):
            self._write_all(each for each, job in self._held() if job.ended)

    def beat(self) -> None:
        """Say of every job under way that it is."""
        self._write_all(each for each, _ in self._held())

    def _held(self) -> list[tuple[str, _Job]]:
        with self._lock:
            return list(self._waiting.items())

    def _beat_from_now_on(self) -> None:
        with self._lock:
            if self._beating is None:
                thread = threading.Thread(target=self._keep_beating, daemon=True)
                self._beating = thread
                thread.start()

    def _keep_beating(self) -> None:
        rounds = 0
        while not self._ending.wait(_BETWEEN_NOTES_S):
            rounds += 1
            if rounds * _BETWEEN_NOTES_S >= BEAT_S:
                rounds = 0
                self.beat()
            else:
                self._write_all(each for each, job in self._held() if job.changed)

    def _write_all(self, job_ids: Iterable[str]) -> None:
        for job_id in job_ids:
            try:
                self._write(job_id)
            except LapseError as error:
                # The store is busy or full: the next round tries again.
                _log.warning("a job could not be written down: %s", type(error).__name__)

    def _is_idle(self) -> bool:
        return self._running == 0

    def _work(self) -> None:
        while True:
            with self._turn:
                self._turn.wait_for(lambda: self._queue or self._closing)
                if self._closing:
                    return
                job_id, work = self._queue.popleft()
                self._running += 1
            try:
                self._run(job_id, work)
            finally:
                with self._turn:
                    self._running -= 1
                    self._turn.notify_all()

    def _run(self, job_id: str, work: Work) -> None:
        stopped = False

        def progress(done: int, total: int) -> None:
            nonlocal stopped
            if self._stopping:
                stopped = True
                raise _StoppedError
            self._tell(job_id, done=done, total=total)

        self._tell(job_id, status=JobStatus.RUNNING.value)
        self._write_all([job_id])
        try:
            outcome = work(progress)
        except _StoppedError:
            outcome = Outcome()
        if stopped:
            self._cut_off(job_id, _STOPPED)
        else:
            status = JobStatus.DONE if outcome.problem is None else JobStatus.FAILED
            told = {"result": outcome.result, "problem": outcome.problem}
            self._end(job_id, status=status.value, **told)
        self._write_all([job_id])

    def _cut_off(self, job_id: str, why: str) -> None:
        problem = plain(503, "JobCutOffError", why, "").body
        self._end(job_id, status=JobStatus.FAILED.value, result=None, problem=problem)

    def _end(self, job_id: str, **told: object) -> None:
        self._tell(job_id, **told)
        with self._lock:
            job = self._waiting.get(job_id)
            if job is not None:
                self._waiting[job_id] = replace(job, ended=True)

    def _tell(self, job_id: str, **told: object) -> None:
        with self._lock:
            job = self._waiting.get(job_id)
            if job is None or job.ended:  # it was given up
                return
            whole = {**job.told, **told, "updated_at": to_iso(self._clock.now())}
            self._waiting[job_id] = replace(job, told=whole, changed=True)

    def _write(self, job_id: str) -> None:
        with self._pen:
            with self._lock:
                job = self._waiting.get(job_id)
            if job is None:  # it ended, and that was written
                return
            note = self._put(replace(job, note=replace(job.note, version=job.note.version + 1)))
            with self._lock:
                # It may have gone on while this was written.
                now = self._waiting[job_id]
                if job.ended:
                    del self._waiting[job_id]
                else:
                    still = now.told is not job.told
                    self._waiting[job_id] = replace(now, note=note, changed=still)

    def _put(self, job: _Job) -> Note:
        kept = json.dumps({**job.told, _SEEN: self._clock.now()})
        note = replace(job.note, body=job.seal.close(kept.encode("ascii")))
        if not self._notes.put(note):
            # It was cleared with the bank's other results, perhaps by what it does itself.
            note = replace(note, version=1)
            self._notes.put(note)
        return note
