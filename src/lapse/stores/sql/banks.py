"""A bank's own record in its tables.

Decides how a bank and its vector spaces are read and written. The IDF of a space can be large and
never changes under one revision, so it is read once. Refuses to change a revision by itself.
"""

from dataclasses import dataclass

from lapse.errors import CorruptStoreError
from lapse.model.bank import Bank, Space
from lapse.model.instants import Instant
from lapse.model.memory import BankRef
from lapse.stores.applying import new_bank
from lapse.stores.sql import statements
from lapse.stores.sql.connections import UNREADABLE
from lapse.stores.sql.driver import Connection
from lapse.stores.sql.rows import Row, json_object, json_text, space_values
from lapse.stores.sql.spaces import KnownSpaces


@dataclass(frozen=True, slots=True, kw_only=True)
class BankRow:
    """A bank with what the store keeps beside it.

    Attributes:
        id: Number inside the store, or None when the bank was never written.
        bank: The record.
        space_revision: Revision at which the current vector space became the current one.
        next_term: The next id for a term.
        memories: How many memories it holds.
        active: How many of them are active.
    """

    id: int | None
    bank: Bank
    space_revision: int = 0
    next_term: int = 1
    memories: int = 0
    active: int = 0


class Banks:
    """Reads and writes banks; remembers their spaces."""

    def __init__(self) -> None:
        # By bank, number and revision: under these three a space never changes.
        self._spaces = KnownSpaces()

    def read(self, connection: Connection, ref: BankRef, now: Instant) -> BankRow:
        """Read a bank; one that does not exist is as it would be when created `now`.

        Raises:
            CorruptStoreError: Its record cannot be read.
        """
        row = connection.execute(statements.BANK, (ref.tenant, ref.name)).fetchone()
        if row is None:
            return BankRow(id=None, bank=new_bank(ref, now))
        try:
            return self._read(connection, ref, row)
        except UNREADABLE as error:
            raise CorruptStoreError(
                f"the record of bank {ref.name!r} cannot be read: restore a backup"
            ) from error

    def _read(self, connection: Connection, ref: BankRef, row: Row) -> BankRow:
        number, created_at, revision, policy, policy_version, space, building = row[:7]
        space_revision, overlay, late_events, tokeniser, law = row[7:12]
        next_term, memories, active, redating, redated_through, shift = row[12:]
        bank = Bank(
            ref=ref,
            created_at=created_at,
            revision=revision,
            policy=json_object(policy),
            policy_version=policy_version,
            space=self._space(connection, number, space),
            building=self._space(connection, number, building),
            overlay=bool(overlay),
            late_events=late_events,
            tokeniser=tokeniser,
            law=law,
            redating=redating,
            redated_through=redated_through,
            shift=shift,
        )
        return BankRow(
            id=number,
            bank=bank,
            space_revision=space_revision,
            next_term=next_term,
            memories=memories,
            active=active,
        )

    def create(self, connection: Connection, bank: Bank) -> int:
        """Insert a bank that does not exist yet, and give its number."""
        names = (bank.ref.tenant, bank.ref.name)
        values = (bank.created_at, 0, "{}", 0, None, None, 0, False, 0, "", "", 1, 0, 0, "", 0, 0)
        (number,) = connection.execute(statements.INSERT_BANK, (*names, *values)).fetchone()
        return int(number)

    def write(self, connection: Connection, before: Bank, after: BankRow) -> None:
        """Write a bank that exists; `after` has its new revision."""
        assert after.id is not None  # noqa: S101 - it was created before
        bank = after.bank
        if (bank.space, bank.building) != (before.space, before.building):
            self._write_spaces(connection, after.id, bank)
        connection.execute(
            statements.UPDATE_BANK,
            (
                bank.created_at,
                bank.revision,
                json_text(bank.policy),
                bank.policy_version,
                None if bank.space is None else bank.space.number,
                None if bank.building is None else bank.building.number,
                after.space_revision,
                bank.overlay,
                bank.late_events,
                bank.tokeniser,
                bank.law,
                after.next_term,
                after.memories,
                after.active,
                bank.redating,
                bank.redated_through,
                bank.shift,
                after.id,
            ),
        )

    def _space(self, connection: Connection, bank: int, number: int | None) -> Space | None:
        if number is None:
            return None
        found = connection.execute(statements.SPACE, (bank, number)).fetchone()
        if found is None:
            raise CorruptStoreError(f"the bank's vector space {number} is gone: restore a backup")
        whole = statements.SPACE_WHOLE, (bank, number)
        return self._spaces.find(
            (bank, number, found[0]), lambda: connection.execute(*whole).fetchone()
        )

    def _write_spaces(self, connection: Connection, number: int, bank: Bank) -> None:
        used = [each for each in (bank.space, bank.building) if each is not None]
        for space in used:
            connection.execute(
                statements.PUT_SPACE, (number, space.number, bank.revision, *space_values(space))
            )
        kept = {each.number for each in used}
        for (old,) in connection.execute(statements.SPACES, (number,)).fetchall():
            if old not in kept:
                connection.execute(statements.DELETE_SPACE, (number, old))
