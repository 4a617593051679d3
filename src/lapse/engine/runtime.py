"""One open bank: its index in RAM, its policy in force, and what waits to be written.

Decides when the index is brought up to date (before every read that uses it) and which policy and
law apply. Refuses to rank or to write.
"""

import threading
from collections import OrderedDict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from lapse.embed.snapshots import unpack
from lapse.engine.answer_desk import AnswerDesk
from lapse.engine.parts import Parts
from lapse.engine.readings import Readings
from lapse.engine.stamps import stamp_of
from lapse.erasure.checking import Watch
from lapse.erasure.matching import TombstoneIndex
from lapse.errors import Fault, PolicyError
from lapse.importance.waiting import Waiting
from lapse.index.bank_index import BankIndex
from lapse.index.snapshot import Snapshot
from lapse.laws import Law, law_for
from lapse.lifecycle.chronicle import Step
from lapse.lifecycle.dating import dates, dates_each
from lapse.model.bank import NO_IDF, Bank, Space
from lapse.model.changeset import Committed
from lapse.model.memory import BankRef, JsonValue, Memory
from lapse.model.policy import Mode, Policy, fingerprint
from lapse.model.policy_layers import Diff, Layer, Origin, Resolved, merge, with_request
from lapse.model.policy_sources import from_diff, from_request
from lapse.model.query import Candidate, Recall
from lapse.model.retention import Dates, RetentionState, UseEvent
from lapse.ports import Embedder
from lapse.reflection.ledger import Ledger
from lapse.text.tokens import Tokeniser

REQUESTS_LIMIT = 64
"""Policies of requests kept, so that the same overrides are not merged again."""

OFFERED_LIMIT = 10_000
"""Candidates of another store kept in RAM, so that a later report of their use finds them."""

RETURNED_BATCH = 64
"""Events of what was returned that are worth waking upkeep for."""

RETURNED_LIMIT = 10_000
"""Such events kept in RAM while nobody writes them; beyond it, the oldest no longer count."""

SYSTEM = "lapse"
"""Names Lapse itself as the actor of what nobody asked for by name."""

TOMBSTONES_AT_ONCE = 20_000
"""Tombstones read by one statement when a bank is first written to."""

REFRESH_TRIES = 20
"""How often a refresh looks again when others wrote between its reading of bank and index."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """The policy in force with what follows from it.

    Attributes:
        resolved: Every setting, with its origin.
        law: The law it names.
        fingerprint: Digest of the policy.
        stamp: Canonical text of every setting that strengths and dates of fading depend on.
    """

    resolved: Resolved
    law: Law
    fingerprint: str
    stamp: str

    @property
    def policy(self) -> Policy:
        """Every setting."""
        return self.resolved.policy

    @property
    def mode(self) -> Mode:
        """The mode in force; `off` when forgetting is disabled."""
        return self.policy.forgetting.effective_mode

    def date(self, memory: Memory, state: RetentionState) -> Dates:
        """When one memory is due."""
        return dates(self.law, self.policy, memory, state)

    def date_each(self, rows: Sequence[tuple[Memory, RetentionState]]) -> list[Dates]:
        """When many memories are due."""
        return dates_each(self.law, self.policy, rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """A recall kept in RAM, with its question."""

    recall: Recall
    query: str


@dataclass(slots=True, kw_only=True)
class Moves:
    """The moves that a bank's journal tells, as far as it was read. Guarded by the runtime's lock.

    Attributes:
        steps: In the order of the journal.
        through: Number of the last entry read.
    """

    steps: list[Step] = field(default_factory=list)
    through: int = 0


class BankRuntime:
    """What one process holds of one bank. Thread-safe."""

    def __init__(self, parts: Parts, ref: BankRef) -> None:
        """Open nothing yet: the index fills at the first read."""
        self.ref = ref
        self.lock = threading.RLock()
        self.inspected = False
        # Whether something may lack a vector: until somebody looked, and after others wrote.
        self.unfilled = True
        self.returned: deque[UseEvent] = deque(maxlen=RETURNED_LIMIT)
        self._parts = parts
        self._index = BankIndex(ref)
        self._bank: Bank | None = None
        self._followed = -1
        self._rule: Rule | None = None
        self._policy_faults: tuple[Fault, ...] = ()
        self._requests: dict[str, Rule] = {}
        self._tokenisers: dict[str, Tokeniser] = {}
        self._making, self._watching = threading.Lock(), threading.Lock()
        self._traces: OrderedDict[str, Trace] = OrderedDict()
        self._idfs: dict[int, NDArray[np.float32]] = {}
        self._offered: OrderedDict[str, Candidate] = OrderedDict()
        self.readings, self.moves = Readings(), Moves()
        self.counted = (-1, 0)  # a revision, and how many memories there were
        self.ledger, self.answers, self.waiting = Ledger(), AnswerDesk(), Waiting()
        self._watched = False
        self._tombstones = TombstoneIndex()

    def follow(self) -> Bank | None:
        """Learn what other processes committed to the bank's own record, such as its policy.

        Cheaper than `refresh`: what only writes needs no index.
        """
        with self.lock:
            if self._parts.store.revision(self.ref) != self._followed or self._rule is None:
                self._take_bank(self._parts.store.bank(self.ref))
                self._followed = 0 if self._bank is None else self._bank.revision
                self.unfilled = True
            return self._bank

    def wrote(self, committed: Committed) -> None:
        """Learn what a commit of this process did, so that `follow` need not read it back."""
        if (changes := committed.changes).empty:
            return  # the revision it names is of somebody else's write
        vectors = [*(e.vector for e in changes.created), *(e.vector for e in changes.revised)]
        with self.lock:
            self.unfilled |= None in vectors
            next_one = committed.revision == self._followed + 1
            if self._bank is not None and next_one and changes.bank is None:
                self._bank = replace(self._bank, revision=committed.revision)
                self._followed = committed.revision

    def refresh(self) -> Snapshot:
        """Bring the index up to the last commit of any process, and give its snapshot.

        Bank and snapshot are of one revision, so that a question is pooled as the texts were.
        """
        store = self._parts.store
        with self.lock:
            for _ in range(REFRESH_TRIES):
                self.follow()
                if self._followed != self._index.snapshot.revision:
                    self._index.follow(lambda since: store.changes(self.ref, since))
                if self._followed == self._index.snapshot.revision:
                    break
            return self._index.snapshot

    @property
    def held(self) -> int:
        """Places that the bank takes in this process's RAM; 0 where it is not held."""
        found = self._index.snapshot
        return len(found.live) + len(found.archived)

    def let_go(self) -> None:
        """Hold the bank in RAM no longer; who needs it whole reads it again."""
        with self.lock:
            self._index = BankIndex(self.ref)

    def rebuild(self) -> Snapshot:
        """Read the whole index from the rows again, for when it names what is not there."""
        with self.lock:
            self._index.advance(self._parts.store.changes(self.ref, 0))
            return self.refresh()

    @property
    def bank(self) -> Bank | None:
        """The bank's record as of the last refresh; None before its first write."""
        self._ensure()
        return self._bank

    @property
    def rule(self) -> Rule:
        """The policy in force as of the last refresh."""
        self._ensure()
        assert self._rule is not None  # noqa: S101 - _ensure set it
        return self._rule

    @property
    def policy_faults(self) -> tuple[Fault, ...]:
        """Why the bank's stored policy is not in force but the deployment's alone; mostly nothing.

        What a deployment sets may come to contradict what a bank was given earlier.
        """
        self._ensure()
        return self._policy_faults

    def check_policy(self) -> None:
        """Refuse to write by another policy than the bank's own.

        Raises:
            PolicyError: The stored policy cannot be in force; `set_policy` mends it.
        """
        if self.policy_faults:
            raise PolicyError(self.policy_faults)

    def rule_for(self, request: Mapping[str, object], over: Rule | None = None) -> Rule:
        """A rule with the safe overrides of one request laid over it.

        Args:
            request: Values by dotted path.
            over: The rule beneath; the one in force if left out.

        Raises:
            PolicyError: Something a request may not change, or a value out of range.
        """
        rule = self.rule if over is None else over
        if not request:
            return rule
        try:
            key = f"{rule.fingerprint} {sorted(request.items())!r}"
        except (ValueError, RecursionError):
            # What Python cannot even show is no setting: told like every other wrong value.
            from_request(request, over=rule.policy)
            raise
        with self.lock:
            if key not in self._requests:
                diff = from_request(request, over=rule.policy)
                self._keep_request(key, self._made(with_request(rule.resolved, diff)))
            return self._requests[key]

    def rule_of(self, stored: Mapping[str, JsonValue]) -> Rule:
        """The rule that would be in force with another stored policy of the bank.

        Raises:
            PolicyError: The result is not a policy; all faults at once.
        """
        return self._made(self._merged(stored))

    def rule_once_made(self, stored: Mapping[str, JsonValue]) -> Rule:
        """`rule_of` for who asks again and again what a bank will start with."""
        key = f"once made {stored!r}"
        with self.lock:
            if key not in self._requests:
                self._keep_request(key, self.rule_of(stored))
            return self._requests[key]

    @property
    def tokeniser(self) -> Tokeniser:
        """The tokeniser of the bank's language."""
        language = self.rule.policy.memory.language
        # Not `lock`: a judge asks while its store is locked, and who holds `lock` asks the store.
        with self._making:
            if language not in self._tokenisers:
                self._tokenisers[language] = Tokeniser(language)
            return self._tokenisers[language]

    def idf(self, space: Space, embedder: Embedder) -> NDArray[np.float32] | None:
        """The space's IDF by the embedder's token id, or None when it pools without one."""
        if space.idf == NO_IDF:
            return None
        with self.lock:
            if space.number not in self._idfs:
                self._idfs = {space.number: unpack(space.idf, embedder.vocabulary)}
            return self._idfs[space.number]

    def watch(self) -> Watch:
        """The watch over one write: what was erased may not come back by it."""
        with self._watching:
            if not self._watched:
                self._read_tombstones()
                self._watched = True
        return Watch(index=self._tombstones, find_key=self._parts.keys.find)

    def watch_again(self) -> TombstoneIndex:
        """Learn of tombstones stored or lifted since, by this process or another, and give all."""
        with self._watching:
            self._read_tombstones()
            self._watched = True
        return self._tombstones

    def unwatch(self) -> None:
        """Read all tombstones again before the next write, and the bank before the next read."""
        with self._watching:
            self._tombstones, self._watched = TombstoneIndex(), False

    def _read_tombstones(self) -> None:
        # Before the first write, outside its transaction: many take long to read.
        store, index = self._parts.store, self._tombstones
        while kept := store.tombstones(self.ref, index.seen, TOMBSTONES_AT_ONCE):
            index.advance(kept, self._parts.keys.find)

    def forget(self, ids: Iterable[str]) -> None:
        """Let go of all that is kept in RAM of memories that are gone."""
        gone = frozenset(ids)
        with self.lock:
            self._traces.clear()
            self.answers.shelf.clear()
            self.readings, self._tokenisers = Readings(), {}
            for each in gone:
                self._offered.pop(each, None)
            kept = [each for each in self.returned if each.memory_id not in gone]
            self.returned.clear()
            self.returned.extend(kept)

    def offer(self, candidates: Iterable[Candidate]) -> None:
        """Keep another store's candidates in RAM, in case one of them is reported as used."""
        with self.lock:
            for each in candidates:
                self._offered[each.id] = each
                self._offered.move_to_end(each.id)
            while len(self._offered) > OFFERED_LIMIT:
                self._offered.popitem(last=False)

    def offered(self, ids: Iterable[str]) -> list[Candidate]:
        """Those of the ids that were offered lately, in order."""
        with self.lock:
            return [self._offered[each] for each in ids if each in self._offered]

    def note_returned(self, events: Iterable[UseEvent]) -> None:
        """Keep events in RAM until upkeep writes them, and wake it once they are a batch."""
        with self.lock:
            self.returned.extend(events)
            due = len(self.returned) >= RETURNED_BATCH
        if due:
            self._parts.wake()

    def keep(self, trace: Trace) -> None:
        """Keep a recall in the bounded ring of traces."""
        with self.lock:
            self._traces[trace.recall.id] = trace
            while len(self._traces) > self.rule.policy.recall.trace_ring:
                self._traces.popitem(last=False)

    def trace(self, recall_id: str) -> Trace | None:
        """A recall of this process, while it is in the ring."""
        with self.lock:
            return self._traces.get(recall_id)

    def _keep_request(self, key: str, rule: Rule) -> None:
        if len(self._requests) >= REQUESTS_LIMIT:
            self._requests.clear()
        self._requests[key] = rule

    def _ensure(self) -> None:
        if self._rule is None:
            self.follow()

    def _take_bank(self, bank: Bank | None) -> None:
        before = self._bank
        self._bank = bank
        stored = {} if bank is None else bank.policy
        if self._rule is None or before is None or before.policy != stored:
            self._rule, self._policy_faults = self._in_force(stored)
            self._requests.clear()

    def _in_force(self, stored: Mapping[str, JsonValue]) -> tuple[Rule, tuple[Fault, ...]]:
        try:
            return self.rule_of(stored), ()
        except PolicyError as error:
            return self.rule_of({}), error.faults

    def _merged(self, stored: Mapping[str, JsonValue]) -> Resolved:
        diff = from_diff(stored) if stored else Diff(values={})
        return merge([*self._parts.deployment, Layer(origin=Origin.BANK, diff=diff)])

    def _made(self, resolved: Resolved) -> Rule:
        policy = resolved.policy
        law = law_for(policy.law)
        return Rule(
            resolved=resolved, law=law, fingerprint=fingerprint(policy), stamp=stamp_of(policy)
        )
