"""Carrying out a write, inside its transaction.

Decides the order in which checked changes are written. Refuses to check them (`applying` did) and
to commit: the store does.
"""

from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from itertools import chain

from lapse.model.changeset import Changes
from lapse.model.journal import JournalEntry
from lapse.model.journal import chain as next_entry
from lapse.model.memory import Memory, TextFacets
from lapse.model.record import ContentChange, NewRecord, Vector, VectorChange
from lapse.model.retention import Lifecycle, RetentionState, UseEvent
from lapse.model.verbs import Verb
from lapse.stores.applying import Standing, check_adopted, journal_items, space_numbers
from lapse.stores.sql import statements
from lapse.stores.sql.answering import put_answers
from lapse.stores.sql.banks import BankRow, Banks
from lapse.stores.sql.copying import put_versions, reserve_rows
from lapse.stores.sql.driver import Connection
from lapse.stores.sql.graves import put_tombstones
from lapse.stores.sql.holding import put_citations, put_holds, replace_citations
from lapse.stores.sql.identifying import (
    put_identifiers,
    remove_identifiers,
    replace_identifiers,
)
from lapse.stores.sql.journal_rows import get_head, put_entry
from lapse.stores.sql.planning import put_plans
from lapse.stores.sql.portions import portions
from lapse.stores.sql.redacting import redact
from lapse.stores.sql.rows import Value, archived_at, event_values, memory_values, state_values
from lapse.stores.sql.sweeping import COUNT_ACTIVE, put_canaries, put_sweeps
from lapse.stores.sql.terms import TermBook
from lapse.stores.sql.truths import (
    remove_truths,
    write_closings,
    write_decisions,
    write_proposals,
)


class Writer:
    """Writes the changes of one transaction to one bank.

    Args:
        connection: Inside a write transaction.
        banks: Reads and writes banks.
        before: The bank as it was read in this transaction.
        standing: The stored memories that the changes speak of.
    """

    def __init__(
        self,
        connection: Connection,
        banks: Banks,
        before: BankRow,
        standing: dict[str, Standing],
    ) -> None:
        self._connection = connection
        self._banks = banks
        self._before = before
        self._standing = standing
        self._bank = before.id or banks.create(connection, before.bank)
        self._revision = before.bank.revision + 1
        self._terms = TermBook(connection, self._bank, before.next_term)
        self._rows = {name: each.row for name, each in standing.items()}
        self._versions = {name: each.content_version for name, each in standing.items()}
        self._texts = {name: each.text for name, each in standing.items()}
        self._lifecycles = {name: each.lifecycle for name, each in standing.items()}
        self._spaces: frozenset[int] = frozenset()
        self._shifted = before.bank.shift
        self.entered: JournalEntry | None = None

    def write(self, changes: Changes) -> tuple[int, int, int | None]:
        """Write everything.

        Returns:
            The bank's new revision, how many events were new, and the journal entry's number.
        """
        bank = replace(
            changes.bank or self._before.bank, revision=self._revision, shift=self._shift(changes)
        )
        self._spaces = space_numbers(bank)
        self._terms.look_up(chain.from_iterable(each.terms for each in _facets(changes)))
        self._create(changes.created)
        for change in changes.revised:
            self._revise(change)
        for reading in changes.reread:
            self._reread(reading)
        for memory in changes.amended:
            self._put_content(memory)
        self._put_states(changes.states)
        fresh = self._enqueue(changes.enqueued)
        self._drain(changes.drained)
        put_sweeps(self._connection, self._bank, changes.sweeps)
        put_canaries(self._connection, self._bank, changes.canaries, changes.canaries_gone)
        self._put_vectors(changes.vectors, None if bank.space is None else bank.space.number)
        for number in changes.drop_spaces:
            self._connection.execute(statements.DROP_SPACE, (self._bank, number))
        put_holds(self._connection, self._bank, changes.holds_placed, changes.holds_released)
        write_closings(self._connection, self._bank, changes.closings, self._rows)
        write_proposals(self._connection, self._bank, changes.proposed, self._rows)
        write_decisions(self._connection, self._bank, changes.decided)
        put_plans(self._connection, self._bank, changes.plans)
        put_tombstones(self._connection, changes.tombstones)
        put_answers(self._connection, self._bank, changes.answers)
        seq = self._journal(changes)
        redact(self._connection, self._bank, bank.ref, self._revision, changes.redacted)
        removed = dict.fromkeys(changes.removed)
        self._remove(removed)
        self._terms.write(self._revision)
        moved = bank.space != self._before.bank.space
        after = BankRow(
            id=self._bank,
            bank=bank,
            space_revision=self._revision if moved else self._before.space_revision,
            next_term=self._terms.next_term,
            memories=self._before.memories + len(changes.created) - len(removed),
            active=self._active(changes, removed),
        )
        self._banks.write(self._connection, self._before.bank, after)
        return self._revision, fresh, seq

    def _create(self, created: tuple[NewRecord, ...]) -> None:
        if not created:
            return
        numbers = self._connection.execute(statements.NEW_ROWS, (len(created),)).fetchall()
        for (row,), record in zip(numbers, created, strict=True):
            own = record.number
            self._rows[record.memory.id] = row if own is None else own + self._shifted
            self._versions[record.memory.id] = record.memory.content_version
            self._texts[record.memory.id] = record.memory.text
        self._connection.executemany(
            statements.INSERT_MEMORY, [self._memory_row(each) for each in created]
        )
        versions = ((self._rows[each.memory.id], each.versions) for each in created)
        put_versions(self._connection, self._bank, versions)
        self._put_states((each.memory.id, each.state) for each in created)
        put_citations(
            self._connection,
            self._bank,
            ((self._rows[each.memory.id], each.memory) for each in created),
        )
        put_identifiers(
            self._connection,
            self._bank,
            ((self._rows[each.memory.id], each.facets.identifiers) for each in created),
        )
        self._put_each(
            (self._rows[each.memory.id], each.vector) for each in created if each.vector is not None
        )

    def _shift(self, changes: Changes) -> int:
        """The bank's shift; one that is taken over begins behind all that is there."""
        if changes.numbers_through is not None:
            self._shifted = reserve_rows(self._connection, changes.numbers_through)
        return self._shifted

    def _memory_row(self, record: NewRecord) -> tuple[Value, ...]:
        memory, facets = record.memory, record.facets
        return (
            self._rows[memory.id],
            self._bank,
            memory.id,
            self._revision,
            bytearray(record.salt),
            facets.word_count,
            len(memory.entities),
            bytearray(facets.distinctions),
            bytearray(self._terms.take(facets.terms)),
            *memory_values(memory),
        )

    def _revise(self, change: ContentChange) -> None:
        memory = change.memory
        row = self._rows[memory.id]
        self._connection.execute(statements.KEEP_VERSION, (self._bank, row))
        self._reread(change)
        if self._texts[memory.id] != memory.text:
            # A vector is of the text alone: other tags leave it as it is.
            self._connection.execute(statements.DROP_VECTORS, (self._bank, row))
        self._texts[memory.id] = memory.text
        if change.vector is not None:
            self._put_each([(row, change.vector)])
        self._versions[memory.id] = memory.content_version

    def _reread(self, change: ContentChange) -> None:
        facets, row = change.facets, self._rows[change.memory.id]
        (terms,) = self._connection.execute(statements.TERMS_OF, (self._bank, row)).fetchone()
        data = self._terms.take(facets.terms)
        self._terms.leave(terms)
        self._put_content(change.memory)
        replace_identifiers(self._connection, self._bank, row, facets.identifiers)
        self._connection.execute(
            statements.UPDATE_FACETS,
            (facets.word_count, bytearray(facets.distinctions), bytearray(data), self._bank, row),
        )

    def _put_content(self, memory: Memory) -> None:
        self._connection.execute(
            statements.UPDATE_CONTENT,
            (
                self._revision,
                len(memory.entities),
                *memory_values(memory),
                self._bank,
                self._rows[memory.id],
            ),
        )
        replace_citations(self._connection, self._bank, self._rows[memory.id], memory)

    def _put_states(self, states: Iterable[tuple[str, RetentionState]]) -> None:
        values = []
        for memory_id, state in states:
            self._lifecycles[memory_id] = state.lifecycle
            row = self._rows[memory_id]
            whole = (*state_values(state), archived_at(state))
            values.append((row, self._bank, self._revision, *whole))
        self._connection.executemany(statements.PUT_STATE, values)

    def _active(self, changes: Changes, removed: Container[str]) -> int:
        if changes.journal is not None and changes.journal.verb is Verb.REPAIR:
            # Nobody knows what a memory was before its state was lost.
            active = (self._bank, Lifecycle.ACTIVE.value)
            (count,) = self._connection.execute(COUNT_ACTIVE, active).fetchone()
            return int(count)
        before = sum(each.lifecycle is Lifecycle.ACTIVE for each in self._standing.values())
        after = sum(
            lifecycle is Lifecycle.ACTIVE and memory_id not in removed
            for memory_id, lifecycle in self._lifecycles.items()
        )
        return self._before.active + after - before

    def _enqueue(self, events: tuple[UseEvent, ...]) -> int:
        if not events:
            return 0
        rows = [(self._bank, self._rows[each.memory_id], *event_values(each)) for each in events]
        return self._connection.executemany(statements.ENQUEUE, rows).rowcount

    def _drain(self, drained: tuple[tuple[str, str], ...]) -> None:
        self._connection.executemany(
            statements.DRAIN,
            [(self._bank, self._rows[memory_id], event_id) for memory_id, event_id in drained],
        )

    def _put_vectors(self, vectors: tuple[VectorChange, ...], current: int | None) -> None:
        fitting = [
            (self._rows[each.memory_id], each.vector)
            for each in vectors
            if self._versions.get(each.memory_id) == each.content_version
        ]
        self._put_each(fitting)
        touched = [row for row, vector in fitting if vector.space == current]
        for part, statement in portions(touched, statements.touched):
            self._connection.execute(statement, (self._revision, self._bank, *part))

    def _put_each(self, vectors: Iterable[tuple[int, Vector]]) -> None:
        # Its space may have been left while the vector was made: nobody would ever drop it.
        self._connection.executemany(
            statements.PUT_VECTOR,
            [
                (row, self._bank, each.space, bytearray(each.data))
                for row, each in vectors
                if each.space in self._spaces
            ],
        )

    def _journal(self, changes: Changes) -> int | None:
        if changes.adopted:
            check_adopted(get_head(self._connection, self._bank), changes.adopted)
            for each in changes.adopted:
                put_entry(self._connection, self._bank, each)
        if changes.journal is None:
            return None
        seq, previous = get_head(self._connection, self._bank)
        numbers = {name: row - self._shifted for name, row in self._rows.items()}
        items = journal_items(changes, numbers, self._standing)
        entry = next_entry(previous, seq + 1, changes.journal, items)
        put_entry(self._connection, self._bank, entry)
        self.entered = entry
        return entry.seq

    def _remove(self, ids: Iterable[str]) -> None:
        for memory_id in ids:
            row = self._rows[memory_id]
            (terms,) = self._connection.execute(statements.TERMS_OF, (self._bank, row)).fetchone()
            self._terms.leave(terms)
            remove_truths(self._connection, row)
            remove_identifiers(self._connection, self._bank, row)
            for statement in statements.REMOVE:
                self._connection.execute(statement, (self._bank, row))
            self._connection.execute(statements.INSERT_REMOVAL, (self._bank, self._revision, row))


def _facets(changes: Changes) -> Iterator[TextFacets]:
    yield from (each.facets for each in changes.created)
    yield from (each.facets for each in (*changes.revised, *changes.reread))
