"""What the toy store says of dates, uses, holds, plans, truths and the journal."""

from collections.abc import Sequence
from threading import Lock

from lapse.model.answer import KeptAnswer
from lapse.model.canary import Canary
from lapse.model.closing import Closing
from lapse.model.due import Due, DueAfter, DueBy
from lapse.model.hold import Hold
from lapse.model.instants import Instant
from lapse.model.journal import JournalEntry
from lapse.model.memory import BankRef
from lapse.model.plan import Plan, PlanHead
from lapse.model.proposal import Proposal, ProposalStatus
from lapse.model.retention import UseEvent
from lapse.model.sweep import SweepReport
from lapse.model.verbs import Verb
from tests.contracts.toy_copying import Copied
from tests.contracts.toy_shelf import Habits, date_of, shelved


class ToyGoverned(Copied):
    """The part of the toy that answers what decides what fades, stays and was done."""

    _habits: Habits
    _lock: Lock
    _leases: dict[tuple[BankRef, str], tuple[str, int]]

    def due(
        self, ref: BankRef, by: DueBy, until: Instant, after: DueAfter, limit: int
    ) -> list[Due]:
        shelf = self._read(ref)
        found = [
            Due(memory_id=name, at=at, row=shelf.numbers[name])
            for name, state in shelf.states.items()
            if self._habits.is_due(state, by)
            and (at := date_of(state, by)) is not None
            and at <= until
        ]
        later = [each for each in found if (each.at, each.row) > (after.at, after.row)]
        return sorted(later, key=lambda each: (each.at, each.row))[:limit]

    def sweeps(self, ref: BankRef, limit: int) -> list[SweepReport]:
        return self._read(ref).reports[::-1][:limit][::-1]

    def canaries(self, ref: BankRef) -> list[Canary]:
        return list(self._read(ref).canaries.values())

    def answers(self, ref: BankRef, after: int = 0) -> list[KeptAnswer]:
        return [each for each in self._read(ref).answers if each.number > after]

    def answer(self, ref: BankRef, answer_id: str) -> KeptAnswer | None:
        found = [each for each in self._read(ref).answers if each.answer.id == answer_id]
        return found[0] if found else None

    def answer_count(self, ref: BankRef) -> int:
        return len(self._read(ref).answers)

    def holds(self, ref: BankRef) -> list[Hold]:
        return shelved(self._read(ref))

    def plan(self, ref: BankRef, plan_id: str) -> Plan | None:
        return self._read(ref).plans.get(plan_id)

    def plans(self, ref: BankRef, limit: int) -> list[PlanHead]:
        kept = sorted(self._read(ref).plans.values(), key=lambda each: each.id)
        kept.sort(key=lambda each: each.created_at, reverse=True)
        return [each.head for each in kept][:limit]

    def events(self, ref: BankRef, memory_ids: Sequence[str]) -> list[UseEvent]:
        wanted = {self._habits.spell(each) for each in memory_ids}
        found = [each for key, each in self._read(ref).events.items() if key[0] in wanted]
        return sorted(found, key=lambda each: (each.at, each.memory_id, each.event_id))

    def pending_count(self, ref: BankRef) -> int:
        return len(self._read(ref).waiting)

    def pending_since(self, ref: BankRef) -> Instant | None:
        shelf = self._read(ref)
        return next((shelf.events[each].enqueued_at for each in shelf.waiting), None)

    def journal(self, ref: BankRef, after: int, limit: int) -> list[JournalEntry]:
        return self._read(ref).entries[after : after + limit]

    def journal_head(self, ref: BankRef) -> tuple[int, bytes]:
        return self._read(ref).head

    def journal_of(self, ref: BankRef, memory_id: str) -> list[JournalEntry]:
        shelf = self._read(ref)
        number = shelf.numbers.get(self._habits.spell(memory_id))
        told = None if number is None else number - shelf.bank.shift
        return [each for each in shelf.entries if told in [item.row for item in each.items]]

    def journal_by(self, ref: BankRef, verb: Verb, after: int) -> list[JournalEntry]:
        told = self._read(ref).entries
        return [each for each in told if each.verb == verb and each.seq > after]

    def closings(self, ref: BankRef, ids: Sequence[str] | None = None) -> list[Closing]:
        found = list(self._read(ref).closings.values())
        if ids is not None:
            found = [each for each in found if {each.memory_id, each.by_id} & set(ids)]
        return sorted(
            found, key=lambda c: (c.recorded_from, c.memory_id, c.kind.value, c.by_id or "")
        )

    def proposals(
        self, ref: BankRef, status: ProposalStatus | None = None, limit: int | None = None
    ) -> list[Proposal]:
        found = list(self._read(ref).proposals.values())
        return [each for each in found if status is None or each.status is status][:limit]

    def proposals_naming(self, ref: BankRef, ids: Sequence[str]) -> list[Proposal]:
        open_ones = self.proposals(ref, ProposalStatus.OPEN)
        return [each for each in open_ones if set(each.memory_ids) & set(ids)]

    def take_lease(
        self, ref: BankRef, name: str, holder: str, *, now: Instant, until: Instant
    ) -> bool:
        with self._lock:
            self._check_open()
            mine = self._leases.get((ref, name), (holder, now))
            if self._habits.place(ref) not in self._shelves:
                return False
            if mine[0] != holder and self._habits.holds(mine[1], now, until - now):
                return False
            self._leases[ref, name] = (holder, until)
            return True

    def leave_lease(self, ref: BankRef, name: str, holder: str) -> None:
        with self._lock:
            if self._leases.get((ref, name), ("", 0))[0] == holder:
                del self._leases[ref, name]
