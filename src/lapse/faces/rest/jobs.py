"""Jobs: long work that a caller asks after instead of waiting for it.

Decides that a job is known by an id of 16 random bytes to whoever holds it and the same key, that
its state lies sealed in the store so that any server can tell it, and that progress is written at
most twice a second. Refuses to know what the work is.
"""

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from lapse.errors import LimitError, NotFoundError
from lapse.faces.rest.sealing import Seal
from lapse.faces.rest.tokens import Tokens
from lapse.model.instants import HOUR, Instant, to_iso
from lapse.model.note import Note, Shelf
from lapse.ports import Clock, Entropy, Notes

AT_ONCE: Final = 2
"""Jobs of one process that run at the same time; others wait."""
MOST_WAITING: Final = 64
_BETWEEN_NOTES: Final = 500_000  # microseconds
_ID_BYTES: Final = 16

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


class Jobs:
    """The jobs of one server."""

    def __init__(self, notes: Notes, tokens: Tokens, clock: Clock, entropy: Entropy) -> None:
        """Run nothing yet."""
        self._notes = notes
        self._tokens = tokens
        self._clock = clock
        self._entropy = entropy
        self._pool = ThreadPoolExecutor(max_workers=AT_ONCE, thread_name_prefix="lapse-job")
        self._lock = threading.Lock()
        self._waiting = 0

    def start(
        self,
        place: str,
        who: str,
        operation: str,
        work: Callable[[Progress], Outcome],
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
            LimitError: Too many wait already.
        """
        with self._lock:
            if self._waiting >= MOST_WAITING:
                raise LimitError("too many jobs wait already", retry_after_s=10)
            self._waiting += 1
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
        self._write(job)
        self._pool.submit(self._run, job, work)
        return told

    def find(self, place: str, who: str, job_id: str) -> dict[str, object]:
        """The state of a job.

        Raises:
            NotFoundError: There is none of that id here.
        """
        seal = Seal.of(self._tokens, self._entropy, "job", place, who, job_id)
        note = self._notes.get(Shelf.JOB, seal.name)
        text = None if note is None else seal.open(note.body)
        if text is None:
            raise NotFoundError("no such job, or its time is over", fields={"job": job_id})
        found: dict[str, object] = json.loads(text)
        return found

    def forget(self, place: str) -> None:
        """Drop the results of a place."""
        self._notes.clear(Shelf.JOB, place)

    def close(self) -> None:
        """Finish what runs and waits, then stop."""
        self._pool.shutdown(wait=True)

    def _run(self, job: _Job, work: Callable[[Progress], Outcome]) -> None:
        job = self._changed(job, status=JobStatus.RUNNING.value)
        latest = job
        written_at = self._clock.now()

        def progress(done: int, total: int) -> None:
            nonlocal latest, written_at
            now = self._clock.now()
            if now - written_at >= _BETWEEN_NOTES:
                written_at = now
                latest = self._changed(latest, done=done, total=total)

        try:
            outcome = work(progress)
        finally:
            with self._lock:
                self._waiting -= 1
        failed = outcome.problem is not None
        status = JobStatus.FAILED if failed else JobStatus.DONE
        told = {"result": outcome.result, "problem": outcome.problem}
        self._changed(latest, status=status.value, **told)

    def _changed(self, job: _Job, **told: object) -> _Job:
        note = replace(job.note, version=job.note.version + 1)
        at = to_iso(self._clock.now())
        changed = replace(job, note=note, told={**job.told, **told, "updated_at": at})
        self._write(changed)
        return changed

    def _write(self, job: _Job) -> None:
        body = job.seal.close(json.dumps(job.told).encode("ascii"))
        self._notes.put(replace(job.note, body=body))
