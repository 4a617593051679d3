"""What stores in SQL answer of dates, uses, holds, plans, truths, tombstones and the journal.

Decides which statements answer. Refuses to know how a connection is come by.
"""

from collections.abc import Sequence

from lapse.model.answer import KeptAnswer
from lapse.model.canary import Canary
from lapse.model.closing import Closing
from lapse.model.due import Due, DueAfter, DueBy
from lapse.model.hold import Hold
from lapse.model.instants import Instant
from lapse.model.journal import JournalEntry
from lapse.model.memory import BankRef, can_be_kept
from lapse.model.plan import Plan, PlanHead
from lapse.model.proposal import Proposal, ProposalStatus
from lapse.model.retention import UseEvent
from lapse.model.sweep import SweepReport
from lapse.model.tombstone import KeptTombstone
from lapse.model.verbs import Verb
from lapse.stores.sql import statements
from lapse.stores.sql.answering import count_answers, get_answer, get_answers
from lapse.stores.sql.driver import Connection
from lapse.stores.sql.graves import get_tombstones
from lapse.stores.sql.holding import get_holds
from lapse.stores.sql.journal_rows import get_entries_of, get_head, read_entry
from lapse.stores.sql.lending import Lending
from lapse.stores.sql.planning import get_plan, get_plans
from lapse.stores.sql.reading import get_events, get_rows
from lapse.stores.sql.redacting import get_words
from lapse.stores.sql.sweeping import get_canaries, get_due, get_sweeps, leave_lease, take_lease
from lapse.stores.sql.truths import read_closings, read_proposals, read_proposals_naming


class Governed(Lending):
    """Answers what governs attention, what is no longer so, and what was done."""

    def due(
        self, ref: BankRef, by: DueBy, until: Instant, after: DueAfter, limit: int
    ) -> list[Due]:
        """See `lapse.ports.Store.due`."""
        with self._reading(ref.tenant) as connection:
            return get_due(connection, self._bank(connection, ref), by, until, after, limit)

    def sweeps(self, ref: BankRef, limit: int) -> list[SweepReport]:
        """See `lapse.ports.Store.sweeps`."""
        with self._reading(ref.tenant) as connection:
            return get_sweeps(connection, self._bank(connection, ref), limit)

    def canaries(self, ref: BankRef) -> list[Canary]:
        """See `lapse.ports.Store.canaries`."""
        with self._reading(ref.tenant) as connection:
            return get_canaries(connection, self._bank(connection, ref))

    def answers(self, ref: BankRef, after: int = 0) -> list[KeptAnswer]:
        """See `lapse.ports.Store.answers`."""
        with self._reading(ref.tenant) as connection:
            return list(get_answers(connection, self._bank(connection, ref).id, after))

    def answer(self, ref: BankRef, answer_id: str) -> KeptAnswer | None:
        """See `lapse.ports.Store.answer`."""
        with self._reading(ref.tenant) as connection:
            return get_answer(connection, self._bank(connection, ref).id, answer_id)

    def answer_count(self, ref: BankRef) -> int:
        """See `lapse.ports.Store.answer_count`."""
        with self._reading(ref.tenant) as connection:
            return count_answers(connection, self._bank(connection, ref).id)

    def take_lease(
        self, ref: BankRef, name: str, holder: str, *, now: Instant, until: Instant
    ) -> bool:
        """See `lapse.ports.Leasing.take_lease`."""
        with self._leasing(ref) as connection:
            bank = self._bank(connection, ref)
            taken = bank.id is not None and self._take_lease(
                connection, bank.id, name, holder, now, until
            )
            connection.execute("COMMIT")
        return taken

    def leave_lease(self, ref: BankRef, name: str, holder: str) -> None:
        """See `lapse.ports.Leasing.leave_lease`."""
        with self._leasing(ref) as connection:
            bank = self._bank(connection, ref)
            if bank.id is not None:
                leave_lease(connection, bank.id, name, holder)
            connection.execute("COMMIT")

    def _take_lease(
        self,
        connection: Connection,
        bank: int,
        name: str,
        holder: str,
        now: Instant,
        until: Instant,
    ) -> bool:
        return take_lease(connection, bank, name, holder, now, until)

    def holds(self, ref: BankRef) -> list[Hold]:
        """See `lapse.ports.Store.holds`."""
        with self._reading(ref.tenant) as connection:
            return list(get_holds(connection, self._bank(connection, ref).id))

    def plan(self, ref: BankRef, plan_id: str) -> Plan | None:
        """See `lapse.ports.Store.plan`."""
        if not can_be_kept(plan_id):
            return None
        with self._reading(ref.tenant) as connection:
            return get_plan(connection, self._bank(connection, ref).id, plan_id)

    def plans(self, ref: BankRef, limit: int) -> list[PlanHead]:
        """See `lapse.ports.Store.plans`."""
        with self._reading(ref.tenant) as connection:
            return get_plans(connection, self._bank(connection, ref).id, limit)

    def events(self, ref: BankRef, memory_ids: Sequence[str]) -> list[UseEvent]:
        """See `lapse.ports.Store.events`."""
        with self._reading(ref.tenant) as connection:
            return get_events(connection, self._bank(connection, ref), memory_ids)

    def pending_count(self, ref: BankRef) -> int:
        """See `lapse.ports.Store.pending_count`."""
        with self._reading(ref.tenant) as connection:
            bank = self._bank(connection, ref)
            (count,) = connection.execute(statements.PENDING_COUNT, (bank.id,)).fetchone()
        return int(count)

    def pending_since(self, ref: BankRef) -> Instant | None:
        """See `lapse.ports.Store.pending_since`."""
        with self._reading(ref.tenant) as connection:
            bank = self._bank(connection, ref)
            found = connection.execute(statements.PENDING_SINCE, (bank.id, 1)).fetchone()
        return None if found is None else Instant(int(found[0]))

    def tombstones(self, ref: BankRef, after: int, limit: int) -> list[KeptTombstone]:
        """See `lapse.ports.Store.tombstones`."""
        with self._reading(ref.tenant) as connection:
            return list(get_tombstones(connection, ref, after, limit))

    def journal(self, ref: BankRef, after: int, limit: int) -> list[JournalEntry]:
        """See `lapse.ports.Store.journal`."""
        with self._reading(ref.tenant) as connection:
            bank = self._bank(connection, ref)
            rows = connection.execute(statements.JOURNAL, (bank.id, after, limit)).fetchall()
            return [read_entry(each) for each in rows]

    def journal_head(self, ref: BankRef) -> tuple[int, bytes]:
        """See `lapse.ports.Store.journal_head`."""
        with self._reading(ref.tenant) as connection:
            return get_head(connection, self._bank(connection, ref).id)

    def words(self, ref: BankRef) -> list[str]:
        """See `lapse.ports.Store.words`."""
        with self._reading(ref.tenant) as connection:
            return get_words(connection, self._bank(connection, ref).id, ref)

    def journal_of(self, ref: BankRef, memory_id: str) -> list[JournalEntry]:
        """See `lapse.ports.Store.journal_of`."""
        with self._reading(ref.tenant) as connection:
            bank = self._bank(connection, ref)
            rows = get_rows(connection, bank, [memory_id])
            numbers = [row - bank.bank.shift for row in rows]
            return [each for row in numbers for each in get_entries_of(connection, bank.id, row)]

    def journal_by(self, ref: BankRef, verb: Verb, after: int) -> list[JournalEntry]:
        """See `lapse.ports.Store.journal_by`."""
        with self._reading(ref.tenant) as connection:
            asked = (self._bank(connection, ref).id, verb.value, after)
            found = connection.execute(statements.JOURNAL_BY, asked).fetchall()
            return [read_entry(each) for each in found]

    def closings(self, ref: BankRef, ids: Sequence[str] | None = None) -> list[Closing]:
        """See `lapse.ports.Store.closings`."""
        with self._reading(ref.tenant) as connection:
            bank = self._bank(connection, ref)
            rows = None if ids is None else get_rows(connection, bank, ids)
            return read_closings(connection, bank.id, rows)

    def proposals(
        self, ref: BankRef, status: ProposalStatus | None = None, limit: int | None = None
    ) -> list[Proposal]:
        """See `lapse.ports.Store.proposals`."""
        with self._reading(ref.tenant) as connection:
            return read_proposals(connection, self._bank(connection, ref).id, status, limit)

    def proposals_naming(self, ref: BankRef, ids: Sequence[str]) -> list[Proposal]:
        """See `lapse.ports.Store.proposals_naming`."""
        with self._reading(ref.tenant) as connection:
            bank = self._bank(connection, ref)
            return read_proposals_naming(connection, bank.id, get_rows(connection, bank, ids))
