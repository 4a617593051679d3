"""One bank of the toy store, in dicts that are changed in place; and the habits it has.

A store with a bad habit breaks the contract: `test_stores` shows that the suite notices each.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from lapse.model.answer import CachedAnswer, KeptAnswer
from lapse.model.bank import Bank
from lapse.model.canary import Canary
from lapse.model.changeset import Changes
from lapse.model.closing import Closing
from lapse.model.due import DueBy
from lapse.model.hold import Hold
from lapse.model.instants import Instant
from lapse.model.journal import GENESIS, JournalEntry, chain
from lapse.model.memory import BankRef, Memory, TextFacets
from lapse.model.plan import Plan
from lapse.model.proposal import Proposal
from lapse.model.record import ContentChange, NewRecord, VectorChange
from lapse.model.redaction import Redaction
from lapse.model.retention import Lifecycle, RetentionState, UseEvent
from lapse.model.sweep import SweepReport
from lapse.model.term_counts import TermCounts
from lapse.stores.applying import (
    Standing,
    closing_ids,
    frozen_object,
    journal_items,
    space_numbers,
)

EventKey = tuple[str, str]


class Habits:
    """What a store does right and could do wrong."""

    def place(self, ref: BankRef) -> object:
        """Where a bank is kept."""
        return ref

    def lists(self, ref: BankRef, tenant: str) -> bool:
        """Whether a bank is one of that tenant's."""
        return ref.tenant == tenant

    def spell(self, memory_id: str) -> str:
        """How an id is compared."""
        return memory_id

    def accept(self, event: UseEvent) -> bool:
        """Whether an event is kept."""
        return event.event_id != ""

    def settle(self, key: EventKey, shelf: "Shelf") -> bool:
        """Whether an event that was in the inbox has to wait for a drain."""
        return key in shelf.events

    def link(self, previous: bytes) -> bytes:
        """What an entry of the journal follows."""
        return previous

    def order(self, names: list[str], shelf: "Shelf") -> list[str]:
        """In which order memories are listed."""
        return sorted(names, key=lambda each: shelf.numbers[each])

    def term_id(self, shelf: "Shelf") -> int:
        """Which id a new term gets."""
        shelf.next_term += 1
        return shelf.next_term - 1

    def before_checks(self, shelf: "Shelf", changes: Changes) -> None:
        """What is done before the changes are checked."""

    def version_before(self, memory: Memory) -> Sequence[Memory]:
        """What is kept of the version before."""
        return [memory]

    def revision(self, shelf: "Shelf") -> int:
        """Which revision is told."""
        return shelf.bank.revision

    def is_due(self, state: RetentionState, by: DueBy) -> bool:
        """Whether a memory whose date has come is due."""
        wanted = Lifecycle.ARCHIVED if by is DueBy.ARCHIVED else Lifecycle.ACTIVE
        return state.lifecycle is wanted

    def holds(self, until: int, now: int, span: int) -> bool:
        """Whether a lease that ends then still holds, where another of that span is wanted."""
        return now < until <= now + 2 * span

    def ask_again(self, proposal: Proposal) -> bool:
        """Whether what was proposed before is asked anew."""
        return proposal.id == ""

    def same_form(self, asked: str, held: str) -> bool:
        """Whether an identifier is the one that was asked for."""
        return asked == held

    def occurrences(self, words: Sequence[str], term: str) -> int:
        """How much a memory adds to the count of a term."""
        return int(term in words)

    def cites(self, memory: Memory, name: str, stands: Lifecycle) -> bool:
        """Whether a memory protects another by citing it."""
        return name in memory.derived_from and stands is Lifecycle.ACTIVE

    def keep_hold(self, hold: Hold, kept: Mapping[str, Hold]) -> bool:
        """Whether a hold is kept."""
        return hold.name != "" or not kept

    def lets_go(self, gone: Redaction) -> bool:
        """Whether words go that are told to."""
        return gone.text != ""

    def dies(self, answer: CachedAnswer, sources: Sequence[str]) -> bool:
        """Whether an answer goes with these memories."""
        return not set(answer.sources).isdisjoint(sources)

    def late_vector(self, memory: Memory, change: VectorChange) -> bool:
        """Whether a vector belongs to content that is no longer there."""
        return memory.content_version != change.content_version


@dataclass
class Shelf:
    """All of one bank."""

    habits: Habits
    bank: Bank
    numbers: dict[str, int] = field(default_factory=dict)
    contents: dict[str, Memory] = field(default_factory=dict)
    facets: dict[str, TextFacets] = field(default_factory=dict)
    words: dict[str, tuple[int, ...]] = field(default_factory=dict)
    salts: dict[str, bytes] = field(default_factory=dict)
    states: dict[str, RetentionState] = field(default_factory=dict)
    vectors: dict[tuple[str, int], bytes] = field(default_factory=dict)
    history: dict[str, list[Memory]] = field(default_factory=dict)
    touched: dict[tuple[str, str], int] = field(default_factory=dict)
    events: dict[EventKey, UseEvent] = field(default_factory=dict)
    waiting: dict[EventKey, None] = field(default_factory=dict)
    inbox: dict[EventKey, UseEvent] = field(default_factory=dict)
    terms: dict[str, tuple[int, int]] = field(default_factory=dict)
    next_term: int = 1
    space_since: int = 0
    gone: dict[int, int] = field(default_factory=dict)
    entries: list[JournalEntry] = field(default_factory=list)
    holds: dict[str, Hold] = field(default_factory=dict)
    reports: list[SweepReport] = field(default_factory=list)
    canaries: dict[str, Canary] = field(default_factory=dict)
    closings: dict[object, Closing] = field(default_factory=dict)
    proposals: dict[str, Proposal] = field(default_factory=dict)
    plans: dict[str, Plan] = field(default_factory=dict)
    answers: list[KeptAnswer] = field(default_factory=list)
    answered: int = 0

    def copy(self) -> "Shelf":
        """Give a copy to read from while this one is written to."""
        twin = replace(self)
        for name, value in vars(self).items():
            if isinstance(value, dict | list):
                setattr(twin, name, value.copy())
        return twin

    def citing(self, name: str) -> tuple[str, ...]:
        """Which active memories cite this one."""
        names = sorted(self.contents, key=lambda each: self.numbers[each])
        return tuple(
            each
            for each in names
            if each != name
            and self.habits.cites(self.contents[each], name, self.states[each].lifecycle)
        )

    def empty_inbox(self) -> None:
        """Bring in what lay in the inbox."""
        for key, event in self.inbox.items():
            self.events[key] = event
            if self.habits.settle(key, self):
                self.waiting[key] = None
        self.inbox.clear()

    def apply(self, changes: Changes, standing: dict[str, Standing], number: int) -> int:
        """Carry out checked changes; give the number of new events.

        `number` is the first free internal number.
        """
        revision = self.bank.revision + 1
        bank = changes.bank or self.bank
        if bank.space != self.bank.space:
            self.space_since = revision
        self._put_bank(bank, revision)
        number = self._shift(changes, number)
        for at, new in enumerate(changes.created):
            own = None if new.number is None else new.number + self.bank.shift
            self._create(new, number + at if own is None else own)
        for change in changes.revised:
            self._revise(change)
        for reading in changes.reread:
            self._put(reading.memory)
            self._put_facets(reading.memory.id, reading)
        for memory in changes.amended:
            self._put(memory)
        for name, state in changes.states:
            self.states[name] = state
            self.touched[name, "state"] = revision
        fresh = sum(self._enqueue(each) for each in changes.enqueued)
        for key in changes.drained:
            if key in self.inbox:
                self.events[key] = self.inbox.pop(key)
            self.waiting.pop(key, None)
        self._put_sweeps(changes)
        self._put_vectors(changes)
        self._put_plans(changes)
        placed = [each for each in changes.holds_placed if self.habits.keep_hold(each, self.holds)]
        kept = {**self.holds, **{each.name: each for each in placed}}
        self.holds = {
            name: each for name, each in kept.items() if name not in changes.holds_released
        }
        self._put_answers(changes)
        self._put_truths(changes)
        self._write_journal(changes, standing)
        for name in dict.fromkeys(changes.removed):
            self._remove(name)
        held = {word for each in self.facets.values() for word in each.terms}
        self.terms = {word: found for word, found in self.terms.items() if word in held}
        return fresh

    def _put_bank(self, bank: Bank, revision: int) -> None:
        policy, shift = frozen_object(bank.policy), self.bank.shift
        self.bank = replace(bank, revision=revision, policy=policy, shift=shift)

    def _shift(self, changes: Changes, number: int) -> int:
        if changes.numbers_through is None:
            return number
        self.bank = replace(self.bank, shift=number - 1)
        return number + changes.numbers_through

    def counted(self, terms: Sequence[str]) -> TermCounts:
        """In how many memories each of these terms occurs."""
        spoken = [each.terms for each in self.facets.values()]
        counts = {
            term: sum(self.habits.occurrences(words, term) for words in spoken) for term in terms
        }
        held = {term: count for term, count in counts.items() if count}
        return TermCounts(memory_count=len(self.contents), frequency=held)

    def _create(self, new: NewRecord, number: int) -> None:
        name = self.habits.spell(new.memory.id)
        self.numbers[name] = number
        self.salts[name] = new.salt
        self.states[name] = new.state
        self.history[name] = list(new.versions)
        self.touched[name, "state"] = self.bank.revision
        self._put(new.memory)
        self._put_facets(name, new)

    def _revise(self, change: ContentChange) -> None:
        name = change.memory.id
        self.history[name] = [*self.history[name], *self.habits.version_before(self.contents[name])]
        if self.contents[name].text != change.memory.text:
            self.vectors = {key: data for key, data in self.vectors.items() if key[0] != name}
        self._put(change.memory)
        self._put_facets(name, change)

    def _put(self, memory: Memory) -> None:
        name = self.habits.spell(memory.id)
        self.contents[name] = replace(memory, metadata=frozen_object(memory.metadata))
        self.touched[name, "content"] = self.bank.revision

    def _put_facets(self, name: str, change: NewRecord | ContentChange) -> None:
        self.facets[name] = change.facets
        for word in change.facets.terms:
            if word not in self.terms:
                self.terms[word] = (self.habits.term_id(self), self.bank.revision)
        self.words[name] = tuple(self.terms[word][0] for word in change.facets.terms)
        if change.vector is not None:
            self.vectors[name, change.vector.space] = change.vector.data

    def _put_vectors(self, changes: Changes) -> None:
        current = None if self.bank.space is None else self.bank.space.number
        for change in changes.vectors:
            told = self.contents.get(change.memory_id)
            if told is None or self.habits.late_vector(told, change):
                continue
            self.vectors[told.id, change.vector.space] = change.vector.data
            if change.vector.space == current:
                self.touched[told.id, "content"] = self.bank.revision
        kept = space_numbers(self.bank)
        self.vectors = {key: data for key, data in self.vectors.items() if key[1] in kept}

    def _put_sweeps(self, changes: Changes) -> None:
        self.reports += changes.sweeps
        for name in changes.canaries_gone:
            self.canaries.pop(name, None)
        self.canaries.update({each.id: each for each in changes.canaries})

    def _write_journal(self, changes: Changes, standing: dict[str, Standing]) -> None:
        self.entries += changes.adopted
        if changes.journal is None:
            return
        _, previous = self.head
        items = journal_items(
            changes, {n: at - self.bank.shift for n, at in self.numbers.items()}, standing
        )
        seq = len(self.entries) + 1
        self.entries.append(chain(self.habits.link(previous), seq, changes.journal, items))

    @property
    def head(self) -> tuple[int, bytes]:
        """Number and hash of the last entry."""
        return (len(self.entries), self.entries[-1].hash) if self.entries else (0, GENESIS)

    def _put_plans(self, changes: Changes) -> None:
        for plan in changes.plans:
            before = self.plans.get(plan.id, plan)
            self.plans[plan.id] = replace(
                before, approval=plan.approval, application=plan.application
            )

    def _enqueue(self, event: UseEvent) -> int:
        key = (self.habits.spell(event.memory_id), event.event_id)
        if key in self.events or key in self.inbox or not self.habits.accept(event):
            return 0
        self.inbox[key] = event
        return 1

    def _put_truths(self, changes: Changes) -> None:
        self.closings.update({each.name: each for each in changes.closings})
        for each in changes.proposed:
            if self.habits.ask_again(each) or each.id not in self.proposals:
                self.proposals[each.id] = each
        self.proposals.update({each.id: each for each in changes.decided})

    def _put_answers(self, changes: Changes) -> None:
        told = changes.answers
        named = {*told.gone, *(each.id for each in told.put)}
        self.answers = [
            each
            for each in self.answers
            if each.answer.id not in named and not self.habits.dies(each.answer, told.of_sources)
        ]
        for each in told.put:
            self.answered += 1
            self.answers.append(KeptAnswer(number=self.answered, answer=each))

    def _remove(self, name: str) -> None:
        self.gone[self.numbers[name]] = self.bank.revision
        for kept in (
            *(self.numbers, self.contents, self.facets, self.words),
            *(self.salts, self.states, self.history),
        ):
            kept.pop(name)
        self.vectors = {key: data for key, data in self.vectors.items() if key[0] != name}
        self.events = {key: each for key, each in self.events.items() if key[0] != name}
        self.inbox = {key: each for key, each in self.inbox.items() if key[0] != name}
        self.waiting = {key: each for key, each in self.waiting.items() if key[0] != name}
        self.closings = {k: c for k, c in self.closings.items() if name not in closing_ids(c)}
        self.proposals = {k: p for k, p in self.proposals.items() if name not in p.memory_ids}


def shelved(shelf: Shelf) -> list[Hold]:
    """Give the holds of a bank, by name."""
    return [shelf.holds[each] for each in sorted(shelf.holds)]


def date_of(state: RetentionState, by: DueBy) -> Instant | None:
    """Give the date that is asked for."""
    if by is DueBy.ARCHIVED:
        return None if state.transition is None else state.transition.at
    return state.expires_at if by is DueBy.EXPIRY else state.fades_at
