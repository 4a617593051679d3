"""The engine's heart: open banks, and the one way to commit.

Decides how a bank is found and that every verb goes through one `commit`. Refuses any rule.
"""

import hashlib
import threading
from collections.abc import Sequence

from lapse.engine.parts import Parts
from lapse.engine.runtime import BankRuntime
from lapse.errors import StoreError, raise_all
from lapse.model.changeset import ChangeSet, Committed, Judge, Reads
from lapse.model.instants import Instant
from lapse.model.memory import BankRef, TextFacets, line_faults, name_faults
from lapse.model.verbs import Verb
from lapse.text.distinctions import distinctions_of
from lapse.text.fingerprints import fingerprint

SYSTEM = "lapse"
"""Names Lapse itself as the actor of what nobody asked for by name."""


class Core:
    """Open banks of one store. Thread-safe."""

    def __init__(self, parts: Parts) -> None:
        """Compose; nothing is read until a bank is asked for."""
        self.parts = parts
        self._lock = threading.Lock()
        self._banks: dict[BankRef, BankRuntime] = {}
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether `shut` was called."""
        return self._closed

    def runtime(self, ref: BankRef) -> BankRuntime:
        """The open bank of that name.

        Raises:
            StoreError: The engine was closed.
        """
        with self._lock:
            if self._closed:
                raise StoreError("this Lapse is closed; open it again")
            if ref not in self._banks:
                self._banks[ref] = BankRuntime(self.parts, ref)
            return self._banks[ref]

    def open_banks(self) -> list[BankRuntime]:
        """The banks this process has touched, by name."""
        with self._lock:
            return [self._banks[ref] for ref in sorted(self._banks)]

    def now(self) -> Instant:
        """Read the clock: once per operation."""
        return self.parts.clock.now()

    def commit(
        self, verb: Verb, ref: BankRef, now: Instant, reads: Reads, judge: Judge
    ) -> Committed:
        """Commit one verb."""
        change = ChangeSet(verb=verb, ref=ref, now=now, reads=reads, judge=judge)
        return self.parts.store.commit(change)

    def shut(self) -> None:
        """Refuse further work and close the store."""
        with self._lock:
            self._closed = True
        self.parts.store.close()


def check_actor(by: str, reason: str | None = None) -> None:
    """Make sure that who acts, and why, can be journalled.

    Raises:
        ValidationError: A name or reason that is blank or cannot be kept.
    """
    faults = list(name_faults("by", by))
    if reason is not None:
        faults.extend(line_faults("reason", reason))
    raise_all(faults)


def facets_of(runtime: BankRuntime, texts: Sequence[str]) -> list[TextFacets]:
    """What the text layer reads off each text."""
    tokeniser = runtime.tokeniser
    return [
        TextFacets(
            terms=tuple(tokeniser.terms(text)),
            fingerprint=fingerprint(text),
            distinctions=_digest(text),
            word_count=len(text.split()),
        )
        for text in texts
    ]


def _digest(text: str) -> bytes:
    # What must be equal in two texts whatever else is: a cheap test before the whole comparison.
    read = distinctions_of(text)
    parts = (read.numbers, read.identifiers, read.negations)
    joined = "\x1e".join("\x1f".join(each) for each in parts)
    return hashlib.blake2b(joined.encode("utf-8", "surrogatepass"), digest_size=8).digest()
